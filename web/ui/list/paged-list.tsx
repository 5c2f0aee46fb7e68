/** One page of a list: its rows, and the buttons that lead to other pages. Without rows it says why: loading, empty, failed, or past the end. */
import type { ReactNode } from 'react'
import type { Paged } from '#contract/endpoint.ts'
import { Button } from '#web/ui/form/button.tsx'
import { CardFoot } from '#web/ui/card.tsx'
import { EmptyState, ErrorState } from '#web/ui/feedback/feedback.tsx'
import * as t from '#texts/lists.ts'
import { Pagination } from './pagination.tsx'
import type { PaginationProps } from './pagination.tsx'
import { TableSkeleton } from './table.tsx'

type PagedListProps<Row> = Pick<PaginationProps, 'page' | 'pageSize' | 'onPage' | 'onPageSize'> & {
  /** What `useEndpoint` returns for this page. */
  answer: {
    data?: Paged<Row> | undefined
    error?: { status: number; message: string } | undefined
    isLoading: boolean
    isValidating: boolean
    mutate: () => Promise<unknown>
  }
  /** The title of an error, and what it means. */
  failed: string
  failedSays?: ReactNode
  /** Describes the placeholder for screen readers. */
  loading: string
  skeletonRows?: number
  /** Replaces a list without rows. */
  empty?: ReactNode
  /** `updating`: other rows are being loaded. */
  children: (rows: readonly Row[], updating: boolean) => ReactNode
}

export function PagedList<Row>(props: PagedListProps<Row>) {
  const { answer, failed, failedSays, loading, skeletonRows = 5, empty, children, ...pages } = props
  const { data, error, isLoading } = answer
  // There are fewer pages: the rows were deleted, another team has fewer, or the link is old.
  if (error?.status === 404 && pages.page > 1)
    return <EmptyState net="plain" title={t.pageNotFound} action={<Button onClick={() => pages.onPage(1)}>{t.toTheFirstPage}</Button>} />
  if (error && !data)
    return (
      <ErrorState title={failed} details={error.message} retrying={answer.isValidating} onRetry={() => void answer.mutate()}>
        {failedSays}
      </ErrorState>
    )
  if (!data) return <TableSkeleton rows={skeletonRows} label={loading} />
  if (data.count === 0 && empty !== undefined) return empty
  return (
    <>
      {children(data.results, isLoading)}
      {data.count > 0 && (
        <CardFoot>
          <Pagination {...pages} count={data.count} busy={isLoading} />
        </CardFoot>
      )}
    </>
  )
}
