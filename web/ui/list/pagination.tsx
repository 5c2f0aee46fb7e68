/** "Showing a to b of n results", Previous and Next. */
import { useState } from 'react'
import { Button } from '#web/ui/form/button.tsx'
import { isComposing } from '#web/ui/form/composing.ts'
import { SelectField } from '#web/ui/form/field.tsx'
import { PAGE_SIZE, PAGE_SIZES } from '#web/ui/limits.ts'
import { pageRange } from './page-range.ts'
import { numberText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/lists.ts'

export type PaginationProps = {
  /** From 1. */
  page: number
  count: number
  pageSize?: number
  /** While loading both buttons are disabled. */
  busy?: boolean
  onPage: (page: number) => void
  /** Changes the number of rows; without it the number is fixed. */
  onPageSize?: (size: number) => void
}

export function Pagination({ page, count, pageSize = PAGE_SIZE, busy = false, onPage, onPageSize }: PaginationProps) {
  const { first, last, hasPrevious, hasNext } = pageRange(page, count, pageSize)
  const pages = Math.ceil(count / pageSize)
  return (
    <nav aria-label={t.pages} className="flex w-full flex-wrap items-center gap-2 text-table text-soft">
      <span className="num flex-1 basis-full text-center sm:basis-0 sm:text-left" aria-live="polite">
        {t.showingToOfResults(numberText(first), numberText(last), count)}
      </span>
      {onPageSize && count > PAGE_SIZES[0] && (
        <SelectField
          className="w-fit flex-none"
          label={t.rowsOnAPage}
          hideLabel
          size="small"
          value={String(pageSize)}
          onChange={(size) => onPageSize(Number(size))}
          options={PAGE_SIZES.map((size) => ({ value: String(size), label: t.rows(size) }))}
        />
      )}
      {pages > 2 && <Jump key={page} page={page} pages={pages} onPage={onPage} />}
      <Button size="small" className="max-sm:h-9 max-sm:flex-1" disabled={!hasPrevious} waits={busy} onClick={() => onPage(page - 1)}>
        {t.previous}
      </Button>
      <Button size="small" className="max-sm:h-9 max-sm:flex-1" disabled={!hasNext} waits={busy} onClick={() => onPage(page + 1)}>
        {t.next}
      </Button>
    </nav>
  )
}

/** "Page [3] of 1,002": Enter goes there; a number that is too high goes to the last page. */
function Jump({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }) {
  const [typed, setTyped] = useState(String(page))
  const go = () => {
    const to = /^\d+$/.test(typed.trim()) ? Math.min(pages, Math.max(1, Number(typed))) : page
    setTyped(String(to))
    if (to !== page) onPage(to)
  }
  return (
    <span className="num inline-flex items-center gap-1.5 whitespace-nowrap">
      {t.pageOf(
        <input
          type="text"
          inputMode="numeric"
          aria-label={t.page1To(pages)}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={go}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || isComposing(event)) return
            event.preventDefault()
            go()
          }}
          className="h-7 w-14 rounded-control border border-control bg-surface px-2 text-center text-ink max-sm:h-9"
        />,
        numberText(pages),
      )}
    </span>
  )
}
