/** The results of a search, its progress, or why it has none; with buttons to save and to crawl them. */
import type { ReactNode } from 'react'
import { isTerminal } from '#contract/runs.ts'
import type { SearchItem, SearchRequest } from '#contract/searches.ts'
import { handOverBatch } from '#web/runs/shared/batch-hand-over.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState, ErrorState, Loading, Notice } from '#web/ui/feedback/feedback.tsx'
import { CrawlIcon } from '#web/ui/icons.tsx'
import { OutsideLink } from '#web/ui/outside-link.tsx'
import * as t from '#texts/search.ts'
import { DepthChip } from './depth-choice.tsx'
import { useHits } from './use-search.ts'

/** Height of a result with a line of title and one of description. */
const HIT_PX = 93

/**
 * @param reason   the engine's last error
 * @param actions  further buttons above the list
 */
export function SearchResults({ search, reason, actions }: { search: SearchRequest; reason?: string | undefined; actions?: ReactNode }) {
  const { hits, error, isValidating, retry } = useHits(search)
  const { status, number_of_documents: count } = search
  if (!isTerminal(status))
    return (
      <Card>
        <Loading>
          {status === 'new'
            ? t.waitingToStart
            : status === 'canceling'
              ? t.canceling
              : count > 0
                ? t.foundLookingAtTheirPages(t.resultCount(count))
                : t.searching}
        </Loading>
      </Card>
    )
  return (
    <div className="grid min-w-0 gap-4">
      {status === 'failed' && (
        <Notice tone="danger" role="status" title={t.theSearchFailed}>
          {reason ?? t.noSearchEngineHasAnsweredThe}
        </Notice>
      )}
      {status === 'canceled' && (
        <Notice tone="warning" role="status" title={t.theSearchWasCanceled}>
          {count > 0 ? t.whatWasFoundBeforeIsKept : t.nothingHadBeenFoundByThen}
        </Notice>
      )}
      {hits !== null && hits.length > 0 ? (
        <Found hits={hits} actions={actions} />
      ) : hits !== null ? (
        status === 'finished' && (
          <Card>
            <EmptyState net="plain" title={t.noResultsFoundForYourSearch}>
              {t.fewerOrOtherWordsAnyLanguage}
            </EmptyState>
          </Card>
        )
      ) : (
        <Card>
          {error ? (
            <ErrorState title={t.theResultsCouldNotBeLoaded} details={error.message} retrying={isValidating} onRetry={retry}>
              {t.theyAreStoredTryAgainIn}
            </ErrorState>
          ) : (
            // About as high as the list, so that what is below on a phone does not move.
            <div style={{ minHeight: `${count * HIT_PX}px` }}>
              <Loading>{t.loadingTheResults}</Loading>
            </div>
          )}
        </Card>
      )}
    </div>
  )
}

function Found({ hits, actions }: { hits: readonly SearchItem[]; actions: ReactNode }) {
  return (
    <Card>
      <div className="flex min-h-12 flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <h2 className="mr-auto text-body font-semibold max-sm:basis-full">{t.resultCount(hits.length)}</h2>
        <Button
          size="small"
          icon={CrawlIcon}
          title={t.fetchThesePagesAndKeepTheir}
          onClick={() => handOverBatch(hits.map(({ url }) => url))}
        >
          {t.crawlThese}
        </Button>
        {actions}
      </div>
      <ol aria-label={t.results}>
        {hits.map((hit) => (
          <Hit key={hit.url} hit={hit} />
        ))}
      </ol>
    </Card>
  )
}

function Hit({ hit: { url, title, description, depth } }: { hit: SearchItem }) {
  return (
    <li className="grid gap-0.5 border-b border-line px-4 py-3.5 last:border-b-0">
      <div className="flex min-w-0 items-start gap-2">
        <h3 dir="auto" className="min-w-0 flex-1 text-left text-read font-medium text-accent-ink wrap-anywhere">
          <OutsideLink url={url}>{title || url}</OutsideLink>
        </h3>
        <span className="mt-0.5 flex-none">
          <DepthChip depth={depth} />
        </span>
      </div>
      {title !== '' && (
        <p className="truncate text-label text-faint" title={url}>
          {url}
        </p>
      )}
      {description && (
        <p dir="auto" className="mt-1 max-w-[92ch] text-left text-table text-soft wrap-anywhere">
          {description}
        </p>
      )}
    </li>
  )
}
