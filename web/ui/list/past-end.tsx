/** What a list shows instead of a page that does not exist: the rows were deleted, another team has fewer, or the link is old. */
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/feedback/feedback.tsx'
import * as t from '#texts/lists.ts'

/** Whether a list could not be loaded because it has fewer pages. */
export const isPastEnd = (error: { status: number } | undefined, page: number): boolean => error?.status === 404 && page > 1

export function PastEnd({ onPage }: { onPage: (page: number) => void }) {
  return <EmptyState net="plain" title={t.pageNotFound} action={<Button onClick={() => onPage(1)}>{t.toTheFirstPage}</Button>} />
}
