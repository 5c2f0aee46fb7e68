/** Sends the form of a schedule: makes one of a crawl, or changes one. */
import { navigate } from 'wouter/use-browser-location'
import { changeSchedule, createSchedule, getSchedule, listSchedules } from '#contract/schedules.ts'
import type { CrawlSchedule } from '#contract/schedules.ts'
import { fieldError } from '#web/api/field-error.ts'
import { useAction } from '#web/api/hooks.ts'
import { PATHS } from '#web/navigation.ts'
import { reasonOf } from '#web/runs/shared/use-run-again.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/schedules.ts'
import { bodyOf } from './schedule-form.ts'
import type { ScheduleForm } from './schedule-form.ts'

/** The crawl to repeat, or the schedule to change. */
export type Subject = { crawl: { uuid: string; url: string } } | { schedule: CrawlSchedule }

const STALE = { refreshes: [listSchedules, getSchedule] }
/** Fields that show their own errors. */
const FIELDS = ['name', 'cron', 'timezone', 'mail_changes']

export function useSaveSchedule(subject: Subject, onSaved: () => void) {
  const create = useAction(createSchedule, STALE)
  const change = useAction(changeSchedule, STALE)
  const isNew = 'crawl' in subject
  const isBusy = create.busy || change.busy
  return {
    submissions: [create, change],
    isBusy,
    async save(form: ScheduleForm): Promise<void> {
      if (isBusy) return
      const body = bodyOf(form)
      const outcome = isNew
        ? await create.run({ body: { crawl: subject.crawl.uuid, ...body } })
        : await change.run({ params: { id: subject.schedule.uuid }, body })
      if (!outcome.ok) {
        if (!FIELDS.some((name) => fieldError(outcome.error, name) !== undefined))
          toast.error((isNew ? t.failedToCreateTheSchedule : t.failedToChangeTheSchedule)(reasonOf(outcome.error)))
        return
      }
      if (isNew) toast.offer(t.scheduleCreated, { label: t.showAllSchedules, act: () => navigate(PATHS.schedules) })
      else toast.success(t.scheduleChanged)
      onSaved()
    },
  }
}
