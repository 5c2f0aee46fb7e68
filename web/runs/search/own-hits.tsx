/** Hits among own pages: arrow keys move through them, Enter opens the page. */
import { useEffect, useRef } from 'react'
import type { KeyboardEvent } from 'react'
import type { OwnPageHit } from '#contract/own-pages.ts'
import { bareUrl, pathText } from '#web/runs/crawl/page-texts.ts'
import { Button } from '#web/ui/form/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Chip } from '#web/ui/feedback/status-badge.tsx'
import { RelativeTime } from '#web/ui/text/time.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/own-search.ts'
import { MarkedText } from './marked-text.tsx'

export type OwnHitsProps = {
  hits: readonly OwnPageHit[]
  /** "34", or "20,000 or more". */
  countText: string
  at: number
  /** True while the hits are those of an earlier query. */
  isOld: boolean
  onChoose: (index: number) => void
  onOpen: (index: number) => void
  hasMore: boolean
  isLoadingMore: boolean
  onMore: () => void
}

export function OwnHits({ hits, countText, at, isOld, onChoose, onOpen, hasMore, isLoadingMore, onMore }: OwnHitsProps) {
  const list = useRef<HTMLOListElement>(null)
  const chosen = hits[at]?.uuid
  const isShown = useRef<string | undefined>(chosen)
  useEffect(() => {
    if (isShown.current === chosen) return
    isShown.current = chosen
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: hits.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = Math.max(0, Math.min(hits.length - 1, to))
    onChoose(next)
    list.current?.querySelector<HTMLElement>(`[data-hit="${next}"]`)?.focus({ preventScroll: true })
  }
  return (
    <section aria-label={t.results} className="min-w-0 rounded-card border border-line bg-surface">
      <h2 className="sr-only">{t.results}</h2>
      <ol
        ref={list}
        aria-label={t.pagesTitle}
        aria-busy={isOld}
        onKeyDown={onKeyDown}
        className={cx('transition-opacity', isOld && 'opacity-60')}
      >
        {hits.map((hit, index) => (
          <Hit key={hit.uuid} hit={hit} index={index} current={index === at} onOpen={() => onOpen(index)} />
        ))}
      </ol>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-2 px-4 py-2 text-label text-faint">
        <span className="max-lg:hidden">{t.toMoveToRead(<Key>↑</Key>, <Key>↓</Key>, <Key>{t.enter}</Key>)}</span>
        {hasMore && (
          <Button size="small" busy={isLoadingMore} busyLabel={t.loading} onClick={onMore}>
            {t.loadMore}
          </Button>
        )}
        <span className="num">{t.shownOfAll(numberText(hits.length), countText)}</span>
      </div>
    </section>
  )
}

const Key = ({ children }: { children: string }) => (
  <kbd className="rounded-small border border-line-strong px-1 font-sans text-label">{children}</kbd>
)

function Hit({ hit, index, current, onOpen }: { hit: OwnPageHit; index: number; current: boolean; onOpen: () => void }) {
  return (
    <li className="border-b border-line first:*:rounded-t-card">
      <button
        type="button"
        data-hit={index}
        aria-current={current ? 'true' : undefined}
        tabIndex={current ? 0 : -1}
        onClick={onOpen}
        className={cx(
          'block w-full min-w-0 px-4 py-3 text-left -outline-offset-2',
          current ? 'lg:bg-wash lg:shadow-[inset_3px_0_0_var(--accent)]' : 'hover:bg-hover',
        )}
      >
        <span dir="auto" className="line-clamp-2 text-left font-medium wrap-anywhere">
          {hit.title.length > 0 ? <MarkedText parts={hit.title} /> : pathText(hit.url)}
        </span>
        <span className={cx('mt-0.5 flex min-w-0 items-center gap-1.5 text-label', current ? 'text-soft' : 'text-faint')}>
          <span className="min-w-0 truncate" title={hit.url}>
            {bareUrl(hit.url)}
          </span>
          <span aria-hidden="true">·</span>
          <RelativeTime iso={hit.created_at} className="flex-none" />
          {!hit.is_newest && <Chip>{t.olderVersion}</Chip>}
        </span>
        {hit.snippet.length > 0 && (
          <span dir="auto" className="mt-1 line-clamp-3 text-left text-table text-soft wrap-anywhere">
            <MarkedText parts={hit.snippet} />
          </span>
        )}
      </button>
    </li>
  )
}
