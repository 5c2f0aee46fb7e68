/** Which URL comes next, over real tables: order, limits, crashes, and a model of random sites. */
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { hostKey } from '#backend/crawler/url/canonical-url.ts'
import type { UrlLease } from '#backend/crawler/frontier/frontier.ts'
import type { Host } from '#backend/crawler/frontier/hosts.ts'
import { LATE } from '#backend/crawler/frontier/rank.ts'
import { faultsOf } from '#tests/support/engine/engine.ts'
import { frontierBench } from '#tests/support/engine/frontier.ts'
import type { FrontierBench, Link } from '#tests/support/engine/frontier.ts'
import { suite } from '#tests/support/suite.ts'

const frontier = suite('the frontier')

const A = 'http://a.test/'
const to = (...urls: string[]): Link[] => urls.map((url) => ({ url }))
const count = (from: number, many: number, name: (n: number) => string) => Array.from({ length: many }, (_, n) => name(from + n))

/** Leases and stores pages until none is left; returns the URLs in order. */
async function drain(bench: FrontierBench, linksOf: (url: string) => Link[] = () => [], commitEvery = 25): Promise<string[]> {
  const order: string[] = []
  for (;;) {
    const leased = await bench.lease()
    if (leased === null) {
      await bench.commit()
      if (bench.frontier.isDrained()) return order
      const again = await bench.lease()
      assert.ok(again !== null, 'something is left, and nothing is handed out')
      order.push(again.url)
      bench.keep(again, linksOf(again.url))
      continue
    }
    order.push(leased.url)
    bench.keep(leased, linksOf(leased.url))
    if (order.length % commitEvery === 0) await bench.commit()
  }
}

frontier('the frontier returns each URL once, shallow ones first, then in the order of their discovery', async () => {
  const bench = frontierBench({ seeds: [A] })
  await bench.rebuild()
  const links: Record<string, Link[]> = {
    [A]: to(`${A}b`, `${A}c`, A),
    [`${A}b`]: to(`${A}deep`, `${A}c`, `${A}b/`),
    [`${A}c`]: to(`${A}deeper`, `${A}deep`),
  }
  assert.equal(await drain(bench, (url) => links[url] ?? []), [A, `${A}b`, `${A}c`, `${A}deep`, `${A}deeper`])
  assert.equal(
    bench.rows().map(({ depth }) => depth),
    [0, 1, 1, 2, 2],
  )
  assert.equal(faultsOf(bench.connection, 1), [])
})

frontier('URLs that combine filters of a list come after all others, and none is dropped', async () => {
  const filters = count(1, 12, (n) => `filter${String.fromCharCode(96 + n)}`)
  const pairs = filters.flatMap((one) => filters.filter((other) => other !== one).map((other) => `${A}list?${one}=1&${other}=1`))
  const topics = count(1, 30, (n) => `${A}topic?forum=2&id=${n}`)
  const links: Record<string, Link[]> = {
    [A]: to(`${A}list`, ...topics),
    [`${A}list`]: to(...filters.map((name) => `${A}list?${name}=1`), `${A}list?page=2`),
    [`${A}list?page=2`]: to(`${A}thing`),
    [`${A}thing`]: to(`${A}deep-thing`),
  }
  for (const name of filters) links[`${A}list?${name}=1`] = to(...pairs.filter((url) => url.includes(`?${name}=`)))
  const bench = frontierBench({ seeds: [A], pageLimit: 1000 })
  await bench.rebuild()
  const order = await drain(bench, (url) => links[url] ?? [])
  assert.equal(order.slice(1, 32), [`${A}list`, ...topics], 'parameters that have few forms are no filters')
  assert.equal(order.slice(45, 47), [`${A}thing`, `${A}deep-thing`])
  assert.equal(order.slice(47).toSorted(), pairs.toSorted())
})

