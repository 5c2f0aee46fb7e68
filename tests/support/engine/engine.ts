/** An engine over a temporary database, without the API: starts runs as the API does, and checks their invariants afterwards. */
import { randomBytes } from 'node:crypto'
import type { SpiderOptions, PageOptions } from '#contract/crawls.ts'
import { createCrawl } from '#contract/crawls.ts'
import { createEngine } from '#backend/crawler/engine/engine.ts'
import type { EngineSettings } from '#backend/crawler/engine/engine-means.ts'
import type { Renderer } from '#backend/crawler/crawl/renderer.ts'
import type { Tasks } from '#backend/crawler/tasks/task.ts'
import { FAILURES } from '#backend/crawler/outcomes.ts'
import { canonicalUrlWithTracking, hostKey, urlIdentity } from '#backend/crawler/url/canonical-url.ts'
import { urlKey } from '#backend/crawler/url/url-key.ts'
import { runCredits } from '#backend/plans/run-credits.ts'
import type { RunHint, RunStore } from '#backend/store/run-store.ts'
import { createIds } from '#backend/platform/ids.ts'
import { createSealer } from '#backend/platform/secrets.ts'
import { openSecrets } from '#backend/runs/run-secrets.ts'
import { embeddedQueue } from '#backend/platform/queue/embedded-queue.ts'
import { upgradeSpec } from '#backend/older-specs.ts'
import { crawlSpecOfV1 } from '#backend/crawls/v1-options.ts'
import { SPEC_VERSION } from '#backend/crawler/run-spec.ts'
import { createRuns } from '#backend/runs/runs.ts'
import { localBus } from '#backend/platform/events/event-bus.ts'
import { makeEngineDatabase } from './engine-database.ts'
import type { Tables } from './engine-database.ts'
import { closedAtEnd } from '../suite.ts'

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
  now = Date.now,
  steady = now,
  engine: hasEngine = true,
  tasks = {},
  proxyFor,
  onStuck,
  isAlone = true,
  around = (store) => store,
  sliceMs,
  renderer,
}: {
  settings?: Partial<EngineSettings>
  log?: Parameters<typeof createEngine>[0]['log']
  publish?: (hints: RunHint[]) => void
  /** The engine's clock: a faster one shortens its waits. */
  now?: () => number
  /** The engine's monotonic clock, if it differs. */
  steady?: () => number
  /** False: a test starts its own, as a process. */
  engine?: boolean
  /** The tasks that run searches and sitemaps. */
  tasks?: Tasks
  /** Called when the database cannot be written, and when it can again. */
  onStuck?: (isStuck: boolean) => void
  /** False: leases of other engines stay valid. */
  isAlone?: boolean
  /** Wraps the store that the engine gets. */
  around?: (store: RunStore) => RunStore
  /** After this time a crawl gives its place to a waiting one. */
  sliceMs?: number
  /** The egress of requests. */
  proxyFor?: NonNullable<Parameters<typeof createEngine>[0]['proxyFor']>
  /** Renders pages instead of a browser; it stores no files and invents their names. */
  renderer?: Renderer
} = {}) {
  const made = makeEngineDatabase()
  const { database, place, tables } = made
  const newId = createIds(now)
  const waiters = new Map<number, () => void>()
  const lookers = new Set<() => void>()
  let starting: Promise<unknown> = Promise.resolve()
  const sealer = createSealer(Buffer.alloc(32, 7))
  let engine = hasEngine ? open() : null
  const bus = localBus()
  const runs = createRuns({
    database,
    queue: embeddedQueue({ now, wake: () => engine?.engine.wake() }),
    bus,
    cancelRun: (no) => engine?.engine.cancel(no),
    hooks: runCredits,
    now,
    newId,
    newSalt: () => randomBytes(16),
    sealer,
  })
  for (const team of ['team', 'other'])
    tables
      .prepare('INSERT INTO team (id, name, is_default, created_at, updated_at) VALUES (?, ?, 1, 0, 0) ON CONFLICT DO NOTHING')
      .run(team, team)
  return {
    database,
    /** The path of its file, or its URL. */
    place,
    tables,
    /** The engine's connection. */
    get engineTables() {
      return engine!.tables
    },
    /** Of another engine. */
    openStore: made.openStore,
    refusePages: made.refusePages,
    runs,
    crawl,
    task,
    ended,
    faults: (runNo: number) => faultsOf(tables, runNo),
    until,
    stop,
    reopen,
    close: closedAtEnd(close),
    rows,
    get engine() {
      return engine!.engine
    },
  }

  function open(isAfterCrash = false, suspects: number[] | null = null) {
    const hear = (hints: RunHint[]) => {
      publish(hints)
      for (const look of lookers) look()
      for (const hint of hints) {
        bus.publish(hint)
        if (['finished', 'failed', 'canceled'].includes(hint.status)) waiters.get(hint.runNo)?.()
      }
    }
    const opened = made.openStore({ kinds: ['crawl', ...Object.keys(tasks)], owner: newId(), now, newId, upgradeSpec })
    return {
      tables: opened.tables,
      close: opened.close,
      engine: createEngine({
        store: around(opened.store),
        isAlone,
        settings: engineSettings(settings),
        now,
        steady,
        random: Math.random,
        publish: hear,
        log,
        tasks,
        openSecrets: (runId, sealed) => openSecrets(sealer, runId, sealed),
        ...(proxyFor && { proxyFor }),
        ...(renderer && {
          renderer: {
            use: renderer,
            keep: async ({ bytes, type }) => ({ id: newId(), type, filename: `page.${type === 'pdf' ? 'pdf' : 'png'}`, bytes }),
            drop: () => undefined,
          },
        }),
        ...(onStuck && { onStuck }),
        ...(sliceMs !== undefined && { sliceMs }),
        isAfterCrash,
        suspects,
        // Leases are renewed by the real clock: on a fast one they lapse, and reconciling would take runs again that are in progress.
        ...(now === Date.now ? {} : { lookMs: 15, reconcileMs: 60_000 }),
      }),
    }
  }

  /** Starts a crawl; returns its number. */
  async function crawl(
    url: string | string[],
    { spider = {}, page = {}, teamId = 'team' }: { spider?: Partial<SpiderOptions>; page?: Partial<PageOptions>; teamId?: string } = {},
  ) {
    const urls = [url].flat()
    const parsed = createCrawl.body.parse({
      url: urls[0],
      options: { spider_options: spider, page_options: { ignore_rendering: true, ...page }, plugin_options: {} },
    })
    // One after the other: an API's open transaction would hold up the engine, which here shares its event loop.
    const started = starting.then(() =>
      runs.start(teamId, {
        kind: 'crawl',
        variant: urls.length > 1 ? 'batch' : 'single',
        label: urls[0]!,
        pageLimit: parsed.options.spider_options.page_limit,
        options: parsed.options,
        spec: crawlSpecOfV1(parsed.options),
        seeds: urls,
        seedUrls: (salt) =>
          urls.map((one) => {
            const fetched = canonicalUrlWithTracking(one)!
            const { hi, lo } = urlKey(salt, urlIdentity(fetched))
            return { url: fetched, hostKey: hostKey(fetched), keyHi: hi, keyLo: lo }
          }),
      }),
    )
    starting = started.catch(() => undefined)
    return (await started).no
  }

  /** Starts a run that is one task; returns its number. */
  async function task(
    kind: keyof Tasks,
    {
      teamId = 'team',
      options = {},
      credits = 4,
      label = 'a task',
    }: { teamId?: string; options?: Record<string, unknown>; credits?: number; label?: string } = {},
  ) {
    const started = starting.then(() =>
      runs.start(teamId, {
        kind,
        variant: '',
        label,
        pageLimit: 20,
        credits,
        options,
        spec: { version: SPEC_VERSION, proxySlug: null, ...options },
        seeds: [],
        seedUrls: () => [],
      }),
    )
    starting = started.catch(() => undefined)
    return (await started).no
  }

  /** Waits until the run has ended; returns its row. */
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

  /** Waits until a read of the tables succeeds; reads after each hint and a few times a second. */
  async function until(holds: () => boolean, what: string, limitMs = 30_000): Promise<void> {
    const late = performance.now() + limitMs
    while (!holds()) {
      if (performance.now() > late) throw new Error(`waited in vain: ${what}`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, 20)
        lookers.add(done)
        function done() {
          clearTimeout(timer)
          lookers.delete(done)
          resolve()
        }
      })
    }
  }

  function row(runNo: number) {
    return tables.prepare('SELECT * FROM run WHERE no = ?').get(runNo) as Record<string, unknown> & { status: string; kept: number }
  }

  function rows<T = Record<string, unknown>>(sql: string, ...values: unknown[]): T[] {
    return tables.prepare(sql).all(...values) as T[]
  }

  /** Discards the engine with its memory, as a crash would, and starts another one. */
  async function reopen({ isAfterCrash = false, suspects = null }: { isAfterCrash?: boolean; suspects?: number[] | null } = {}) {
    await stop()
    engine = open(isAfterCrash, suspects)
  }

  /** Closes the engine and its connection; none of its work continues. */
  async function stop() {
    const stopped = engine
    engine = null
    await stopped?.engine.close({ graceMs: 0 })
    await stopped?.close()
  }

  async function close() {
    await stop()
    await made.close()
  }
}

