/** An engine over a temporary database, without the API: starts runs as the API does, and checks what must always hold afterwards. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SpiderOptions, PageOptions } from '#contract/crawls.ts'
import { createCrawl } from '#contract/crawls.ts'
import { createEngine } from '#backend/crawler/engine.ts'
import type { EngineSettings } from '#backend/crawler/engine.ts'
import type { Hint } from '#backend/crawler/committer.ts'
import { hostKey, seedUrl, urlIdentity } from '#backend/crawler/canonical-url.ts'
import { urlKey } from '#backend/crawler/url-key.ts'
import { migrate, openSqlite, sqliteDatabase } from '#backend/platform/database/sqlite.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import { createIds } from '#backend/platform/ids.ts'
import { embeddedQueue } from '#backend/platform/queue/embedded-queue.ts'
import { createRuns } from '#backend/runs/runs.ts'
import { localBus } from '#backend/platform/events/local-bus.ts'

export type EngineHarness = ReturnType<typeof startEngineHarness>

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

export const engineSettings = (changes: Partial<EngineSettings> = {}): EngineSettings => ({
  userAgent: 'SeineBot/test',
  productToken: 'SeineBot',
  obeysRobots: true,
  maxConcurrency: 16,
  hostConcurrency: 16,
  hostDelayMs: 0,
  maxPageBytes: 10 * 1024 * 1024,
  maxJobSeconds: 600,
  egressAllow: '127.0.0.0/8',
  egressResolver: null,
  parserThreads: 1,
  runConcurrency: 8,
  ...changes,
})

export function startEngineHarness({
  settings = {},
  log = quiet,
  publish = () => undefined,
}: { settings?: Partial<EngineSettings>; log?: Parameters<typeof createEngine>[0]['log']; publish?: (hints: Hint[]) => void } = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'seine-engine-'))
  const file = join(directory, 'seine.db')
  const api = openSqlite(file, { cacheMiB: 16 })
  migrate(api, Date.now)
  const database = sqliteDatabase(api)
  const newId = createIds(Date.now)
  const waiters = new Map<number, () => void>()
  let engine = open()
  const bus = localBus()
  const runs = createRuns({
    database,
    queue: embeddedQueue({ now: Date.now, wake: () => engine.engine.wake() }),
    bus,
    cancelRun: (no) => engine.engine.cancel(no),
    now: Date.now,
    newId,
    newSalt: () => randomBytes(16),
  })
  for (const team of ['team', 'other'])
    api.prepare('INSERT OR IGNORE INTO team (id, name, is_default, created_at, updated_at) VALUES (?, ?, 1, 0, 0)').run(team, team)
  return {
    database,
    file,
    runs,
    crawl,
    ended,
    reopen,
    close,
    rows,
    get engine() {
      return engine.engine
    },
  }

  function open() {
    const connection = openSqlite(file, { cacheMiB: 64 })
    const hear = (hints: Hint[]) => {
      publish(hints)
      for (const hint of hints) {
        bus.publish(hint)
        if (['finished', 'failed', 'canceled'].includes(hint.status)) waiters.get(hint.runNo)?.()
      }
    }
    return {
      connection,
      engine: createEngine({
        connection,
        settings: engineSettings(settings),
        owner: newId(),
        now: Date.now,
        newId,
        random: Math.random,
        publish: hear,
        log,
      }),
    }
  }

  /** Starts a crawl; gives its number. */
  async function crawl(
    url: string | string[],
    { spider = {}, page = {}, teamId = 'team' }: { spider?: Partial<SpiderOptions>; page?: Partial<PageOptions>; teamId?: string } = {},
  ) {
    const urls = [url].flat()
    const parsed = createCrawl.body.parse({
      url: urls[0],
      options: { spider_options: spider, page_options: { ignore_rendering: true, ...page }, plugin_options: {} },
    })
    const run = await runs.start(teamId, {
      kind: 'crawl',
      variant: urls.length > 1 ? 'batch' : 'single',
      label: urls[0]!,
      pageLimit: parsed.options.spider_options.page_limit,
      options: parsed.options,
      seeds: urls,
      seedUrls: (salt) =>
        urls.map((one) => {
          const fetched = seedUrl(one)!
          const { hi, lo } = urlKey(salt, urlIdentity(fetched))
          return { url: fetched, hostKey: hostKey(fetched), keyHi: hi, keyLo: lo }
        }),
    })
    return run.no
  }

  /** Waits until the run has ended; gives its row. */
  async function ended(runNo: number, limitMs = 60_000): Promise<Record<string, unknown> & { status: string; kept: number }> {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`run ${runNo} did not end: ${JSON.stringify(row(runNo))}`)), limitMs)
      waiters.set(runNo, () => {
        clearTimeout(timer)
        resolve()
      })
      if (row(runNo).ended_at !== null) waiters.get(runNo)!()
    })
    return row(runNo)
  }

  function row(runNo: number) {
    return api.prepare('SELECT * FROM run WHERE no = ?').get(runNo) as Record<string, unknown> & { status: string; kept: number }
  }

  function rows<T = Record<string, unknown>>(sql: string, ...values: unknown[]): T[] {
    return api.prepare(sql).all(...values) as T[]
  }

  /** Throws the engine away as a crash would, memory and all, and starts another one. */
  async function reopen() {
    await engine.engine.close({ graceMs: 0 })
    engine.connection.close()
    engine = open()
  }

  async function close() {
    await engine.engine.close({ graceMs: 0 })
    engine.connection.close()
    await database.destroy()
    rmSync(directory, { recursive: true, force: true })
  }
}