frontier('a URL that failed, and is requested again before its failure is stored, has not failed', async () => {
  const bench = frontierBench({ seeds: [A] })
  await bench.rebuild()
  bench.fail((await bench.lease())!)
  const { hi, lo } = bench.keyOf(A)
  const target = { hi, lo, url: A, depth: 0, hops: 1, isSeed: true, isAgain: true }
  assert.ok(bench.frontier.addTarget(target, bench.open.changes))
  await bench.commit()
  bench.keep((await bench.lease())!)
  await bench.commit()
  assert.equal(bench.connection.prepare('SELECT kept, failed, settled FROM run').get(), { kept: 1, failed: 0, settled: 1 })
  assert.equal(faultsOf(bench.connection, 1), [])
})

frontier('URLs that do not fit into memory wait in the table and are read back: none is lost, none is read twice', async () => {
  const bench = frontierBench({ seeds: [A] })
  await bench.rebuild()
  const first = count(0, 1500, (n) => `${A}one/${n}`)
  const second = count(0, 700, (n) => `${A}two-${String.fromCharCode(97 + (n % 26))}/${n}`)
  const order = await drain(bench, (url) => (url === A ? to(...first) : url === `${A}one/3` ? to(...second, ...first) : []))
  assert.is(order.length, 2201)
  assert.is(new Set(order).size, 2201)
  assert.ok(bench.counts.refills >= 5)
  assert.equal(faultsOf(bench.connection, 1), [])
})

frontier('the frontier keeps returning URLs while commits are delayed', async () => {
  const bench = frontierBench({ seeds: [A] })
  await bench.rebuild()
  const order = await drain(bench, (url) => (url === A ? to(...count(0, 1200, (n) => `${A}p${n}/x`)) : []), 100_000)
  assert.is(new Set(order).size, 1201)
})

frontier('URLs that are too deep are listed, and fetched if a shorter path is found', async () => {
  const bench = frontierBench({ seeds: [A], maxDepth: 2 })
  await bench.rebuild()
  bench.keep((await bench.lease())!, to(`${A}slow`, `${A}fast`))
  const slow = (await bench.lease())!
  assert.is(slow.url, `${A}slow`)
  bench.keep((await bench.lease())!, to(`${A}two`))
  bench.keep((await bench.lease())!, to(`${A}far`, `${A}farther`))
  await bench.commit()
  assert.is(await bench.lease(), null)
  assert.equal(
    bench.rows().map(({ outcome }) => outcome),
    ['kept', null, 'kept', 'kept', 'depth', 'depth'],
  )
  bench.keep(slow, to(`${A}far`))
  const far = (await bench.lease())!
  assert.is(far.url, `${A}far`)
  assert.is(far.depth, 2)
  bench.keep(far)
  await bench.commit()
  const rows = bench.rows()
  assert.is(rows[4]!.outcome, 'kept')
  assert.is(rows[4]!.depth, 2)
  assert.is(rows[5]!.outcome, 'depth')
  assert.equal(faultsOf(bench.connection, 1), [])
})

frontier('a URL whose depth shrinks twice between two commits is still pending after a crash', async () => {
  const bench = frontierBench({ seeds: [A], maxDepth: 3 })
  await bench.rebuild()
  bench.keep((await bench.lease())!, to(`${A}s1`, `${A}q`))
  const s1 = (await bench.lease())!
  bench.keep((await bench.lease())!, to(`${A}q2`, `${A}s2`))
  bench.keep((await bench.lease())!, to(`${A}q3`))
  const s2 = (await bench.lease())!
  bench.keep((await bench.lease())!, to(`${A}far`))
  await bench.commit()
  assert.is(bench.rows().at(-1)!.outcome, 'depth')
  bench.keep(s2, to(`${A}far`))
  bench.keep(s1, to(`${A}far`))
  await bench.commit()
  const far = bench.rows().at(-1)!
  assert.equal([far.state, far.depth, far.outcome], [0, 2, null])
  assert.equal(faultsOf(bench.connection, 1), [])
  await bench.rebuild()
  assert.is((await bench.lease())!.url, `${A}far`)
})

