/** Space of a commit: new URLs of one run do not keep the pages of another waiting, and nothing is lost when they take several commits. */
import * as assert from 'uvu/assert'
import { divideRows, ROWS_PER_COMMIT } from '#backend/crawler/engine/commit-space.ts'
import { LINK_STRIDE } from '#backend/crawler/page/page-rules.ts'
import { frontierBench, keyOf } from '#tests/support/engine/frontier.ts'
import { suite } from '#tests/support/suite.ts'

const space = suite('space of a commit')

space('H4: shares get equal parts of the space, and unused space goes to the other shares', () => {
  const runs = [
    { share: 'greedy', rows: 100_000 },
    { share: 'greedy', rows: 100_000 },
    { share: 'modest', rows: 100 },
  ]
  assert.equal([...divideRows(runs).values()], [ROWS_PER_COMMIT - 100, 0, 100])
  const two = [
    { share: 'a', rows: 100_000 },
    { share: 'b', rows: 100_000 },
  ]
  assert.equal([...divideRows(two).values()], [ROWS_PER_COMMIT / 2, ROWS_PER_COMMIT / 2])
})

space('H4: 10,000 new URLs take several commits, in order, and their page is in the last commit', async () => {
  const bench = frontierBench({ seeds: ['http://a.test/'] })
  await bench.rebuild()
  const lease = await bench.lease()
  assert.ok(lease !== null)
  const numbers = new Int32Array(10_000 * LINK_STRIDE)
  let text = ''
  for (let at = 0; at < 10_000; at += 1) {
    const url = `http://a.test/${at}`
    const { hi, lo } = keyOf(url)
    text += url
    numbers.set([hi, lo, text.length, text.length, 0], at * LINK_STRIDE)
  }
  const count = () => (bench.connection.prepare('SELECT count(*) AS n FROM run_url').get() as { n: number }).n
  const settled = () => (bench.connection.prepare('SELECT count(*) AS n FROM run_url WHERE state = 2').get() as { n: number }).n
  bench.frontier.addLinks({ numbers, text, notes: [] }, 0, bench.open.changes)
  bench.frontier.settle(lease, true)
  bench.open.changes.settled.push({
    seq: lease.seq,
    outcome: 'kept',
    detail: null,
    httpStatus: 200,
    bytes: 1,
    tookMs: 1,
    tries: 1,
  })
  const seen: [urls: number, settled: number][] = []
  while (bench.open.changes.settled.length > 0) {
    await bench.commitGroup()
    seen.push([count(), settled()])
  }
  assert.equal(seen, [
    [1 + ROWS_PER_COMMIT, 0],
    [1 + 2 * ROWS_PER_COMMIT, 0],
    [10_001, 1],
  ])
  const { known } = bench.connection.prepare('SELECT known FROM run').get() as { known: number }
  assert.is(known, 10_001)
})

space.run()
