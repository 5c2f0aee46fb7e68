/** An installation on its way from one database to the other, and its backups while it crawls. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openSqlite } from '#backend/platform/database/sqlite.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { ask, checkRun, crawl, CRAWLS, isFinished, keyOf, OWNER, rowsOf, startProcess } from '#tests/support/scale/processes.ts'
import { emptyPostgresDatabase } from '#tests/support/stubs/postgres.ts'
import { until } from '#tests/support/until.ts'
import { login } from '#contract/accounts.ts'

const PAGES = 40
const folder = mkdtempSync(join(tmpdir(), 'seine-move-'))
const moving = suite('moves between databases')
const site = await startSite({}, { hosts: ['127.0.0.1'] })
moving.after(async () => {
  await site.close()
  rmSync(folder, { recursive: true, force: true })
})

function pagesOf(name: string, afterMs = 60) {
  const links = Array.from({ length: PAGES }, (_, no) => `/${name}/${no}`)
  for (const path of links) site.pages[path] = { body: pageOf(`${name} ${path}`, links), afterMs }
}

let places = 0
function dataDir(): string {
  const path = join(folder, String((places += 1)))
  mkdirSync(path, { mode: 0o700 })
  return path
}

const settings = (dir: string, databaseUrl?: string): Record<string, string> => ({
  DATA_DIR: dir,
  EGRESS_ALLOW: '127.0.0.1',
  LOG_LEVEL: 'error',
  CHROMIUM_PATH: 'none',
  PORT: '0',
  ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
})
const start = (dir: string, databaseUrl?: string) => startProcess(['gateway/main.ts'], settings(dir, databaseUrl))

async function admin(words: string[], dir: string, databaseUrl?: string): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ['scripts/admin.ts', ...words], {
    env: { PATH: process.env['PATH'] ?? '', ...settings(dir, databaseUrl) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, said }
}

moving(
  'an embedded installation that was killed in a crawl continues on PostgreSQL: nothing is lost, and no number is used twice',
  async () => {
    const { drop, url } = await emptyPostgresDatabase()
    const dir = dataDir()
    const first = await start(dir)
    const key = await keyOf(first.url)
    pagesOf('done')
    const done = await crawl(first.url, key, site.url('/done/0'))
    await until(isFinished(first.url, key, done))
    pagesOf('open')
    const open = await crawl(first.url, key, site.url('/open/0'))
    await until(() => site.hits.filter(({ path }) => path.startsWith('/open')).length > 10)
    const refused = await admin(['move-to', url], dir)
    assert.is(refused.code, 1)
    assert.match(refused.said, /in use by another process/)
    await first.kill()
    const moved = await admin(['move-to', url], dir)
    assert.is(moved.code, 0, moved.said)
    assert.match(moved.said, /100 % of \d+ rows/)
    assert.not.match(moved.said, new RegExp(new URL(url).password), 'the password is not said')
    const again = await admin(['move-to', url], dir)
    assert.equal([again.code, /already/.test(again.said)], [1, true], again.said)

    const source = openSqlite(join(dir, 'seine.db'), { cacheMiB: 1 })
    const names = source
      .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite@_%' ESCAPE '@'`)
      .pluck()
      .all() as string[]
    for (const name of names.filter((one) => one !== 'migration')) {
      const [row] = await rowsOf<{ count: string }>(url, `SELECT count(*) FROM "${name}"`)
      assert.is(Number(row!.count), source.prepare(`SELECT count(*) FROM "${name}"`).pluck().get(), name)
    }
    const bodies = source.prepare('SELECT page_no, hex(body) AS body FROM page_body ORDER BY page_no').all()
    assert.equal(
      await rowsOf(url, `SELECT page_no::float8 AS page_no, upper(encode(body, 'hex')) AS body FROM page_body ORDER BY page_no`),
      bodies,
    )
    source.close()

    const second = await start(dir, url)
    await until(isFinished(second.url, key, open))
    for (const id of [done, open]) await checkRun(url, id, PAGES)
    pagesOf('new')
    const fresh = await crawl(second.url, key, site.url('/new/0'))
    await until(isFinished(second.url, key, fresh))
    await checkRun(url, fresh, PAGES)
    await second.close()
    await drop()
  },
)

moving(
  'F41 a backup of PostgreSQL during a crawl is restored into either database: users stay signed in, and the crawl finishes',
  async () => {
    const [from, into] = await Promise.all([emptyPostgresDatabase(), emptyPostgresDatabase()])
    const dir = dataDir()
    const running = await start(dir, from.url)
    const key = await keyOf(running.url)
    const ids: string[] = []
    for (const name of ['a', 'b', 'c']) {
      pagesOf(name, 250)
      ids.push(await crawl(running.url, key, site.url(`/${name}/0`)))
    }
    await until(async () => Number((await rowsOf<{ count: string }>(from.url, 'SELECT count(*) FROM page'))[0]!.count) > 10)
    const file = join(folder, 'copy.db')
    const taken = await admin(['backup', file, '--with-key'], dir, from.url)
    assert.is(taken.code, 0, taken.said)
    const copied = openSqlite(file, { cacheMiB: 1 })
    const { kept, pages, runs } = copied
      .prepare(
        `SELECT count(*) AS runs, sum(kept) AS kept, (SELECT count(*) FROM page JOIN run ON run_no = run.no WHERE ended_at IS NULL) AS pages
          FROM run WHERE ended_at IS NULL`,
      )
      .get() as { kept: number; pages: number; runs: number }
    copied.close()
    assert.ok(runs > 0, 'it was taken in the middle of crawls')
    assert.is(pages, kept, 'of one moment')
    for (const id of ids) await until(isFinished(running.url, key, id))
    for (const id of ids) await checkRun(from.url, id, PAGES)
    await running.close()
    assert.is((await admin(['backup', file], dir, from.url)).code, 1, 'a backup never replaces a file')
    assert.equal(
      readdirSync(folder).filter((name) => name.includes('.partial')),
      [],
    )

    const occupied = await admin(['restore', file], dataDir(), from.url)
    assert.equal([occupied.code, /already/.test(occupied.said)], [1, true], occupied.said)
    for (const target of [into.url, undefined]) {
      const place = dataDir()
      const restored = await admin(['restore', file, '--with-key'], place, target)
      assert.is(restored.code, 0, restored.said)
      const copy = await start(place, target)
      assert.is((await ask(copy.url, 'POST', login.path, { body: OWNER })).status, 200)
      for (const id of ids) await until(isFinished(copy.url, key, id))
      for (const id of ids) {
        if (target !== undefined) await checkRun(target, id, PAGES)
        const results = (await ask(copy.url, 'GET', `${CRAWLS}${id}/results/?page_size=100`, { headers: key })).body
        assert.is(results['count'], PAGES)
      }
      await copy.close()
    }
    await Promise.all([from.drop(), into.drop()])
  },
)

moving.run()
