/** Mails about scheduled crawls: what changed, what failed, and to whom. */
import * as assert from 'uvu/assert'
import { updateProfile } from '#contract/accounts.ts'
import { createCrawl, deleteCrawls, getCrawl } from '#contract/crawls.ts'
import { changeSchedule, createSchedule, runSchedule } from '#contract/schedules.ts'
import { createWebhook } from '#contract/webhooks.ts'
import { startApp } from '#tests/support/app.ts'
import type { Caller } from '#tests/support/app.ts'
import { addMember } from '#tests/support/make.ts'
import { startMailServer } from '#tests/support/stubs/mail-server.ts'
import { startReceiver } from '#tests/support/stubs/receiver.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import type { Site } from '#tests/support/sites/site.ts'
import { until } from '#tests/support/until.ts'
import { suite } from '#tests/support/suite.ts'

const reports = suite('mails about scheduled crawls')

/** `mia` is another user, who is no member of the team. */
type Stage = { me: Caller; mia: Caller; site: Site; mailed: () => { subject: string; to: string[]; text: string }[] }

const mailServer = await startMailServer()
const beats = new Set<() => void>()
const beat = () => [...beats].forEach((call) => call())
// One app for all tests: its engine takes longer to start than a crawl. Each test has a team, a site and mails of its own.
const app = await startApp({
  config: { smtpUrl: mailServer.url },
  engine: true,
  every: (_ms, call) => {
    beats.add(call)
    return () => void beats.delete(call)
  },
})
await app.signIn()

let teams = 0
/** The users of the tests before, whose mails may come late. */
const earlier = new Set<string>()

async function onStage(work: (stage: Stage) => Promise<void>): Promise<void> {
  const site = await startSite({ '/': pageOf('home', ['/one', '/two']), '/one': pageOf('one'), '/two': pageOf('two') })
  teams += 1
  const [me, mia] = [await app.secondUser(`ben${teams}@example.org`), await app.secondUser(`mia${teams}@example.org`)]
  const mailed = () => mailServer.mails.filter(({ to }) => !to.some((address) => earlier.has(address)))
  try {
    await work({ me, mia, site, mailed })
  } finally {
    for (const { email } of [me, mia]) earlier.add(email)
    await site.close()
  }
}

async function ended({ me }: Stage, id: string): Promise<string> {
  await until(async () => ['finished', 'failed'].includes((await app.call(getCrawl, { as: me, params: { id } })).body.status))
  return id
}

async function crawled(stage: Stage, as: Caller = stage.me): Promise<string> {
  const made = await app.call(createCrawl, {
    as,
    body: { url: stage.site.url('/'), options: { spider_options: { max_depth: 1, page_limit: 5 } } },
  })
  return ended(stage, made.body.uuid)
}

async function scheduled(stage: Stage, as: Caller = stage.me): Promise<string> {
  const body = { crawl: await crawled(stage, as), name: 'Nightly', cron: '0 3 1 1 *', mail_changes: true }
  return (await app.call(createSchedule, { as, body })).body.uuid
}

/** Starts a crawl of the schedule, and resolves when its end was handled. */
async function repeated(stage: Stage, id: string): Promise<string> {
  const { me } = stage
  const { uuid } = (await app.call(runSchedule, { as: me, params: { id } })).body
  await ended(stage, uuid)
  beat()
  const { database } = app.backend
  const { no } = await database.selectFrom('run').select('no').where('id', '=', uuid).executeTakeFirstOrThrow()
  await until(async () => {
    const row = await database.selectFrom('crawlSchedule').select('reportedNo').where('id', '=', id).executeTakeFirstOrThrow()
    return row.reportedNo === no
  })
  return uuid
}

reports('pages that were added, changed and removed are mailed, once; a crawl without changes is not', async () => {
  await onStage(async (stage) => {
    const { mailed, site } = stage
    const id = await scheduled(stage)
    await repeated(stage, id)
    Object.assign(site.pages, {
      '/': pageOf('home', ['/one', '/three', '/four']),
      '/one': pageOf('one anew'),
      '/three': pageOf('three'),
      '/four': pageOf('four'),
    })
    const changed = await repeated(stage, id)
    await until(() => mailed().length > 0)
    beat()
    await repeated(stage, id)
    assert.equal(
      mailed().map(({ subject, to }) => [subject, to]),
      [['Nightly: 2 pages new, 2 changed, 1 removed – Seine', [stage.me.email]]],
    )
    assert.match(mailed()[0]!.text, `/dashboard/logs/crawls/${changed}`)
  })
})