/**
 * Invariants of a run at every moment, also after a crash: each stored page is one row, one body, one end of a URL; ordinals and event
 * numbers are dense; no URL occurs twice; each end has one reason. After its end a run also has no open URLs and no owner.
 * Returns the violations.
 */
export function faultsOf(tables: Pick<Tables, 'prepare'>, runNo: number): string[] {
  const one = <T>(sql: string) => tables.prepare(sql).get({ runNo }) as T
  const count = (sql: string) => one<{ n: number }>(`SELECT count(*) n FROM ${sql}`).n
  const faults: string[] = []
  const expect = (holds: boolean, what: string) => void (holds || faults.push(what))
  const run = one<Record<string, number> & { status: string; owner: string | null; ended_at: number | null }>(
    'SELECT * FROM run WHERE no = :runNo',
  )
  const kept = run['kept']!
  const pages = one<{ n: number; least: number; most: number; keys: number }>(
    "SELECT count(*) n, min(no) least, max(no) most, count(DISTINCT key_hi || ':' || key_lo) keys FROM page WHERE run_no = :runNo",
  )
  const bodies = count('page_body WHERE page_no > :runNo * 16777216 AND page_no < (:runNo + 1) * 16777216')
  const outcomes = count("run_url WHERE run_no = :runNo AND outcome = 'kept'")
  expect(
    kept === pages.n && kept === bodies && kept === outcomes && kept === pages.keys,
    `kept ${kept}, pages ${pages.n}, bodies ${bodies}, outcomes ${outcomes}, keys ${pages.keys}`,
  )
  expect(kept <= run['page_limit']!, `${kept} pages are over the limit of ${run['page_limit']}`)
  if (kept > 0) expect(pages.least === runNo * 2 ** 24 + 1 && pages.most === runNo * 2 ** 24 + kept, 'ordinals are not dense')

  const urls = one<{ n: number; keys: number; last: number }>(
    "SELECT count(*) n, count(DISTINCT key_hi || ':' || key_lo) keys, max(seq) last FROM run_url WHERE run_no = :runNo",
  )
  expect(urls.n === urls.keys, `${urls.n} URLs have ${urls.keys} keys`)
  expect(urls.n === urls.last + 1, `${urls.n} URLs are numbered up to ${urls.last}`)
  expect(run['known'] === urls.n, `known ${run['known']}, URLs ${urls.n}`)
  const open = count('run_url WHERE run_no = :runNo AND state IN (0, 1)')
  expect(run['settled'] === urls.n - open, `settled ${run['settled']}, URLs that have ended ${urls.n - open}`)
  expect(count('run_url WHERE run_no = :runNo AND state IN (0, 1) AND outcome IS NOT NULL') === 0, 'an open URL has an outcome')
  expect(count('run_url WHERE run_no = :runNo AND state IN (2, 3) AND outcome IS NULL') === 0, 'a URL has ended without an outcome')
  expect(count('run_url WHERE run_no = :runNo AND state = 1 AND due_at IS NULL') === 0, 'a URL waits for no time')
  expect(count("run_url WHERE run_no = :runNo AND outcome = 'internal'") === 0, 'a URL ended by a mistake of ours')
  const failures = (
    tables.prepare('SELECT outcome, count(*) n FROM run_url WHERE run_no = :runNo GROUP BY outcome').all({ runNo }) as {
      outcome: string
      n: number
    }[]
  ).reduce((sum, { outcome, n }) => sum + (FAILURES.has(outcome) ? n : 0), 0)
  expect(run['failed']! >= failures, `failed ${run['failed']}, failures ${failures}`)

  const credit = one<{ used: number; state: string }>('SELECT used, state FROM credit_entry WHERE run_no = :runNo')
  expect(credit.used === kept, `credit used ${credit.used}, kept ${kept}`)
  const isOver = ['finished', 'failed', 'canceled'].includes(run.status)
  expect((run.ended_at !== null) === isOver, `status ${run.status}, ended at ${run.ended_at}`)
  if (isOver) {
    expect(open === 0, `${open} URLs without an end`)
    expect(credit.state === 'settled', `credit is ${credit.state}`)
    expect(run.owner === null && run['lease_until'] === null, 'an ended run has an owner')
    expect(count("job WHERE key >= 'run:' || :runNo || ':' AND key < 'run:' || :runNo || ';'") === 0, 'an ended run has a job')
  }
  faults.push(...faultsOfEvents(tables, runNo, run['event_seq']!, isOver))
  return faults
}

