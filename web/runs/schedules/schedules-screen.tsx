/** The team's schedules: when their crawls start, what the last one did, and what a user can do with each. */
import { useState } from 'react'
import { deleteSchedule, getSchedule, listSchedules } from '#contract/schedules.ts'
import type { CrawlSchedule } from '#contract/schedules.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { PATHS } from '#web/navigation.ts'
import { reasonOf } from '#web/runs/shared/use-run-again.ts'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { EmptyState } from '#web/ui/feedback/feedback.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { PAGE_SIZE } from '#web/ui/limits.ts'
import { pageText } from '#web/ui/form/query-texts.ts'
import { useQuery } from '#web/ui/hooks/use-query.ts'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { PagedList } from '#web/ui/list/paged-list.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import * as t from '#texts/schedules.ts'
import { refreshAfter } from './refresh-after.ts'
import { ScheduleTable } from './schedule-table.tsx'

const ScheduleDialog = lazyDialog(async () => (await import('./schedule-dialog.tsx')).ScheduleDialog)

type Opened = { what: 'form' | 'deletion'; schedule: CrawlSchedule }

export function SchedulesScreen() {
  const query = useQuery()
  const page = query.page()
  const setPage = (to: number) => query.change({ page: pageText(to) })
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  const answer = useSchedules(page)
  return (
    <>
      <PageHeader title={t.schedules} description={t.crawlsThatRepeatAtSetTimes} />
      <Card>
        <PagedList
          answer={answer}
          page={page}
          onPage={setPage}
          failed={t.theSchedulesCouldNotBeLoaded}
          failedSays={t.nothingIsLostTheyAreLoaded}
          loading={t.loadingSchedules}
          skeletonRows={4}
          empty={
            <EmptyState
              title={t.noSchedulesYet}
              action={
                <ButtonLink look="primary" href={PATHS.crawlLogs}>
                  {t.openTheCrawlLogs}
                </ButtonLink>
              }
            >
              {t.openACrawlThatDoesWhatYouWant}
            </EmptyState>
          }
        >
          {(schedules, updating) => (
            <ScheduleTable
              schedules={schedules}
              updating={updating}
              onEdit={(schedule) => setOpened({ what: 'form', schedule })}
              onDelete={(schedule) => setOpened({ what: 'deletion', schedule })}
            />
          )}
        </PagedList>
      </Card>
      {opened?.what === 'form' && <ScheduleDialog subject={{ schedule: opened.schedule }} onClose={close} />}
      {opened?.what === 'deletion' && (
        <DeleteDialog
          schedule={opened.schedule}
          onClose={close}
          // Without its last row, the page does not exist any more.
          onDeleted={() => page > 1 && answer.data?.results.length === 1 && setPage(page - 1)}
        />
      )}
    </>
  )
}

/** A page of the list, requested again when it may have changed. */
const useSchedules = (page: number) =>
  useEndpoint(
    listSchedules,
    { query: { page: page === 1 ? undefined : page, page_size: PAGE_SIZE } },
    {
      keepPreviousData: true,
      revalidateOnFocus: true,
      // Each render needs a new function: it makes SWR restart its timer, which had stopped when no crawl was planned.
      refreshInterval: (latest) => refreshAfter(latest?.results ?? [], Date.now()),
    },
  )

type DeleteDialogProps = { schedule: CrawlSchedule; onClose: () => void; onDeleted: () => void }

function DeleteDialog({ schedule, onClose, onDeleted }: DeleteDialogProps) {
  const remove = useAction(deleteSchedule, { refreshes: [listSchedules, getSchedule] })
  const confirm = async () => {
    if (remove.busy) return
    const outcome = await remove.run({ params: { id: schedule.uuid } })
    if (outcome.ok) {
      toast.success(t.scheduleDeleted)
      onDeleted()
    } else toast.error(t.failedToDeleteTheSchedule(reasonOf(outcome.error)))
    onClose()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => void confirm()}
      title={t.deleteQuestion(schedule.name)}
      action={t.deleteSchedule}
      busy={remove.busy}
    >
      {t.crawlsThatItHasStartedStay}
    </ConfirmDialog>
  )
}
