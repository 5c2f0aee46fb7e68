/** Stored instants of a clock that others correct. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { waitUntil } from '#backend/platform/clock.ts'

const clocks = suite('stored instants')

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 2, 4)

clocks('a wait of the longest length lasts, also for a process whose clock is a little behind', () => {
  const stored = NOW + HOUR
  assert.equal(
    [waitUntil(stored, NOW, HOUR), waitUntil(stored, NOW - 5, HOUR), waitUntil(stored, NOW - 1000, HOUR)],
    [stored, stored, stored],
  )
})

clocks('an instant that was stored while the clock was wrong has passed', () => {
  assert.is(waitUntil(NOW + 20 * 365 * 24 * HOUR, NOW, HOUR), 0)
  assert.is(waitUntil(NOW + 2 * HOUR, NOW, HOUR), 0)
})

clocks.run()