frontier('a URL whose depth shrinks in the commit of its discovery is written once', async () => {
  const bench = frontierBench({ seeds: [A], maxDepth: 2 })
  await bench.rebuild()
  bench.keep((await bench.lease())!, to(`${A}slow`, `${A}fast`))
  const slow = (await bench.lease())!
  bench.keep((await bench.lease())!, to(`${A}two`))
  bench.keep((await bench.lease())!, to(`${A}far`))
  bench.keep(slow, to(`${A}far`))
  await bench.commit()
  assert.equal(faultsOf(bench.connection, 1), [])
  assert.is((await drain(bench)).join(), `${A}far`)
  assert.equal(faultsOf(bench.connection, 1), [])
})

frontier('URLs of one pattern beyond their share wait after all others, after a crash too', async () => {
  const bench = frontierBench({ seeds: [A], pageLimit: 500 })
  await bench.rebuild()
  const calendar = count(0, 300, (n) => `${A}?month=${n}`)
  bench.keep((await bench.lease())!, to(...calendar, `${A}about`, `${A}contact`))
  await bench.commit()
  assert.is(bench.rows().filter(({ depth }) => depth >= LATE).length, 100)
  await bench.rebuild()
  const order = await drain(bench)
  assert.is(order.length, 302)
  assert.ok(order.indexOf(`${A}contact`) < 203)
  assert.is(order.at(-1), calendar.at(-1))
})

frontier(
  'links that their page asks not to follow wait after all others, after a crash too; a link elsewhere changes nothing',
  async () => {
    const bench = frontierBench({ seeds: [A] })
    await bench.rebuild()
    bench.keep((await bench.lease())!, [{ url: `${A}reply`, nofollow: true }, { url: `${A}b` }, { url: `${A}edit`, nofollow: true }])
    await bench.commit()
    await bench.rebuild()
    const order = await drain(bench, (url) => (url === `${A}b` ? to(`${A}c`, `${A}edit`) : url === `${A}c` ? to(`${A}d`) : []))
    assert.equal(order, [`${A}b`, `${A}c`, `${A}d`, `${A}reply`, `${A}edit`])
    assert.equal(faultsOf(bench.connection, 1), [])
    bench.close()
  },
)

frontier('more URLs that come after all others than fit into memory do not hold up a URL that is found later', async () => {
  const bench = frontierBench({ seeds: [A] })
  await bench.rebuild()
  const replies = count(0, 600, (n) => `${A}reply/${n}`).map((url) => ({ url, nofollow: true }))
  bench.keep((await bench.lease())!, [...replies, ...to(`${A}b`)])
  await bench.commit()
  const order = await drain(bench, (url) => (url === `${A}b` ? to(`${A}c`) : url === `${A}c` ? to(`${A}d`) : []))
  assert.equal(order.slice(0, 3), [`${A}b`, `${A}c`, `${A}d`])
  assert.is(new Set(order).size, 603)
  assert.equal(faultsOf(bench.connection, 1), [])
  bench.close()
})

frontier('actions and other views of a page come after all others', async () => {
  const bench = frontierBench({ seeds: [A] })
  await bench.rebuild()
  const late = [`${A}wp-login.php`, `${A}?orderby=price`, `${A}w/index.php?title=A&action=edit`]
  bench.keep((await bench.lease())!, to(...late, `${A}b`))
  await bench.commit()
  assert.equal(await drain(bench, (url) => (url === `${A}b` ? to(`${A}c`) : [])), [`${A}b`, `${A}c`, ...late])
  bench.close()
})

frontier('the shortest title of a page is stored, even if its links were found long before', async () => {
  const bench = frontierBench({ seeds: [A] })
  await bench.rebuild()
  bench.keep((await bench.lease())!, [
    { url: `${A}b`, title: '' },
    { url: `${A}c`, title: 'a long title' },
  ])
  await bench.commit()
  bench.keep((await bench.lease())!, [
    { url: `${A}b`, title: 'B' },
    { url: `${A}c`, title: 'a title' },
    { url: `${A}c`, title: 'an even longer title' },
  ])
  await bench.commit()
  await bench.rebuild()
  bench.keep((await bench.lease())!, [{ url: `${A}c`, title: 'C' }])
  await bench.commit()
  assert.equal(
    bench.rows().map(({ title }) => title),
    ['', 'B', 'C'],
  )
})

