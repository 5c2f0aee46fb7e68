/** The hostile site's sitemaps, case by case, through whole sitemap runs: what is stored, and what gets no request. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createSitemapTask } from '#backend/sitemaps/sitemap-job.ts'
import { sitemapSpecOfV1 } from '#backend/sitemaps/sitemap-spec.ts'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import { startHostileSite } from '#tests/support/sites/hostile-site.ts'
import type { HostileCase } from '#tests/support/sites/hostile-site.ts'

type Case = HostileCase & { expect: HostileCase['expect'] & { maxMs: number; urls?: number; urlsAtLeast?: number } }

const hostile = suite('sitemaps of the hostile site (T22)')
const site = await startHostileSite({ maxBodyMib: 64 })
const cases = (site.cases as Case[]).filter(({ group }) => group === 'sitemap')
const harness = startEngineHarness({
  settings: { egressAllow: site.allow, egressResolver: site.resolver },
  tasks: { sitemap: createSitemapTask() },
})
const OPTIONS = {
  include_subdomains: true,
  ignore_sitemap_xml: false,
  search: null,
  include_paths: [],
  exclude_paths: [],
  proxy_server: null,
}
/** Without a sitemap file the site's links are followed; their URLs do not count here. */
const FROM_LINKS = new Set(['sitemap-html', 'sitemap-xxe', 'sitemap-laughs', 'sitemap-quadratic', 'sitemap-deep', 'sitemap-gzip-bomb'])

hostile.after(async () => {
  await harness.close()
  await site.stop()
})

hostile('the group has at least fifteen cases', () => assert.ok(cases.length >= 15, `${cases.length} cases`))

for (const { id, url, expect } of cases) {
  hostile(id, async () => {
    const from = performance.now()
    const { no } = await harness.runs.start('team', {
      kind: 'sitemap',
      variant: 'files',
      label: url,
      pageLimit: 1_000_000,
      credits: 5,
      options: OPTIONS,
      spec: sitemapSpecOfV1(OPTIONS),
      seeds: [url],
      seedUrls: () => [],
    })
    const { status, kept } = await harness.ended(no, expect.maxMs)
    const urls = harness.rows<{ url: string }>('SELECT url FROM sitemap_url WHERE run_no = ? ORDER BY seq', no).map((row) => row.url)
    const hits = await site.hits()
    const seen = hits.cases[id]
    const shown = `${status}, ${urls.length} URLs: ${urls.slice(0, 5).join(' ')}`
    assert.ok(performance.now() - from <= expect.maxMs)
    assert.equal(hits.canary.requests + hits.canary.udp, 0, 'the internal service was reached')
    assert.is(urls.length, kept)
    assert.is(new Set(urls).size, urls.length)
    assert.is(status, 'finished', shown)
    if (expect.urls !== undefined && !FROM_LINKS.has(id)) assert.is(urls.length, expect.urls, shown)
    if (expect.urlsAtLeast !== undefined) assert.ok(urls.length >= expect.urlsAtLeast, shown)
    if (expect.maxHits !== undefined) assert.ok((seen?.requests ?? 0) <= expect.maxHits, `${seen?.requests} requests`)
    assert.ok((seen?.bytes ?? 0) <= expect.maxBytes, `${seen?.bytes} bytes`)
    if (expect.notText !== undefined) assert.not.ok(urls.some((each) => each.includes(expect.notText!)))
    assert.not.ok(
      urls.some((each) => !each.startsWith(new URL(url).origin) || /[&<>]|lol|root:/.test(each)),
      shown,
    )
  })
}

hostile.run()
