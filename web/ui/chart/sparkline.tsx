import type { DayCount } from './area-chart.tsx'

/** The drawing's own units; it is stretched to its container, the line keeps its width. */
const WIDTH = 100
const HEIGHT = 32
/** Room above and below, so that the line is not cut. */
const EDGE = 2

/** A line without a scale, for the shape of a history below its figure: it fills its own range and does not show absolute sizes. */
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
