/** The logo without the product's name: four strands cross and form a diamond; its lowest crossing is a knot in the accent colour. */
import { cx } from './cx.ts'

export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" fill="none" aria-hidden="true" className={cx('shrink-0', className ?? 'size-6')}>
      <path d="M1.5 15.5 15.5 1.5M8.5 22.5l14-14M8.5 1.5l14 14M1.5 8.5l14 14" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      <circle cx="12" cy="19" r="3.5" className="fill-accent" />
    </svg>
  )
}

/** The logo with the product's name beside it. */
export function WordMark({ name }: { name: string }) {
  return (
    <span className="flex items-center gap-2.5 text-[17px]/6 font-medium tracking-[-0.025em] text-ink">
      <Mark />
      <span className="truncate">{name}</span>
    </span>
  )
}
