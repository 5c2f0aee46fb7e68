/** The hostile site, case by case, against the HTTP fetcher alone: what a crawl does with the outcomes is tested with the crawl. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { hostKey } from '#backend/crawler/url/canonical-url.ts'
import { decodeBody } from '#backend/crawler/fetch/decode-body.ts'
import { createEgress } from '#backend/crawler/fetch/egress.ts'
import { robotsFetch } from '#backend/crawler/robots/fetch-robots.ts'
import type { FetchFailure, FetchOutcome, FetchRequest } from '#backend/crawler/fetch/fetcher.ts'
import { httpFetcher } from '#backend/crawler/fetch/http-fetcher.ts'
import { createRobotsCache } from '#backend/crawler/robots/robots-cache.ts'
import { judgeRobots } from '#backend/crawler/robots/robots.ts'
import { startHostileSite } from '#tests/support/sites/hostile-site.ts'
import type { HostileCase } from '#tests/support/sites/hostile-site.ts'

const MIB = 1024 * 1024
const MAX_PAGE_BYTES = 10 * MIB
const LIMITS = { firstByteMs: 4500, idleMs: 1500, leastBytesPerSecond: 1024, slowMs: 2000 }

/** The site's reasons, mapped to ours. Timing decides between several. */
const REASONS: Record<string, string[]> = {
  redirect_loop: ['redirect_loop'],
  too_many_redirects: ['redirect_limit'],
  bad_redirect: ['bad_redirect'],
  unsupported_scheme: ['bad_redirect'],
  blocked_address: ['refused_address'],
  timeout: ['timeout'],
  too_large: ['too_large'],
  header_overflow: ['protocol'],
  protocol_error: ['protocol', 'reset'],
  unsupported_encoding: ['bad_encoding'],
  reset: ['reset'],
  closed: ['reset'],
  refused: ['connect'],
  tls: ['tls', 'reset', 'protocol'],
  dns: ['dns', 'name_server'],
}

type Result = { text: string } | { failure: string; detail: string }

const hostile = suite('fetches of the hostile site')
const site = await startHostileSite()
const egress = createEgress({
  allow: site.allow,
  authorities: [await site.authority()],
  connectTimeoutMs: 4000,
  resolver: site.resolver,
  userAgent: 'SeineBot/0.1 (+http://example.com)',
})
const fetcher = httpFetcher({ egress, limits: LIMITS })
const { signal } = new AbortController()

hostile.after(async () => {
  await fetcher.close()
  await egress.close()
  await site.stop()
})

/** A fetch as the engine makes it: redirects to other hosts are URLs of their own, bodies are decoded within the page limit. */
async function crawlOne(url: string, headers: Record<string, string> = {}, hosts = 0): Promise<Result> {
  const request: FetchRequest = { url, headers, timeoutMs: 12_000, maxBytes: MAX_PAGE_BYTES, signal, beforeHop: async () => 'go' }
  const outcome: FetchOutcome = await fetcher.fetch(request)
  if (outcome.kind === 'failure') return failureOf(outcome)
  if (outcome.kind === 'redirected') {
    assert.not.equal(hostKey(outcome.to), hostKey(url))
    return hosts < 10 ? crawlOne(outcome.to, {}, hosts + 1) : { failure: 'redirect_limit', detail: '' }
  }
  if (outcome.status >= 400) return { failure: `http_${outcome.status}`, detail: '' }
  const decoded = decodeBody(outcome.body, outcome.headers.contentEncoding, MAX_PAGE_BYTES)
  if ('failure' in decoded) return { failure: decoded.failure, detail: decoded.detail }
  return { text: Buffer.from(decoded.bytes).toString('utf8') }
}

const failureOf = ({ detail, reason }: FetchFailure): Result => ({ failure: reason, detail })

function judge(each: HostileCase, result: Result): void {
  const { expect } = each
  const shown = 'text' in result ? `${result.text.length} characters` : `${result.failure}: ${result.detail}`
  if (expect.outcome === 'page') {
    assert.ok('text' in result, `${each.id} should be a page, is ${shown}`)
    assert.ok(result.text.includes(expect.text ?? `MARK-${each.id}`), `${each.id} lacks its mark, is ${shown}`)
  }
  if (expect.outcome === 'error') {
    assert.ok('failure' in result, `${each.id} should fail, is ${shown}`)
    const allowed = REASONS[expect.reason!] ?? [expect.reason!]
    assert.ok(allowed.includes(result.failure), `${each.id} should be ${allowed.join(' or ')}, is ${shown}`)
  }
  if (expect.notText !== undefined && 'text' in result && !each.id.startsWith('ssrf-'))
    assert.not.ok(result.text.includes(expect.notText), each.id)
}

