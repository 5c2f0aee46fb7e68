/** Crawls with a page limit of sites as common software makes them: articles come before actions, sessions and other views. */
import * as assert from 'uvu/assert'
import { documentJson } from '#backend/crawler/page/page-body.ts'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import { keptDocuments } from '#tests/support/engine/kept-documents.ts'
import { ARTICLES, SOFTWARE, startSoftwareSite } from '#tests/support/sites/common-software.ts'
import { suite } from '#tests/support/suite.ts'

const software = suite('page limits on sites of common software')
const engine = startEngineHarness({ settings: { hostConcurrency: 4 } })
/** The articles, and a few pages of lists, menus and filters. */
const PAGE_LIMIT = 100

software.after(() => engine.close())

for (const kind of Object.keys(SOFTWARE))
  software(`${kind}: all articles are stored`, async () => {
    const site = await startSoftwareSite(kind)
    const run = await engine.crawl(site.url, { spider: { max_depth: 20, page_limit: PAGE_LIMIT }, page: {} })
    assert.is((await engine.ended(run)).status, 'finished')
    const texts = keptDocuments(engine, run).map(({ document }) => documentJson(document).toString())
    const articles = new Set(texts.map((text) => /ARTICLE-\d+/.exec(text)?.[0]).filter((name) => name !== undefined))
    assert.is(articles.size, ARTICLES)
    assert.equal(engine.faults(run), [])
  })

software.run()
