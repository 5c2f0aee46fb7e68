/** Crawls of sites with many URLs that nobody wants: which of them are fetched, and which are stored. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import { startSite } from '#tests/support/sites/site.ts'
import type { Site } from '#tests/support/sites/site.ts'

const crawls = suite('a crawl of a site with unwanted pages')

const engine = startEngineHarness()
const sites: Site[] = []
crawls.after(async () => {
  await engine.close()
  await Promise.all(sites.map((site) => site.close()))
})

/** @param pages  the HTML of each, by path */
async function site(pages: Record<string, string>): Promise<Site> {
  const html = Object.entries(pages).map(([path, body]) => [path, { headers: { 'content-type': 'text/html' }, body }] as const)
  const started = await startSite(Object.fromEntries(html))
  sites.push(started)
  return started
}

/** The paths that are stored, in order. */
async function kept(at: Site, pageLimit: number): Promise<string[]> {
  const run = await engine.crawl(at.url('/'), { spider: { max_depth: 9, page_limit: pageLimit, concurrent_requests: 1 } })
  await engine.ended(run)
  assert.equal(engine.faults(run), [])
  return engine
    .rows<{ url: string }>('SELECT url FROM page WHERE run_no = ?', run)
    .map(({ url }) => url.replace(at.url(''), ''))
    .toSorted()
}

crawls('pages that a site asks not to follow do not take the page limit from others, and are stored when there is room', async () => {
  const reply = (no: number) => `<a rel="nofollow" href="/post?replytocom=${no}">Reply to ${no}</a>`
  const pages = {
    '/': '<a href="/history">history</a><a href="/post">post</a>',
    '/history': '<meta name="robots" content="noindex, nofollow">The history: <a href="/old/1">1</a><a href="/old/2">2</a>',
    '/post': `A post ${reply(1)}${reply(2)}<a href="/next">next</a>`,
    '/post?replytocom=1': 'Reply to 1',
    '/post?replytocom=2': 'Reply to 2',
    '/next': '<a href="/last">last</a>',
    '/last': 'the last',
    '/old/1': 'old',
    '/old/2': 'older',
  }
  assert.equal(await kept(await site(pages), 5), ['/', '/history', '/last', '/next', '/post'])
  assert.equal(await kept(await site(pages), 50), Object.keys(pages).toSorted())
})

crawls.run()
