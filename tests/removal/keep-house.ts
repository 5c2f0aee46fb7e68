/** When jobs past their retention are deleted: every hour, but not directly after the clock was set. */
import { mock } from 'node:test'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { keepHouse } from '#backend/removal/keep-house.ts'

const house = suite('recurring deletion')

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The work of an installation over hours that the test lets pass; `set` sets its wall clock. */
function installation() {
  mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
  const now = { steady: 0, wall: 1_000 * DAY }
  const told: string[] = []
  const done = { deletions: 0 }
  const stop = keepHouse({
    clock: { steady: () => now.steady, wall: () => now.wall },
    deletedTeams: { finish: async () => undefined },
    hasDeletedTeams: () => false,
    log: { info: (_, message) => void told.push(message), warn: (_, message) => void told.push(message) },
    retention: {
      deleteExpired: async () => {
        done.deletions += 1
        return 0
      },
    },
    sweeper: { wake: () => undefined, close: async () => undefined },
  })
  return {
    done,
    told,
    set: (ms: number) => void (now.wall += ms),
    async pass(ms: number) {
      now.steady += ms
      now.wall += ms
      mock.timers.tick(ms)
      await Promise.resolve()
      await Promise.resolve()
    },
    close() {
      stop()
      mock.timers.reset()
    },
  }
}

house('nothing is deleted in the hour after the clock was set, whether forward or back', async () => {
  const { close, done, pass, set, told } = installation()
  try {
    await pass(10 * MINUTE)
    assert.is(done.deletions, 1)
    set(4000 * DAY)
    await pass(50 * MINUTE)
    assert.equal([done.deletions, told.length], [1, 1], 'the clock may be wrong')
    set(-4000 * DAY)
    await pass(HOUR)
    assert.is(done.deletions, 2, 'it was corrected')
    set(MINUTE)
    await pass(HOUR)
    assert.is(done.deletions, 3, 'a small correction delays nothing')
  } finally {
    close()
  }
})

house('a machine that sleeps every hour deletes every second hour', async () => {
  const { close, done, pass, set } = installation()
  try {
    await pass(10 * MINUTE)
    for (let hour = 0; hour < 4; hour += 1) {
      set(8 * HOUR)
      await pass(hour === 0 ? 50 * MINUTE : HOUR)
    }
    assert.is(done.deletions, 3)
  } finally {
    close()
  }
})

house.run()
