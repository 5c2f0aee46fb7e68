/** The pending URLs of each host: which of them are in memory, what is read from the store and when, and in which order they come. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { PendingUrl } from '#backend/store/run-store.ts'
import { newHostRecord } from '#backend/crawler/frontier/host-record.ts'
import type { HostRecord } from '#backend/crawler/frontier/host-record.ts'
import type { Host, Hosts } from '#backend/crawler/frontier/hosts.ts'
import { AGAIN, ENDED, IN_PROGRESS, PENDING, createKnownUrls } from '#backend/crawler/frontier/known-urls.ts'
import { createPendingUrls } from '#backend/crawler/frontier/pending-urls.ts'
import type { HostQueue } from '#backend/crawler/frontier/pending-urls.ts'

const pending = suite('pending URLs')

const hostOf = (key: string): Host => ({ key, holders: 0 }) as Host
const urlOf = (seq: number, rank = 0, tries = 0): PendingUrl => ({ seq, rank, tries, hops: 0, isSeed: false, url: `http://a.test/${seq}` })

/** Queues over a stub store, whose answers the test releases. */
function bench({ rows = {}, records = new Map() }: { rows?: Record<string, PendingUrl[]>; records?: Map<string, HostRecord> } = {}) {
  const known = createKnownUrls()
  const held: string[] = []
  const reads: { hostKey: string; after: number | null; limit: number }[] = []
  const read: string[] = []
  const reports: string[] = []
  let gate: Promise<void> | null = null
  let fails = 0
  const queues = createPendingUrls({
    hosts: {
      hold: (key: string) => held.push(key),
      release: (host: Host) => held.splice(held.indexOf(host.key), 1),
    } as unknown as Hosts,
    known,
    onRead: ({ host }) => void read.push(host.key),
    records,
    report: (message) => void reports.push(message),
    runNo: 1,
    store: {
      async pendingUrls(_runNo, hostKey, after, limit) {
        reads.push({ hostKey, after: after?.seq ?? null, limit })
        await gate
        if ((fails -= 1) >= 0) throw new Error('the disk is gone')
        const all = rows[hostKey] ?? []
        const from = after === null ? 0 : all.findIndex(({ seq }) => seq === after.seq) + 1
        return all.slice(from, from + limit)
      },
    },
  })
  return { queues, known, held, reads, read, reports, add, store, take, takeAll, turn, hold, fail: () => void (fails = 1) }

  function note(seq: number, rank: number) {
    known.add(seq, { hi: seq, lo: 0, depth: rank, titleLength: 0 })
  }

  function add(queue: HostQueue, seq: number, rank = 0, isFirst = false) {
    note(seq, rank)
    return queues.add(queue, urlOf(seq, rank), isFirst)
  }

  /** The rows of a host, as they are found after a restart. */
  function store(host: Host, from: number, count: number): HostQueue {
    const urls = Array.from({ length: count }, (_, n) => urlOf(from + n))
    for (const { seq } of urls) note(seq, 0)
    rows[host.key] = urls
    const queue = queues.of(host)
    queues.addStored(queue, count, { rank: 0, seq: from })
    return queue
  }

  /** Leases this many URLs in memory, or all; returns their numbers in order. */
  function take(queue: HostQueue, most: number): number[] {
    const order: number[] = []
    while (order.length < most) {
      const url = queues.firstOf(queue)
      if (url === null) break
      queues.take(queue, url, false)
      known.setState(url.seq, IN_PROGRESS)
      order.push(url.seq)
    }
    return order
  }

  function takeAll(queue: HostQueue): number[] {
    return take(queue, Infinity)
  }

  /** Waits for pending reads. */
  async function turn() {
    await new Promise((resolve) => setImmediate(resolve))
  }

  function hold() {
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    return () => {
      gate = null
      resolve()
    }
  }
}

const up = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n)

pending('each host has one queue, which holds the host until the run is released', () => {
  const { held, queues } = bench()
  const [one, other] = [hostOf('one'), hostOf('other')]
  assert.is(queues.of(one), queues.of(one))
  assert.is(queues.find('one'), queues.of(one))
  assert.is(queues.find('other'), undefined)
  queues.of(other)
  assert.equal(held, ['one', 'other'])
  assert.equal(
    Array.from(queues.all(), ({ host }) => host.key),
    ['one', 'other'],
  )
  queues.close()
  assert.equal(held, [])
  queues.of(hostOf('late'))
  assert.equal(held, [], 'a run that was left holds nothing more')
})

