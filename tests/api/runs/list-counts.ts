import * as assert from 'uvu/assert'
import type { KyselyPlugin } from 'kysely'
import { pageWindow } from '#backend/http/pagination.ts'
import { createRunLists } from '#backend/runs/list-runs.ts'
import type { RunFilters } from '#backend/runs/run-filters.ts'
import { startApp } from '#tests/support/app.ts'
import { suite } from '#tests/support/suite.ts'

const counts = suite('counts of long lists')
const NONE: RunFilters = { createdAt: [], label: {}, url: {} }

counts('the options of runs are read for the count only if a filter is about the submitted URLs', async () => {
  const app = await startApp()
  const asked: string[] = []
  const watch: KyselyPlugin = {
    transformQuery: ({ node }) => {
      asked.push(JSON.stringify(node))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const list = createRunLists({ database: app.backend.database, lists: app.backend.database.withPlugin(watch) })
  const readsOptions = async (filters: RunFilters) => {
    asked.length = 0
    await list('team', 'crawl', filters, (count) => pageWindow({}, count))
    return asked.map((node) => node.includes('runOptions') || node.includes('run_options'))
  }
  // The count, then the rows of the page.
  assert.equal(await readsOptions(NONE), [false, true])
  assert.equal(await readsOptions({ ...NONE, label: { contains: ['shop'] } }), [false, true])
  assert.equal(await readsOptions({ ...NONE, url: { contains: ['shop'] } }), [true, true])
  assert.equal(await readsOptions({ ...NONE, url: { oneOf: ['https://a.example/'] } }), [true, true])
})

counts.run()
