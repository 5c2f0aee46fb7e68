// Rate limits of one process and of several together; `tests/api/http/rate-limits.ts` tests their memory.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AppError } from '#backend/errors.ts'
import { createRateLimits } from '#backend/http/rate-limits.ts'
import type { RateLimits, Try } from '#backend/http/rate-limits.ts'
import { createSharedRateLimits } from '#backend/http/shared-rate-limits.ts'
import { connectRedis } from '#backend/platform/redis/redis.ts'
import type { Redis } from '#backend/platform/redis/redis.ts'
import { startRedis } from '#tests/support/stubs/servers.ts'
import { until } from '#tests/support/until.ts'

const server = await startRedis()
const connections: Redis[] = []
let installations = 0

/** The limits as each of two processes has them; `pass` lets time go by. */
const ADAPTERS: Record<string, () => { processes: [RateLimits, RateLimits]; pass: (ms: number) => Promise<void> }> = {
  'in memory': () => {
    let at = 0
    const limits = createRateLimits({ now: () => at })
    return { processes: [limits, limits], pass: async (ms) => void (at += ms) }
  },
  'over Redis': () => {
    const prefix = `test${(installations += 1)}:`
    const local = createRateLimits({ now: Date.now })
    const open = () => {
      const redis = connectRedis({ url: server.url, name: 'limits', warn: () => undefined })
      connections.push(redis)
      return createSharedRateLimits({ redis, local, prefix })
    }
    // The server's clock cannot be set: each window is made to end so much earlier.
    return { processes: [open(), open()], pass: async (ms) => shorten(prefix, ms) }
  },
}

async function shorten(prefix: string, ms: number): Promise<void> {
  const redis = connections[0]!
  for (const key of await redis.keys(`${prefix}*`)) await redis.pexpire(key, Math.max(0, (await redis.pttl(key)) - ms))
}

const THREE = { calls: 3, seconds: 60 }
const tryOf = (name: string, part: string): Try => ({ name, limit: THREE, parts: [part] })

/** Seconds until the caller may try again; 0: the call was allowed. */
async function waitOf(call: () => void | Promise<unknown> | (() => void)): Promise<number> {
  try {
    await call()
    return 0
  } catch (error) {
    if (error instanceof AppError && error.code === 'throttled') return error.retryAfterSeconds ?? -1
    throw error
  }
}

for (const [name, make] of Object.entries(ADAPTERS)) {
  const limits = suite(`rate limits, ${name}`)
  const open = async () => {
    const made = make()
    for (const redis of connections) await until(() => redis.status === 'ready')
    return made
  }

  limits('A4 all processes share a window, which reports its remaining time and expires on time', async () => {
    const { processes, pass } = await open()
    const outcomes: number[] = []
    for (let no = 0; no < 5; no += 1) outcomes.push(await waitOf(() => processes[no % 2]!.take('login', THREE, 'eve')))
    assert.equal(outcomes.slice(0, 3), [0, 0, 0])
    assert.ok(
      outcomes.slice(3).every((seconds) => seconds > 50 && seconds <= 60),
      String(outcomes),
    )
    assert.is(await waitOf(() => processes[0].take('login', THREE, 'ana')), 0, 'another caller')
    assert.is(await waitOf(() => processes[1].take('mail', THREE, 'eve')), 0, 'another limit')
    await pass(60_000)
    assert.is(await waitOf(() => processes[0].take('login', THREE, 'eve')), 0)
  })

  limits('A4 a hundred concurrent calls in two processes stay within the limit', async () => {
    const { processes } = await open()
    const waits = await Promise.all(Array.from({ length: 100 }, (_, no) => waitOf(() => processes[no % 2]!.take('login', THREE, 'eve'))))
    assert.is(waits.filter((seconds) => seconds === 0).length, 3)
  })

  limits('A4 refused calls insert no rows: when several limits apply, either all count the call or none does', async () => {
    const { processes } = await open()
    const both = (address: string, email: string) =>
      waitOf(() => processes[0].takeAll([tryOf('address', address), tryOf('email', email)])).then((seconds) => seconds === 0)
    for (let no = 0; no < 3; no += 1) assert.ok(await both('10.0.0.1', `n${no}@example.org`))
    for (let no = 0; no < 5; no += 1) assert.not(await both('10.0.0.1', 'ana@example.org'))
    for (let no = 0; no < 3; no += 1) assert.ok(await both('10.0.0.2', 'ana@example.org'))
    for (let no = 0; no < 5; no += 1) assert.not(await both('10.0.0.3', 'ana@example.org'))
    for (let no = 0; no < 3; no += 1) assert.ok(await both('10.0.0.3', `m${no}@example.org`))
  })

  limits('A4 a call that is taken back leaves no count, however long its key is', async () => {
    const { processes } = await open()
    const tries = [tryOf('login', 'ana@example.org'.padEnd(300, 'x'))]
    for (let no = 0; no < 10; no += 1) (await processes[no % 2]!.takeAll(tries))()
    for (let no = 0; no < 3; no += 1) assert.is(await waitOf(() => processes[0].takeAll(tries)), 0)
    assert.ok((await waitOf(() => processes[0].takeAll(tries))) > 0)
  })

  limits.run()
}

const away = suite('rate limits while Redis is down')

away('each process counts by itself while Redis is down, and together with the others afterwards', async () => {
  const own = await startRedis()
  const warnings: string[] = []
  const redis = connectRedis({ url: own.url, name: 'limits', warn: (_, message) => void warnings.push(message) })
  connections.push(redis)
  const limits = createSharedRateLimits({ redis, local: createRateLimits({ now: Date.now }), prefix: 'away:' })
  await until(() => redis.status === 'ready')
  for (let no = 0; no < 3; no += 1) await limits.take('login', THREE, 'eve')
  assert.ok((await waitOf(() => limits.take('login', THREE, 'eve'))) > 0)
  redis.disconnect()
  await until(() => redis.status === 'end')
  for (let no = 0; no < 3; no += 1) assert.is(await waitOf(() => limits.take('login', THREE, 'eve')), 0)
  assert.ok((await waitOf(() => limits.take('login', THREE, 'eve'))) > 0)
  await redis.connect()
  assert.ok((await waitOf(() => limits.take('login', THREE, 'eve'))) > 0, 'what was counted before still counts')
  await own.close()
})

away('while Redis refuses to store anything, each process counts by itself, and one warning says so', async () => {
  const own = await startRedis()
  const warnings: string[] = []
  const redis = connectRedis({ url: own.url, name: 'limits', warn: (facts, message) => void warnings.push(`${message} ${String((facts as { err?: unknown }).err)}`) }) // prettier-ignore
  connections.push(redis)
  const limits = createSharedRateLimits({ redis, local: createRateLimits({ now: Date.now }), prefix: 'full:' })
  await until(() => redis.status === 'ready')
  await redis.config('SET', 'maxmemory', '1')
  for (let no = 0; no < 3; no += 1) assert.is(await waitOf(() => limits.take('login', THREE, 'eve')), 0)
  assert.ok((await waitOf(() => limits.take('login', THREE, 'eve'))) > 0)
  await redis.config('SET', 'maxmemory', '0')
  assert.is(warnings.length, 1, warnings.join('\n'))
  assert.match(warnings[0]!, /Redis refuses commands.*OOM/)
  await own.close()
})

away.after(async () => {
  for (const redis of connections) redis.disconnect()
  await server.close()
})
away.run()
