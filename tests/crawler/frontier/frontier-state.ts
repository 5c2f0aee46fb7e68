/** What the frontier reports about its URLs and hosts between two leases: the counts, the states, and the consequences of each. */
import * as assert from 'uvu/assert'
import type { KnownUrl } from '#backend/store/run-store.ts'
import type { UrlLease } from '#backend/crawler/frontier/frontier.ts'
import { createFrontier } from '#backend/crawler/frontier/frontier.ts'
import { createHosts } from '#backend/crawler/frontier/hosts.ts'
import { frontierBench } from '#tests/support/engine/frontier.ts'
import type { FrontierBench, Link } from '#tests/support/engine/frontier.ts'
import { suite } from '#tests/support/suite.ts'

const state = suite('the state of the frontier')

const A = 'http://a.test/'
const B = 'http://b.test/'
const C = 'http://c.test/'
const to = (...urls: string[]): Link[] => urls.map((url) => ({ url }))
const OUTSIDE = { outcome: 'out_of_scope', detail: 'host: d.test' } as const

/** A frontier whose start page was kept with these links. */
async function startedWith(links: Link[], settings: Partial<Parameters<typeof frontierBench>[0]> = {}) {
  const bench = frontierBench({ seeds: [A], ...settings })
  await bench.rebuild()
  bench.keep((await bench.lease())!, links)
  return bench
}

const next = async (bench: FrontierBench) => (await bench.lease())!
const retry = (bench: FrontierBench, lease: UrlLease, waitMs: number) =>
  bench.frontier.retryAt(lease, bench.now() + waitMs, bench.open.changes)
const hasPage = ({ frontier, keyOf }: FrontierBench, url: string) => frontier.hasPage(keyOf(url).hi, keyOf(url).lo)
const isKept = ({ frontier, keyOf }: FrontierBench, url: string) => frontier.isKept(keyOf(url).hi, keyOf(url).lo)

state('the frontier counts leased URLs, and retries among them', async () => {
  const bench = await startedWith(to(`${A}1`, `${A}2`))
  const counts = () => [bench.frontier.inProgress, bench.frontier.retriesInProgress]
  assert.equal(counts(), [0, 0])
  const [first, second] = [await next(bench), await next(bench)]
  assert.equal(counts(), [2, 0])
  assert.ok(bench.frontier.isInProgress(first))
  retry(bench, first, 1000)
  assert.not.ok(bench.frontier.isInProgress(first), 'it waits')
  assert.equal(counts(), [1, 0])
  bench.keep(second)
  assert.not.ok(bench.frontier.isInProgress(second))
  bench.pass(1000)
  const again = await next(bench)
  assert.equal(counts(), [1, 1])
  retry(bench, again, 1000)
  assert.equal(counts(), [0, 0])
  bench.pass(1000)
  const third = await next(bench)
  assert.is(third.tries, 2)
  assert.equal(counts(), [1, 1])
  bench.frontier.giveBack(third)
  assert.equal(counts(), [0, 0])
  const last = await next(bench)
  assert.is(last.tries, 2, 'it was given back with its tries')
  bench.fail(last)
  assert.equal(counts(), [0, 0])
  assert.ok(bench.frontier.isDrained())
})

state('the frontier is drained when nothing is pending, waiting, due again or leased', async () => {
  const bench = await startedWith(to(`${A}1`, `${A}2`, `${A}3`))
  const { frontier } = bench
  const one = await next(bench)
  const two = await next(bench)
  assert.not.ok(frontier.isDrained(), 'two leased and one pending')
  retry(bench, one, 500)
  assert.not.ok(frontier.isDrained(), 'one leased, one waiting, one pending')
  const three = await next(bench)
  bench.keep(three)
  assert.not.ok(frontier.isDrained(), 'one leased, one waiting')
  bench.pass(500)
  assert.ok('opensAt' in frontier.lease(bench.now(), false), 'the URL that is due again may not be asked')
  assert.not.ok(frontier.isDrained(), 'one leased, one due again')
  bench.keep(two)
  assert.not.ok(frontier.isDrained(), 'one due again')
  const again = await next(bench)
  bench.keep(again, to(`${A}4`, `${A}5`))
  const four = await next(bench)
  assert.not.ok(frontier.isDrained(), 'one leased, one pending')
  retry(bench, four, 500)
  assert.not.ok(frontier.isDrained(), 'one waiting, one pending')
  bench.keep(await next(bench))
  bench.pass(500)
  bench.keep(await next(bench))
  assert.ok(frontier.isDrained())
})

