// The product tells its listeners of every end: of a job stopped before it began, of one ended by an engine, and after a restart.
import * as assert from 'uvu/assert'
import { createCrawl, stopCrawl } from '#contract/crawls.ts'
import type { Database } from '#backend/platform/database/database.ts'
import { cancelRun } from '#backend/store/end-run.ts'
import { NO_HOOKS } from '#backend/store/run-hooks.ts'
import { doStepsIn } from '#backend/store/steps.ts'
import { startApp } from '#tests/support/app.ts'
import type { App, Caller } from '#tests/support/app.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { until } from '#tests/support/until.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const endings = suite('ends of runs in the product')

const ends = (database: Database) => database.selectFrom('runEnding').orderBy('no').selectAll().execute()
const mark = async (database: Database) =>
  (await database.selectFrom('runEndingListener').where('name', '=', 'removal').select('place').executeTakeFirstOrThrow()).place
const crawl = async (app: App, as: Caller, url = 'http://127.0.0.1:8080/'): Promise<string> =>
  ((await app.call(createCrawl, { as, body: { url } })).body as { uuid: string }).uuid
const isTold = async (database: Database) => (await mark(database)) === (await ends(database)).at(-1)?.no

endings('a crawl that is stopped before its start reports its end at once, with its team and status', async () => {
  const app = await startApp()
  const as = await app.signIn()
  const id = await crawl(app, as)
  const { database } = app.backend
  assert.equal([await mark(database), await ends(database)], [0, []])
  await app.call(stopCrawl, { as, params: { id } })
  await until(() => isTold(database))
  const [{ runId, teamId, kind, status } = {}, ...others] = await ends(database)
  assert.equal({ runId, teamId, kind, status, others }, { runId: id, teamId: as.teamId, kind: 'crawl', status: 'canceled', others: [] })
})

endings('a crawl that the engine finished reports its end', async () => {
  const site = await startSite({ '/': pageOf('<p>Home') })
  const app = await startApp({ engine: true, config: { egressAllow: ['127.0.0.0/8'] } })
  const as = await app.signIn()
  const id = await crawl(app, as, site.url('/'))
  const { database } = app.backend
  await until(() => isTold(database))
  assert.equal(
    (await ends(database)).map(({ runId, status }) => [runId, status]),
    [[id, 'finished']],
  )
})

endings('an end that no process received is reported by the next process', async () => {
  const dataDir = temporaryFolder('seine-endings-')
  const first = await startApp({ config: { dataDir } })
  const as = await first.signIn()
  const id = await crawl(first, as)
  const { database } = first.backend
  const { no } = await database.selectFrom('run').select('no').where('id', '=', id).executeTakeFirstOrThrow()
  // As another process would do it, with its hint lost.
  await database.transaction().execute((transaction) => doStepsIn(transaction, cancelRun(no, Date.now(), NO_HOOKS)))
  assert.is(await mark(database), 0)
  await first.close()
  const second = await startApp({ config: { dataDir } })
  await until(() => isTold(second.backend.database))
  assert.equal(
    (await ends(second.backend.database)).map(({ runId }) => runId),
    [id],
  )
  await second.close()
})

endings.run()