frontier('URLs outside the scope are listed with the rule that excludes them, and never returned', async () => {
  const bench = frontierBench({ seeds: [A] })
  await bench.rebuild()
  const note = { outcome: 'out_of_scope', detail: 'host: b.test' } as const
  bench.keep((await bench.lease())!, [{ url: 'http://b.test/', note }, { url: `${A}in` }])
  assert.equal(await drain(bench), [`${A}in`])
  assert.equal(
    bench.rows().map(({ outcome, state }) => [outcome, state]),
    [
      ['kept', 2],
      ['out_of_scope', 3],
      ['kept', 2],
    ],
  )
  assert.equal(faultsOf(bench.connection, 1), [])
})

frontier('a page under its final URL settles the pending row of that URL', async () => {
  const bench = frontierBench({ seeds: [A] })
  await bench.rebuild()
  bench.keep((await bench.lease())!, to(`${A}moved`, `${A}final`, `${A}again`))
  assert.is(bench.keep((await bench.lease())!, [], `${A}final`), 'redirected')
  const again = (await bench.lease())!
  assert.is(again.url, `${A}again`)
  assert.is(bench.keep(again, [], `${A}final`), 'duplicate')
  assert.is(await bench.lease(), null)
  assert.ok(bench.frontier.isDrained())
  await bench.commit()
  assert.equal(
    bench.rows().map(({ outcome }) => outcome),
    ['kept', 'redirected', 'kept', 'duplicate'],
  )
  assert.equal(faultsOf(bench.connection, 1), [])
})

frontier('a page is stored once under a final URL that no link names, after a crash too', async () => {
  const bench = frontierBench({ seeds: [A] })
  await bench.rebuild()
  bench.keep((await bench.lease())!, to(`${A}one`, `${A}two`, `${A}three`))
  assert.is(bench.keep((await bench.lease())!, [], `${A}hidden`), 'kept')
  assert.is(bench.keep((await bench.lease())!, to(`${A}hidden`), `${A}hidden`), 'duplicate')
  await bench.commit()
  await bench.rebuild()
  assert.is(bench.keep((await bench.lease())!, to(`${A}hidden`), `${A}hidden`), 'duplicate')
  assert.ok(bench.frontier.isDrained())
  await bench.commit()
  assert.equal(faultsOf(bench.connection, 1), [])
})

frontier('a retry that ends before its commit stays ended', async () => {
  const bench = frontierBench({ seeds: [A] })
  await bench.rebuild()
  const first = (await bench.lease())!
  bench.frontier.retryAt(first, bench.now(), bench.open.changes)
  const second = (await bench.lease())!
  assert.is(second.tries, 1)
  bench.keep(second)
  await bench.commit()
  assert.is(bench.rows()[0]!.state, 2)
  assert.equal(faultsOf(bench.connection, 1), [])
})

frontier('a retry waits for its time, and neither the time nor the number of attempts is lost in a crash', async () => {
  const bench = frontierBench({ seeds: [A] })
  await bench.rebuild()
  bench.frontier.retryAt((await bench.lease())!, bench.now() + 5000, bench.open.changes)
  await bench.commit()
  assert.is(await bench.lease(), null)
  assert.not.ok(bench.frontier.isDrained())
  await bench.rebuild()
  assert.is(bench.frontier.nextDueAt(), bench.now() + 5000)
  assert.is(await bench.lease(), null)
  bench.pass(5000)
  assert.is((await bench.lease())!.tries, 1)
})

frontier('a URL that redirects to another host passes its place to the target', async () => {
  const bench = frontierBench({ seeds: [A] })
  await bench.rebuild()
  bench.keep((await bench.lease())!, to(`${A}x`, `${A}y`, 'http://b.test/1', 'http://b.test/2'))
  assert.ok(bench.redirect((await bench.lease())!, 'http://b.test/target'))
  const target = [(await bench.lease())!, (await bench.lease())!].find(({ url }) => url === 'http://b.test/target')!
  assert.equal([target.depth, target.hops], [1, 1])
  assert.not.ok(bench.redirect(target, 'http://b.test/2'))
})