state('the redirect of a submitted URL fetches a URL that was only listed, but none that has ended, after a crash too', async () => {
  const bench = frontierBench({ seeds: [A, `${A}moved`, `${A}gone`] })
  await bench.rebuild()
  bench.keep(await next(bench), [{ url: 'http://d.test/outside', note: OUTSIDE }, { url: `${B}failed` }])
  const [moved, gone] = [await next(bench), await next(bench)]
  bench.fail(await next(bench))
  bench.frontier.giveBack(gone)
  bench.frontier.giveBack(moved)
  await bench.commit()
  await bench.rebuild()
  assert.ok(bench.redirect(await next(bench), 'http://d.test/outside'))
  assert.not.ok(bench.redirect(await next(bench), `${B}failed`))
  assert.is((await next(bench)).url, 'http://d.test/outside')
  assert.is(await bench.lease(), null)
})

/** A frontier with a URL in each state, and its report of each. */
const STATES: [url: string, hasPage: boolean, isKept: boolean][] = [
  [`${A}kept`, true, true],
  [`${A}failed`, false, false],
  [`${A}waiting`, true, false],
  [`${A}pending`, true, false],
  [`${A}deep/er`, true, false],
  [`http://d.test/outside`, false, false],
  [`${A}final`, true, false],
  [`${A}unheard`, false, false],
]

async function inEachState(): Promise<FrontierBench> {
  const links = [
    ...to(`${A}kept`, `${A}failed`, `${A}waiting`, `${A}moved`, `${A}pending`),
    { url: 'http://d.test/outside', note: OUTSIDE },
  ]
  const bench = await startedWith(links, { maxDepth: 1 })
  bench.keep(await next(bench), to(`${A}deep/er`))
  bench.fail(await next(bench))
  retry(bench, await next(bench), 60_000)
  assert.is(bench.keep(await next(bench), [], `${A}final`), 'kept')
  return bench
}

state('the frontier knows which URLs have a page or may still get one, and whose page is stored, after a crash too', async () => {
  const bench = await inEachState()
  const told = () => STATES.map(([url]) => [url, hasPage(bench, url), isKept(bench, url)])
  assert.equal(told(), STATES)
  const pending = await next(bench)
  assert.equal([hasPage(bench, pending.url), isKept(bench, pending.url)], [true, false], 'leased')
  bench.frontier.giveBack(pending)
  await bench.commit()
  await bench.rebuild()
  assert.equal(told(), STATES)
  assert.is((await next(bench)).url, `${A}pending`, 'and only that may be asked now')
  assert.is(await bench.lease(), null)
})

state('a page whose final URL is known settles that URL, whatever its state, and reports whether it was only listed', async () => {
  const bench = await inEachState()
  const { frontier, keyOf } = bench
  const pending = await next(bench)
  const place = (url: string) => frontier.keepAs(pending, keyOf(url).hi, keyOf(url).lo)
  const wasListed = (url: string) => {
    const found = place(url)
    if (typeof found === 'string') throw new Error(`${url} is ${found}`)
    return found.wasListed
  }
  assert.is(place(`${A}pending`), 'own')
  assert.is(place(`${A}kept`), 'duplicate')
  assert.is(place(`${A}final`), 'duplicate')
  assert.ok(wasListed(`${A}failed`))
  assert.ok(wasListed(`${A}deep/er`))
  assert.ok(wasListed('http://d.test/outside'))
  assert.not.ok(wasListed(`${A}waiting`))
  assert.is(frontier.nextDueAt(), Infinity, 'what waited waits no more')
  for (const [url] of STATES.slice(0, 6)) if (url !== pending.url) assert.ok(isKept(bench, url), url)
  bench.keep(pending)
  assert.ok(frontier.isDrained())
})

