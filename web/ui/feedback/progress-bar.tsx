/** A progress bar with one or more segments. */
import { cx } from '#web/ui/cx.ts'

export type BarPart = { value: number; tone?: 'accent' | 'danger' | 'warning' | 'info' | 'strong'; label?: string }

const TONES = { accent: 'bg-accent', danger: 'bg-danger', warning: 'bg-warning-fill', info: 'bg-info', strong: 'bg-line-strong' }

export type ProgressBarProps = {
  /** Describes the progress for screen readers. */
  label: string
  parts: readonly BarPart[]
  /** The value of the full bar. */
  max: number
  thin?: boolean
  className?: string
}

export function ProgressBar({ label, parts, max, thin = false, className }: ProgressBarProps) {
  const done = parts.reduce((sum, { value }) => sum + value, 0)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(done, max)}
      className={cx('parts-bar flex overflow-hidden rounded-small bg-sunken inset-ring inset-ring-line', thin ? 'h-1' : 'h-2', className)}
    >
      {parts.map(({ value, tone = 'accent', label: part }, index) => (
        <span
          key={part ?? index}
          title={part}
          className={cx('block h-full transition-[width]', TONES[tone])}
          style={{ width: `${max > 0 ? Math.min(100, (value / max) * 100) : 0}%` }}
        />
      ))}
    </div>
  )
}