/** Fails leased URLs until their host is suspect; returns how many that took. */
async function silence(bench: FrontierBench): Promise<number> {
  for (let silent = 1; ; silent += 1) {
    const leased = (await bench.lease())!
    const isSuspect = bench.frontier.unanswered(leased, bench.now())
    bench.fail(leased, 'connect')
    if (isSuspect) return silent
  }
}

/** The next lease must be a probe; returns its host. */
function probed(bench: FrontierBench): Host {
  const found = bench.frontier.lease(bench.now())
  if (!('probe' in found)) throw new Error('no probe is due')
  return found.probe
}

const SITE = count(0, 60, (n) => `${A}${n}`)

frontier('H1: a host that does not answer five URLs in a row gets only probes, and is used again when it answers one', async () => {
  const bench = frontierBench({ seeds: [A] })
  await bench.rebuild()
  bench.keep((await bench.lease())!, to(...SITE))
  await bench.commit()
  assert.is(await silence(bench), 5)
  const host = probed(bench)
  assert.is(host.key, 'http://a.test:80')
  assert.equal(bench.frontier.lease(bench.now()), { opensAt: Infinity }, 'one probe at a time')
  bench.frontier.probed(host, false, bench.now())
  assert.equal(bench.frontier.lease(bench.now()), { opensAt: bench.now() + 5000 })
  bench.pass(5000)
  bench.frontier.probed(probed(bench), true, bench.now())
  assert.is((await bench.lease())!.url, SITE[5])
  assert.is(await silence(bench), 10, 'it lives: the URLs are silent, and more of them are needed to doubt the host again')
})

frontier('H1: any answer proves that a host is alive, and failed retries of one URL do not prove that it is dead', async () => {
  const bench = frontierBench({ seeds: [A] })
  await bench.rebuild()
  bench.keep((await bench.lease())!, to(...SITE))
  for (let round = 0; round < 5; round += 1) {
    for (let silent = 0; silent < 4; silent += 1) {
      const leased = (await bench.lease())!
      assert.not.ok(bench.frontier.unanswered(leased, bench.now()))
      bench.fail(leased, 'timeout')
    }
    const leased = (await bench.lease())!
    bench.frontier.answered(leased)
    bench.fail(leased, 'status')
  }
  const again = { ...(await bench.lease())!, tries: 1 }
  for (let tries = 0; tries < 30; tries += 1) assert.not.ok(bench.frontier.unanswered(again, bench.now()))
  assert.is(bench.frontier.isClosed(again), null)
})

frontier('H1: a suspect host is dead only after a minute of unanswered probes with nothing else left to do', async () => {
  const bench = frontierBench({ seeds: [A, 'http://b.test/'] })
  await bench.rebuild()
  bench.keep((await bench.lease())!, to(...SITE))
  const other = (await bench.lease())!
  await silence(bench)
  for (let passed = 0; passed < 200_000; passed += 1000) {
    const found = bench.frontier.lease(bench.now())
    if ('probe' in found) bench.frontier.probed(found.probe, false, bench.now())
    else assert.ok('opensAt' in found, 'there is work at another host: its URLs still have a chance')
    bench.pass(1000)
  }
  bench.keep(other)
  const leased = (await bench.lease())!
  assert.is(leased.url, SITE[5])
  assert.equal(bench.frontier.isClosed(leased)?.outcome, 'host_dead')
})

frontier('twenty 429 or 503 in a row close a host as host_busy, and a page in between keeps it open', async () => {
  const bench = frontierBench({ seeds: [A] })
  await bench.rebuild()
  const leased = (await bench.lease())!
  for (let busy = 1; busy < 20; busy += 1) assert.not.ok(bench.frontier.tooBusy(leased, 'HTTP 429'))
  bench.frontier.answered(leased)
  for (let busy = 1; busy < 20; busy += 1) assert.not.ok(bench.frontier.tooBusy(leased, 'HTTP 429'))
  assert.is(bench.frontier.isClosed(leased), null)
  assert.ok(bench.frontier.tooBusy(leased, 'HTTP 429'))
  assert.equal(bench.frontier.isClosed(leased), { outcome: 'host_busy', detail: 'HTTP 429 to 20 requests in a row' })
})

