/** When jobs past their retention are deleted: every hour, but not directly after the clock was set. */
import { mock } from 'node:test'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { recurringRemoval } from '#backend/removal/recurring-removal.ts'

const house = suite('recurring deletion')

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The work of an installation over hours that the test lets pass; `set` sets its wall clock. */
function installation({
  deletes = async () => 0,
  hasDeletedTeams = false,
}: { deletes?: () => Promise<number>; hasDeletedTeams?: boolean } = {}) {
  mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
  const now = { steady: 0, wall: 1_000 * DAY }
  const told: string[] = []
  const done = { deletions: 0, teams: 0, wakes: 0 }
  const stop = recurringRemoval({
    clock: { steady: () => now.steady, wall: () => now.wall },
    deletedTeams: { finish: async () => void (done.teams += 1) },
    hasDeletedTeams: () => hasDeletedTeams,
    log: { info: (_, message) => void told.push(message), warn: (_, message) => void told.push(message) },
    retention: {
      deleteExpired: async () => {
        done.deletions += 1
        return deletes()
      },
    },
    sweeper: { wake: () => void (done.wakes += 1), close: async () => undefined },
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
    stop,
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
    set(5 * MINUTE - 1)
    await pass(HOUR)
    assert.is(done.deletions, 3, 'a small correction delays nothing')
    set(5 * MINUTE)
    await pass(HOUR)
    assert.is(done.deletions, 3, 'a greater one delays')
  } finally {
    close()
  }
})

house(
  'a clock that is set in the first minutes, as by a time server after the start of the machine, delays the first deletion',
  async () => {
    const { close, done, pass, set } = installation()
    try {
      set(4000 * DAY)
      await pass(10 * MINUTE)
      assert.is(done.deletions, 0)
      await pass(50 * MINUTE)
      assert.is(done.deletions, 1)
    } finally {
      close()
    }
  },
)

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

house('jobs are deleted ten minutes after the start and then each hour, and the sweep begins if there are any', async () => {
  let runs = 0
  const { close, done, pass, stop, told } = installation({ deletes: async () => runs })
  try {
    await pass(10 * MINUTE - 1)
    assert.is(done.deletions, 0)
    await pass(1)
    assert.equal([done.deletions, done.wakes, told], [1, 0, []])
    runs = 1
    await pass(50 * MINUTE)
    assert.equal([done.deletions, done.wakes, told], [2, 1, ['jobs past their retention are deleted']])
    stop()
    await pass(2 * HOUR)
    assert.is(done.deletions, 2)
  } finally {
    close()
  }
})

house('a deletion that fails is logged and tried again, and one that takes more than an hour is the only one', async () => {
  const slow = Promise.withResolvers<number>()
  const answers = [() => Promise.reject(new Error('no database')), () => slow.promise, async () => 0]
  const { close, done, pass, told } = installation({ deletes: () => answers.shift()!() })
  try {
    await pass(10 * MINUTE)
    assert.equal(told, ['jobs past their retention could not be deleted; it is tried again within an hour'])
    await pass(50 * MINUTE)
    await pass(HOUR)
    assert.is(done.deletions, 2)
    slow.resolve(0)
    await pass(0)
    await pass(HOUR)
    assert.is(done.deletions, 3)
  } finally {
    close()
  }
})

house('deletions of teams are finished at the start and each minute, if there are any', async () => {
  const { close, done, pass, stop } = installation({ hasDeletedTeams: true })
  try {
    assert.is(done.teams, 1)
    await pass(MINUTE)
    assert.is(done.teams, 2)
    stop()
    await pass(MINUTE)
    assert.is(done.teams, 2)
  } finally {
    close()
  }
  const none = installation()
  await none.pass(MINUTE)
  none.close()
  assert.is(none.done.teams, 0)
})

house('a service that is stopped in its first minutes deletes nothing later', async () => {
  const { close, done, pass, stop } = installation()
  try {
    stop()
    await pass(HOUR)
    assert.is(done.deletions, 0)
  } finally {
    close()
  }
})

house.run()
