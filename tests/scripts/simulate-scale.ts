// The simulation behind docs/scaling.md.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { simulate, sizesOf, workerOf } from '../../scripts/simulate-scale.ts'

const simulation = suite('the simulation of many workers')
const SMALL = { hosts: 500, pages: 5000, rate: 50, limits: { concurrency: 4, delayMs: 0 } }

simulation('the simulation fetches every page, uses no host too early, and is deterministic', () => {
  const outcome = simulate({ ...SMALL, workers: 3 })
  assert.is(outcome.tooEarly, 0)
  assert.equal(simulate({ ...SMALL, workers: 3 }), outcome)
  const pages = sizesOf(SMALL.hosts, SMALL.pages).reduce((sum, size) => sum + size, 0)
  assert.is(Math.round(outcome.pagesPerSecond * outcome.half), Math.round(pages / 2))
})

simulation('more workers are faster while the processor is the limit, but not faster than the slowest host allows', () => {
  const [one, ten, hundred] = [1, 10, 100].map((workers) => simulate({ ...SMALL, workers }))
  assert.ok(ten!.pagesPerSecond > 5 * one!.pagesPerSecond, `${one!.pagesPerSecond} and ${ten!.pagesPerSecond}`)
  assert.ok(one!.busy > 0.9)
  assert.ok(hundred!.busy < ten!.busy)
  assert.ok(hundred!.all > 0.8 * ten!.all)
})

simulation('a pause that the operator sets holds for each host, however many workers there are', () => {
  const limits = { concurrency: 4, delayMs: 2000 }
  const sizes = sizesOf(SMALL.hosts, SMALL.pages)
  for (const workers of [1, 50]) {
    const outcome = simulate({ ...SMALL, limits, workers })
    assert.is(outcome.tooEarly, 0)
    assert.ok(outcome.all >= (sizes[0]! - 1) * 2, 'the largest host alone takes so long')
  }
})

simulation('hosts are spread evenly, and each belongs to one worker', () => {
  const counts = new Map<number, number>()
  for (let no = 0; no < 20_000; no += 1) {
    const worker = workerOf(`https://host-${no}.example:443`, 20)
    counts.set(worker, (counts.get(worker) ?? 0) + 1)
  }
  assert.is(counts.size, 20)
  for (const count of counts.values()) assert.ok(count > 850 && count < 1150, String(count))
})

simulation.run()
