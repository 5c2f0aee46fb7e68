/** Makes a schedule of a crawl, or changes one. */
import { getSettings } from '#contract/settings.ts'
import { MAX_SCHEDULE_NAME } from '#contract/sizes.ts'
import { fieldError } from '#web/api/field-error.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { useForm } from '#web/api/use-form.ts'
import { Dialog, FormButtons } from '#web/ui/dialog/dialog.tsx'
import { Checkbox } from '#web/ui/form/choice.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { SearchSelect } from '#web/ui/form/search-select.tsx'
import * as t from '#texts/schedules.ts'
import { cronOf } from './cron-choice.ts'
import { NextTimes } from './next-times.tsx'
import { formForUrl, formOf, scheduleErrors } from './schedule-form.ts'
import { isTimeZone } from './schedule-texts.ts'
import { TimeFields } from './time-fields.tsx'
import { usePreview } from './use-preview.ts'
import { useSaveSchedule } from './use-save-schedule.ts'
import type { Subject } from './use-save-schedule.ts'

const UTC = 'UTC'
const ZONES = Intl.supportedValuesOf('timeZone')
  .filter((name) => name !== UTC)
  .map((name) => ({ value: name, label: name.replaceAll('_', ' '), words: name }))
/** A name that the browser knows but does not list, such as an older one. */
const otherZone = (typed: string) => (isTimeZone(typed.trim()) ? { value: typed.trim(), label: typed.trim() } : null)

/** Mounted only while it is open, so that it starts with fresh values each time. */
export function ScheduleDialog({ subject, onClose }: { subject: Subject; onClose: () => void }) {
  const isNew = 'crawl' in subject
  const { data: settings } = useEndpoint(getSettings)
  const { isBusy, save, submissions } = useSaveSchedule(subject, onClose)
  const form = useForm({
    initial: () => (isNew ? formForUrl(subject.crawl.url) : formOf(subject.schedule)),
    judge: scheduleErrors,
    submissions,
  })
  const { attempt, check, field, set, shown, values } = form
  const preview = usePreview(cronOf(values), values.timezone)
  return (
    <Dialog
      open
      size="normal"
      onClose={onClose}
      title={isNew ? t.repeatThisCrawl : t.editSchedule}
      formRef={form.form}
      onSubmit={() => attempt(() => void save(values))}
      footer={
        <FormButtons onCancel={onClose} busy={isBusy} busyLabel={t.saving}>
          {isNew ? t.createSchedule : t.save}
        </FormButtons>
      }
    >
      <div className="grid min-w-0 gap-4 text-ink">
        <TextField label={t.name} {...field('name')} maxLength={MAX_SCHEDULE_NAME} autoComplete="off" />
        <TimeFields form={form} cronError={shown('cron') ?? fieldError(preview.error, 'cron')} />
        <SearchSelect
          label={t.timeZone}
          value={values.timezone === UTC ? '' : values.timezone}
          onChange={(timezone) => set({ timezone: timezone || UTC })}
          options={ZONES}
          none={UTC}
          other={otherZone}
          error={shown('timezone') ?? fieldError(preview.error, 'timezone')}
        />
        <NextTimes preview={preview} timezone={values.timezone} />
        <Checkbox
          label={t.reportChangesByMail}
          hint={settings?.is_mail_configured === false ? t.thisServerSendsNoMails : t.ifPagesWereAdded}
          {...check('mail_changes')}
        />
      </div>
    </Dialog>
  )
}
