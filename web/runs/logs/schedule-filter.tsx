/** The filter of the crawl log by a schedule: it says which, and a button removes it. */
import type { MouseEvent } from 'react'
import { getSchedule } from '#contract/schedules.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { IconButton } from '#web/ui/form/button.tsx'
import { CloseIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/schedules.ts'

export function ScheduleFilter({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { data, error } = useEndpoint(getSchedule, { params: { id } })
  const text = t.scheduleNamed(data?.name ?? (error?.status === 404 ? t.deletedSchedule : '…'))
  const remove = (event: MouseEvent<HTMLButtonElement>) => {
    // The button disappears; the focus stays among the filters.
    event.currentTarget.closest('[role=search]')?.querySelector('input')?.focus()
    onRemove()
  }
  return (
    <span className="inline-flex h-8 max-w-64 flex-none items-center gap-0.5 rounded-control border border-line-strong bg-wash pr-0.5 pl-2.5 text-table text-accent-ink">
      <span className="min-w-0 truncate" title={text}>
        {text}
      </span>
      <IconButton label={t.removeThisFilter} icon={CloseIcon} onClick={remove} />
    </span>
  )
}
