/** The marks of a chart's axis, which starts at zero. Pure. */

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
