/** The hostile site's pages whose content is dangerous later: in the dashboard, in exports, in logs. They are stored as plain text. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ResultDocument } from '#contract/crawls.ts'
import { documentJson } from '#backend/crawler/page/page-body.ts'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import { keptDocuments } from '#tests/support/engine/kept-documents.ts'
import { startHostileSite } from '#tests/support/sites/hostile-site.ts'
import type { HostileCase } from '#tests/support/sites/hostile-site.ts'

type Page = { url: string; title: string | null; text: string; document: ResultDocument }
type Crawled = { pages: Page[]; urls: { url: string; title: string; outcome: string }[]; feed: string; faults: string[]; status: string }

const hostile = suite('pages with hostile content')
const site = await startHostileSite()
const cases = site.cases.filter(({ group, render }) => group === 'content' && !render)
const engine = startEngineHarness({ settings: { egressAllow: site.allow, egressResolver: site.resolver } })

hostile.after(async () => {
  await engine.close()
  await site.stop()
})

async function crawl({ url }: HostileCase): Promise<Crawled> {
  const page = { include_html: true, include_links: true, only_main_content: false }
  const run = await engine.crawl(url, { spider: { max_depth: 2, page_limit: 20 }, page })
  const { status } = await engine.ended(run, 60_000)
  const pages = keptDocuments(engine, run).map(({ document, title, url }) => {
    const text = documentJson(document).toString()
    return { url, title, text, document: JSON.parse(text) as ResultDocument }
  })
  const urls = engine.rows<{ url: string; title: string; outcome: string }>('SELECT url, title, outcome FROM run_url WHERE run_no = ?', run)
  const feed = engine.rows<{ messages: string }>('SELECT messages FROM run_feed WHERE run_no = ?', run)
  return { pages, urls, feed: feed.map(({ messages }) => messages).join('\n'), faults: engine.faults(run), status }
}

const crawled = new Map(cases.map((each) => [each.id, crawl(each)]))
for (const ending of crawled.values()) ending.catch(() => undefined)

/** A character that a terminal or a log would act on. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/

for (const each of cases)
  hostile(`${each.id}: the page is kept as text, nothing of it is followed, and every field has its type`, async () => {
    const { pages, urls, feed, faults, status } = await crawled.get(each.id)!
    assert.equal([status, faults], ['finished', []])
    assert.ok(
      pages.some(({ text }) => text.includes(`MARK-${each.id}`)),
      'no page has the mark',
    )
    const { canary, cases: hits } = await site.hits()
    assert.equal(canary.requests + canary.udp, 0, 'the internal service was reached')
    assert.ok((hits[each.id]?.bytes ?? 0) <= each.expect.maxBytes)
    for (const { title, text, url, document } of pages) {
      assert.ok((title ?? '').length <= 2048, `a title of ${title?.length} characters`)
      assert.not.match(title ?? '', CONTROL, 'title')
      assert.not.match(url, CONTROL, 'URL')
      assert.ok(text.isWellFormed() && (title ?? '').isWellFormed())
      assert.not.match(document.markdown, /(?<!\\)<script/i, 'no live script in Markdown')
      assert.not.match(document.markdown, /(?<!\\)\]\(\s*<?javascript:/i, 'no script behind a link of Markdown')
      for (const link of document.links ?? []) assert.match(link, /^https?:\/\//)
    }
    for (const { title, url } of urls) assert.not.match(title + url, CONTROL, 'link')
    assert.not.match(feed, CONTROL, 'a line of the feed')
  })

hostile('huge-title: fields are capped, so that a page costs no more than its text', async () => {
  const { pages, urls } = await crawled.get('huge-title')!
  assert.ok(pages[0]!.text.length < 1024 * 1024, `${pages[0]!.text.length} characters are stored`)
  for (const { title } of urls) assert.ok(title.length <= 2048)
})

hostile('proto-pollution: names of metadata do not change prototypes', async () => {
  const { pages } = await crawled.get('proto-pollution')!
  const { metadata } = pages[0]!.document
  assert.is((metadata as Record<string, unknown>)['isAdmin'], undefined)
  assert.is(({} as Record<string, unknown>)['isAdmin'], undefined)
  assert.is(Object.getPrototypeOf(metadata), Object.prototype)
  assert.is(Object.getOwnPropertyDescriptor(metadata, 'constructor')?.value, 'y')
})

hostile('path-names: names with .. stay within the site', async () => {
  const { urls } = await crawled.get('path-names')!
  assert.ok(urls.length > 3)
  for (const { url } of urls) assert.ok(url.startsWith(`${site.main}/`), url)
})

hostile('the group has at least nine cases', () => {
  assert.ok(cases.length >= 9, `${cases.length} cases`)
})

hostile.run()
