/** Columns that every kind of run has in the log. */
import type { ReactNode } from 'react'
import type { AnyRun } from '#web/runs/shared/run-base.ts'
import type { Column } from '#web/ui/list/table.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/columns.ts'

/** The name of the run: its URL or query. */
export const nameColumn = <Run extends AnyRun>(own: Pick<Column<Run>, 'key' | 'head' | 'cell'>): Column<Run> => ({
  sort: 'label',
  wide: true,
  card: 'main',
  ...own,
})

export const Name = ({ whole, children }: { whole: string; children: string }) => (
  <span className="font-medium" title={whole}>
    {children}
  </span>
)

/**
 * The number of results.
 *
 * @param words  the noun for a number: "results"
 * @param after  shown behind the number
 */
export const countColumn = <Run extends AnyRun & { number_of_documents: number }>(
  words: (count: number) => string,
  after: (run: Run) => ReactNode = () => null,
): Column<Run> => ({
  key: 'results',
  head: t.results,
  sort: 'number_of_documents',
  align: 'right',
  card: 'bottomLeft',
  cell: (run) => (
    <span className="num">
      {run.status === 'new' ? '–' : numberText(run.number_of_documents)}
      {after(run)}
      <span className="sm:hidden">{` ${words(run.number_of_documents)}`}</span>
    </span>
  ),
})
