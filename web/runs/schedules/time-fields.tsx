/** The fields of a schedule's times: how often, and what that frequency needs. */
import { MAX_CRON } from '#contract/sizes.ts'
import type { Form } from '#web/api/use-form.ts'
import { NumberField, SelectField, TextField } from '#web/ui/form/field.tsx'
import * as t from '#texts/schedules.ts'
import { FREQUENCIES, WEEKDAYS, cronOf } from './cron-choice.ts'
import type { Frequency } from './cron-choice.ts'
import type { ScheduleForm } from './schedule-form.ts'
import { weekdayName } from './schedule-texts.ts'

const LABELS: Record<Frequency, string> = {
  hour: t.everyHour,
  day: t.everyDay,
  week: t.everyWeek,
  month: t.everyMonth,
  own: t.ownCronExpression,
}
const OFTEN = FREQUENCIES.map((value) => ({ value, label: LABELS[value] }))
const WEEK = WEEKDAYS.map((value) => ({ value: value as string, label: weekdayName(value) }))
const DAYS = Array.from({ length: 31 }, (_, index) => ({ value: String(index + 1), label: String(index + 1) }))
/** All months have the days up to this one. */
const SHORTEST_MONTH = 28

type TimeFieldsProps = {
  form: Form<ScheduleForm>
  cronError: string | undefined
}

export function TimeFields({ form: { field, set, values }, cronError }: TimeFieldsProps) {
  const { every } = values
  /** The own expression begins with the one that the simple fields express. */
  const choose = (next: Frequency) => set({ every: next, ...(next === 'own' && { cron: cronOf(values) || values.cron }) })
  return (
    <div className="grid min-w-0 gap-4 sm:grid-cols-[repeat(auto-fit,minmax(8rem,1fr))]">
      <SelectField label={t.howOften} value={every} onChange={choose} options={OFTEN} error={every === 'own' ? undefined : cronError} />
      {every === 'hour' && <NumberField label={t.minuteOfTheHour} {...field('minute')} maxLength={2} />}
      {every === 'week' && <SelectField label={t.weekday} {...field('weekday')} options={WEEK} />}
      {every === 'month' && (
        <SelectField
          label={t.dayOfTheMonth}
          hint={Number(values.day) > SHORTEST_MONTH && t.monthsWithoutThisDay}
          {...field('day')}
          options={DAYS}
        />
      )}
      {(every === 'day' || every === 'week' || every === 'month') && <TextField label={t.time} type="time" {...field('time')} />}
      {every === 'own' && (
        <TextField
          label={t.cronExpression}
          hint={t.minuteHourDayOfMonth}
          {...field('cron')}
          error={cronError}
          maxLength={MAX_CRON}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
    </div>
  )
}
