/** What the log says while the store cannot be reached. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { StoreTrouble } from '#backend/store/run-store.ts'
import type { RunStore } from '#backend/store/run-store.ts'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { until } from '#tests/support/until.ts'

const outage = suite('an outage of the store')

outage('each error is logged once for the outage, however often the engine tries again', async () => {
  const site = await startSite({ '/': pageOf('start') })
  const errors: string[] = []
  let isDown = false
  let tries = 0
  const down = (store: RunStore): RunStore =>
    new Proxy(store, {
      get(target, name: keyof RunStore) {
        const does = target[name]
        if (typeof does !== 'function') return does
        return (...values: unknown[]) => {
          // From the first lease of a host on: the engine asks for it five times a second.
          if (name === 'holdHosts') {
            isDown = tries < 3
            tries += 1
          }
          if (isDown) return Promise.reject(new StoreTrouble(new Error('down'), { isFull: false }))
          return (does as (...given: unknown[]) => unknown).apply(target, values)
        }
      },
    })
  const log = { info: () => undefined, warn: () => undefined, error: (_: object, message: string) => void errors.push(message) }
  const engine = startEngineHarness({ around: down, isAlone: false, log })
  const run = await engine.crawl(site.url('/'))
  await until(() => tries > 3)
  await engine.ended(run)
  assert.ok(errors.includes('hosts could not be leased; it is tried again'))
  assert.is(new Set(errors).size, errors.length, errors.join('\n'))
  await Promise.all([engine.close(), site.close()])
})

outage('while the store can be read, but no run can be taken, the log says so once, and once that it is over', async () => {
  const site = await startSite({ '/': pageOf('start') })
  const lines: string[] = []
  const states: boolean[] = []
  let tries = 0
  const full = (store: RunStore): RunStore =>
    new Proxy(store, {
      get(target, name: keyof RunStore) {
        if (name !== 'take') return target[name]
        return (runNo: number) => {
          tries += 1
          return tries < 4 ? Promise.reject(new StoreTrouble(new Error('full'), { isFull: true })) : target.take(runNo)
        }
      },
    })
  const say = (_: object, message: string) => void lines.push(message)
  const engine = startEngineHarness({
    around: full,
    isAlone: false,
    log: { info: say, warn: say, error: say },
    onStuck: (isStuck) => void states.push(isStuck),
  })
  await engine.ended(await engine.crawl(site.url('/')))
  assert.equal(
    lines.filter((line) => line.includes('database')),
    ['the database cannot be written; retrying every half second', 'the database can be written again'],
  )
  assert.equal(states, [true, false])
  await Promise.all([engine.close(), site.close()])
})

outage('the trouble is over when the run that could not be taken does not wait any more', async () => {
  const states: boolean[] = []
  const refused = (store: RunStore): RunStore =>
    new Proxy(store, {
      get: (target, name: keyof RunStore) =>
        name === 'take' ? () => Promise.reject(new StoreTrouble(new Error('full'), { isFull: true })) : target[name],
    })
  const engine = startEngineHarness({ around: refused, isAlone: false, onStuck: (isStuck) => void states.push(isStuck) })
  await engine.crawl('http://127.0.0.1:1/')
  await until(() => states.length > 0)
  // As it is when another engine has finished the run. One that has not ended would get its job again when the engine reconciles.
  engine.tables.prepare("UPDATE run SET status = 'finished', ended_at = 1").run()
  engine.tables.prepare('DELETE FROM job').run()
  await until(() => states.length > 1)
  assert.equal(states, [true, false])
  await engine.close()
})

outage(
  'a crawl whose lease has run out is taken again by the engine that still works on it: the new work goes on, the old one ends',
  async () => {
    const paths = Array.from({ length: 30 }, (_, no) => `/${no}`)
    const site = await startSite(Object.fromEntries(paths.map((path) => [path, { body: pageOf(path, paths), afterMs: 50 }])))
    let taken = 0
    const log = {
      info: (_: object, message: string) => void (taken += Number(message === 'run taken')),
      warn: () => undefined,
      error: () => undefined,
    }
    const engine = startEngineHarness({ isAlone: false, log, settings: { hostConcurrency: 2 } })
    const run = await engine.crawl(site.url('/0'), { spider: { page_limit: 100, max_depth: 9 } })
    await until(() => site.hits.length > 4)
    // As another engine does that finds the lease run out.
    engine.tables.prepare('UPDATE run SET lease_until = 0').run()
    engine.tables
      .prepare("INSERT INTO job (key, kind, payload, team_id, priority, run_at) VALUES (?, 'crawl', ?, 'team', 1, 0)")
      .run(`run:${run}:9`, JSON.stringify({ runNo: run }))
    engine.engine.wake()
    await engine.ended(run)
    assert.is(taken, 2, 'it was not lost a second time')
    assert.is(engine.rows('SELECT 1 FROM page').length, paths.length)
    await Promise.all([engine.close(), site.close()])
  },
)

outage.run()
