/** Runs when they are created and deleted, over each adapter of the store: what an engine sees of them. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Database } from '#backend/platform/database/database.ts'
import { NO_HOOKS } from '#backend/store/run-hooks.ts'
import { purgeRun } from '#backend/store/create-run.ts'
import { doStepsIn } from '#backend/store/steps.ts'
import { RUN_STORES, rowOf, runsOver } from '#tests/support/engine/run-stores.ts'

const NOW = 1_000_000

for (const [name, open] of Object.entries(RUN_STORES)) {
  const beginnings = suite(`creation and deletion of runs, ${name}`)

  async function setUp() {
    const opened = await open(() => NOW)
    return { ...opened, ...(await runsOver(opened, () => NOW)), store: opened.storeOf('engine') }
  }

  const purge = (database: Database, runNo: number) =>
    database.transaction().execute((transaction) => doStepsIn(transaction, purgeRun(runNo, NOW, NO_HOOKS)))

  beginnings('a new run waits, and its owner reads its URLs back in order, even with more hosts than one statement takes', async () => {
    const { close, start, store } = await setUp()
    const urls = Array.from({ length: 1201 }, (_, index) => `http://host-${index % 700}.test/${index}`)
    const runNo = await start(urls, { spec: { version: 1, proxySlug: 'mine' } })
    assert.equal(
      (await store.waitingRuns(true)).map((run) => [run.runNo, run.kind, run.teamId]),
      [[runNo, 'crawl', 'team']],
    )
    const asked = await store.describe(runNo)
    assert.equal(asked.seeds, urls)
    assert.is(asked.spec.proxySlug, 'mine')
    assert.is(asked.sealedSecrets, null)
    const known = await store.knownUrls(runNo, -1, 5000)
    assert.equal(
      known.map(({ seq, state, url }) => [seq, state, url]),
      urls.map((url, seq) => [seq, 'pending', url]),
    )
    const perHost = await store.pendingByHost(runNo)
    assert.is(perHost.length, 700)
    const pending = await store.pendingUrls(runNo, 'http://host-3.test:80', null, 10)
    assert.equal(
      pending.map(({ isSeed, rank, seq, url }) => [seq, url, rank, isSeed]),
      [
        [3, 'http://host-3.test/3', 0, true],
        [703, 'http://host-3.test/703', 0, true],
      ],
    )
    await close()
  })

  beginnings('two runs on one host share the row of the host, and none of their URLs', async () => {
    const { close, start, store } = await setUp()
    const [one, other] = [await start(['http://a.test/1']), await start(['http://a.test/2'])]
    assert.equal(
      (await store.knownUrls(one, -1, 10)).map(({ url }) => url),
      ['http://a.test/1'],
    )
    assert.equal(
      (await store.knownUrls(other, -1, 10)).map(({ url }) => url),
      ['http://a.test/2'],
    )
    await close()
  })

  beginnings('deleting a waiting run ends it: it has no job, no engine leases it, and its key is free', async () => {
    const { close, database, start, store } = await setUp()
    const runNo = await start(['http://a.test/'])
    await database.updateTable('run').set({ idempotencyKey: 'crawl:again' }).where('no', '=', runNo).execute()
    assert.equal(await purge(database, runNo), { kept: 0, status: 'canceled' })
    assert.equal(await store.waitingRuns(true), [])
    assert.is(await store.take(runNo), null)
    const { deletedAt, endedAt, idempotencyKey } = await rowOf(database, runNo)
    assert.equal([deletedAt, endedAt, idempotencyKey], [NOW, NOW, null])
    assert.is(await purge(database, runNo), null, 'only once')
    assert.is(await purge(database, 999), null)
    await close()
  })

  beginnings('deleting a running run tells its owner to stop, and only the owner ends it', async () => {
    const { close, database, start, store } = await setUp()
    const runNo = await start(['http://a.test/'])
    const { token } = (await store.take(runNo))!
    assert.equal(await purge(database, runNo), { kept: 0, status: 'canceling' })
    assert.is((await rowOf(database, runNo)).endedAt, null)
    assert.equal(await store.canceling(), [runNo])
    assert.equal(await store.renew([{ runNo, token, workedMs: 1 }]), [{ runNo, why: 'canceling' }])
    assert.is(await store.take(runNo), null, 'it is not taken again')
    await close()
  })

  beginnings('a run that has ended keeps its status when it is deleted', async () => {
    const { close, database, start, stop } = await setUp()
    const runNo = await start(['http://a.test/'])
    await stop(runNo)
    assert.equal(await purge(database, runNo), { kept: 0, status: 'canceled' })
    assert.is((await database.selectFrom('runEnding').select('no').execute()).length, 1, 'it ended once')
    await close()
  })

  beginnings.run()
}
