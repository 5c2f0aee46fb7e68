/** A playground with its run in the URL: `?run=<id>` leads to the same run after a reload, on going back and from a shared link. */
import { useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { SWRResponse } from 'swr'
import type { ApiError } from '#web/api/client.ts'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorState, Loading } from '#web/ui/feedback/feedback.tsx'
import { PlusIcon } from '#web/ui/icons.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { pathTo } from '#web/navigation.ts'
import { useQuery } from '#web/ui/hooks/use-query.ts'
import * as t from '#texts/playground.ts'
import { MissingRun } from './missing-run.tsx'
import type { RunBase } from './run-base.ts'

export type RunInUrl = {
  /** The run in the URL; null without one. */
  runId: string | null
  /** Counts the URLs that came from a link or from the history. Use it as a key, so that the screen starts again. */
  visit: number
  /** Puts a run that was just started into the URL, in the same history entry. */
  show: (runId: string) => void
}

/** The run in the URL, for a screen that keeps no other state there. */
export function useRunInUrl(): RunInUrl {
  const query = useQuery()
  const runId = query.get('run') || null
  const known = useRef(runId)
  const [visit, setVisit] = useState(0)
  useLayoutEffect(() => {
    if (known.current === runId) return
    known.current = runId
    // The path is the same, so the layout does not scroll.
    if (runId === null) window.scrollTo(0, 0)
    setVisit((number) => number + 1)
  }, [runId])
  return {
    runId,
    visit,
    show(id) {
      known.current = id
      query.change({ run: id })
    },
  }
}

export type RunOfUrlProps<Run> = {
  place: Omit<RunInUrl, 'visit'>
  /** The server's answer for that run. */
  asked: SWRResponse<Run, ApiError>
  base: RunBase
  /** The screen already shows a heading. */
  headed?: boolean
  /** `run` is null without one. Call `onStart` with a run that was just started. */
  children: (run: Run | null, onStart: (run: Run) => void) => ReactNode
}

/** Renders the playground once the run is known; reports a run that does not exist or belongs to another team. */
export function RunOfUrl<Run extends { uuid: string }>({ place, asked, base, headed = false, children }: RunOfUrlProps<Run>): ReactNode {
  const { noun, paths, words } = base
  const { runId, show } = place
  const [started, setStarted] = useState<Run | null>(null)
  const run = runId === null ? null : (asked.data ?? (started?.uuid === runId ? started : null))
  const onStart = (begun: Run) => {
    setStarted(begun)
    show(begun.uuid)
  }
  if (runId === null || run !== null) return children(run, onStart)
  return (
    <>
      {!headed && <PageHeader title={words.title} />}
      <Card>
        {asked.error?.status === 404 ? (
          <MissingRun
            base={base}
            id={runId}
            action={
              <ButtonLink href={pathTo(paths.begin)} look="primary" icon={PlusIcon}>
                {t.newText(noun)}
              </ButtonLink>
            }
          />
        ) : asked.error ? (
          <ErrorState
            title={t.theCouldNotBeLoaded(noun)}
            details={asked.error.message}
            onRetry={() => void asked.mutate()}
            retrying={asked.isValidating}
          >
            {t.itIsStoredTryAgainIn}
          </ErrorState>
        ) : (
          <Loading>{t.loadingThe(noun)}…</Loading>
        )}
      </Card>
    </>
  )
}
