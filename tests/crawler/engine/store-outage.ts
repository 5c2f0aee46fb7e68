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

outage.run()
