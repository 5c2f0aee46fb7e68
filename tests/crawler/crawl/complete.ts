/** A whole site: each page is kept once, with its article and without the navigation around it, and no forbidden URL is fetched. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { readDocument } from '#backend/crawler/page/page-body.ts'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import { keptDocuments } from '#tests/support/engine/kept-documents.ts'
import { origin, pageMarker, pagePath, siteConfig } from '#tests/support/sites/synthetic-site.mjs'
import { suite } from '#tests/support/suite.ts'

const complete = suite('a whole site')
/** More of them by hand: `PAGES=10000 node tests/crawler/crawl/complete.ts`. */
const PAGES = Number(process.env['PAGES'] ?? 1500)

type Stats = {
  page_hits: number
  unique_pages: number
  variant_hits: number
  robots_txt: number
  robots_violations: number
  offsite_hits: number
  not_found: number
  asset_hits: number
}

async function startSyntheticSite() {
  const script = fileURLToPath(new URL('../../support/sites/synthetic-site.mjs', import.meta.url))
  const child = spawn(process.execPath, [script, '--port', '0', '--pages', String(PAGES), '--kb', '8'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = new Promise((resolve) => child.once('exit', resolve))
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the site ended')))
    createInterface({ input: child.stdout }).once('line', (line) => resolve((JSON.parse(line) as { port: number }).port))
  })
  return {
    config: siteConfig({ port, pages: PAGES, kb: 8 }),
    url: `http://127.0.0.1:${port}/`,
    stats: async () => (await (await fetch(`http://127.0.0.1:${port}/stats.json`)).json()) as Stats,
    async close() {
      child.kill()
      await exit
    },
  }
}

complete(`each of ${PAGES} pages is fetched once, stored once, and contains only its article`, async () => {
  const site = await startSyntheticSite()
  const engine = startEngineHarness({ settings: { egressAllow: '127.0.0.1' } })
  const run = await engine.crawl(site.url, { spider: { max_depth: 100, page_limit: PAGES + 100 } })
  const row = await engine.ended(run, 250_000)
  assert.equal([row.status, row['reason'], row.kept], ['finished', 'drained', PAGES])
  assert.equal(engine.faults(run), [])

  const { page_hits: fetched, unique_pages: unique, ...others } = await site.stats()
  assert.equal([fetched, unique], [PAGES, PAGES])
  const { robots_txt: robotsFiles, robots_violations: violations, offsite_hits: offSite, variant_hits: variants } = others
  assert.equal(
    { robotsFiles, violations, offSite, variants, assets: others.asset_hits },
    { robotsFiles: 1, violations: 0, offSite: 0, variants: 0, assets: 0 },
  )

  const wanted = new Map<string, string>()
  for (let id = 0; id < PAGES; id += 1) wanted.set(origin(site.config, 0) + pagePath(site.config, id), pageMarker(site.config, id))
  const faults: string[] = []
  for (let after = 0; ;) {
    const pages = keptDocuments(engine, run, after, 200)
    for (const { document, url } of pages) {
      const { markdown } = readDocument(document)
      const marker = wanted.get(url)
      wanted.delete(url)
      if (marker === undefined) faults.push(`${url} is no page of the site, or there twice`)
      else if (markdown.split(marker).length !== 2) faults.push(`${url} has its marker ${markdown.split(marker).length - 1} times`)
      if (markdown.includes('boilerplatetoken')) faults.push(`${url} has boilerplate`)
    }
    if (pages.length < 200) break
    after = pages.at(-1)!.no
  }
  assert.equal(faults.slice(0, 10), [])
  assert.equal([...wanted.keys()].slice(0, 10), [])

  const outcomes = Object.fromEntries(
    engine
      .rows<{ outcome: string; n: number }>('SELECT outcome, count(*) n FROM run_url WHERE run_no = ? GROUP BY outcome', run)
      .map(({ outcome, n }) => [outcome, n]),
  )
  assert.is(outcomes['kept'], PAGES)
  assert.ok((outcomes['robots'] ?? 0) > 0, 'what robots rules forbid is on record')
  assert.ok((outcomes['out_of_scope'] ?? 0) > 0, 'what lies outside is on record')
  assert.equal(Object.keys(outcomes).toSorted(), ['kept', 'out_of_scope', 'robots'])
  await site.close()
})

complete.run()
