/** The team's own pages that match a query. Each change of the query sends a new request and aborts the previous one. */
import { useEffect, useState } from 'react'
import { searchOwnPages } from '#contract/own-pages.ts'
import type { OwnPageHit, OwnPagesAnswer } from '#contract/own-pages.ts'
import { call } from '#web/api/client.ts'
import type { ApiError } from '#web/api/client.ts'
import { asApiError } from '#web/api/hooks.ts'
import { ownParameters } from './own-query.ts'
import type { OwnQuery } from './own-query.ts'

const HITS_PER_PAGE = 20
/** Refresh interval while pages are being indexed. */
const CATCH_UP_MS = 2000
/** Refresh interval while no page is indexed: a crawl may begin at any time. */
const FIRST_PAGE_MS = 5000

type Found = { key: string; pages: readonly OwnPagesAnswer[] }

export type OwnPages = {
  /** The newest answer, possibly to an earlier query; null before the first. */
  answer: OwnPagesAnswer | null
  hits: readonly OwnPageHit[]
  /** True while `answer` is that of an earlier query. */
  isOld: boolean
  error: ApiError | null
  hasMore: boolean
  isLoadingMore: boolean
  loadMore: () => void
  retry: () => void
}

export function useOwnPages(query: OwnQuery): OwnPages {
  const key = JSON.stringify(query)
  const [found, setFound] = useState<Found | null>(null)
  const [failure, setFailure] = useState<{ key: string; error: ApiError } | null>(null)
  const [attempt, setAttempt] = useState(0)
  /** The last question that was answered or failed. */
  const [settled, setSettled] = useState('')
  const [isLoadingMore, setLoadingMore] = useState(false)

  /** Contains the attempt, so that a retry of the same query sends a new request. */
  const question = JSON.stringify({ key, attempt })
  useEffect(() => {
    const stop = new AbortController()
    const { key } = JSON.parse(question) as { key: string }
    ask(JSON.parse(key) as OwnQuery, 1, stop.signal)
      .then((answer) => {
        // More pages that were loaded meanwhile stay.
        setFound((now) => (now?.key === key && now.pages.length > 1 ? now : { key, pages: [answer] }))
        setFailure(null)
        setSettled(question)
      })
      .catch((cause: unknown) => {
        if (stop.signal.aborted) return
        setFailure({ key, error: asApiError(cause) })
        setSettled(question)
      })
    return () => stop.abort()
  }, [question])

  const pages = found?.pages ?? []
  const first = pages[0] ?? null
  const last = pages.at(-1)
  // After a click on "more" the user is reading, so the list is no longer refreshed.
  const everyMs =
    first === null || pages.length > 1 ? null : first.index.behind > 0 ? CATCH_UP_MS : first.index.indexed === 0 ? FIRST_PAGE_MS : null
  // A new attempt aborts the previous one, so it waits until that has an answer.
  const isSettled = settled === question
  useEffect(() => {
    if (everyMs === null || !isSettled) return
    const timer = setTimeout(() => setAttempt((number) => number + 1), everyMs)
    return () => clearTimeout(timer)
  }, [everyMs, isSettled])

  const loadMore = async () => {
    if (isLoadingMore || found === null) return
    setLoadingMore(true)
    try {
      const next = await ask(JSON.parse(found.key) as OwnQuery, found.pages.length + 1)
      // The first page may have been refreshed meanwhile; pages of another query are not continued.
      setFound((now) => (now?.key === found.key && now.pages.length === found.pages.length ? { ...now, pages: [...now.pages, next] } : now))
    } catch (cause) {
      setFailure({ key: found.key, error: asApiError(cause) })
    }
    setLoadingMore(false)
  }
  return {
    answer: first,
    hits: hitsOf(pages),
    isOld: found?.key !== key,
    error: failure?.key === key ? failure.error : null,
    hasMore: last !== undefined && last.next !== null,
    isLoadingMore,
    loadMore: () => void loadMore(),
    retry: () => {
      setFailure(null)
      setAttempt(attempt + 1)
    },
  }
}

const ask = (query: OwnQuery, page: number, signal?: AbortSignal) =>
  call(
    searchOwnPages,
    { query: { ...ownParameters(query, Date.now()), page: page === 1 ? undefined : page, page_size: HITS_PER_PAGE } },
    signal,
  )

/** Removes duplicate hits: a page that was stored between two requests shifts the others. */
function hitsOf(pages: readonly OwnPagesAnswer[]): OwnPageHit[] {
  const hits = new Map<string, OwnPageHit>()
  for (const hit of pages.flatMap(({ results }) => results)) if (!hits.has(hit.uuid)) hits.set(hit.uuid, hit)
  return [...hits.values()]
}