frontier('H1: a retry waits until the other URLs of its host were tried once, after a crash too', async () => {
  const bench = frontierBench({ seeds: [A] })
  await bench.rebuild()
  bench.keep((await bench.lease())!, to(...SITE.slice(0, 4)))
  const first = (await bench.lease())!
  bench.frontier.retryAt(first, bench.now(), bench.open.changes)
  assert.is((await bench.lease())!.url, SITE[1])
  await bench.commit()
  await bench.rebuild()
  bench.pass(1000)
  assert.equal([(await bench.lease())!.url, (await bench.lease())!.url, (await bench.lease())!.url], [SITE[1], SITE[2], SITE[3]])
  const again = (await bench.lease())!
  assert.equal([again.url, again.tries], [SITE[0], 1])
  bench.frontier.giveBack(again)
  assert.equal((await bench.lease())!.tries, 1)
})

frontier('twenty identical pages of one pattern close the pattern, and different pages in between keep it open', async () => {
  const bench = frontierBench({ seeds: [A] })
  await bench.rebuild()
  bench.keep((await bench.lease())!, to(...count(0, 60, (n) => `${A}z/${n}`), `${A}other`))
  const leased = (await bench.lease())!
  for (let n = 0; n < 19; n += 1) bench.frontier.sawContent(`${A}z/${n}`, 'same')
  bench.frontier.sawContent(`${A}z/19`, 'another')
  for (let n = 20; n < 39; n += 1) bench.frontier.sawContent(`${A}z/${n}`, 'same')
  assert.is(bench.frontier.isClosed(leased), null)
  bench.frontier.sawContent(`${A}z/39`, 'same')
  assert.is(bench.frontier.isClosed(leased)?.outcome, 'trap:same')
})

frontier(
  'a pattern is closed if all its links redirect to pages that nothing else links to; redirects to other spellings do not count',
  async () => {
    const bench = frontierBench({ seeds: [A], pageLimit: 30 })
    await bench.rebuild()
    bench.keep((await bench.lease())!, to(...count(1, 30, (n) => `${A}go-${n}`), ...count(1, 30, (n) => `${A}Doc${n}.html`), `${A}known`))
    const redirects = (from: string, target: string) => {
      const { hi, lo } = bench.keyOf(target)
      bench.frontier.sawRedirect(from, target, hi, lo)
    }
    const leased = (await bench.lease())!
    const closed = (url: string) => bench.frontier.isClosed({ ...leased, url })?.outcome ?? null
    for (let n = 1; n <= 30; n += 1) redirects(`${A}Doc${n}.html`, `${A}doc${n}`)
    for (let n = 1; n <= 30; n += 1) redirects(`${A}go-${n}`, `${A}known`)
    for (let n = 1; n < 10; n += 1) redirects(`${A}go-${n}`, `${A}at-${n}`)
    assert.is(closed(`${A}go-11`), null)
    redirects(`${A}go-10`, `${A}at-10`)
    assert.is(closed(`${A}go-11`), 'trap:redirects')
    assert.is(closed(`${A}Doc9.html`), null)
    bench.close()
  },
)

