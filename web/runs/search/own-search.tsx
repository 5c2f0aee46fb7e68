/** The search over the team's own pages: results while typing, the stored page beside the list; on a phone it opens over it. */
import { useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import type { OwnPagesAnswer } from '#contract/own-pages.ts'
import { pathTo } from '#web/navigation.ts'
import { TargetField } from '#web/runs/shared/target-field.tsx'
import { Button, ButtonLink, IconButton } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { isComposing } from '#web/ui/form/composing.ts'
import { EmptyState, ErrorState, Loading, Notice } from '#web/ui/feedback/feedback.tsx'
import { CloseIcon, SearchIcon } from '#web/ui/icons.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import { useIsLargeScreen } from '#web/ui/hooks/use-large-screen.ts'
import * as t from '#texts/own-search.ts'
import { OwnFilters } from './own-filters.tsx'
import { OwnHits } from './own-hits.tsx'
import type { OwnQuery } from './own-query.ts'
import { NothingFound, OwnHints, Suggestion } from './own-states.tsx'
import { StoredPage } from './stored-page.tsx'
import { useOwnPages } from './use-own-pages.ts'

export type OwnSearchProps = {
  query: OwnQuery
  onChange: (query: OwnQuery) => void
  /** Shown above the query, at the left. */
  head: ReactNode
}

export function OwnSearch({ query, onChange, head }: OwnSearchProps) {
  const found = useOwnPages(query)
  const { answer, hits, isOld } = found
  const isLarge = useIsLargeScreen()
  const [chosenId, setChosenId] = useState<string | null>(null)
  /** Whether the page covers the list, on a small screen. */
  const [reading, setReading] = useState(false)
  const page = useRef<HTMLElement>(null)
  const at = Math.max(
    0,
    hits.findIndex(({ uuid }) => uuid === chosenId),
  )
  const hit = hits[at]
  const isAsked = query.query.trim() !== ''
  const isNew = answer !== null && answer.index.indexed + answer.index.behind === 0

  /** Changes the query, and selects the best hit of the new one. */
  const ask = (changes: Partial<OwnQuery>) => {
    setChosenId(null)
    onChange({ ...query, ...changes })
  }
  const choose = (index: number) => setChosenId(hits[index]?.uuid ?? null)
  const open = (index: number) => {
    choose(index)
    if (isLarge) page.current?.querySelector<HTMLElement>('[role=tabpanel]')?.focus({ preventScroll: true })
    else setReading(hits[index] !== undefined)
  }
  /** In the query field, the arrow keys move through the hits and the text stays as it is. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event) || !(event.target instanceof HTMLInputElement) || hits.length === 0) return
    if (event.key === 'ArrowDown') choose(Math.min(at + (chosenId === null ? 0 : 1), hits.length - 1))
    else if (event.key === 'ArrowUp') choose(Math.max(at - 1, 0))
    else if (event.key === 'Enter') open(at)
    else return
    event.preventDefault()
  }
  const matches = answer === null ? '' : answer.is_complete ? numberText(answer.count) : t.orMore(numberText(answer.count))

  return (
    <>
      <section
        aria-label={t.search}
        className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 rounded-dialog border border-line bg-surface p-4 sm:p-5"
      >
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          {head}
          {answer !== null && <IndexFacts index={answer.index} />}
        </div>
        <div onKeyDown={onKeyDown}>
          <TargetField
            label={t.searchYourOwnPages}
            hint={t.resultsAppearAsYouTypeArrow}
            kind="words"
            icon={SearchIcon}
            placeholder={t.wordsAPhraseWithout}
            value={query.query}
            onChange={(text) => ask({ query: text })}
            button={
              isAsked && (
                <>
                  {answer !== null && !isOld && (
                    <span className="num text-label whitespace-nowrap text-faint max-sm:hidden">{t.ms(numberText(answer.took_ms))}</span>
                  )}
                  <IconButton label={t.clearTheQuery} icon={CloseIcon} className="mr-1.5" onClick={() => ask({ query: '' })} />
                </>
              )
            }
          />
        </div>
        <div className="flex min-w-0 items-center gap-4">
          <div className="min-w-0 flex-1">
            <OwnFilters query={query} onChange={ask} />
          </div>
          <p role="status" className="num flex-none text-table text-soft max-sm:sr-only">
            {isAsked && answer !== null && !isOld && (answer.count === 1 && answer.is_complete ? t.pageCount(1) : t.pagesFound(matches))}
          </p>
        </div>
      </section>
      <p role="status" className="sr-only">
        {chosenId !== null && hit && t.hitOfAll(at + 1, matches, hit.title.map(({ text }) => text).join('') || hit.url)}
      </p>
      {found.error && answer !== null && (
        <Notice
          tone="danger"
          role="alert"
          title={t.theseWordsCouldNotBeSearched}
          action={
            <Button size="small" onClick={found.retry}>
              {t.tryAgain}
            </Button>
          }
        >
          {found.error.message}
        </Notice>
      )}
      {answer === null ? (
        <Card>
          {found.error ? (
            <ErrorState title={t.yourPagesCouldNotBeSearched} details={found.error.message} onRetry={found.retry}>
              {t.nothingIsLostTryAgainIn}
            </ErrorState>
          ) : (
            <Loading>{t.openingYourPages}</Loading>
          )}
        </Card>
      ) : isNew ? (
        <Card>
          <EmptyState
            title={t.noPagesYet}
            action={
              <ButtonLink href={pathTo('crawl')} look="primary">
                {t.startCrawling}
              </ButtonLink>
            }
          >
            {t.everyPageThatACrawlOf}
          </EmptyState>
        </Card>
      ) : !isAsked ? (
        <Card>
          <OwnHints />
        </Card>
      ) : hits.length === 0 ? (
        isOld ? (
          <Card>
            <Loading>{t.searching}</Loading>
          </Card>
        ) : (
          <Card>
            <NothingFound answer={answer} query={query} onChange={ask} />
          </Card>
        )
      ) : (
        <div className="grid min-w-0 items-start gap-4 lg:grid-cols-[minmax(0,9fr)_minmax(0,11fr)]">
          {answer.ignored_words.length > 0 && (
            <p role="status" className="text-table text-soft wrap-anywhere lg:col-span-2">
              {t.ignoredWords(answer.ignored_words.join(', '))}
              {answer.suggestion !== null && (
                <span className="block">
                  <Suggestion query={answer.suggestion} onChange={ask} />
                </span>
              )}
            </p>
          )}
          <OwnHits
            hits={hits}
            countText={matches}
            at={at}
            isOld={isOld}
            onChoose={choose}
            onOpen={open}
            hasMore={found.hasMore && !isOld}
            isLoadingMore={found.isLoadingMore}
            onMore={found.loadMore}
          />
          {isLarge && hit && (
            <section
              ref={page}
              aria-label={t.storedPage}
              className="sticky top-20 flex h-[calc(100dvh-104px)] max-h-200 min-h-100 min-w-0 flex-col rounded-card border border-line bg-surface"
            >
              <h2 className="sr-only">{t.storedPage}</h2>
              <StoredPage key={hit.uuid} hit={hit} query={query.query} />
            </section>
          )}
        </div>
      )}
      {!isLarge && reading && hit && (
        <Dialog
          open
          onClose={() => setReading(false)}
          size="wide"
          title={<span className="line-clamp-2 wrap-anywhere">{hit.title.map(({ text }) => text).join('') || hit.url}</span>}
        >
          <div className="-mx-5 -mb-5 flex h-[calc(100dvh-112px)] min-w-0 flex-col border-t border-line text-ink sm:h-[min(70vh,720px)]">
            <StoredPage hit={hit} query={query.query} />
          </div>
        </Dialog>
      )}
    </>
  )
}

function IndexFacts({ index: { indexed, behind } }: { index: OwnPagesAnswer['index'] }) {
  return (
    <p className="num text-table text-faint">
      {t.pageCount(indexed)}
      {behind > 0 && t.notIndexedYet(numberText(behind))}
    </p>
  )
}