/** Cases about the text, the characters or the tree of a page belong to the parser. */
const GROUPS = ['redirect', 'ssrf', 'slow', 'size', 'http', 'encoding', 'net', 'tls', 'dns', 'status']
/** Pages whose first answer is a fault that the engine tries again later. */
const LATER = new Set(['status-500-once', 'status-429', 'status-503-date', 'status-429-always'])

const casesOf = (group: string): HostileCase[] => site.cases.filter((each) => each.group === group && !each.render && !LATER.has(each.id))
const crawlGroup = (group: string): Promise<Result[]> => Promise.all(casesOf(group).map((each) => crawlOne(each.url)))
/** Groups that mostly wait: they start together, before the others. */
const waiting = new Map(['slow', 'net', 'dns', 'ssrf'].map((group) => [group, crawlGroup(group)]))

for (const group of GROUPS) {
  hostile(`${group}: every case ends as expected, within its bounds`, async () => {
    const cases = casesOf(group)
    assert.ok(cases.length > 0, `the site has no group ${group}`)
    const results = await (waiting.get(group) ?? crawlGroup(group))
    cases.forEach((each, i) => judge(each, results[i]!))
    const hits = await site.hits()
    assert.equal(hits.canary.requests, 0, 'the internal service was reached')
    for (const each of cases) {
      const seen = hits.cases[each.id]
      if (seen === undefined) continue
      if (each.expect.maxHits !== undefined) assert.ok(seen.requests <= each.expect.maxHits, `${each.id}: ${seen.requests} requests`)
      assert.ok(seen.bytes <= each.expect.maxBytes, `${each.id}: ${seen.bytes} bytes`)
    }
  })
}

hostile('headers and cookies of a page’s options are sent to its host only', async () => {
  await site.reset()
  const { url } = site.cases.find(({ id }) => id === 'redirect-drops-credentials')!
  await crawlOne(url, { authorization: 'Bearer secret', cookie: 'a=b', 'x-own': 'c' })
  const { echo } = await site.hits()
  assert.is(echo.length, 1)
  assert.not.ok(echo[0]!.authorization)
  assert.not.ok(echo[0]!.cookie)
  assert.not.ok(echo[0]!.names.includes('x-own'))
})

hostile('a host name is checked at each connection: a later DNS answer does not open internal addresses', async () => {
  await site.reset()
  const rebinding = site.cases.find(({ id }) => id === 'dns-rebind')!
  const door = createEgress({ allow: site.allow, resolver: site.resolver, userAgent: 'x' })
  assert.is(await door.judgeUrl(rebinding.url), null, 'the first answer is fine')
  const second = httpFetcher({ egress: door })
  const outcome = await second.fetch({ url: rebinding.url, headers: {}, timeoutMs: 5000, maxBytes: MIB, signal })
  assert.is(outcome.kind === 'failure' && outcome.reason, 'refused_address')
  const hits = await site.hits()
  assert.ok(hits.dns['rebind.test/A']! >= 2)
  assert.is(hits.canary.requests, 0)
  await second.close()
  await door.close()
})

hostile('robots.txt files are obeyed; unreachable files close the site; cut files still apply', async () => {
  await site.reset()
  const cache = createRobotsCache({
    fetch: robotsFetch({ fetcher, timeoutMs: 4000 }),
    load: async () => null,
    now: () => 0,
    productToken: 'SeineBot',
    save: () => {},
  })
  const closed = ['robots-503', 'robots-reset', 'robots-slow', 'robots-internal']
  const free = ['robots-404', 'robots-403', 'robots-html', 'robots-loop', 'robots-delay', 'robots-delay-huge']
  const obeyed = ['robots-plain', 'robots-redirects', 'robots-bom', 'robots-big', 'robots-gzip-bomb', 'robots-groups']
  const verdicts = async (id: string): Promise<string> => {
    const { url } = site.cases.find((each) => each.id === id)!
    const source = await cache.get(hostKey(url))
    if (source.kind === 'unreachable') return 'unreachable'
    return ['open/a', 'closed/a'].map((path) => (judgeRobots(source.robots, url + path).allowed ? path : '-')).join(' ')
  }
  const all = [...closed, ...free, ...obeyed, 'robots-many']
  const said = new Map(await Promise.all(all.map(async (id) => [id, await verdicts(id)] as const)))
  for (const id of closed) assert.is(said.get(id), 'unreachable', id)
  for (const id of free) assert.is(said.get(id), 'open/a closed/a', id)
  for (const id of obeyed) assert.is(said.get(id), 'open/a -', id)
  const hits = await site.hits()
  assert.is(hits.canary.requests, 0)
  for (const id of all) assert.ok(hits.cases[id]!.bytes <= 8 * MIB, `${id}: ${hits.cases[id]!.bytes} bytes`)
})

hostile('no internal service got a request', async () => {
  assert.equal((await site.hits()).canary, { requests: 0, udp: 0, list: [] })
})

hostile.run()
