/** Monitors where the published client against a running product cannot show it: the limits of a plan, and a list that changes meanwhile. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createCrawl, getCrawl } from '#contract/crawls.ts'
import { createMonitors } from '#backend/firecrawl/monitors.ts'
import type { MonitorNeeds } from '#backend/firecrawl/monitors.ts'
import { insertUnbilled } from '#backend/plans/subscriptions.ts'
import { createIds } from '#backend/platform/ids.ts'
import type { ScheduleRow } from '#backend/schedules/schedules.ts'
import { PLANS, startEnterpriseApp } from '#tests/support/enterprise.ts'

const monitors = suite('limits and lists of monitors')

monitors('a check of a crawl without a limit may use what the plan allows when it starts', async () => {
  // 100 pages a day, and 100 pages of a crawl.
  const { app, clock, close } = await startEnterpriseApp()
  try {
    const { apiKey: key, teamId } = await app.signIn()
    const { database } = app.backend
    const at = clock.now()
    const plan = { id: createIds(() => at)(), teamId, planId: PLANS.free.uuid, at }
    await database.transaction().execute((transaction) => insertUnbilled(transaction, plan))
    const target = { type: 'crawl', url: 'http://127.0.0.1:9/' }
    const body = { name: 'Site', schedule: { text: 'monthly' }, targets: [target] }
    const made = (await app.request('POST', '/v2/monitor', { key, body })).body as { data: { id: string } }
    const pagesOfCheck = async () => {
      const { body: check, status } = await app.request('POST', `/v2/monitor/${made.data.id}/run`, { key })
      assert.is(status, 200, JSON.stringify(check))
      const { id } = (check as { data: { id: string } }).data
      const { options } = (await app.call(getCrawl, { key, params: { id } })).body
      return options.spider_options.page_limit
    }
    await app.call(createCrawl, { key, body: { url: target.url, options: { spider_options: { page_limit: 40 } } } })
    assert.is(await pagesOfCheck(), 60)
    clock.advance(24 * 3_600_000)
    await database.updateTable('run').set({ status: 'finished', endedAt: clock.now() }).execute()
    assert.is(await pagesOfCheck(), 100)
  } finally {
    await close()
  }
})

monitors('a monitor that is deleted while the list is read is omitted', async () => {
  const row = (id: string) => ({ id, teamId: 't', isActive: 1, mailChanges: 0, mailTo: null, nextAt: 0, createdAt: 0, updatedAt: 0 })
  const { list } = createMonitors({
    checks: { newest: async () => null, lastSummary: async () => null },
    retentionDaysOf: async () => null,
    schedules: {
      listMonitors: async () => [row('deleted'), row('kept')] as ScheduleRow[],
      monitorOf: async ({ id }: { id: string }) => (id === 'deleted' ? null : '{"type":"scrape","urls":[],"scrapeOptions":{}}'),
    },
  } as unknown as MonitorNeeds)
  assert.equal(
    (await list('t', { limit: 10, offset: 0 })).map(({ id }) => id),
    ['kept'],
  )
})

monitors.run()
