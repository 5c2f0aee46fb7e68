/** The search over the team's own pages: results while typing, the stored page beside the list; on a phone it opens over it. */
import type { ReactNode } from 'react'
import type { OwnPageHit, OwnPagesAnswer } from '#contract/own-pages.ts'
import { pathTo } from '#web/navigation.ts'
import { TargetField } from '#web/runs/shared/target-field.tsx'
import { Button, ButtonLink, IconButton } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { EmptyState, ErrorState, Loading, Notice } from '#web/ui/feedback/feedback.tsx'
import { CloseIcon, SearchIcon } from '#web/ui/icons.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/own-search.ts'
import { OwnFilters } from './own-filters.tsx'
import { OwnHits } from './own-hits.tsx'
import type { OwnQuery } from './own-query.ts'
import { NothingFound, OwnHints, Suggestion } from './own-states.tsx'
import { StoredPage } from './stored-page.tsx'
import { useHitChoice } from './use-hit-choice.ts'
import type { HitChoice } from './use-hit-choice.ts'
import { useOwnPages } from './use-own-pages.ts'
import type { OwnPages } from './use-own-pages.ts'

export type OwnSearchProps = {
  query: OwnQuery
  onChange: (query: OwnQuery) => void
  /** Shown above the query, at the left. */
  head: ReactNode
}

/** What all parts of the screen need; `ask` changes the query. */
type Parts = { query: OwnQuery; found: OwnPages; choice: HitChoice; ask: (changes: Partial<OwnQuery>) => void }

export function OwnSearch({ query, onChange, head }: OwnSearchProps) {
  const found = useOwnPages(query)
  const { answer } = found
  const choice = useHitChoice(found.hits)
  const { at, hit } = choice
  const ask = (changes: Partial<OwnQuery>) => {
    choice.reset()
    onChange({ ...query, ...changes })
  }
  const parts = { query, found, choice, ask }
  return (
    <>
      <QueryBox {...parts} head={head} />
      <p role="status" className="sr-only">
        {choice.isChosen && hit && t.hitOfAll(at + 1, matchesText(answer), titleOf(hit))}
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
      {answer === null ? <NoAnswer found={found} /> : <Answer {...parts} answer={answer} />}
      {choice.isReading && hit && (
        <Dialog open onClose={choice.close} size="wide" title={<span className="line-clamp-2 wrap-anywhere">{titleOf(hit)}</span>}>
          <div className="-mx-5 -mb-5 flex h-[calc(100dvh-112px)] min-w-0 flex-col border-t border-line text-ink sm:h-[min(70vh,720px)]">
            <StoredPage hit={hit} query={query.query} />
          </div>
        </Dialog>
      )}
    </>
  )
}

const titleOf = ({ title, url }: OwnPageHit) => title.map(({ text }) => text).join('') || url

const isAsked = ({ query }: OwnQuery) => query.trim() !== ''

/** The number of matches: "1,000 or more" if the search stopped early. */
const matchesText = (answer: OwnPagesAnswer | null) =>
  answer === null ? '' : answer.is_complete ? numberText(answer.count) : t.orMore(numberText(answer.count))

function QueryBox({ query, found: { answer, isOld }, choice, ask, head }: Parts & { head: ReactNode }) {
  return (
    <section
      aria-label={t.search}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 rounded-dialog border border-line bg-surface p-4 sm:p-5"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {head}
        {answer !== null && <IndexFacts index={answer.index} />}
      </div>
      <div onKeyDown={choice.onKeyDown}>
        <TargetField
          label={t.searchYourOwnPages}
          hint={t.resultsAppearAsYouTypeArrow}
          kind="words"
          icon={SearchIcon}
          placeholder={t.wordsAPhraseWithout}
          value={query.query}
          onChange={(text) => ask({ query: text })}
          button={
            isAsked(query) && (
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
          {isAsked(query) &&
            answer !== null &&
            !isOld &&
            (answer.count === 1 && answer.is_complete ? t.pageCount(1) : t.pagesFound(matchesText(answer)))}
        </p>
      </div>
    </section>
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

function NoAnswer({ found: { error, retry } }: { found: OwnPages }) {
  return (
    <Card>
      {error ? (
        <ErrorState title={t.yourPagesCouldNotBeSearched} details={error.message} onRetry={retry}>
          {t.nothingIsLostTryAgainIn}
        </ErrorState>
      ) : (
        <Loading>{t.openingYourPages}</Loading>
      )}
    </Card>
  )
}

/** The hits, or why there are none. */
function Answer({ answer, ...parts }: Parts & { answer: OwnPagesAnswer }) {
  const { query, found, ask } = parts
  if (answer.index.indexed + answer.index.behind > 0 && isAsked(query) && found.hits.length > 0)
    return <HitsAndPage {...parts} answer={answer} />
  return (
    <Card>
      {answer.index.indexed + answer.index.behind === 0 ? (
        <NoPagesYet />
      ) : !isAsked(query) ? (
        <OwnHints />
      ) : found.isOld ? (
        <Loading>{t.searching}</Loading>
      ) : (
        <NothingFound answer={answer} query={query} onChange={ask} />
      )}
    </Card>
  )
}

function NoPagesYet() {
  return (
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
  )
}

function HitsAndPage({ query, found, choice, ask, answer }: Parts & { answer: OwnPagesAnswer }) {
  const { at, hit, isLarge, page } = choice
  return (
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
        hits={found.hits}
        countText={matchesText(answer)}
        at={at}
        isOld={found.isOld}
        onChoose={choice.choose}
        onOpen={choice.open}
        hasMore={found.hasMore && !found.isOld}
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
  )
}
