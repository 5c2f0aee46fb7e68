/** Times of a day that do not exist in a time zone, because its clocks are put forward. Pure. */

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** What the clocks of a time zone show at an instant, as if it were UTC, to the minute. */
export function wallTime(timezone: string, at: number): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: timezone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(at)
  const numberOf = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)!.value)
  return Date.UTC(numberOf('year'), numberOf('month') - 1, numberOf('day'), numberOf('hour'), numberOf('minute'))
}

/**
 * The instant at which the clocks skip a wall time; null for a wall time that exists.
 *
 * @param wall  as `wallTime` returns it
 */
export function endOfGap(timezone: string, wall: number): number | null {
  const offsetAt = (at: number) => wallTime(timezone, at) - at
  // The instants that the wall time would be with the clocks of the day before, and of the day after.
  const [asBefore, asAfter] = [wall - offsetAt(wall - DAY_MS), wall - offsetAt(wall + DAY_MS)]
  if (asAfter >= asBefore || [asBefore, asAfter].some((at) => wallTime(timezone, at) === wall)) return null
  // The clocks change between the two.
  let [earlier, later] = [asAfter, asBefore]
  while (later - earlier > MINUTE_MS) {
    const middle = earlier + Math.floor((later - earlier) / 2 / MINUTE_MS) * MINUTE_MS
    if (wallTime(timezone, middle) < wall) earlier = middle
    else later = middle
  }
  return later
}