state('a URL that is due again is not fetched if another URL returned its page', async () => {
  const bench = await startedWith(to(`${A}again`, `${A}other`, `${A}last`))
  retry(bench, await next(bench), 1000)
  bench.pass(1000)
  const other = await next(bench)
  assert.is(other.url, `${A}other`, 'what has not been asked comes first')
  assert.is(bench.keep(other, [], `${A}again`), 'redirected')
  const last = await next(bench)
  assert.is(last.url, `${A}last`)
  assert.is(await bench.lease(), null)
  assert.is(bench.frontier.inProgress, 1)
  bench.keep(last)
  assert.ok(bench.frontier.isDrained())
})

state('the frontier is wide when URLs of enough hosts wait', async () => {
  const bench = await startedWith(to(`${A}1`, `${A}2`, `${B}1`, `${C}1`))
  const wide = () => [1, 2, 3, 4, 5].map((hosts) => bench.frontier.isWide(hosts))
  assert.equal(wide(), [true, true, true, false, false])
  assert.is((await next(bench)).url, `${A}1`)
  assert.equal(wide(), [true, true, true, false, false])
  assert.is((await next(bench)).url, `${A}2`)
  assert.equal(wide(), [true, true, false, false, false])
  bench.keep(await next(bench), to(`${B}2`, `${C}2`))
  assert.equal(wide(), [true, true, false, false, false], 'more URLs of the same hosts')
})

state(
  'a place is wanted by another URL of its host, by another run on that host, and by any URL if the run has no place left',
  async () => {
    const bench = await startedWith(to(`${A}1`, `${A}2`, `${B}1`))
    const isWanted = (lease: UrlLease) => [false, true].map((isFull) => bench.frontier.isWantedByOthers(lease, isFull))
    const first = await next(bench)
    assert.equal(isWanted(first), [true, true], 'another URL of the host waits')
    const second = await next(bench)
    assert.equal(isWanted(second), [false, true], 'one of another host does')
    second.host.wantedAt = bench.now()
    assert.equal(isWanted(second), [true, true], 'another run waits for the host')
    second.host.wantedAt = -Infinity
    await next(bench)
    assert.equal(isWanted(second), [false, false], 'nothing waits')
    bench.close()
  },
)

state('a whole run owns every URL', async () => {
  const bench = await startedWith([])
  assert.ok(bench.frontier.owns(A))
  assert.ok(bench.frontier.owns('http://elsewhere.test/'))
})

state('the frontier holds its hosts until it is closed', async () => {
  const bench = await startedWith(to(`${A}1`, `${B}1`))
  const [first, second] = [await next(bench), await next(bench)]
  assert.equal([first.host.holders, second.host.holders], [1, 1])
  bench.frontier.close()
  assert.equal([first.host.holders, second.host.holders], [0, 0])
})

state('waiting hosts are checked twice a second, in case a notification is lost', async () => {
  const bench = await startedWith(to(`${A}1`, `${A}2`))
  const { host } = await next(bench)
  host.inProgress = 1000
  assert.equal(bench.frontier.lease(bench.now()), { opensAt: Infinity })
  host.inProgress = 1
  assert.equal(bench.frontier.lease(bench.now()), { opensAt: Infinity }, 'nothing has told it')
  bench.pass(500)
  assert.ok('lease' in bench.frontier.lease(bench.now()))
})

state('a host is checked when a request there has ended, unless the frontier was closed', async () => {
  for (const isClosed of [false, true]) {
    const bench = await startedWith(to(`${A}1`, `${A}2`), { width: 1 })
    const { host } = await next(bench)
    bench.hosts.start(host)
    assert.equal(bench.frontier.lease(bench.now()), { opensAt: Infinity })
    if (isClosed) bench.frontier.close()
    bench.hosts.end(host, null)
    assert.is('lease' in bench.frontier.lease(bench.now()), !isClosed)
    bench.close()
  }
})

