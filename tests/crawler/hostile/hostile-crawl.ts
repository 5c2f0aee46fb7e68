/** The hostile site, case by case, through whole crawls: what is stored, what is recorded, and what gets no request. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { documentJson } from '#backend/crawler/page/page-body.ts'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import { keptDocuments } from '#tests/support/engine/kept-documents.ts'
import type { EngineHarness } from '#tests/support/engine/engine.ts'
import { startHostileSite } from '#tests/support/sites/hostile-site.ts'
import type { HostileCase } from '#tests/support/sites/hostile-site.ts'

type Case = HostileCase & {
  expect: HostileCase['expect'] & {
    limit?: number
    minGapMs?: number
    mustReach?: string[]
    mustNotReach?: string[]
    credentialsSeen?: number
  }
}
type Hits = { requests: number; bytes: number; minGapMs: number | null; urls: Record<string, number> }
type Ended = { status: string; faults: string[]; texts: string[]; outcomes: string[] }

/** The site's reasons, mapped to ours. */
const REASONS: Record<string, string[]> = {
  redirect_loop: ['redirect_loop'],
  too_many_redirects: ['redirect_limit'],
  bad_redirect: ['bad_redirect'],
  unsupported_scheme: ['bad_redirect'],
  blocked_address: ['refused_address'],
  too_large: ['too_large'],
  header_overflow: ['protocol'],
  unsupported_encoding: ['bad_encoding'],
  dns: ['dns'],
  robots: ['robots', 'robots_unreachable'],
}
const GROUPS = ['redirect', 'ssrf', 'dns', 'size', 'encoding', 'charset', 'robots', 'trap']
/**
 * The clock of the engine that waits for robots files (a minute) and between pages (half a minute) runs faster. The others have a real clock:
 * leases run by it too, and on a busy machine a lease of 0.75 s would end before it is renewed, so that the run starts again.
 */
const CLOCK_SPEED = 20
/** The site measures pauses in these cases, so their engine has a real clock. */
const REAL_TIME_CASES = new Set(['robots-delay'])
/**
 * All crawls share one process, so on a busy machine a chain of redirects takes longer than 8 s; a page that is fetched again has more
 * requests than its case allows. The time that each case may take is checked with the product (`hostile-product.ts`).
 */
const PAGE_TIMEOUT_MS = 60_000
const SECRET_HEADERS = { authorization: 'Bearer secret', cookie: 'own=secret' }

const hostile = suite('crawls of the hostile site')
const site = await startHostileSite()
const cases = (site.cases as Case[]).filter(({ group, render }) => GROUPS.includes(group) && !render)
const [start, begun] = [Date.now(), performance.now()]
const settings = { egressAllow: site.allow, egressResolver: site.resolver, maxConcurrency: 4 }
const fastClock = { now: () => start + Math.round((performance.now() - begun) * CLOCK_SPEED) }
// An engine for each group: its cases share one host, and their failures would slow down other groups.
const engines = new Map(
  GROUPS.map((group) => [
    group,
    startEngineHarness({ settings: { ...settings, runConcurrency: 64 }, ...(group === 'robots' ? fastClock : {}) }),
  ]),
)
const realTimeEngine = startEngineHarness({ settings })

hostile.after(async () => {
  await Promise.all([...engines.values(), realTimeEngine].map((engine) => engine.close()))
  await site.stop()
})

async function crawlCase(engine: EngineHarness, { id, url, expect }: Case): Promise<Ended> {
  const run = await engine.crawl(url, {
    spider: { max_depth: 5, page_limit: expect.limit ?? 50 },
    page: { timeout: PAGE_TIMEOUT_MS, ...(id === 'redirect-drops-credentials' ? { extra_headers: SECRET_HEADERS } : {}) },
  })
  const { status } = await engine.ended(run, 200_000)
  const urls = engine.rows<{ outcome: string; url: string; title: string; detail: string | null }>(
    'SELECT outcome, url, title, detail FROM run_url WHERE run_no = ? ORDER BY seq',
    run,
  )
  return {
    status,
    faults: engine.faults(run),
    texts: keptDocuments(engine, run).map(({ document }) => documentJson(document).toString()),
    outcomes: urls.map(({ outcome }) => outcome),
  }
}

const all = new Map(
  cases.map((each) => [each.id, crawlCase(REAL_TIME_CASES.has(each.id) ? realTimeEngine : engines.get(each.group)!, each)]),
)
for (const ending of all.values()) ending.catch(() => undefined)

for (const each of cases) {
  const { id, expect } = each
  hostile(id, async () => {
    const ended = await all.get(id)!
    const hits = await site.hits()
    const seen = hits.cases[id] as Hits | undefined
    const reached = new Set(Object.keys(seen?.urls ?? {}).map((url) => url.replace(/^https?:\/\/[^/]+/, '')))
    assert.equal(hits.canary.requests + hits.canary.udp, 0, 'the internal service was reached')
    assert.equal(ended.faults, [])
    const shown = `${ended.status}: ${ended.outcomes.slice(0, 12).join(' ')}`
    if (expect.outcome === 'page') {
      assert.ok(
        ended.texts.some((text) => text.includes(expect.text ?? `MARK-${id}`)),
        `no page has the mark, ${shown}`,
      )
      assert.is(ended.status, 'finished')
    }
    if (expect.outcome === 'error') {
      const reasons = REASONS[expect.reason!]!
      assert.ok(
        ended.outcomes.some((outcome) => reasons.includes(outcome)),
        `no ${reasons.join(' or ')}, ${shown}`,
      )
      assert.not.ok(ended.outcomes.includes('kept'), shown)
    }
    if (expect.outcome === 'skip') assert.equal([ended.texts, ended.status], [[], 'failed'], shown)
    if (expect.notText !== undefined)
      assert.not.ok(
        ended.texts.some((text) => text.includes(expect.notText!)),
        'what must not be stored is stored',
      )
    if (expect.maxHits !== undefined) assert.ok((seen?.requests ?? 0) <= expect.maxHits, `${seen?.requests} requests`)
    assert.ok((seen?.bytes ?? 0) <= expect.maxBytes, `${seen?.bytes} bytes`)
    if (expect.minGapMs !== undefined) assert.ok((seen?.minGapMs ?? Infinity) >= expect.minGapMs, `a gap of ${seen?.minGapMs} ms`)
    for (const path of expect.mustReach ?? [])
      assert.ok(reached.has(path), `${path} was not reached, ${shown}, ${[...reached].slice(0, 40).join(' ')}`)
    for (const path of expect.mustNotReach ?? []) assert.not.ok(reached.has(path), `${path} was reached`)
    if (expect.credentialsSeen === 0) {
      assert.ok(hits.echo.length > 0)
      assert.not.ok(hits.echo.some(({ authorization, cookie }) => authorization || cookie))
    }
  })
}

hostile('the hostile site has cases for every group', () => {
  for (const group of GROUPS)
    assert.ok(
      cases.some((each) => each.group === group),
      group,
    )
})

hostile('a crawl delay of two seconds is kept', async () => {
  await all.get('robots-delay')
  const { requests, minGapMs } = (await site.hits()).cases['robots-delay'] as unknown as Hits
  assert.ok(requests >= 5)
  // The robots file itself comes before there is a delay to keep.
  assert.ok(minGapMs !== null)
})

hostile.run()
