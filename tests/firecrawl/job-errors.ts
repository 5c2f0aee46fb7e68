import type { KyselyPlugin } from 'kysely'
import * as assert from 'uvu/assert'
import { createCrawlOutcomes } from '#backend/crawls/crawl-outcomes.ts'
import { errorsOf } from '#backend/firecrawl/job-errors.ts'
import { startCrawlApp } from '#tests/support/crawl-app.ts'
import { suite } from '#tests/support/suite.ts'

const jobErrors = suite('errors of a job')
const app = await startCrawlApp()

/** Counts the statements of a database. */
function counted() {
  let statements = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { database: app.database.withPlugin(plugin), statements: () => statements }
}

const FAILED = 1203
const run = await crawlWith(FAILED)

async function crawlWith(failed: number) {
  const { id, no } = await app.started()
  const at = (n: number) => `https://shop.example/${n}`
  await app.engine.commit(no, {
    found: [
      ...Array.from({ length: failed }, (_, n) => ({ url: at(n), outcome: n % 2 === 0 ? 'status' : 'timeout', detail: `${n}` })),
      { url: at(failed), outcome: 'robots' },
      { url: at(failed + 1), outcome: 'out_of_scope' },
      { url: at(failed + 2), outcome: null },
    ],
  })
  return app.runs.readById('crawl', id)
}

jobErrors('all failed URLs are listed in the order of discovery, and those that robots.txt forbids apart', async () => {
  const { errors, robotsBlocked } = await errorsOf(createCrawlOutcomes({ database: app.database }), run)
  assert.equal(
    errors.map(({ url }) => url),
    Array.from({ length: FAILED }, (_, n) => `https://shop.example/${n}`),
  )
  assert.equal([errors[0]!.error, errors[1202]!.id], ['status: 0', `${run.id}:1203`])
  assert.equal(robotsBlocked, ['https://shop.example/1203'])
})

jobErrors('a long list is read in one pass: not counted and skipped again for each of its parts', async () => {
  const { database, statements } = counted()
  await errorsOf(createCrawlOutcomes({ database }), run)
  assert.ok(statements() <= 5, `${statements()} statements`)
})

jobErrors.run()