/** Invariants of a run that is one task: event numbers are dense; after its end it has no owner, and its credits are settled. */
export function faultsOfTask(tables: Pick<Tables, 'prepare'>, runNo: number): string[] {
  const one = <T>(sql: string) => tables.prepare(sql).get({ runNo }) as T
  const run = one<{ status: string; owner: string | null; ended_at: number | null; event_seq: number; team_id: string }>(
    'SELECT * FROM run WHERE no = :runNo',
  )
  const credit = one<{ requested: number; used: number; state: string }>('SELECT * FROM credit_entry WHERE run_no = :runNo')
  const jobs = one<{ n: number }>("SELECT count(*) n FROM job WHERE key >= 'run:' || :runNo || ':' AND key < 'run:' || :runNo || ';'").n
  const isOver = ['finished', 'failed', 'canceled'].includes(run.status)
  const faults = faultsOfEvents(tables, runNo, run.event_seq, isOver)
  const expect = (holds: boolean, what: string) => void (holds || faults.push(what))
  expect((run.ended_at !== null) === isOver, `status ${run.status}, ended at ${run.ended_at}`)
  expect(credit.used >= 0 && credit.used <= credit.requested, `credits used ${credit.used} of ${credit.requested}`)
  if (!isOver) return faults
  expect(run.owner === null && jobs === 0, `an ended run has owner ${run.owner} and ${jobs} jobs`)
  expect(credit.state === 'settled', `credit is ${credit.state}`)
  if (run.status === 'failed') expect(credit.used === 0, `a failed run has used ${credit.used}`)
  return faults
}

