/** Badges: the status of a run, and chips for small facts. Each has a word besides its colour. */
import type { ReactNode } from 'react'
import { cx } from '#web/ui/cx.ts'
import { BanIcon, CircleCheckIcon, CircleDashedIcon, CircleXIcon, HelpIcon, HourglassIcon, SpinnerIcon } from '#web/ui/icons.tsx'
import type { Icon } from '#web/ui/icons.tsx'
import * as t from '#texts/ui.ts'

const STATUSES: Record<string, { word: string; icon: Icon; look: string }> = {
  new: { word: t.newText, icon: CircleDashedIcon, look: 'text-st-new bg-st-new-wash' },
  running: { word: t.running, icon: SpinnerIcon, look: 'text-st-running bg-st-running-wash' },
  finished: { word: t.finished, icon: CircleCheckIcon, look: 'text-st-finished bg-st-finished-wash' },
  failed: { word: t.failed, icon: CircleXIcon, look: 'text-st-failed bg-st-failed-wash' },
  canceling: { word: t.canceling, icon: HourglassIcon, look: 'text-st-canceling bg-st-canceling-wash' },
  canceled: { word: t.canceled, icon: BanIcon, look: 'text-st-canceled bg-st-canceled-wash' },
}
const UNKNOWN = { word: t.unknown, icon: HelpIcon, look: 'text-st-canceling bg-st-canceling-wash' }

/** The word of a status. */
export const statusWord = (status: string): string => (STATUSES[status] ?? UNKNOWN).word

export function StatusBadge({ status }: { status: string }) {
  const { word, icon: Icon, look } = STATUSES[status] ?? UNKNOWN
  return (
    <span
      className={cx('inline-flex h-5.5 items-center gap-[5px] rounded-full pr-2 pl-1.5 text-label font-medium whitespace-nowrap', look)}
    >
      <Icon className="size-3.5" />
      {word}
    </span>
  )
}

export type ChipTone = 'plain' | 'accent' | 'outline' | 'success' | 'warning' | 'danger' | 'info'

const TONES: Record<ChipTone, string> = {
  plain: 'bg-chip text-soft',
  accent: 'bg-wash text-accent-ink',
  outline: 'text-soft inset-ring inset-ring-line-strong',
  success: 'bg-success-wash text-success',
  warning: 'bg-warning-wash text-warning',
  danger: 'bg-danger-wash text-danger',
  info: 'bg-info-wash text-info',
}

export function Chip({ tone = 'plain', icon: Icon, children }: { tone?: ChipTone; icon?: Icon; children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex h-5 max-w-full items-center gap-1 rounded-small px-[7px] text-label font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      {Icon && <Icon className="size-3" />}
      <span className="truncate">{children}</span>
    </span>
  )
}
