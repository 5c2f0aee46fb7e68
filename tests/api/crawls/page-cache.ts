/** The search for pages that a team has crawled before. */
import * as assert from 'uvu/assert'
import { createCrawl } from '#contract/crawls.ts'
import { READING_RULES } from '#backend/crawler/page/reading-rules.ts'
import type { CrawlSpec } from '#backend/crawler/crawl-spec.ts'
import type { CrawlPages } from '#backend/crawls/crawl-pages.ts'
import { createPageCache } from '#backend/crawls/page-cache.ts'
import { startApp } from '#tests/support/app.ts'
import { suite } from '#tests/support/suite.ts'

const cache = suite('cache of pages')

cache('a page that another version of the product has read is fetched anew: an unchanged page gets the rules of this version', async () => {
  const app = await startApp()
  const { database } = app.backend
  try {
    const me = await app.signIn()
    const url = 'http://127.0.0.1:8080/'
    const body = { url, options: { spider_options: { page_limit: 1 } } }
    const { uuid } = (await app.call(createCrawl, { key: me.apiKey, body })).body
    const run = await database
      .updateTable('run')
      .set({ status: 'finished', endedAt: 2, kept: 1 })
      .where('id', '=', uuid)
      .returning('no')
      .executeTakeFirstOrThrow()
    const { spec } = await database.selectFrom('runOptions').select('spec').where('runNo', '=', run.no).executeTakeFirstOrThrow()
    const knownOf = async (validators: object) => {
      const pages = {
        between: async () => [{ no: 1, createdAt: 1, httpStatus: 200 }],
        document: async () => Buffer.from(JSON.stringify({ markdown: '', metadata: {}, validators })),
      } as unknown as CrawlPages
      const found = await createPageCache({ database, pages }).find(me.teamId, url, url, JSON.parse(spec!) as CrawlSpec)
      assert.is(found?.fetchedAt, 1, 'it may be served without a request')
      return found!.validators
    }
    const sent = { etag: '"one"', lastModified: null }
    assert.equal(await knownOf({ ...sent, rules: READING_RULES }), sent)
    assert.is(await knownOf({ ...sent, rules: 'of an older version' }), null)
    assert.is(await knownOf(sent), null)
    assert.is(await knownOf({ etag: null, lastModified: null, rules: READING_RULES }), null)
  } finally {
  }
})

cache.run()