pending('the next slice of a run knows the record of a host, but not that it was being probed', () => {
  const record: HostRecord = { ...newHostRecord(), suspect: { since: 1, probes: 2, nextAt: 3, isProbing: true } }
  const records = new Map([['one', record]])
  const { queues } = bench({ records })
  assert.is(queues.of(hostOf('one')).record, record)
  assert.equal(record.suspect, { since: 1, probes: 2, nextAt: 3, isProbing: false })
  const fresh = queues.of(hostOf('other')).record
  assert.equal(fresh, newHostRecord())
  assert.is(records.get('other'), fresh)
})

pending('URLs are ordered by rank, then by number; a URL added at the front comes first', () => {
  const { add, queues, reads, takeAll } = bench()
  const queue = queues.of(hostOf('one'))
  assert.ok(add(queue, 5, 1), 'it is the next of its host')
  assert.not.ok(add(queue, 6, 1))
  assert.not.ok(add(queue, 7, 2))
  assert.ok(add(queue, 8, 0))
  assert.not.ok(add(queue, 4, 1))
  assert.ok(add(queue, 9, 3, true))
  assert.is(queues.pending, 6)
  assert.equal(takeAll(queue), [9, 8, 4, 5, 6, 7])
  assert.is(queues.pending, 0)
  assert.equal([queue.pending, queue.inProgress], [0, 6])
  assert.equal(reads, [], 'the store was not asked')
})

pending('each host has 256 URLs in memory, and the others wait in the store and are read when 64 are left', async () => {
  const { add, queues, read, reads, take, takeAll, turn } = bench({ rows: { one: up(0, 300).map((seq) => urlOf(seq)) } })
  const queue = queues.of(hostOf('one'))
  for (const seq of up(0, 300)) add(queue, seq)
  assert.is(queue.ring.length, 256)
  assert.is(queues.pending, 300)
  assert.equal(take(queue, 193), up(0, 193))
  assert.equal(reads, [], '64 are left before the last was taken')
  assert.equal(take(queue, 1), [193])
  assert.equal(reads, [{ hostKey: 'one', after: null, limit: 256 }])
  assert.ok(queue.isReading)
  assert.equal(take(queue, 1), [194], 'what is in memory goes on meanwhile')
  assert.is(reads.length, 1, 'and nothing is read twice')
  await turn()
  assert.equal(read, ['one'])
  assert.equal(
    reads.map(({ after }) => after),
    [null, 255],
    'the first 256 rows are leased or in memory: it reads on behind them',
  )
  assert.equal(takeAll(queue), up(195, 105))
})

pending('URLs that are leased make space for new ones', () => {
  const { add, queues, reads, take, takeAll } = bench()
  const queue = queues.of(hostOf('one'))
  for (const seq of up(0, 200)) add(queue, seq)
  take(queue, 60)
  for (const seq of up(200, 100)) add(queue, seq)
  assert.equal(takeAll(queue), up(60, 240))
  assert.equal(reads, [], 'the store was not asked')
})

pending('a read continues after leased rows, and returns nothing twice', async () => {
  const { queues, read, reads, store, takeAll, turn } = bench()
  const queue = store(hostOf('one'), 0, 600)
  assert.is(queues.firstOf(queue), null)
  assert.ok(queue.isReading)
  await turn()
  assert.equal([read, queue.isReading], [['one'], false])
  assert.is(queue.ring.length, 256)
  assert.equal(takeAll(queue), up(0, 256))
  await turn()
  assert.equal(
    reads.map(({ after }) => after),
    [null, null, 255],
    'the first 256 are leased: it reads on behind them',
  )
  assert.equal(takeAll(queue), up(256, 256))
  await turn()
  assert.equal(takeAll(queue), up(512, 88))
  assert.equal([queue.pending, queues.pending], [0, 0])
})

