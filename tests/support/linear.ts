/** Checks, by processor time, that work is linear in the size of its input. */
import * as assert from 'uvu/assert'

/** The most that eight times the size may cost; for quadratic work it would be 64. */
const MOST = 24
const SMALL = 16 * 1024
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
 * Measures a bad ratio again, since a garbage collection or a compilation may slow only the longer run.
 *
 * @param work  makes the work for an input of so many bytes
 */
export async function assertLinear(what: string, work: (size: number) => () => unknown): Promise<void> {
  const large = work(SMALL * 8)
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