reports(
  'a page that cannot be fetched for once is not mailed as removed, nor as new when it is back; one that the site no longer has is',
  async () => {
    await onStage(async (stage) => {
      const { mailed, site } = stage
      const id = await scheduled(stage)
      await repeated(stage, id)
      site.pages['/two'] = { status: 403, body: 'not now' }
      await repeated(stage, id)
      site.pages['/two'] = pageOf('two')
      await repeated(stage, id)
      site.pages['/two'] = { status: 403, body: 'not now' }
      await repeated(stage, id)
      await repeated(stage, id)
      site.pages['/two'] = pageOf('two anew')
      await repeated(stage, id)
      site.pages['/two'] = { status: 404, body: 'none' }
      await repeated(stage, id)
      await until(() => mailed().length === 2)
      assert.equal(
        mailed().map(({ subject }) => subject),
        ['Nightly: 1 page changed – Seine', 'Nightly: 1 page removed – Seine'],
      )
    })
  },
)

reports('a failed crawl is mailed; one that was deleted, or has nothing to compare with, is not', async () => {
  await onStage(async (stage) => {
    const { mailed, me, site } = stage
    const id = await scheduled(stage)
    const { crawlId: first } = await app.backend.database
      .selectFrom('crawlSchedule')
      .select('crawlId')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await app.call(deleteCrawls, { as: me, query: { ids: first!, purge: true } })
    site.pages['/one'] = pageOf('one anew')
    await repeated(stage, id)
    site.pages['/'] = { status: 404, body: 'none' }
    await repeated(stage, id)
    await until(() => mailed().length > 0)
    assert.equal(
      mailed().map(({ subject }) => subject),
      ['Nightly: the crawl failed – Seine'],
    )
  })
})

reports('the first crawl is not compared with one that was stopped: pages that it did not reach are not new', async () => {
  await onStage(async (stage) => {
    const { mailed, me, site } = stage
    const id = await scheduled(stage)
    await app.backend.database
      .updateTable('run')
      .set({ status: 'canceled' })
      .where('teamId', '=', me.teamId)
      .where('kind', '=', 'crawl')
      .execute()
    Object.assign(site.pages, { '/': pageOf('home', ['/one', '/two', '/three']), '/three': pageOf('three') })
    await repeated(stage, id)
    site.pages['/one'] = pageOf('one anew')
    await repeated(stage, id)
    await until(() => mailed().length > 0)
    assert.equal(
      mailed().map(({ subject }) => subject),
      ['Nightly: 1 page changed – Seine'],
    )
  })
})

reports('the mail goes to the member who created the schedule, in their language, else to the owner of the team', async () => {
  await onStage(async (stage) => {
    const { mailed, me, mia, site } = stage
    await addMember(app.backend, { teamId: me.teamId, userId: mia.userId })
    await app.call(updateProfile, { as: mia, body: { language: 'de' } })
    const id = await scheduled(stage, { ...mia, teamId: me.teamId })
    site.pages['/one'] = pageOf('one anew')
    await repeated(stage, id)
    await until(() => mailed().length > 0)
    await app.backend.database.deleteFrom('teamMember').where('userId', '=', mia.userId).where('teamId', '=', me.teamId).execute()
    site.pages['/one'] = pageOf('one again')
    await repeated(stage, id)
    await until(() => mailed().length > 1)
    assert.equal(
      mailed().map(({ subject, to }) => [subject, to]),
      [
        ['Nightly: 1 Seite geändert – Seine', [mia.email]],
        ['Nightly: 1 page changed – Seine', [me.email]],
      ],
    )
  })
})

