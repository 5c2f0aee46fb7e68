/** The marks and labels of a chart's axis, which starts at zero. Pure. */

/**
 * @param most   the largest value, 0 or more
 * @returns      3 to 6 axis marks, whole numbers from 0 to the first round number that is not below `most`
 */
export function chartScale(most: number): number[] {
  const raw = Math.max(most, 4) / 4
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = Math.max(1, ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= raw && Number.isInteger(factor * power)) ?? 10) * power)
  return Array.from({ length: Math.ceil(Math.max(most, 1) / step) + 1 }, (_, index) => index * step)
}

/** "0", "850", "1.5k", "2M": short enough for an axis. */
export function shortNumber(value: number): string {
  for (const [size, letter] of [
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const)
    // A number that rounds to 1000 of the smaller unit is 1 of this one.
    if (value >= size - size / 20_000) return `${Math.round((value / size) * 10) / 10}${letter}`
  return String(value)
}
