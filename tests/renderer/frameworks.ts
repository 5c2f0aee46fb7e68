/** The same small shop, built with React, Vue and Angular from npm, is crawled by the product as its users crawl: no option about rendering. */
import * as assert from 'uvu/assert'
import { findOrInstallBrowser } from '../../scripts/find-browser.ts'
import { crawlsOf } from '#tests/support/product-crawls.ts'
import { startProduct } from '#tests/support/product.ts'
import { startFrameworkSite } from '#tests/support/sites/frameworks/framework-site.ts'
import type { Framework } from '#tests/support/sites/frameworks/framework-site.ts'
import { PAGES, TEAS } from '#tests/support/sites/frameworks/shop.ts'
import { suite } from '#tests/support/suite.ts'

const shops = suite('shops whose pages are made by a framework')

const product = await startProduct({ CHROMIUM_PATH: findOrInstallBrowser() })
const crawls = await crawlsOf(product)

for (const framework of ['react', 'vue', 'angular'] satisfies Framework[])
  shops(`${framework}: every page is found by the links of the rendered pages, and stored with its text`, async () => {
    const site = await startFrameworkSite(framework)
    try {
      const id = await crawls.start(site.url('/'), { spider_options: { max_depth: 5, page_limit: 50 } })
      const crawl = await crawls.ended(id)
      assert.equal([crawl.status, crawl.number_of_documents], ['finished', Object.keys(PAGES).length])

      const outcomes = await crawls.outcomes(id)
      const pathOf = (url: string) => new URL(url).pathname + new URL(url).search
      assert.equal(outcomes.map(({ url }) => pathOf(url)).toSorted(), Object.keys(PAGES).toSorted())
      for (const { detail, outcome, url } of outcomes) {
        assert.is(outcome, 'kept', url)
        assert.match(detail ?? '', /^rendered: (?:<.+> is empty|all pages of its host so far were made by scripts)$/, url)
      }

      const results = await crawls.results(id)
      const textOf = new Map(results.map(({ result, url }) => [pathOf(url), typeof result === 'string' ? result : result.markdown]))
      assert.equal([...textOf.keys()].toSorted(), Object.keys(PAGES).toSorted())
      for (const [path, heading] of Object.entries(PAGES)) {
        assert.ok(textOf.get(path)?.includes(`# ${heading}`), `${path}: ${textOf.get(path)}`)
        assert.not.match(textOf.get(path)!, 'Loading')
      }
      for (const { about, no } of TEAS) assert.ok(textOf.get(`/teas/${no}`)!.includes(about))

      // A shell is asked for once plainly, and once by the browser.
      for (const path of Object.keys(PAGES)) assert.ok(site.times(path) <= 2, `${path}: ${site.times(path)} times`)
    } finally {
      await site.close()
    }
  })

shops.run()
