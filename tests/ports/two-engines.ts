/**
 * Two engines on one database: each run has one owner, each page is fetched and kept once, and the limits of a host hold for both together.
 */
import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import { createCrawl } from '#contract/crawls.ts'
import type { Database } from '#backend/platform/database/database.ts'
import { crawlSpecOfV1 } from '#backend/crawls/v1-options.ts'
import { createEngine } from '#backend/crawler/engine/engine.ts'
import { LEASE_MS, StoreTrouble } from '#backend/store/run-store.ts'
import type { RunStore } from '#backend/store/run-store.ts'
import { engineSettings } from '#tests/support/engine/engine.ts'
import { RUN_STORES, rowOf, runsOver } from '#tests/support/engine/run-stores.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import type { SitePage } from '#tests/support/sites/site.ts'
import { suite } from '#tests/support/suite.ts'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
const HOSTS = ['127.0.0.1', '127.0.0.2', '127.0.0.3']
const PER_HOST = 2
const PAGES = 14

for (const [name, open] of Object.entries(RUN_STORES)) {
  const two = suite(`two engines, ${name}`)

  async function bench() {
    const clock = { ahead: 0 }
    const now = () => Date.now() + clock.ahead
    const opened = await open(now)
    const { database, storeOf } = opened
    const runs = await runsOver(opened, now)
    /** The owner and token of each leased run, in order. */
    const taken: { owner: string; runNo: number; token: number }[] = []
    const engines: ReturnType<typeof createEngine>[] = []
    return {
      taken,
      database,
      clock,
      /** Starts an engine; returns a function that cuts it off from its store. */
      start(owner: string): () => void {
        const store = storeOf(owner)
        let isDead = false
        const watched = new Proxy(store, {
          get(target, key: keyof RunStore) {
            const does = target[key]
            if (typeof does !== 'function') return does
            return async (...values: unknown[]) => {
              if (isDead) throw new StoreTrouble(new Error('dead'), { isFull: false })
              const answer: unknown = await (does as (...some: unknown[]) => Promise<unknown>)(...values)
              if (key === 'take' && answer !== null) taken.push({ owner, ...(answer as { runNo: number; token: number }) })
              return answer
            }
          },
        })
        engines.push(
          createEngine({
            store: watched,
            settings: engineSettings({ hostConcurrency: PER_HOST, runConcurrency: 2 }),
            now,
            random: Math.random,
            publish: () => undefined,
            log: quiet,
            lookMs: 50,
            reconcileMs: 200,
          }),
        )
        return () => (isDead = true)
      },
      crawl: (url: string, teamId: string) => runs.start([url], { pageLimit: 500, teamId, options, spec: crawlSpecOfV1(options) }),
      async ended(runNo: number) {
        const late = performance.now() + 45_000
        for (;;) {
          const row = await rowOf(database, runNo)
          if (row.endedAt !== null) return row
          assert.ok(performance.now() < late, `run ${runNo} does not end: ${JSON.stringify(row)}`)
          await new Promise((resolve) => setTimeout(resolve, 30))
        }
      },
      async close() {
        for (const engine of engines) await engine.close({ graceMs: 0 })
        await opened.close()
      },
    }
  }

  const { options } = createCrawl.body.parse({
    url: 'http://a.test/',
    options: { spider_options: { max_depth: 100, page_limit: 500 }, page_options: { ignore_rendering: true }, plugin_options: {} },
  })

  /** A crawl with this many pages per host, each linking to the next page of its own and of the next host. */
  function pagesOf(crawl: number): Record<string, SitePage> {
    const pages: Record<string, SitePage> = {}
    for (const [at, host] of HOSTS.entries())
      for (let n = 0; n < PAGES; n += 1) {
        const path = `/${crawl}/${n}`
        const own = at === 0 ? path : `//${host}${path}`
        pages[own] = { body: pageOf(`page ${n} of ${crawl} at ${host}`, linksFrom(crawl, at, n)), afterMs: 5 }
      }
    return pages
  }
  let port = 0
  const linksFrom = (crawl: number, at: number, n: number) =>
    [n + 1, n + 2]
      .flatMap((next) => (next < PAGES ? [`http://${HOSTS[at]}:${port}/${crawl}/${next}`] : []))
      .concat(n === 0 ? HOSTS.map((host) => `http://${host}:${port}/${crawl}/0`) : [])

  async function siteOf(crawls: number) {
    const site = await startSite({}, { hosts: HOSTS })
    port = site.port
    for (let crawl = 0; crawl < crawls; crawl += 1) Object.assign(site.pages, pagesOf(crawl))
    return site
  }

  two('two engines share runs and hosts: each page is stored once, each run has one owner, each host its limit', async () => {
    const { start, crawl, ended, close, database, taken } = await bench()
    const site = await siteOf(6)
    start('first')
    start('second')
    const runs: number[] = []
    for (let at = 0; at < 6; at += 1) runs.push(await crawl(site.url(`/${at}/0`), at % 2 === 0 ? 'team' : 'other'))
    for (const runNo of runs) {
      const row = await ended(runNo)
      assert.equal([row.status, row.reason, row.kept], ['finished', 'drained', PAGES * (await hostsOf(runNo))])
    }
    const asked = site.hits.map(({ host, path }) => host + path)
    assert.is(new Set(asked).size, asked.length, 'no page was fetched twice')
    const most = HOSTS.map((host) => site.mostAtOnce((hit) => hit.host === host))
    assert.ok(Math.max(...most) <= PER_HOST, `${most.join(' ')} at once`)
    assert.equal(new Set(taken.map(({ owner }) => owner)), new Set(['first', 'second']), 'both were at work')
    const tokens = taken.map(({ runNo, token }) => `${runNo}/${token}`)
    assert.is(new Set(tokens).size, tokens.length, 'no token was given twice')
    await close()
    await site.close()

    async function hostsOf(runNo: number): Promise<number> {
      const pages = await database.selectFrom('page').where('runNo', '=', runNo).select('url').execute()
      return new Set(pages.map(({ url }) => new URL(url).host)).size
    }
  })

  two('the other engine continues the work of a crashed engine, and fetches no stored page again', async () => {
    const { start, crawl, ended, close, database, taken, clock } = await bench()
    const site = await siteOf(1)
    const die = start('first')
    const runNo = await crawl(site.url('/0/0'), 'team')
    await site.asked('/0/4')
    die()
    const keptBefore = (await rowOf(database, runNo)).kept
    const kept = new Set((await database.selectFrom('page').where('runNo', '=', runNo).select('url').execute()).map(({ url }) => url))
    site.forget()
    start('second')
    clock.ahead = LEASE_MS
    const row = await ended(runNo)
    assert.equal([row.status, row.kept], ['finished', PAGES])
    assert.ok(row.kept > keptBefore)
    assert.equal(
      taken.map(({ owner }) => owner),
      ['first', 'second'],
    )
    const again = site.hits.map(({ host, path }) => `http://${host}:${site.port}${path}`).filter((url) => kept.has(url))
    assert.equal(again, [])
    await close()
  })

  two('10,000 waiting crawls of one team delay the first page of another team by no more than the time of a few pages', async () => {
    const { start, crawl, close, database } = await bench()
    const site = await siteOf(1)
    const SLOW_MS = 1000
    // One page at each of two hosts: a team that has the places, and one that comes later.
    site.pages['/many'] = { body: pageOf('one of many'), afterMs: SLOW_MS }
    site.pages['//127.0.0.2/other'] = { body: pageOf('of another team') }
    const first = await crawl(site.url('/many'), 'team')
    await copyRun(database, first, 10_000)
    start('first')
    start('second')
    await site.asked('/many')
    const before = site.hits.length
    await crawl(site.url('/other', '127.0.0.2'), 'other')
    await site.asked('/other')
    const between = site.hits.length - before - 1
    assert.ok(between <= 6 * PER_HOST, `${between} pages of the other team came first`)
    await close()
  })

  two('both engines keep the pause that a host asks for', async () => {
    const { start, crawl, ended, close } = await bench()
    const site = await siteOf(2)
    const PAUSE_S = 3
    let refused: { until: number } | null = null
    site.pages['/0/5'] = (_, times) => {
      if (times > 1) return pageOf('page 5 after all')
      refused = site.hits.find(({ path }) => path === '/0/5')!
      return { status: 429, headers: { 'retry-after': String(PAUSE_S) } }
    }
    start('first')
    start('second')
    const runs = [await crawl(site.url('/0/0'), 'team'), await crawl(site.url('/1/0'), 'other')]
    for (const runNo of runs) assert.is((await ended(runNo)).status, 'finished')
    const { until: told } = refused!
    const late = site.hits.filter(({ at, host }) => host === HOSTS[0] && at > told + 1500 && at < told + PAUSE_S * 1000 - 50)
    assert.equal(
      late.map(({ path }) => path),
      [],
    )
    assert.is(site.times('/0/5'), 2, 'it was asked again afterwards')
    await close()
  })

  two.run()
}

