/** What stands where hits would be: how to ask, and why there is nothing. */
import type { OwnPagesAnswer } from '#contract/own-pages.ts'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/feedback/feedback.tsx'
import { CloseIcon } from '#web/ui/icons.tsx'
import { countText } from '#web/ui/text/time-texts.ts'
import { EMPTY_OWN_QUERY, isFiltered } from './own-query.ts'
import type { OwnQuery } from './own-query.ts'

const HINTS: readonly [sample: string, says: string][] = [
  ['white tea', 'Pages with all of these words'],
  ['"white tea"', 'The words side by side'],
  ['tea -green', 'Without a word'],
  ['steep*', 'The beginning of a word'],
  ['tea site:docs.example.com/guide', 'Only of a site, or a part of it'],
]

/** Before a query: how one is written. */
export function OwnHints() {
  return (
    <div className="grid justify-items-center gap-4 px-4 py-8 sm:py-10">
      <h2 className="text-center text-section font-semibold">Type to search everything that your crawls have stored</h2>
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

/** Why nothing was found, and what would find more. */
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
      title="No stored page has all of these words"
      action={
        isFiltered(query) && (
          <Button icon={CloseIcon} onClick={() => onChange({ ...EMPTY_OWN_QUERY, query: query.query })}>
            Clear the filters
          </Button>
        )
      }
    >
      {suggestion !== null ? (
        <>
          Did you mean{' '}
          <button type="button" className="link" onClick={() => onChange({ query: suggestion })}>
            {suggestion}
          </button>
          ?
        </>
      ) : !is_complete ? (
        'The search stopped before it had read all pages. More words make it quicker.'
      ) : index.behind > 0 ? (
        `${countText(index.behind, 'page')} ${index.behind === 1 ? 'is' : 'are'} still on ${index.behind === 1 ? 'its' : 'their'} way here; the search is repeated by itself.`
      ) : (
        'Fewer words, or only the beginning of one, find more.'
      )}
    </EmptyState>
  )
}
