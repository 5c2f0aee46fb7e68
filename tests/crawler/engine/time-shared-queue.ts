/** Time that several shares divide: by measured milliseconds, whatever their pieces cost. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createTimeSharedQueue } from '#backend/crawler/engine/time-shared-queue.ts'

const queue = suite('time divided between shares')

/** Serves shares that always have a waiting piece for this many milliseconds; returns what each got. */
function served(costs: Record<string, number>, totalMs: number) {
  const fair = createTimeSharedQueue<number>()
  const got: Record<string, { pieces: number; ms: number }> = {}
  for (const [share, ms] of Object.entries(costs)) {
    got[share] = { pieces: 0, ms: 0 }
    fair.push(share, ms)
    fair.push(share, ms)
  }
  for (let spent = 0; spent < totalMs;) {
    const { item, share } = fair.next()!
    fair.charge(share, item)
    fair.done(share)
    fair.push(share, item)
    got[share]!.pieces += 1
    got[share]!.ms += item
    spent += item
  }
  return got
}

queue('H4: a share whose pieces take a hundred times as long gets no more time', () => {
  const { ordinary, slow } = served({ ordinary: 1, slow: 100 }, 10_000)
  assert.ok(Math.abs(ordinary!.ms - slow!.ms) <= 200, `${ordinary!.ms} and ${slow!.ms} ms`)
})

queue('H4: beside the slowest neighbour a share gets at least 80 % of the pieces that it gets beside an ordinary one', () => {
  const beside = served({ ordinary: 1, other: 1 }, 10_000)
  const besideWorst = served({ ordinary: 1, worst: 1000 }, 10_000)
  assert.ok(besideWorst['ordinary']!.pieces >= 0.8 * beside['ordinary']!.pieces)
})

queue('H4: costs that are charged after a piece was taken count', () => {
  const fair = createTimeSharedQueue<string>()
  for (let piece = 0; piece < 10; piece += 1) {
    fair.push('links', 'a')
    fair.push('plain', 'b')
  }
  const first = fair.next()!
  fair.charge(first.share, 1000)
  const order = Array.from({ length: 10 }, () => {
    const { share } = fair.next()!
    fair.charge(share, 1)
    return share
  })
  assert.ok(!order.includes(first.share), order.join(' '))
})

queue('a share that returns is served at once, and gets no extra time for the time it was idle', () => {
  const fair = createTimeSharedQueue<number>()
  for (let piece = 0; piece < 1000; piece += 1) fair.push('long', piece)
  for (let piece = 0; piece < 500; piece += 1) fair.charge(fair.next()!.share, 10)
  for (let piece = 0; piece < 100; piece += 1) fair.push('late', piece)
  const order = Array.from({ length: 40 }, () => {
    const { share } = fair.next()!
    fair.charge(share, 10)
    return share
  })
  assert.is(order[0], 'late')
  const late = order.filter((share) => share === 'late').length
  assert.ok(late >= 20 && late <= 26, `${late} of 40`)
})

queue('a single share gets everything, and its pieces keep their order', () => {
  const fair = createTimeSharedQueue<number>()
  for (const piece of [1, 2, 3]) fair.push('only', piece)
  assert.is(fair.next()!.item, 1)
  fair.putBack('only', 1)
  assert.equal([fair.next()!.item, fair.next()!.item, fair.next()!.item, fair.next()], [1, 2, 3, null])
  assert.is(fair.length, 0)
})

queue('if the first piece of a share may not be taken, no later piece of that share is', () => {
  const fair = createTimeSharedQueue<string>()
  fair.push('long', 'long')
  fair.push('long', 'short')
  assert.is(
    fair.next((item) => item !== 'long'),
    null,
  )
  fair.push('other', 'short')
  assert.is(fair.next((item) => item !== 'long')!.share, 'other')
})

queue.run()