pending('a host without further rows in the store is read again after a commit', async () => {
  const rows: Record<string, PendingUrl[]> = {}
  const { known, queues, reads, turn } = bench({ rows })
  const queue = queues.of(hostOf('one'))
  known.add(7, { hi: 7, lo: 0, depth: 0, titleLength: 0 })
  queues.addStored(queue, 1, { rank: 0, seq: 7 })
  assert.is(queues.firstOf(queue), null)
  assert.not.ok(queues.mustWait(queue), 'it is being read')
  await turn()
  assert.is(reads.length, 1)
  assert.is(queues.firstOf(queue), null)
  assert.not.ok(queues.mustWait(queue), 'the store has not got it yet')
  await turn()
  assert.is(reads.length, 1, 'it is not asked again and again')
  rows['one'] = [urlOf(7)]
  assert.equal(queues.committed(), [queue])
  assert.equal(queues.committed(), [])
  assert.is(queues.firstOf(queue), null)
  await turn()
  assert.is(queues.firstOf(queue)?.seq, 7)
})

pending('eight hosts are read at once, further ones wait', async () => {
  const { hold, queues, reads, store, turn } = bench()
  let release = hold()
  const all = up(0, 9).map((n) => store(hostOf(`host ${n}`), n * 100, 10))
  for (const queue of all) assert.is(queues.firstOf(queue), null)
  assert.is(reads.length, 8)
  assert.equal(
    all.map((queue) => queues.mustWait(queue)),
    [...up(0, 8).map(() => false), true],
  )
  release()
  await turn()
  assert.is(queues.firstOf(all[8]!), null)
  assert.is(reads.length, 9)
  await turn()
  assert.equal(
    all.map((queue) => queues.firstOf(queue)?.seq),
    up(0, 9).map((n) => n * 100),
  )
  assert.not.ok(queues.mustWait(queues.of(hostOf('empty'))), 'one without URLs waits for nothing')
  release = hold()
  for (const n of up(9, 10)) queues.firstOf(store(hostOf(`host ${n}`), n * 100, 10))
  assert.is(reads.length, 9 + 8)
  release()
  await turn()
})

pending('a failed read is reported and retried', async () => {
  const { fail, queues, read, reports, store, turn } = bench()
  const queue = store(hostOf('one'), 0, 3)
  fail()
  assert.is(queues.firstOf(queue), null)
  await turn()
  assert.is(reports.length, 1)
  assert.equal([read, queue.isReading], [[], false])
  assert.is(queues.firstOf(queue), null)
  await turn()
  assert.is(queues.firstOf(queue)?.seq, 0)
  assert.is(reports.length, 1)
})

pending('many hosts share the memory, and each has eight URLs at least', () => {
  const { add, queues } = bench()
  const hosts = up(0, 64).map((n) => queues.of(hostOf(`host ${n}`)))
  const first = hosts[0]!
  for (const seq of up(0, 200)) add(first, seq)
  assert.is(first.ring.length, 128)
  for (const n of up(64, 2000)) queues.of(hostOf(`host ${n}`))
  const last = queues.of(hostOf('last'))
  for (const seq of up(1000, 20)) add(last, seq)
  assert.is(last.ring.length, 8)
  assert.is(queues.pending, 220)
})

pending('with space for eight URLs per host, more are read when three are left', async () => {
  const { queues, reads, store, take, takeAll, turn } = bench()
  for (const n of up(0, 2000)) queues.of(hostOf(`host ${n}`))
  const queue = store(hostOf('one'), 0, 20)
  assert.is(queues.firstOf(queue), null)
  await turn()
  assert.equal([queue.ring.length, reads.length], [8, 1])
  assert.equal(take(queue, 5), up(0, 5))
  assert.is(reads.length, 1, 'four are left before the last was taken')
  assert.equal(take(queue, 1), [5])
  assert.is(reads.length, 2)
  await turn()
  assert.equal(takeAll(queue), up(6, 10))
})

pending('a host whose URLs in memory have all ended elsewhere goes before all others, so that more of its URLs are read', () => {
  const { add, known, queues } = bench()
  const queue = queues.of(hostOf('one'))
  for (const seq of up(10, 300)) add(queue, seq, 1)
  for (const { seq } of queue.ring) {
    known.setState(seq, ENDED)
    queues.forgetPending(queue)
  }
  assert.is(queues.firstOf(queue), null)
  assert.equal([queue.ring.length, queue.pending], [0, 44])
  assert.equal(queue.unread, { rank: 0, seq: 0 })
})

