/** The form of a schedule: validation and request. Pure. */
import type { CrawlSchedule } from '#contract/schedules.ts'
import { MAX_SCHEDULE_NAME } from '#contract/sizes.ts'
import type { FormErrors } from '#web/api/use-form.ts'
import * as t from '#texts/schedules.ts'
import { DAILY, choiceOf, cronOf, isMinute } from './cron-choice.ts'
import type { CronChoice } from './cron-choice.ts'
import { ownTimeZone } from './schedule-texts.ts'

export type ScheduleForm = CronChoice & { name: string; timezone: string; mail_changes: boolean }

export const formOf = ({ cron, mail_changes, name, timezone }: CrawlSchedule): ScheduleForm => ({
  ...choiceOf(cron),
  name,
  timezone,
  mail_changes,
})

/** The form for repeating a crawl of this URL. */
export const formForUrl = (url: string): ScheduleForm => ({
  ...DAILY,
  name: (URL.parse(url)?.host ?? url).slice(0, MAX_SCHEDULE_NAME),
  timezone: ownTimeZone(),
  mail_changes: false,
})

export function scheduleErrors(form: ScheduleForm): FormErrors {
  const { every, minute, name, time } = form
  const isTimed = every === 'day' || every === 'week' || every === 'month'
  return {
    ...(name.trim() === '' && { name: t.nameIsRequired }),
    ...(every === 'hour' && !isMinute(minute) && { minute: t.enterAMinute }),
    ...(isTimed && time === '' && { time: t.enterATime }),
    ...(every === 'own' && cronOf(form) === '' && { cron: t.enterACronExpression }),
  }
}

export const bodyOf = (form: ScheduleForm) => ({
  name: form.name.trim(),
  cron: cronOf(form),
  timezone: form.timezone,
  mail_changes: form.mail_changes,
})