/** Numbers of pages, feed and end are 1, 2, 3 …; only the oldest feed lines may be missing. */
function faultsOfEvents(tables: Pick<Tables, 'prepare'>, runNo: number, last: number, isOver: boolean): string[] {
  const faults: string[] = []
  const numbers = (tables.prepare('SELECT event_seq seq FROM page WHERE run_no = ?').all(runNo) as { seq: number }[]).map(({ seq }) => seq)
  const feed = tables.prepare('SELECT first_seq, last_seq, messages FROM run_feed WHERE run_no = ?').all(runNo) as {
    first_seq: number
    last_seq: number
    messages: string
  }[]
  for (const { first_seq: first, last_seq: end, messages } of feed) {
    const written = (JSON.parse(messages) as { seq: number }[]).map(({ seq }) => seq)
    if (written[0] !== first || written.at(-1) !== end || written.length !== end - first + 1)
      faults.push(`feed ${first} to ${end} is not dense`)
    numbers.push(...written)
  }
  if (isOver) numbers.push(last)
  const known = new Set(numbers)
  if (known.size !== numbers.length) faults.push('an event number is there twice')
  for (let seq = Math.max(1, last - 400); seq <= last; seq += 1) if (!known.has(seq)) faults.push(`event ${seq} of ${last} is missing`)
  for (const seq of numbers) if (seq > last || seq < 1) faults.push(`event ${seq} is not between 1 and ${last}`)
  return faults.slice(0, 5)
}
