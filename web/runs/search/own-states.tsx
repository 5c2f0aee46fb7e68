/** What is shown instead of hits: how to search, and why there are none. */
import type { OwnPagesAnswer } from '#contract/own-pages.ts'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/feedback/feedback.tsx'
import { CloseIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/own-search.ts'
import { EMPTY_OWN_QUERY, isFiltered } from './own-query.ts'
import type { OwnQuery } from './own-query.ts'

const HINTS: readonly [sample: string, says: string][] = [
  ['white tea', t.pagesWithAllOfTheseWords],
  ['"white tea"', t.theWordsSideBySide],
  ['tea -green', t.withoutAWord],
  ['steep*', t.theBeginningOfAWord],
  ['tea site:docs.example.com/guide', t.onlyOfASiteOrA],
]

/** Shown before a query: its syntax. */
export function OwnHints() {
  return (
    <div className="grid justify-items-center gap-4 px-4 py-8 sm:py-10">
      <h2 className="text-center text-section font-semibold">{t.typeToSearchEverythingThatYour}</h2>
      <dl className="grid min-w-0 items-baseline gap-x-6 gap-y-3 text-table sm:grid-cols-[auto_minmax(0,1fr)] sm:gap-y-2">
        {HINTS.map(([sample, says]) => (
          <div key={sample} className="grid min-w-0 gap-y-1 sm:col-span-2 sm:grid-cols-subgrid">
            <dt>
              <code className="rounded-small bg-chip px-1.5 py-0.5 wrap-anywhere">{sample}</code>
            </dt>
            <dd className="text-soft">{says}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** Offers the query with its misspelled words corrected. */
export function Suggestion({ query, onChange }: { query: string; onChange: (changes: Partial<OwnQuery>) => void }) {
  return (
    <>
      {t.didYouMean(
        <button type="button" className="link" onClick={() => onChange({ query })}>
          {query}
        </button>,
      )}
      ?
    </>
  )
}

/** Shown without hits: why nothing was found, and what to change. */
export function NothingFound({
  answer,
  query,
  onChange,
}: {
  answer: OwnPagesAnswer
  query: OwnQuery
  onChange: (changes: Partial<OwnQuery>) => void
}) {
  const { suggestion, index, is_complete } = answer
  return (
    <EmptyState
      net="plain"
      title={t.noStoredPageHasAllOf}
      action={
        isFiltered(query) && (
          <Button icon={CloseIcon} onClick={() => onChange({ ...EMPTY_OWN_QUERY, query: query.query })}>
            {t.clearTheFilters}
          </Button>
        )
      }
    >
      {suggestion !== null ? (
        <Suggestion query={suggestion} onChange={onChange} />
      ) : !is_complete ? (
        t.theSearchStoppedBeforeItHad
      ) : index.behind > 0 ? (
        t.areNotIndexedYet(index.behind)
      ) : (
        t.fewerWordsOrOnlyTheBeginning
      )}
    </EmptyState>
  )
}
