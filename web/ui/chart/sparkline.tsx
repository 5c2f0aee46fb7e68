import type { DayCount } from './area-chart.tsx'

/** SVG units. The drawing is stretched to its container; the line's width is not. */
const WIDTH = 100
const HEIGHT = 32
/** Padding above and below, so that the line's full width is visible. */
const EDGE = 2

/** A line chart without axes, shown below a figure. It is scaled to its own range, so it shows the trend and not the absolute values. */
export function Sparkline({ days }: { days: readonly DayCount[] }) {
  const counts = days.map(({ count }) => count)
  const least = Math.min(...counts)
  const range = Math.max(1, Math.max(...counts) - least)
  const x = (index: number) => (index / Math.max(1, counts.length - 1)) * WIDTH
  const y = (count: number) => HEIGHT - EDGE - ((count - least) / range) * (HEIGHT - 2 * EDGE)
  const line = counts.map((count, index) => `${index === 0 ? 'M' : 'L'}${x(index).toFixed(2)} ${y(count).toFixed(2)}`).join('')
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true" className="block h-9 w-full overflow-visible">
      <path d={`${line}V${HEIGHT}H0Z`} fill="var(--accent)" opacity="0.1" />
      <path d={line} fill="none" stroke="var(--accent)" strokeWidth="1.5" strokeLinejoin="round" vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
