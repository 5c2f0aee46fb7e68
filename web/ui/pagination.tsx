/** "Showing a to b of n results", Previous and Next. */
import { Button } from './button.tsx'
import { PAGE_SIZE } from './limits.ts'
import { pageRange } from './page-range.ts'
import { numberText } from './time-texts.ts'

export type PaginationProps = {
  /** From 1. */
  page: number
  count: number
  pageSize?: number
  /** While loading both buttons rest. */
  busy?: boolean
  onPage: (page: number) => void
}

export function Pagination({ page, count, pageSize = PAGE_SIZE, busy = false, onPage }: PaginationProps) {
  const { first, last, hasPrevious, hasNext } = pageRange(page, count, pageSize)
  return (
    <nav aria-label="Pages" className="flex w-full flex-wrap items-center gap-2 text-table text-soft">
      <span className="num flex-1 basis-full text-center sm:basis-0 sm:text-left" aria-live="polite">
        Showing {numberText(first)} to {numberText(last)} of {numberText(count)} results
      </span>
      <Button size="small" className="max-sm:h-9 max-sm:flex-1" disabled={!hasPrevious || busy} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <Button size="small" className="max-sm:h-9 max-sm:flex-1" disabled={!hasNext || busy} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </nav>
  )
}