// ---- hosts that do not answer

/** Fails five URLs, so that their host is suspect. */
async function silence(bench: FrontierBench): Promise<void> {
  for (let silent = 1; silent <= 5; silent += 1) {
    const lease = await next(bench)
    assert.is(bench.frontier.unanswered(lease, bench.now()), silent === 5)
    bench.fail(lease, 'connect')
  }
}

function probe(bench: FrontierBench) {
  const found = bench.frontier.lease(bench.now())
  if (!('probe' in found)) throw new Error('no probe is due')
  return found.probe
}

/** Probes a suspect host in vain until it may be given up. */
function probeInVain(bench: FrontierBench) {
  for (let probes = 0; probes < 3; probes += 1) {
    bench.frontier.probed(probe(bench), false, bench.now())
    bench.pass([5000, 10_000, 1000][probes]!)
  }
}

const SITE = Array.from({ length: 12 }, (_, n) => `${A}${n}`)

state('H1: an answer to an earlier request clears a suspect host at once, and the end of its probe then changes nothing', async () => {
  const bench = await startedWith(to(...SITE))
  const late = await next(bench)
  await silence(bench)
  const host = probe(bench)
  assert.equal(bench.frontier.lease(bench.now()), { opensAt: Infinity })
  bench.frontier.answered(late)
  bench.keep(late)
  for (const url of [SITE[6], SITE[7]]) {
    const lease = bench.frontier.lease(bench.now())
    assert.is('lease' in lease && lease.lease.url, url)
    bench.frontier.probed(host, false, bench.now())
  }
})

state('H1: a 429 or 503 is an answer too: it clears a suspect host', async () => {
  const bench = await startedWith(to(...SITE))
  const late = await next(bench)
  await silence(bench)
  probe(bench)
  assert.equal(bench.frontier.lease(bench.now()), { opensAt: Infinity })
  assert.not.ok(bench.frontier.tooBusy(late, 'HTTP 429'))
  bench.fail(late)
  const lease = bench.frontier.lease(bench.now())
  assert.is('lease' in lease && lease.lease.url, SITE[6])
})

state('after 429 and 503 have closed a host, its other URLs are returned at once, whatever the host was waiting for', async () => {
  const bench = await startedWith(to(...SITE))
  const busy = await next(bench)
  busy.host.inProgress = 1000
  assert.equal(bench.frontier.lease(bench.now()), { opensAt: Infinity })
  for (let times = 1; times <= 20; times += 1) assert.is(bench.frontier.tooBusy(busy, 'HTTP 429'), times === 20)
  const lease = bench.frontier.lease(bench.now())
  assert.is('lease' in lease && lease.lease.url, SITE[1])
})

state('H1: a dead host is given up when nothing else is left to do, even if it is the only host', async () => {
  const bench = frontierBench({ seeds: SITE })
  await bench.rebuild()
  await silence(bench)
  probeInVain(bench)
  const lease = bench.frontier.lease(bench.now())
  if (!('lease' in lease)) throw new Error('its URLs are not handed out')
  assert.is(bench.frontier.isClosed(lease.lease)?.outcome, 'host_dead')
})

state('H1: a dead host is not given up while a URL of a live host waits or is leased', async () => {
  const bench = frontierBench({ seeds: [B, ...SITE] })
  await bench.rebuild()
  const living = await next(bench)
  assert.is(living.url, B)
  await silence(bench)
  const host = probe(bench)
  bench.frontier.probed(host, false, bench.now())
  for (const waitMs of [5000, 10_000]) {
    bench.pass(waitMs)
    bench.frontier.probed(probe(bench), false, bench.now())
  }
  bench.pass(19_000)
  assert.ok('opensAt' in bench.frontier.lease(bench.now()), 'a URL is leased')
  retry(bench, living, 500)
  assert.ok('opensAt' in bench.frontier.lease(bench.now()), 'and now it waits')
  bench.pass(500)
  const again = await next(bench)
  assert.is(again.url, B)
  bench.keep(again)
  const lease = bench.frontier.lease(bench.now())
  if (!('lease' in lease)) throw new Error('its URLs are not handed out')
  assert.is(bench.frontier.isClosed(lease.lease)?.outcome, 'host_dead')
})