pending('a new URL stays in the store while earlier URLs of its host are there', () => {
  const { add, queues, store } = bench()
  const queue = store(hostOf('one'), 0, 10)
  assert.not.ok(add(queue, 50))
  assert.equal([queue.ring.length, queue.pending, queues.pending], [0, 11, 11])
})

pending('URLs that ended without having been leased are skipped', () => {
  const { add, known, queues, takeAll } = bench()
  const queue = queues.of(hostOf('one'))
  for (const seq of up(0, 4)) add(queue, seq)
  for (const seq of [0, 2]) {
    known.setState(seq, ENDED)
    queues.forgetPending(queue)
  }
  assert.is(queues.pending, 2)
  assert.is(queues.firstOf(queue)?.seq, 1)
  assert.equal(takeAll(queue), [1, 3])
  assert.not.ok(queues.hasWork(queue))
})

pending('a URL that is put back is the first again', () => {
  const { add, known, queues, takeAll } = bench()
  const queue = queues.of(hostOf('one'))
  for (const seq of up(0, 3)) add(queue, seq)
  const [first] = [queues.firstOf(queue)!]
  queues.take(queue, first, false)
  assert.is(queue.unread, first)
  queues.putBack(queue, first)
  known.setState(first.seq, PENDING)
  assert.is(queues.pending, 3)
  assert.equal(takeAll(queue), [0, 1, 2])
})

pending('URLs that are due again come in their order; a URL that is put back comes first, and a URL that has ended does not come', () => {
  const { known, queues } = bench()
  const queue = queues.of(hostOf('one'))
  assert.is(queues.firstAgain(queue), null)
  assert.not.ok(queues.hasWork(queue))
  for (const seq of up(0, 4)) {
    known.add(seq, { hi: seq, lo: 0, depth: 0, titleLength: 0 })
    known.setState(seq, AGAIN)
    queues.addAgain(queue, urlOf(seq, 0, 1))
  }
  assert.is(queues.again, 4)
  assert.ok(queues.hasWork(queue))
  const first = queues.firstAgain(queue)!
  assert.is(first.seq, 0)
  queues.take(queue, first, true)
  known.setState(0, IN_PROGRESS)
  assert.equal([queues.again, queue.inProgress, queue.pending], [3, 1, 0])
  known.setState(1, ENDED)
  queues.forgetAgain()
  assert.equal([queues.firstAgain(queue)?.seq, queues.again], [2, 2])
  known.setState(0, AGAIN)
  queues.putBack(queue, first)
  assert.equal([queues.firstAgain(queue)?.seq, queues.again], [0, 3])
  assert.is(queues.pending, 0)
})

pending('a URL that is due again comes after the others, once, with its new number of attempts', () => {
  const { known, queues } = bench()
  const queue = queues.of(hostOf('one'))
  for (const seq of up(0, 2)) {
    known.add(seq, { hi: seq, lo: 0, depth: 0, titleLength: 0 })
    known.setState(seq, AGAIN)
    queues.addAgain(queue, urlOf(seq, 0, 1))
  }
  queues.take(queue, queues.firstAgain(queue)!, true)
  queues.addAgain(queue, urlOf(0, 0, 2))
  const takeNext = () => {
    const url = queues.firstAgain(queue)
    if (url === null) return null
    queues.take(queue, url, true)
    known.setState(url.seq, IN_PROGRESS)
    return [url.seq, url.tries]
  }
  assert.equal([takeNext(), takeNext(), takeNext()], [[1, 1], [0, 2], null])
  assert.is(queues.again, 0)
})

pending('memory of leased URLs is freed when there are more than 64 of them and more than remaining URLs', () => {
  const { add, queues, take, takeAll } = bench()
  const memoryAfter = (queue: HostQueue, many: number) => {
    take(queue, many)
    return [queue.ring.length, queue.head]
  }
  const [small, large] = [queues.of(hostOf('small')), queues.of(hostOf('large'))]
  for (const seq of up(0, 100)) add(small, seq)
  for (const seq of up(100, 200)) add(large, seq)
  assert.equal(memoryAfter(small, 64), [100, 64])
  assert.equal(memoryAfter(small, 1), [35, 0])
  assert.equal(memoryAfter(large, 100), [200, 100])
  assert.equal(memoryAfter(large, 1), [99, 0])
  assert.equal(takeAll(large), up(201, 99))
  assert.equal([large.ring.length, large.head], [0, 0])
})

pending.run()