/**
 * What must hold of every ended run: each kept page is one row, one body, one URL; ordinals and event numbers are dense; every URL has
 * its one end; no URL is there twice. Gives the faults, none when all is well.
 */
export function faultsOf(connection: Pick<SqliteConnection, 'prepare'>, runNo: number): string[] {
  const one = <T>(sql: string, ...values: unknown[]) => connection.prepare(sql).get(...values) as T
  const faults: string[] = []
  const expect = (holds: boolean, what: string) => void (holds || faults.push(what))
  const run = one<Record<string, number> & { status: string; owner: string | null }>('SELECT * FROM run WHERE no = ?', runNo)
  const pages = one<{ n: number; least: number | null; most: number | null; keys: number }>(
    'SELECT count(*) n, min(no) least, max(no) most, count(DISTINCT key_hi || ":" || key_lo) keys FROM page WHERE run_no = ?'.replaceAll(
      '"',
      "'",
    ),
    runNo,
  )
  const bodies = one<{ n: number }>('SELECT count(*) n FROM page_body JOIN page ON page.no = page_no WHERE run_no = ?', runNo).n
  const outcomes = one<{ n: number }>("SELECT count(*) n FROM run_url WHERE run_no = ? AND outcome = 'kept'", runNo).n
  const urls = one<{ n: number; keys: number; open: number }>(
    "SELECT count(*) n, count(DISTINCT key_hi || ':' || key_lo) keys, sum(state IN (0, 1) OR outcome IS NULL) open FROM run_url WHERE run_no = ?",
    runNo,
  )
  const credit = one<{ used: number; state: string }>('SELECT used, state FROM credit_entry WHERE run_no = ?', runNo)
  expect(
    run.kept === pages.n && pages.n === bodies && pages.n === outcomes && pages.n === pages.keys,
    `kept ${run.kept}, pages ${pages.n}, bodies ${bodies}, outcomes ${outcomes}, keys ${pages.keys}`,
  )
  expect(run.kept! <= run.page_limit!, 'over the page limit')
  if (pages.n > 0) expect(pages.least === runNo * 2 ** 24 + 1 && pages.most === runNo * 2 ** 24 + pages.n, 'ordinals are not dense')
  expect(urls.n === urls.keys, `${urls.n} URLs have ${urls.keys} keys`)
  expect(run.known === urls.n, `known ${run.known}, URLs ${urls.n}`)
  if (run.ended_at !== null) {
    expect((urls.open ?? 0) === 0, `${urls.open} URLs without an end`)
    expect(run.settled === run.known, `settled ${run.settled}, known ${run.known}`)
    expect(credit.state === 'settled' && credit.used === run.kept, `credit ${credit.state} ${credit.used}, kept ${run.kept}`)
    expect(run.owner === null, 'an ended run has an owner')
    expect(
      one<{ n: number }>('SELECT count(*) n FROM job WHERE key >= ? AND key < ?', `run:${runNo}:`, `run:${runNo};`).n === 0,
      'an ended run has a job',
    )
  }
  const numbers = (connection.prepare('SELECT event_seq seq FROM page WHERE run_no = ?').all(runNo) as { seq: number }[]).map(
    ({ seq }) => seq,
  )
  for (const { first_seq: first, last_seq: last } of connection
    .prepare('SELECT first_seq, last_seq FROM run_feed WHERE run_no = ?')
    .all(runNo) as { first_seq: number; last_seq: number }[])
    for (let seq = first; seq <= last; seq += 1) numbers.push(seq)
  expect(new Set(numbers).size === numbers.length, 'an event number is there twice')
  expect(
    numbers.every((seq) => seq <= run.event_seq!),
    'an event number is above the last',
  )
  return faults
}