state('H1: a dead host is given up with its URLs that wait for a retry', async () => {
  const bench = frontierBench({ seeds: SITE })
  await bench.rebuild()
  retry(bench, await next(bench), 500_000)
  await silence(bench)
  probeInVain(bench)
  const lease = bench.frontier.lease(bench.now())
  if (!('lease' in lease)) throw new Error('its URLs are not handed out')
  assert.is(bench.frontier.isClosed(lease.lease)?.outcome, 'host_dead')
})

// ---- reading the store

/** A frontier over a stub store with these settled URLs and one pending URL; `hostsRead` lets it return host records. */
function overStore(urls: number, hostsRead: Promise<void> = Promise.resolve()) {
  const reads: number[] = []
  const row = (seq: number): KnownUrl => ({
    seq,
    hi: seq,
    lo: 1,
    state: 'settled',
    rank: 0,
    outcome: 'kept',
    titleLength: 0,
    url: `${A}${seq}`,
  })
  const clock = { wall: () => 0, steady: () => 0 }
  const report = (message: string, fault: unknown) => {
    throw new Error(message, { cause: fault })
  }
  const hosts = createHosts({
    addressOf: () => null,
    store: { hosts: () => hostsRead.then(() => []), robots: async () => null } as unknown as Parameters<typeof createHosts>[0]['store'],
    report,
    limits: { concurrency: 1, delayMs: 0 },
    clock,
    random: () => 0.5,
  })
  const frontier = createFrontier({
    clock,
    hosts,
    maxDepth: 10,
    pageLimit: 10,
    report,
    seedHosts: new Set(['a.test']),
    siteOf: (host) => host,
    runNo: 1,
    store: {
      knownUrls: async (_runNo, after, limit) => {
        reads.push(after)
        return Array.from({ length: Math.max(0, Math.min(limit, urls - after - 1)) }, (_, n) => row(after + 1 + n))
      },
      pageKeys: async () => [],
      pendingByHost: async () => [{ hostKey: 'http://b.test:80', pending: 1, first: { rank: 0, seq: urls } }],
      pendingUrls: async () => [],
      waitingUrls: async () => [],
    },
  })
  return { frontier, reads }
}

state('known URLs are loaded in steps, between which the event loop runs', async () => {
  const { frontier, reads } = overStore(50_001)
  let breaths = 0
  await frontier.rebuild(async () => void (breaths += 1))
  assert.equal(reads, [-1, 49_999])
  assert.is(breaths, 1)
  assert.is(frontier.known, 50_001)
  assert.ok(frontier.isKept(50_000, 1))
  assert.not.ok(frontier.hasPage(50_001, 1))
})

state('the frontier is ready when the store has returned its records of the hosts', async () => {
  const { promise: hostsRead, resolve: tellOfHosts } = Promise.withResolvers<void>()
  const { frontier } = overStore(1, hostsRead)
  let isReady = false
  const rebuilt = frontier.rebuild(async () => undefined).then(() => (isReady = true))
  await new Promise((resolve) => setImmediate(resolve))
  assert.not.ok(isReady)
  tellOfHosts()
  await rebuilt
})

state('the frontier counts reads ahead of need, and counts no link as dropped while all are listed', async () => {
  const bench = frontierBench({ seeds: [A] })
  await bench.rebuild()
  bench.keep(await next(bench), to(...Array.from({ length: 600 }, (_, n) => `${A}p/${n}x`)))
  await bench.commit()
  await bench.rebuild()
  const before = bench.counts.readAhead
  assert.is((await next(bench)).url, `${A}p/0x`)
  assert.ok(bench.counts.readAhead > before)
  assert.is(bench.frontier.dropped, 0)
})

state.run()