/** Adds waiting runs behind one that waits, under unused numbers. */
async function copyRun(database: Database, runNo: number, count: number): Promise<void> {
  const copies = sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${sql.lit(count)})`
  const of = (insert: string, select: string, from: string) =>
    sql`${sql.raw(insert)} ${copies} SELECT ${sql.raw(select)} FROM n, ${sql.raw(from)} WHERE ${sql.raw(from.startsWith('run AS') ? 'source.no' : 'source.run_no')} = ${runNo}`.execute(
      database,
    )
  const same = 'team_id, kind, variant, status, label, page_limit, seeds, known, url_salt, created_at, updated_at'
  await of(`INSERT INTO run (no, id, ${same})`, `source.no + 1000000 + i, 'copy ' || i, ${same}`, 'run AS source')
  await of('INSERT INTO run_options (run_no, options, spec, seeds)', 'run_no + 1000000 + i, options, spec, seeds', 'run_options AS source')
  const url = 'seq, key_hi, key_lo, host_no, depth, state, is_seed, url'
  await of(`INSERT INTO run_url (run_no, ${url})`, `run_no + 1000000 + i, ${url}`, 'run_url AS source')
  await sql`INSERT INTO job (key, kind, payload, team_id, priority, run_at)
    ${copies} SELECT 'run:' || (${sql.lit(runNo + 1_000_000)} + i) || ':1', 'crawl', '{"runNo":' || (${sql.lit(runNo + 1_000_000)} + i) || '}', 'team', 1, 0 FROM n`.execute(
    database,
  )
}
