/**
 * Two processes that share crawls and are killed, stopped for a while and replaced at random. `SCALE_SEEDS=30 npm run test:scale` makes so
 * many runs of it; `SCALE_SEED=7` repeats the one of that number.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { randomOf } from '#tests/support/random.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { checkRun, crawl, isFinished, keyOf, startProcess } from '#tests/support/scale/processes.ts'
import type { Started } from '#tests/support/scale/processes.ts'
import { emptyPostgresDatabase } from '#tests/support/stubs/postgres.ts'
import { until } from '#tests/support/until.ts'

const HOSTS = 24
const PER_HOST = 12
const EVENTS = 4
/** The others take over the work of a stopped or killed process after 15 seconds, and several may do so in turn. */
const LONGEST_MS = 120_000
const only = process.env['SCALE_SEED']
const seeds = only === undefined ? Array.from({ length: Number(process.env['SCALE_SEEDS'] ?? 2) }, (_, at) => at + 1) : [Number(only)]

const folder = mkdtempSync(join(tmpdir(), 'seine-kills-'))
const site = await startSite({}, { hosts: ['0.0.0.0'] })
const SECRET_KEY = randomBytes(32).toString('hex')
const kills = suite('processes that are killed at random')
kills.after(async () => {
  await site.close()
  rmSync(folder, { recursive: true, force: true })
})

const hostOf = (no: number) => `127.2.0.${(no % HOSTS) + 1}`

/** A wide crawl of all hosts, and a narrow one of the first. */
function pagesOf(name: string): string {
  for (let host = 0; host < HOSTS; host += 1)
    for (let page = 0; page < PER_HOST; page += 1) {
      const own = Array.from({ length: PER_HOST }, (_, to) => `/${name}/${to}`)
      const others = Array.from({ length: host === 0 ? HOSTS : 2 }, (_, to) => site.url(`/${name}/${page}`, hostOf(host + to)))
      site.pages[`//${hostOf(host)}/${name}/${page}`] = { body: pageOf(`${name} ${host} ${page}`, [...own, ...others]), afterMs: 100 }
    }
  return site.url(`/${name}/0`, hostOf(0))
}

for (const seed of seeds)
  kills(`seed ${seed}: every page of both crawls is stored once, whatever is killed, stopped and replaced`, async () => {
    const random = randomOf(seed)
    const database = await emptyPostgresDatabase()
    const start = () =>
      startProcess(['gateway/main.ts'], {
        PORT: '0',
        DATA_DIR: mkdtempSync(join(folder, 'data-')),
        DATABASE_URL: database.url,
        SECRET_KEY,
        EGRESS_ALLOW: '127.0.0.0/8',
        LOG_LEVEL: 'error',
        CHROMIUM_PATH: 'none',
      })
    const running: Started[] = [await start(), await start()]
    const key = await keyOf(running[0]!.url)
    site.forget()
    const spider = { page_limit: 10_000, max_depth: 1000 }
    const wide = await crawl(running[0]!.url, key, pagesOf(`wide${seed}`), { spider_options: { ...spider, allowed_domains: ['127.2.*'] } })
    const narrow = await crawl(running[1]!.url, key, pagesOf(`narrow${seed}`), {
      spider_options: { ...spider, allowed_domains: [hostOf(0)] },
    })
    for (let event = 0; event < EVENTS; event += 1) {
      const next = site.hits.length + 10 + Math.floor(random() * 40)
      const ended = await Promise.all([wide, narrow].map((id) => isFinished(running.at(-1)!.url, key, id)()))
      if (ended.every(Boolean)) break
      await until(async () => site.hits.length >= next || (await isFinished(running.at(-1)!.url, key, wide)()), LONGEST_MS)
      const at = Math.floor(random() * 2)
      const one = running[at]!
      const kind = random()
      if (kind < 0.4) {
        await one.kill()
        running[at] = await start()
      } else if (kind < 0.7) {
        running[at] = await start()
        await one.close()
      } else {
        one.signal('SIGSTOP')
        const more = site.hits.length + 15
        await until(async () => site.hits.length >= more || (await isFinished(running[1 - at]!.url, key, wide)()), LONGEST_MS)
        one.signal('SIGCONT')
      }
    }
    for (const id of [wide, narrow]) await until(isFinished(running[0]!.url, key, id), LONGEST_MS)
    await checkRun(database.url, wide, HOSTS * PER_HOST)
    await checkRun(database.url, narrow, PER_HOST)
    for (const one of running) await one.close()
    await database.drop()
  })

kills.run()
