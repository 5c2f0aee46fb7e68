import * as assert from 'uvu/assert'
import { CRAWLS, startCrawlApp } from '#tests/support/crawl-app.ts'
import { suite } from '#tests/support/suite.ts'

const stop = suite('stop a crawl')

stop('S-WRK-09 a stop ends a waiting crawl at once: status, credits, job, URLs and the last events are one commit', async () => {
  const { call, create, cancels, clock, database, engine } = await startCrawlApp()
  const { uuid } = await create('https://shop.example/', { page_limit: 5 })
  clock.at += 1500
  const reply = await call('DELETE', `${CRAWLS}${uuid}/`)
  assert.equal([reply.status, reply.text, reply.type], [204, '', undefined])
  const { json } = await call('GET', `${CRAWLS}${uuid}/`)
  assert.equal([json.status, json.reason, json.duration, json.sitemap], ['canceled', 'canceled', '00:00:01.500000', null])
  assert.equal(json.counts, { known: 1, kept: 0, failed: 0, settled: 1, pending: 0 })
  assert.equal(await database.selectFrom('job').selectAll().execute(), [])
  assert.equal(await database.selectFrom('creditEntry').select(['used', 'state']).execute(), [{ used: 0, state: 'settled' }])
  assert.equal(await database.selectFrom('runUrl').select(['state', 'outcome']).execute(), [{ state: 3, outcome: 'canceled' }])
  const run = await database.selectFrom('run').select(['eventSeq', 'owner']).executeTakeFirstOrThrow()
  const [feed] = await database.selectFrom('runFeed').selectAll().execute()
  assert.equal([run.eventSeq, feed?.firstSeq, feed?.lastSeq], [2, 1, 1])
  assert.is(JSON.parse(feed?.messages ?? '')[0].seq, 1)
  assert.equal(cancels, [])
  // No engine takes it afterwards.
  let taken = true
  await engine.take(uuid).catch(() => (taken = false))
  assert.not.ok(taken)
})

stop('a stop keeps the jobs of other runs whose number has the same prefix', async () => {
  const { call, create, database } = await startCrawlApp()
  const first = await create()
  const others = []
  for (let at = 2; at <= 12; at += 1) others.push(await create())
  await call('DELETE', `${CRAWLS}${first.uuid}/`)
  const { jobs } = await database
    .selectFrom('job')
    .select(({ fn }) => fn.countAll<number>().as('jobs'))
    .executeTakeFirstOrThrow()
  assert.is(jobs, others.length)
})

stop('a stop asks the engine to stop a running crawl, and answers when it has stopped', async () => {
  const { call, cancels, database, engine, started } = await startCrawlApp({ stopWaitMs: 20_000 })
  const { id, no } = await started()
  const stopping = call('DELETE', `${CRAWLS}${id}/`)
  while (cancels.length === 0) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(cancels, [no])
  const { status } = await database.selectFrom('run').select('status').executeTakeFirstOrThrow()
  assert.is(status, 'canceling')
  await engine.commit(no, { end: { status: 'canceled', reason: 'canceled' } })
  assert.is((await stopping).status, 204)
  assert.is((await call('GET', `${CRAWLS}${id}/`)).json.status, 'canceled')
})

stop('a stop reads the end from the tables when the hint is lost', async () => {
  const { call, cancels, engine, started } = await startCrawlApp({ stopWaitMs: 20_000 })
  const { id, no } = await started()
  const stopping = call('DELETE', `${CRAWLS}${id}/`)
  while (cancels.length === 0) await new Promise((resolve) => setImmediate(resolve))
  await engine.commit(no, { end: { status: 'canceled' } }, { isQuiet: true })
  assert.is((await stopping).status, 204)
})

stop('a stop does not wait for ever: if the engine does not answer, the crawl stays canceling', async () => {
  const { call, started } = await startCrawlApp({ stopWaitMs: 30 })
  const { id } = await started()
  assert.is((await call('DELETE', `${CRAWLS}${id}/`)).status, 204)
  assert.is((await call('GET', `${CRAWLS}${id}/`)).json.status, 'canceling')
  // And once more, which changes nothing.
  assert.is((await call('DELETE', `${CRAWLS}${id}/`)).status, 204)
})

for (const status of ['finished', 'failed', 'canceled'] as const)
  stop(`a stop changes nothing if the crawl has ${status}`, async () => {
    const { call, cancels, database, engine, started } = await startCrawlApp()
    const { id, no } = await started()
    await engine.commit(no, { pages: [{ url: 'https://shop.example/' }], end: { status } })
    const before = await database.selectFrom('run').selectAll().executeTakeFirstOrThrow()
    assert.is((await call('DELETE', `${CRAWLS}${id}/`)).status, 204)
    assert.equal(await database.selectFrom('run').selectAll().executeTakeFirstOrThrow(), before)
    assert.equal(cancels, [])
  })

stop('a crawl that is stopped just as it ends has one final status', async () => {
  for (let round = 0; round < 20; round += 1) {
    const { call, database, started } = await startCrawlApp({ stopWaitMs: 5 })
    const { id, no } = await started()
    const finish = database
      .updateTable('run')
      .set({ status: 'finished', endedAt: 1, eventSeq: 1 })
      .where('no', '=', no)
      .where('status', '=', 'running')
      .executeTakeFirst()
    const [reply] = await Promise.all(
      round % 2 === 0 ? [call('DELETE', `${CRAWLS}${id}/`), finish] : [finish.then(() => call('DELETE', `${CRAWLS}${id}/`))],
    )
    assert.is(reply?.status, 204)
    const { status, endedAt } = await database.selectFrom('run').select(['status', 'endedAt']).executeTakeFirstOrThrow()
    assert.ok((status === 'finished' && endedAt === 1) || (status === 'canceling' && endedAt === null), status)
  }
})

stop.run()
