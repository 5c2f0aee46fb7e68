/** The cost of hosts that hang, die or limit their rate: pages, lost time and requests, over a table of hosts and a simulated clock. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { simulateCrawl } from '#tests/support/engine/simulated-crawl.ts'
import type { SimulatedAnswer, SimulatedHost } from '#tests/support/engine/simulated-crawl.ts'

const simulation = suite('a crawl of troubled hosts')

const many = (count: number, name: (n: number) => string) => Array.from({ length: count }, (_, n) => name(n))
const GOOD = many(40, (n) => `/good/${n}`)
const isGood = (path: string) => path.startsWith('/good')
const PROMPT: SimulatedAnswer = { afterMs: 20 }
const HANGS: SimulatedAnswer = { afterMs: Infinity }
const REFUSED: SimulatedAnswer = { afterMs: 1, fails: 'connect' }

const hanging = (count: number): string[] => many(count, (n) => `/hang/${n}`)
const host = (answer: SimulatedHost['answer'], links: string[] = GOOD): SimulatedHost => ({ links, answer })
const promptBut = (isTroubled: (path: string) => boolean, trouble: SimulatedAnswer) => (path: string) =>
  isTroubled(path) ? trouble : PROMPT

/** Counts within a window, as a site with a rate limit does. */
function limited(most: number, windowMs: number, says: (at: number) => Partial<SimulatedAnswer>): SimulatedHost['answer'] {
  let taken: number[] = []
  return (_path, at) => {
    taken = taken.filter((one) => at - one < windowMs)
    if (taken.length >= most) return { ...PROMPT, status: 429, ...says(at) }
    taken.push(at)
    return PROMPT
  }
}

type Row = {
  name: string
  host: () => SimulatedHost
  ends: Record<string, number>
  /** Most milliseconds until the last good page. */
  goodWithinMs: number
  /** Most milliseconds of the whole crawl. */
  endsWithinMs: number
  mostRequests: number
}

const TABLE: Row[] = [
  { name: 'a fast host', host: () => host(() => PROMPT), ends: { kept: 41 }, goodWithinMs: 500, endsWithinMs: 500, mostRequests: 41 },
  {
    name: 'a slow host',
    host: () => host(() => ({ afterMs: 3000 })),
    ends: { kept: 41 },
    goodWithinMs: 40_000,
    endsWithinMs: 40_000,
    mostRequests: 41,
  },
  {
    name: '8 URLs that hang before 40 good ones',
    host: () =>
      host(
        promptBut((path) => path.startsWith('/hang'), HANGS),
        [...hanging(8), ...GOOD],
      ),
    ends: { kept: 41, timeout: 8 },
    goodWithinMs: 12_000,
    endsWithinMs: 65_000,
    mostRequests: 41 + 16 + 2,
  },
  {
    name: '60 URLs that hang before 40 good ones',
    host: () =>
      host(
        promptBut((path) => path.startsWith('/hang'), HANGS),
        [...hanging(60), ...GOOD],
      ),
    ends: { kept: 41, timeout: 60 },
    goodWithinMs: 130_000,
    endsWithinMs: 500_000,
    mostRequests: 41 + 120 + 6,
  },
  {
    name: 'every second URL hangs',
    host: () =>
      host(
        promptBut((path) => path.startsWith('/hang'), HANGS),
        GOOD.flatMap((path, n) => [path, `/hang/${n}`]),
      ),
    ends: { kept: 41, timeout: 40 },
    goodWithinMs: 40_000,
    endsWithinMs: 300_000,
    mostRequests: 41 + 80,
  },
  {
    name: 'bodies that stall',
    host: () =>
      host(
        promptBut((path) => path.startsWith('/hang'), { ...HANGS, headAfterMs: 20 }),
        [...hanging(8), ...GOOD],
      ),
    ends: { kept: 41, timeout: 8 },
    goodWithinMs: 12_000,
    endsWithinMs: 65_000,
    mostRequests: 41 + 16,
  },
  {
    name: 'URLs that take 6 s where others take 20 ms',
    host: () =>
      host(
        promptBut((path) => path.startsWith('/hang'), { afterMs: 6000 }),
        [...hanging(8), ...GOOD],
      ),
    ends: { kept: 49 },
    goodWithinMs: 12_000,
    endsWithinMs: 45_000,
    mostRequests: 41 + 16 + 2,
  },
  {
    name: 'URLs whose connection is reset',
    host: () =>
      host(
        promptBut((path) => path.startsWith('/hang'), { afterMs: 5, fails: 'reset' }),
        [...hanging(8), ...GOOD],
      ),
    ends: { kept: 41, reset: 8 },
    goodWithinMs: 3000,
    endsWithinMs: 15_000,
    mostRequests: 41 + 24 + 3,
  },
  {
    name: 'a host that goes down during the crawl: refused connections',
    host: () => host((_path, at) => (at < 150 ? PROMPT : REFUSED)),
    ends: {},
    goodWithinMs: 2000,
    endsWithinMs: 90_000,
    mostRequests: 41,
  },
  {
    name: 'a host that goes down during the crawl: no answers',
    host: () => host((_path, at) => (at < 150 ? PROMPT : HANGS)),
    ends: {},
    goodWithinMs: 30_000,
    endsWithinMs: 140_000,
    mostRequests: 41,
  },
  {
    name: 'a host that is down for 30 s: refused connections',
    host: () => host((_path, at) => (at > 150 && at < 30_000 ? REFUSED : PROMPT)),
    ends: { kept: 41 },
    goodWithinMs: 60_000,
    endsWithinMs: 60_000,
    mostRequests: 41 + 8 + 6,
  },
  {
    name: 'a host that is down for 30 s: no answers',
    host: () => host((_path, at) => (at > 150 && at < 30_000 ? HANGS : PROMPT)),
    ends: { kept: 41 },
    goodWithinMs: 70_000,
    endsWithinMs: 70_000,
    mostRequests: 41 + 8 + 6,
  },
  {
    name: 'a limit of 10 requests in 10 s, with Retry-After',
    host: () => host(limited(10, 10_000, () => ({ retryAfterMs: 10_000 }))),
    ends: { kept: 41 },
    goodWithinMs: 90_000,
    endsWithinMs: 90_000,
    mostRequests: 41 + 20,
  },
  {
    name: 'a limit of one request a second, without Retry-After',
    host: () => host(limited(1, 1000, () => ({}))),
    ends: { kept: 41 },
    goodWithinMs: 120_000,
    endsWithinMs: 120_000,
    mostRequests: 41 + 41,
  },
  {
    name: 'a host that says "too much" and nothing else',
    host: () => host((path) => (path === '/' ? PROMPT : { ...PROMPT, status: 429 })),
    ends: { kept: 1, host_busy: 40 },
    goodWithinMs: 1_000_000,
    endsWithinMs: 1_000_000,
    mostRequests: 1 + 24,
  },
]