frontier('a pattern near its limit of such redirects has few URLs in progress, so that it does not exceed the limit', async () => {
  const bench = frontierBench({ seeds: [A], pageLimit: 30 })
  await bench.rebuild()
  bench.keep((await bench.lease())!, to(...count(1, 40, (n) => `${A}go-${n}`)))
  const leaseAll = async () => {
    const leased: UrlLease[] = []
    for (let one = await bench.lease(); one !== null; one = await bench.lease()) leased.push(one)
    return leased
  }
  const redirects = (from: string, target: string) => {
    const { hi, lo } = bench.keyOf(target)
    bench.frontier.sawRedirect(from, target, hi, lo)
  }
  // Nothing is known of the pattern yet.
  const first = [(await bench.lease())!, (await bench.lease())!]
  for (const { url } of first) redirects(url, url.replace('go', 'at'))
  for (const one of first) bench.keep(one)
  let inProgress = await leaseAll()
  assert.is(inProgress.length, 8, '2 of 10 have been seen')
  for (const one of inProgress.slice(0, 7)) {
    redirects(one.url, one.url.replace('go', 'at'))
    bench.keep(one)
  }
  inProgress = [...inProgress.slice(7), ...(await leaseAll())]
  assert.is(inProgress.length, 4, 'a few go on')
  bench.keep(inProgress[0]!)
  assert.is((await leaseAll()).length, 1, 'and each that ends makes room for the next')
})

frontier('hosts of one site beyond five hundred are only listed, except start hosts', async () => {
  const bench = frontierBench({ seeds: [A], siteOf: () => 'test' })
  await bench.rebuild()
  bench.keep((await bench.lease())!, to(...count(0, 520, (n) => `http://h${n}.test/`), `${A}in`))
  await bench.commit()
  const rows = bench.rows()
  assert.is(rows.filter(({ outcome }) => outcome === 'trap:host').length, 20)
  assert.is(rows.at(-1)!.outcome, null)
})

frontier('ports of one host name beyond twenty are only listed, also of a start host', async () => {
  const bench = frontierBench({ seeds: [A], siteOf: () => 'test' })
  await bench.rebuild()
  const { hostname } = new URL(A)
  bench.keep(
    (await bench.lease())!,
    to(...count(0, 30, (n) => `http://${hostname}:${8000 + n}/`), ...count(0, 30, (n) => `http://b.test:${8000 + n}/`)),
  )
  await bench.commit()
  assert.is(bench.rows().filter(({ outcome }) => outcome === 'trap:host').length, 20)
})

frontier('many hosts share the memory for URLs, and every URL is fetched', async () => {
  const bench = frontierBench({ seeds: [A] })
  await bench.rebuild()
  const hosts = count(0, 400, (n) => `http://h${n}.test/`)
  const order = await drain(
    bench,
    (url) => (url === A ? to(...hosts) : new URL(url).pathname === '/' ? to(...count(0, 30, (n) => `${url}${n}`)) : []),
    60,
  )
  assert.is(order.length, 1 + 400 * 31)
  assert.is(new Set(order).size, order.length)
})

frontier('house bug 6: a resumed crawl of 3,000 hosts reads no more of them than it leases', async () => {
  const seeds = count(0, 3000, (n) => `http://h${n}.test/`)
  const bench = frontierBench({ seeds })
  await bench.rebuild()
  bench.counts.refills = 0
  const urls: string[] = []
  for (let n = 0; n < 50; n += 1) urls.push((await bench.lease())!.url)
  assert.is(new Set(urls).size, 50)
  assert.ok(bench.counts.refills <= 50 + 8, `${bench.counts.refills} reads for 50 URLs`)
  await bench.rebuild()
  bench.counts.refills = 0
  const found = bench.frontier.lease(bench.now())
  assert.equal(found, { opensAt: Infinity }, 'a lease does not wait for the store')
  assert.is(bench.counts.refills, 8, 'and asks for a few hosts at once')
  assert.is((await drain(bench)).length, 3000)
  assert.equal(faultsOf(bench.connection, 1), [])
})

frontier('known URLs are stored up to the limit, and the others are counted', async () => {
  const bench = frontierBench({ seeds: [A], pageLimit: 1 })
  await bench.rebuild()
  bench.keep((await bench.lease())!, to(...count(0, 20_500, (n) => `${A}${n}/y`)))
  assert.is(bench.frontier.known, 20_000)
  assert.is(bench.frontier.dropped, 501)
  await bench.commit()
  assert.equal(faultsOf(bench.connection, 1), [])
})

// ---- a random site, random ends, random crashes, against a plain walk over the site

