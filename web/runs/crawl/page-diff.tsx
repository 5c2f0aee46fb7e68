/** Shows what changed in the text of one page between two crawls, word by word; long unchanged sections are collapsed. */
import { Fragment, useMemo, useState } from 'react'
import { getResult } from '#contract/crawls.ts'
import type { ResultDocument } from '#contract/crawls.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { EmptyState, ErrorState, Loading } from '#web/ui/feedback/feedback.tsx'
import { OutsideLink } from '#web/ui/outside-link.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/page-tools.ts'
import { wordDiff } from './word-diff.ts'

type Place = { crawl: string; result: string }

/** Unchanged characters that are shown before and after a change. */
const AROUND = 300
/** Characters that are rendered at once. */
const MOST_DRAWN = 20_000

export function PageDiff({ url, before, now }: { url: string; before: Place; now: Place }) {
  const [older, newer] = [useText(before), useText(now)]
  const error = older.error ?? newer.error
  const parts = useMemo(
    () => (older.text === null || newer.text === null ? null : wordDiff(older.text, newer.text)),
    [older.text, newer.text],
  )
  if (error) return <ErrorState title={t.thePageCouldNotBeLoaded} details={error.message} />
  if (parts === null) return <Loading>{t.loadingBothVersions}</Loading>
  const changes = parts.filter(({ kind }) => kind !== 'same')
  const wordsIn = (kind: 'added' | 'removed') =>
    changes.filter((part) => part.kind === kind).reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0), 0)
  return (
    <div className="grid gap-3 text-ink">
      <p className="truncate text-table text-soft">
        <OutsideLink url={url} />
      </p>
      {changes.length === 0 ? (
        <EmptyState net="plain" title={t.theTextIsTheSame}>
          {t.somethingElseOfThePageDiffers}
        </EmptyState>
      ) : (
        <>
          <p role="status" className="num text-table text-soft">
            {t.addedRemoved(t.words(wordsIn('added')), t.words(wordsIn('removed')))}
          </p>
          <div className="font-mono text-table leading-6 wrap-anywhere whitespace-pre-wrap">
            {parts.map(({ kind, text }, index) =>
              kind === 'same' ? (
                <Same key={index} text={text} isFirst={index === 0} isLast={index === parts.length - 1} />
              ) : kind === 'added' ? (
                <ins key={index} className="rounded-[2px] bg-st-finished-wash text-st-finished no-underline forced-colors:underline">
                  <Long text={text} />
                </ins>
              ) : (
                <del key={index} className="rounded-[2px] bg-st-failed-wash text-st-failed">
                  <Long text={text} />
                </del>
              ),
            )}
          </div>
        </>
      )}
    </div>
  )
}

/** The Markdown of a result; null until it has arrived. */
function useText({ crawl, result }: Place) {
  const asked = useEndpoint(
    getResult,
    { params: { id: crawl, resultId: result }, query: { prefetched: true } },
    { revalidateIfStale: false, revalidateOnReconnect: false },
  )
  const document = asked.data?.result as ResultDocument | undefined
  return { text: document === undefined ? null : document.markdown, error: asked.error }
}

/** Unchanged text: the part near a change is shown, a button shows the rest. */
function Same({ text, isFirst, isLast }: { text: string; isFirst: boolean; isLast: boolean }) {
  const [open, setOpen] = useState(false)
  const head = isFirst ? 0 : AROUND
  const tail = isLast ? 0 : AROUND
  const hidden = text.length - head - tail
  if (hidden < AROUND) return <span className="text-soft">{text}</span>
  return (
    <span className="text-soft">
      {text.slice(0, head)}
      {open ? (
        <Long text={text.slice(head, text.length - tail)} />
      ) : (
        <button type="button" className="link my-1 block font-sans text-label" onClick={() => setOpen(true)}>
          {t.showUnchangedCharacters(numberText(hidden))}
        </button>
      )}
      {text.slice(text.length - tail)}
    </span>
  )
}

/** Shows a long text in pieces, because a text node of megabytes blocks the window. */
function Long({ text }: { text: string }) {
  const [most, setMost] = useState(MOST_DRAWN)
  if (text.length <= most) return text
  return (
    <Fragment>
      {text.slice(0, most)}
      <button type="button" className="link my-1 block font-sans text-label" onClick={() => setMost(most * 4)}>
        {t.showMore}
      </button>
    </Fragment>
  )
}
