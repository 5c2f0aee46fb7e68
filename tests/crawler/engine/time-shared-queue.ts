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

queue('of shares that have had as much, the one that came first is next', () => {
  const fair = createTimeSharedQueue<string>()
  for (const share of ['b', 'a', 'c']) fair.push(share, '1')
  assert.equal([fair.next()!.share, fair.next()!.share, fair.next()!.share], ['b', 'a', 'c'])
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

const all = () => true

queue('a share has work while a piece waits or is in work', () => {
  const fair = createTimeSharedQueue<string>()
  const seen = () => [fair.worksForOther(), fair.worksForOther('a'), fair.worksForOther('b'), fair.hasNext(all), fair.queuedOf('a')]
  assert.equal(seen(), [false, false, false, false, 0])
  fair.push('a', '1')
  assert.equal(seen(), [false, false, true, true, 1])
  assert.is(
    fair.hasNext(() => false),
    false,
  )
  fair.next()
  assert.equal(seen(), [false, false, true, false, 0])
  fair.done('a')
  fair.done('unknown')
  assert.equal(seen(), [false, false, false, false, 0])
  fair.push('a', '1')
  fair.push('c', '1')
  assert.equal(seen(), [true, true, true, true, 1])
})

queue('the lead of a share is over the one of the others that has had least', () => {
  const fair = createTimeSharedQueue<string>()
  assert.is(fair.leadOf('a', all), 0)
  fair.push('a', '1')
  fair.charge('a', 30)
  fair.push('b', '1')
  fair.push('c', '1')
  fair.charge('c', 10)
  assert.equal([fair.leadOf('a', all), fair.leadOf('b', all), fair.leadOf('c', all)], [30, 0, 10])
  assert.equal([fair.leadOf('a', (share) => share === 'c'), fair.leadOf('a', () => false), fair.leadOf('new', all)], [20, 0, 50])
})

queue('a share that returns starts 50 ms behind the present, and one that was never away stays where it was', () => {
  /** The lead of `b`, which has worked for a second, over `a`, which gets another piece. */
  const lead = (before: (fair: ReturnType<typeof createTimeSharedQueue<string>>) => void) => {
    const fair = createTimeSharedQueue<string>()
    before(fair)
    fair.push('b', '1')
    fair.charge('b', 1000)
    fair.next((_item, share) => share === 'b')
    fair.push('a', '2')
    return fair.leadOf('b', all)
  }
  assert.is(
    lead(() => undefined),
    50,
  )
  const served = (fair: ReturnType<typeof createTimeSharedQueue<string>>) => {
    fair.push('a', '1')
    fair.next()
  }
  assert.is(
    lead((fair) => {
      served(fair)
      fair.done('a')
    }),
    50,
    'its work had ended',
  )
  assert.is(lead(served), 1000, 'it is at work')
  assert.is(
    lead((fair) => fair.push('a', '1')),
    1000,
    'it waits',
  )
})

queue('the clocks of a thousand idle shares are kept; of more, those that are ahead', () => {
  /** The lead of the first of so many shares over one that begins now; 50 ms without a clock of its own. */
  const lead = (shares: number, ms: number, isAtWork = false) => {
    const fair = createTimeSharedQueue<string>()
    for (let no = 0; no < shares; no += 1) {
      fair.push(`s${no}`, '1')
      fair.next()
      if (no === 0) fair.charge('s0', ms)
      if (no > 0 || !isAtWork) fair.done(`s${no}`)
    }
    fair.push('z', '1')
    return fair.leadOf('s0', all)
  }
  assert.equal([lead(1000, 40), lead(1001, 40), lead(1001, 50), lead(1001, 51), lead(1001, 40, true)], [40, 50, 50, 51, 40])
})

queue.run()
