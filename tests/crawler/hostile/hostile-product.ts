/**
 * The hostile site through the running product: the cases that end within two seconds, by the list that `npm run test:hostile -- --quick`
 * writes. All others, which wait for time-outs and retries, run there.
 */
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startHostileProduct } from '#tests/support/sites/hostile-product.ts'
import type { Verdict } from '#tests/support/sites/hostile-product.ts'

const hostile = suite('the hostile site, through the product')

const AT_ONCE = 6
const quick = JSON.parse(readFileSync(new URL('../fixtures/quick-hostile-cases.json', import.meta.url), 'utf8')) as string[]
const product = await startHostileProduct({ maxBodyMib: 16, maxHoldSeconds: 30 })
const cases = quick.map((id) => ({ id, found: product.cases.find((each) => each.id === id) }))
const verdicts = new Map<string, Promise<Verdict>>()
const waiting = [...cases]
const lines = Array.from({ length: AT_ONCE }, () => Promise.withResolvers<void>())

hostile.after(() => product.close())

/** Runs cases one after the other; a case that rejects fails its own test alone. */
async function work(line: PromiseWithResolvers<void>) {
  for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) {
    if (each.found === undefined) continue
    const verdict = product.run(each.found)
    verdicts.set(each.id, verdict)
    await verdict.catch(() => undefined)
  }
  line.resolve()
}
for (const line of lines) void work(line)
const all = Promise.all(lines.map(({ promise }) => promise))

hostile('the list names only existing cases, and most cases that apply', async () => {
  assert.equal(
    cases.filter(({ found }) => found === undefined).map(({ id }) => id),
    [],
  )
  assert.ok(cases.length > product.cases.length / 2, `${cases.length} of ${product.cases.length}`)
})

for (const { id } of cases)
  hostile(id, async () => {
    await all
    const verdict = await verdicts.get(id)!
    assert.equal(verdict.faults, [], `${id} ended as ${verdict.ended}`)
  })

hostile('the internal service was not reached, neither by TCP nor by UDP', async () => {
  const { canary } = await product.site.hits()
  assert.equal([canary.requests, canary.udp], [0, 0])
})

hostile.run()
