/** Checks, by processor time, that work is linear in the size of its input. */
import * as assert from 'uvu/assert'

/** The most that eight times the size may cost; for quadratic work it would be 64. */
const MOST = 24
const SMALL = 16 * 1024
const LARGE = 8 * SMALL
/** Below this many milliseconds the ratio is noise. */
const LEAST_MS = 4

/** The milliseconds of processor time of some work; unlike time, they do not depend on what else the machine does. */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/**
 * Measures a part of the size first, which is enough for nearly all work: quadratic work that took at most a fourth or a sixteenth of the
 * limit there takes no more than the limit for the whole. Measures a bad ratio again, since a garbage collection or a compilation may
 * slow only the longer run.
 *
 * @param work  makes the work for an input of so many bytes
 */
export async function assertLinear(what: string, work: (size: number) => () => unknown): Promise<void> {
  for (const part of [4, 2]) if ((await processorMs(work(LARGE / part))) <= (MOST * LEAST_MS) / part ** 2) return
  const large = work(LARGE)
  let ratio = (await processorMs(large)) / LEAST_MS
  if (ratio <= MOST) return
  const small = work(SMALL)
  for (let attempt = 0; attempt < 3 && ratio > MOST; attempt += 1) {
    await small()
    ratio = Math.min(ratio, (await processorMs(large)) / Math.max(await processorMs(small), LEAST_MS))
  }
  assert.ok(ratio <= MOST, `${what}: ${ratio.toFixed(1)} times the work for 8 times the size`)
}

/** A fragment until the size is reached; `N` stands for a number that differs each time. */
export function filled(fragment: string, size: number): string {
  const parts: string[] = []
  for (let length = 0, n = 0; length < size; n += 1) {
    const part = fragment.includes('N') ? fragment.replaceAll('N', String(n)) : fragment
    parts.push(part)
    length += part.length
  }
  return parts.join('')
}
