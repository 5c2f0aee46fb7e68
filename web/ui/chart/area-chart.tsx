/** Counts per day as an area chart: a scale on the left, days below; the day under the pointer or the arrow keys is described in words. */
import { useId, useState } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'
import { chartScale } from './chart-scale.ts'
import { numberText } from '#web/ui/text/time-texts.ts'
import { LANGUAGE, short } from '#texts/language.ts'
import * as t from '#texts/lists.ts'

export type DayCount = { /** `2026-03-04` */ date: string; count: number }

const TONES = { 1: 'var(--chart-1)', 2: 'var(--chart-2)' } as const

/** SVG units. The drawing is stretched to its container; line widths are not. */
const WIDTH = 100
const HEIGHT = 100
const DAY_LABELS = 5

const dayFormat = new Intl.DateTimeFormat(LANGUAGE, { month: 'short', day: 'numeric', timeZone: 'UTC' })
/** "Mar 4". */
const dayLabel = (date: string) => dayFormat.format(Date.parse(date))

/**
 * @param label  describes the counts for screen readers
 * @param words  a count in words: "3 crawls"
 */
export function AreaChart({
  label,
  days,
  tone,
  words,
}: {
  label: string
  days: readonly DayCount[]
  tone: keyof typeof TONES
  words: (count: number) => string
}) {
  const gradient = useId()
  const [at, setAt] = useState<number | null>(null)
  const marks = chartScale(Math.max(0, ...days.map(({ count }) => count)))
  const top = marks.at(-1) ?? 1
  const x = (index: number) => (days.length < 2 ? WIDTH / 2 : (index / (days.length - 1)) * WIDTH)
  const y = (count: number) => HEIGHT - (count / top) * HEIGHT
  const line = days.map(({ count }, index) => `${index === 0 ? 'M' : 'L'}${x(index).toFixed(2)} ${y(count).toFixed(2)}`).join('')
  const shown = at === null ? undefined : days[at]

  const onPointer = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setAt(Math.max(0, Math.min(days.length - 1, Math.round(((event.clientX - left) / width) * (days.length - 1)))))
  }
  const onKey = (event: KeyboardEvent) => {
    const here = at ?? days.length - 1
    const to = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: days.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    setAt(Math.max(0, Math.min(days.length - 1, to)))
  }
  return (
    <figure className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-label text-faint">
      <div
        aria-hidden="true"
        className="num relative h-44 min-w-8 text-right whitespace-nowrap"
        style={{ width: `${Math.max(...marks.map((mark) => short(mark).length))}ch` }}
      >
        {marks.map((mark) => (
          <span key={mark} className="absolute right-0 -translate-y-1/2" style={{ top: `${y(mark)}%` }}>
            {short(mark)}
          </span>
        ))}
      </div>
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, days.length - 1)}
        aria-valuenow={at ?? Math.max(0, days.length - 1)}
        aria-valuetext={valueText(days[at ?? days.length - 1], words)}
        aria-orientation="horizontal"
        className="relative h-44 touch-pan-y rounded-small outline-offset-4"
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={() => setAt(null)}
        onKeyDown={onKey}
        onBlur={() => setAt(null)}
      >
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          className="absolute inset-0 size-full overflow-visible"
        >
          <defs>
            <linearGradient id={gradient} x1="0" y1="0" x2="0" y2="1">
              <stop offset="0" stopColor={TONES[tone]} stopOpacity="0.22" />
              <stop offset="1" stopColor={TONES[tone]} stopOpacity="0.02" />
            </linearGradient>
          </defs>
          {marks.map((mark) => (
            <line key={mark} x1="0" x2={WIDTH} y1={y(mark)} y2={y(mark)} stroke="var(--line)" vectorEffect="non-scaling-stroke" />
          ))}
          <path d={`${line}V${HEIGHT}H${x(0)}Z`} fill={`url(#${gradient})`} />
          <path d={line} fill="none" stroke={TONES[tone]} strokeWidth="2" strokeLinejoin="round" vectorEffect="non-scaling-stroke" />
          {at !== null && (
            <line
              x1={x(at)}
              x2={x(at)}
              y1="0"
              y2={HEIGHT}
              stroke="var(--control)"
              strokeDasharray="3 3"
              vectorEffect="non-scaling-stroke"
            />
          )}
        </svg>
        {at !== null && shown && (
          <>
            <span
              aria-hidden="true"
              className="absolute size-2.5 -translate-1/2 rounded-full border-2 border-surface"
              style={{ left: `${x(at)}%`, top: `${y(shown.count)}%`, background: TONES[tone] }}
            />
            <span
              aria-hidden="true"
              className="pointer-events-none absolute top-0 z-10 rounded-control bg-tip px-2.5 py-1.5 whitespace-nowrap text-on-tip"
              style={{ left: `${x(at)}%`, transform: `translateX(${-x(at)}%)` }}
            >
              {dayLabel(shown.date)} · <b className="font-semibold">{words(shown.count)}</b>
            </span>
          </>
        )}
      </div>
      <div aria-hidden="true" className="col-start-2 mt-2 flex justify-between">
        {labelled(days).map(({ date }) => (
          <span key={date}>{dayLabel(date)}</span>
        ))}
      </div>
    </figure>
  )
}

/** The first day, the last, and a few evenly spaced between. */
function labelled(days: readonly DayCount[]): DayCount[] {
  const last = days.length - 1
  const wanted = Array.from({ length: DAY_LABELS }, (_, index) => days[Math.round((index / (DAY_LABELS - 1)) * last)])
  return [...new Set(wanted)].filter((day) => day !== undefined)
}

const valueText = (day: DayCount | undefined, words: (count: number) => string) => (day ? `${dayLabel(day.date)}: ${words(day.count)}` : '')

/** The sum of the counts, as a text. */
export const chartSummary = (days: readonly DayCount[]): string => {
  const total = days.reduce((sum, { count }) => sum + count, 0)
  return t.inAll(numberText(total))
}