reports(
  'the first check of a monitor is not mailed; later changes are, to its recipients who are still members, and a missing page is removed',
  async () => {
    await onStage(async (stage) => {
      const { mailed, me, mia, site } = stage
      await addMember(app.backend, { teamId: me.teamId, userId: mia.userId })
      const made = await app.request('POST', '/v2/monitor', {
        headers: { authorization: `Bearer ${me.apiKey}` },
        body: {
          name: 'Pages',
          schedule: { cron: '0 3 1 1 *' },
          targets: [{ type: 'crawl', url: site.url('/'), crawlOptions: { sitemap: 'skip' } }],
          notification: { email: { recipients: [mia.email.replace('mia', 'Mia'), me.email] } },
        },
      })
      const { id } = (made.body as { data: { id: string } }).data
      await repeated(stage, id)
      site.pages['/one'] = pageOf('one anew')
      await repeated(stage, id)
      await until(() => mailed().length > 1)
      await app.backend.database.deleteFrom('teamMember').where('userId', '=', mia.userId).where('teamId', '=', me.teamId).execute()
      site.pages['/one'] = pageOf('one again')
      await repeated(stage, id)
      await until(() => mailed().length > 2)
      const mails = (address: string) => mailed().filter(({ to }) => to.includes(address)).length
      assert.equal([mails(mia.email), mails(me.email), mailed().length], [1, 2, 3])
      assert.equal([...new Set(mailed().map(({ subject }) => subject))], ['Pages: 1 page changed – Seine'])
      delete site.pages['/two']
      await repeated(stage, id)
      const checks = await app.request('GET', `/v2/monitor/${id}/checks`, { headers: { authorization: `Bearer ${me.apiKey}` } })
      const [newest] = (checks.body as { data: { summary: object }[] }).data
      assert.equal(newest?.summary, { totalPages: 3, same: 2, changed: 0, new: 0, removed: 1, error: 0 })
    })
  },
)

reports('a schedule that does not mail changes mails nothing, nor about crawls before that was switched on', async () => {
  await onStage(async (stage) => {
    const { mailed, me, site } = stage
    const id = await scheduled(stage)
    const set = (mails: boolean) => app.call(changeSchedule, { as: me, params: { id }, body: { mail_changes: mails } })
    await set(false)
    site.pages['/one'] = pageOf('one anew')
    const { uuid } = (await app.call(runSchedule, { as: me, params: { id } })).body
    await ended(stage, uuid)
    // The second report of another schedule belongs to a later look than the one that has seen this crawl.
    const other = await scheduled(stage)
    for (let looks = 0; looks < 2; looks += 1) await repeated(stage, other)
    await set(true)
    site.pages['/one'] = pageOf('one again')
    const changed = await repeated(stage, id)
    await until(() => mailed().length > 0)
    assert.is(mailed().length, 1)
    assert.match(mailed()[0]!.text, `/dashboard/logs/crawls/${changed}`)
  })
})

reports('each crawl is compared with the one before, also if several have ended since the last look', async () => {
  await onStage(async (stage) => {
    const { mailed, me, site } = stage
    const id = await scheduled(stage)
    for (const text of ['one anew', 'one again']) {
      site.pages['/one'] = pageOf(text)
      await ended(stage, (await app.call(runSchedule, { as: me, params: { id } })).body.uuid)
    }
    await until(() => {
      beat()
      return mailed().length === 2
    })
    assert.equal(new Set(mailed().map(({ subject }) => subject)).size, 1)
    assert.is(new Set(mailed().map(({ text }) => text)).size, 2, 'each names its own crawl')
  })
})

reports('after a change to another start URL, the first crawl is compared with the crawl that the schedule copies', async () => {
  await onStage(async (stage) => {
    const { mailed, me, site } = stage
    const id = await scheduled(stage)
    await repeated(stage, id)
    const { body: other } = await app.call(createCrawl, { as: me, body: { url: site.url('/one') } })
    await ended(stage, other.uuid)
    await app.call(changeSchedule, { as: me, params: { id }, body: { crawl: other.uuid } })
    await repeated(stage, id)
    site.pages['/one'] = pageOf('one anew')
    await repeated(stage, id)
    await until(() => mailed().length > 0)
    assert.equal(
      mailed().map(({ subject }) => subject),
      ['Nightly: 1 page changed – Seine'],
    )
  })
})

reports('webhooks name the schedule of a crawl', async () => {
  const receiver = await startReceiver()
  await onStage(async (stage) => {
    const { me } = stage
    const id = await scheduled(stage)
    await app.call(createWebhook, { as: me, body: { url: receiver.url(), events: ['run.ended'] } })
    const byHand = await crawled(stage)
    const { uuid } = (await app.call(runSchedule, { as: me, params: { id } })).body
    await until(() => receiver.received.length === 2)
    const told = receiver.received.map(({ json }) => json.data['run'] as { uuid: string; schedule: string | null })
    assert.is(told.find((run) => run.uuid === uuid)?.schedule, id)
    assert.is(told.find((run) => run.uuid === byHand)?.schedule, null)
  })
})

reports.run()
