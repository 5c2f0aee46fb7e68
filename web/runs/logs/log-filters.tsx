/** The filters above a log: the URL or query, the status, the type and the days. */
import { RUN_STATUSES } from '#contract/runs.ts'
import type { AnyRun } from '#web/runs/shared/run-base.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field, SelectField, TextField, boxClass, innerClass } from '#web/ui/form/field.tsx'
import { cx } from '#web/ui/cx.ts'
import { CloseIcon, FilterIcon, SearchIcon } from '#web/ui/icons.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { statusWord } from '#web/ui/feedback/status-badge.tsx'
import { useDelayed } from '#web/ui/hooks/use-delayed.ts'
import * as t from '#texts/activity.ts'
import { EMPTY_QUERY, isFiltered } from './log-query.ts'
import type { LogQuery } from './log-query.ts'
import type { RunKind } from './run-kind.ts'

/** Few users have this filter. */
const ScheduleFilter = lazyPart(async () => (await import('./schedule-filter.tsx')).ScheduleFilter, null)

type LogFiltersProps<Run extends AnyRun> = { kind: RunKind<Run>; query: LogQuery; onChange: (changes: Partial<LogQuery>) => void }

export function LogFilters<Run extends AnyRun>({ kind, query, onChange }: LogFiltersProps<Run>) {
  const [text, setText] = useDelayed(query.text, (value) => onChange({ text: value }))
  return (
    <div
      role="search"
      aria-label={t.filters}
      className="relative -m-1 flex min-w-0 gap-2 overflow-x-auto p-1 [scrollbar-width:none] sm:flex-wrap"
    >
      {query.schedule !== '' && <ScheduleFilter id={query.schedule} onRemove={() => onChange({ schedule: '' })} />}
      <TextField
        className="w-64 flex-none max-sm:w-36"
        label={kind.words.textFilter}
        hideLabel
        type="search"
        size="small"
        icon={SearchIcon}
        placeholder={kind.words.textFilter}
        value={text}
        onChange={setText}
      />
      <SelectField
        className="w-fit flex-none"
        label={t.status}
        hideLabel
        size="small"
        icon={FilterIcon}
        value={query.status}
        onChange={(status) => onChange({ status })}
        options={[{ value: '', label: t.statusAll }, ...RUN_STATUSES.map((status) => ({ value: status, label: statusWord(status) }))]}
      />
      {kind.types.length > 0 && (
        <SelectField
          className="w-fit flex-none"
          label={t.type}
          hideLabel
          size="small"
          value={query.type}
          onChange={(type) => onChange({ type })}
          options={[{ value: '', label: t.typeAny }, ...kind.types]}
        />
      )}
      <DayField label={t.createdFrom} short={t.from} value={query.from} max={query.to} onChange={(from) => onChange({ from })} />
      <DayField label={t.createdUntil} short={t.until} value={query.to} min={query.from} onChange={(to) => onChange({ to })} />
      {isFiltered(query) && (
        <Button look="quiet" size="small" icon={CloseIcon} className="h-8 flex-none" onClick={() => onChange(EMPTY_QUERY)}>
          {t.clear}
        </Button>
      )}
    </div>
  )
}

type DayFieldProps = { label: string; short: string; value: string; min?: string; max?: string; onChange: (day: string) => void }

function DayField({ label, short, value, min, max, onChange }: DayFieldProps) {
  return (
    <Field label={label} hideLabel className="flex-none">
      {(ties) => (
        <div className={boxClass({ size: 'small' })}>
          <span aria-hidden="true" className="text-faint">
            {short}
          </span>
          {/* The pattern of a date, such as mm/dd/yyyy, helps while one is typed; before that it is noise. A date typed in part is not valid. */}
          <input
            type="date"
            {...ties}
            {...(min && { min })}
            {...(max && { max })}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            className={cx(
              innerClass,
              'num w-28 [&::-webkit-calendar-picker-indicator]:opacity-60',
              value === '' && 'valid:not-focus:[&::-webkit-datetime-edit]:opacity-0',
            )}
          />
        </div>
      )}
    </Field>
  )
}