const sites = fc.record({
  pages: fc.integer({ min: 1, max: 60 }),
  hosts: fc.integer({ min: 1, max: 4 }),
  links: fc.array(fc.tuple(fc.nat(59), fc.nat(59)), { maxLength: 160 }),
  steps: fc.array(fc.constantFrom('lease', 'keep', 'keep', 'retry', 'commit', 'commit', 'crash', 'back'), { maxLength: 400 }),
  pick: fc.array(fc.nat(50), { minLength: 1, maxLength: 20 }),
})

frontier('each reachable page is stored exactly once in random histories', async () => {
  await fc.assert(
    fc.asyncProperty(sites, async ({ pages, hosts, links, steps, pick }) => {
      const urlOf = (n: number) => `http://h${(n % pages) % hosts}.test/${n % pages}`
      const bench = frontierBench({ seeds: [urlOf(0)] })
      await bench.rebuild()
      const linksOf = (url: string) =>
        links.filter(([from]) => urlOf(from) === url).map(([, target]) => ({ url: urlOf(target), title: `t${target}` }))
      let inProgress: UrlLease[] = []
      const committed = new Set<string>()
      let uncommitted: string[] = []
      let picks = 0
      const take = () => inProgress.splice((pick[(picks += 1) % pick.length] ?? 0) % inProgress.length, 1)[0]!
      const commit = async () => {
        await bench.commit()
        for (const url of uncommitted) committed.add(url)
        uncommitted = []
        assert.equal(faultsOf(bench.connection, 1), [])
      }
      for (const step of steps) {
        if (step === 'lease') {
          const leased = await bench.lease()
          if (leased === null) continue
          assert.not.ok(committed.has(leased.url) || uncommitted.includes(leased.url), `${leased.url} is handed out again`)
          assert.not.ok(
            inProgress.some(({ seq }) => seq === leased.seq),
            `${leased.url} is handed out twice`,
          )
          inProgress.push(leased)
        } else if (step === 'commit') await commit()
        else if (step === 'crash') {
          await bench.rebuild()
          inProgress = []
          uncommitted = []
        } else if (inProgress.length > 0) {
          const leased = take()
          if (step === 'retry') bench.frontier.retryAt(leased, bench.now(), bench.open.changes)
          else if (step === 'back') bench.frontier.giveBack(leased)
          else {
            bench.keep(leased, linksOf(leased.url))
            uncommitted.push(leased.url)
          }
        }
        assert.is(bench.frontier.inProgress, inProgress.length)
      }
      while (inProgress.length > 0) {
        const leased = take()
        bench.keep(leased, linksOf(leased.url))
        uncommitted.push(leased.url)
      }
      await commit()
      await drain(bench, linksOf, 7)
      const reachable = new Set([urlOf(0)])
      for (const url of reachable) for (const link of linksOf(url)) reachable.add(link.url)
      const kept = bench.connection.prepare('SELECT url FROM page').all() as { url: string }[]
      assert.equal(kept.map(({ url }) => url).toSorted(), [...reachable].toSorted())
      assert.equal(faultsOf(bench.connection, 1), [])
      bench.close()
    }),
    { numRuns: 60 },
  )
})

frontier('with one request at a time, each host is crawled breadth first', async () => {
  await fc.assert(
    fc.asyncProperty(sites, async ({ pages, hosts, links }) => {
      const urlOf = (n: number) => `http://h${(n % pages) % hosts}.test/${n % pages}`
      const bench = frontierBench({ seeds: [urlOf(0)] })
      await bench.rebuild()
      const depths = new Map<string, number[]>()
      for (let leased = await bench.lease(); leased !== null; leased = await bench.lease()) {
        const ofHost = depths.get(hostKey(leased.url)) ?? []
        depths.set(hostKey(leased.url), [...ofHost, leased.depth])
        const { url } = leased
        bench.keep(
          leased,
          links.filter(([from]) => urlOf(from) === url).map(([, target]) => ({ url: urlOf(target) })),
        )
      }
      for (const ofHost of depths.values())
        assert.equal(
          ofHost,
          ofHost.toSorted((a, b) => a - b),
        )
      bench.close()
    }),
    { numRuns: 40 },
  )
})

frontier.run()
