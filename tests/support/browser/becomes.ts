/**
 * Assertions about a page that is still being drawn. A locator's `count`, `innerText` or `getAttribute` reads the page as it is at
 * that moment, which after a click or a navigation may be before the change. These read again until the expected value is there.
 */
import * as assert from 'uvu/assert'

/** A busy machine may take this long to draw a change. */
const LIMIT_MS = 15_000
const LOOK_MS = 25

/**
 * Reads until the value is the expected one, by `assert.equal`.
 *
 * @throws the assertion's error about the value read last, when that takes longer than 15 s
 */
export function becomes<T>(read: () => Promise<T>, expected: T, message?: string): Promise<void> {
  return holds(async () => assert.equal(await read(), expected, message))
}

/** Reads until the text fits the pattern; throws like `assert.match` after 15 s. */
export function becomesLike(read: () => Promise<string | null | undefined>, pattern: RegExp, message?: string): Promise<void> {
  return holds(async () => assert.match((await read()) ?? '', pattern, message))
}

async function holds(judge: () => Promise<void>): Promise<void> {
  const limit = performance.now() + LIMIT_MS
  for (;;) {
    try {
      return await judge()
    } catch (error) {
      if (!(error instanceof assert.Assertion) || performance.now() > limit) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