for (const row of TABLE) {
  simulation(`H1: ${row.name}`, async () => {
    const crawl = await simulateCrawl({ 'a.test': row.host() })
    const ends = crawl.endsOf('a.test')
    const figures = `ends ${JSON.stringify(ends)}, good after ${crawl.lastGood('a.test', isGood)} ms, all after ${crawl.tookMs} ms, ${crawl.requests.length} requests`
    if (Object.keys(row.ends).length > 0) assert.equal(ends, row.ends, figures)
    assert.ok(crawl.lastGood('a.test', isGood) <= row.goodWithinMs, figures)
    assert.ok(crawl.tookMs <= row.endsWithinMs, figures)
    assert.ok(crawl.requests.length <= row.mostRequests, figures)
    assert.ok(crawl.mostAtOnce('a.test') <= 4, `${crawl.mostAtOnce('a.test')} at once`)
    if (process.env['SHOW'] !== undefined) console.log(`${row.name}: ${figures}`)
  })
}

simulation('H1: a healthy host beside troubled hosts is crawled as fast as alone', async () => {
  const troubled = Object.fromEntries(TABLE.slice(1).map((row, n) => [`t${n}.test`, row.host()]))
  const pages = many(400, (n) => `/good/${n}`)
  const alone = await simulateCrawl({ 'a.test': host(() => PROMPT, pages) })
  const beside = await simulateCrawl({ ...troubled, 'a.test': host(() => PROMPT, pages) })
  assert.equal(beside.endsOf('a.test'), { kept: 401 })
  // The fourteen other hosts want four of the sixteen places each. They may be slower because they share, but not by the time of a hang.
  const lost = beside.lastGood('a.test') - alone.lastGood('a.test')
  assert.ok(lost < 15_000, `${lost} ms later beside the others`)
  if (process.env['SHOW'] !== undefined) console.log(`alone ${alone.lastGood('a.test')} ms, beside ${beside.lastGood('a.test')} ms`)
})

simulation('H1: the remaining URLs of a dead host end as host_dead, with the failures that prove it', async () => {
  const crawl = await simulateCrawl({ 'a.test': host((_path, at) => (at < 150 ? PROMPT : REFUSED)) })
  assert.match(String(crawl.details('host_dead')), /^no answer to 5 probes in 7\d s$/)
  assert.ok(crawl.feed.includes('http://a.test:80 does not answer: its URLs wait until it does'))
})

simulation('H1: a host that recovers is used again while there is other work', async () => {
  const crawl = await simulateCrawl({
    'a.test': host((_path, at) => (at > 150 && at < 300_000 ? REFUSED : PROMPT)),
    'b.test': host(
      () => ({ afterMs: 4000 }),
      many(400, (n) => `/good/${n}`),
    ),
  })
  assert.equal(crawl.endsOf('a.test'), { kept: 41 })
  assert.ok(crawl.asked('a.test', (path) => path === '/robots.txt') <= 12)
})

simulation.run()
