/** Searches and sitemaps in the engine: each is one task, which is ended, stopped, interrupted, and kept apart from the others. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { RunHint, TaskResults } from '#backend/store/run-store.ts'
import { currentShare } from '#backend/platform/current-share.ts'
import { RunOver } from '#backend/crawler/tasks/task.ts'
import type { Task, TaskContext, TaskEnding } from '#backend/crawler/tasks/task.ts'
import { faultsOfTask, startEngineHarness } from '#tests/support/engine/engine.ts'
import type { EngineHarness } from '#tests/support/engine/engine.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import type { Site, SitePage } from '#tests/support/sites/site.ts'
import { aboutFiles, isOverPostgres } from '#tests/support/test-state.ts'

const tasks = suite('a run that is one task')
const open: { close(): Promise<void> }[] = []
tasks.after(async () => {
  for (const one of open.toReversed()) await one.close()
})

function engineWith(search: Task, options: Parameters<typeof startEngineHarness>[0] = {}): EngineHarness {
  const engine = startEngineHarness({ tasks: { search, sitemap: search }, ...options })
  open.push(engine)
  return engine
}

async function site(pages: Record<string, SitePage>, hosts?: string[]): Promise<Site> {
  const started = await startSite(pages, hosts === undefined ? {} : { hosts })
  open.push(started)
  return started
}

const done = (more: Partial<TaskEnding> = {}): TaskEnding => ({
  status: 'finished',
  reason: 'done',
  type: 'success',
  message: 'Done',
  ...more,
})
let noteNo = 0
const note = (text: string): TaskResults => ({ urls: [{ seq: (noteNo += 1), url: text, lastmod: null }] })
const keep = ({ commit }: TaskContext, text: string) => commit(note(text), { kept: 1 })
const notes = (engine: EngineHarness, run: number) =>
  engine.rows<{ url: string }>('SELECT url FROM sitemap_url WHERE run_no = ? ORDER BY seq', run).map(({ url }) => url)
const rowOf = (engine: EngineHarness, run: number) =>
  engine.rows<{ id: string; status: string; reason: string; kept: number; token: number; owner: string | null }>(
    'SELECT * FROM run WHERE no = ?',
    run,
  )[0]!
const feedOf = (engine: EngineHarness, run: number) =>
  engine
    .rows<{ messages: string }>('SELECT messages FROM run_feed WHERE run_no = ? ORDER BY first_seq', run)
    .flatMap(({ messages }) =>
      (JSON.parse(messages) as { type: string; message: string }[]).map(({ message, type }) => `${type}: ${message}`),
    )
const creditOf = (engine: EngineHarness, run: number) =>
  engine.rows<{ used: number; state: string }>('SELECT used, state FROM credit_entry WHERE run_no = ?', run)[0]!
const stop = (engine: EngineHarness, run: number) => engine.runs.stop('team', 'search', rowOf(engine, run).id)
const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })))
const fast = () => {
  const begun = performance.now()
  const start = Date.now()
  return () => start + Math.round((performance.now() - begun) * 60)
}

// ---- its proxy

tasks('a task reports its proxy with its first request, or at once if the proxy differs from the requested one', async () => {
  const pages = await site({ '/': pageOf('home') })
  const through = (type: 'info' | 'warning') => () => ({ proxy: null, notice: { type, message: 'Requests go that way' } })
  const rows: [asks: boolean, type: 'info' | 'warning', feed: string[]][] = [
    [false, 'info', ['info: begun', 'success: Done']],
    [true, 'info', ['info: begun', 'info: Requests go that way', 'success: Done']],
    [true, 'warning', ['warning: Requests go that way', 'info: begun', 'success: Done']],
  ]
  for (const [asks, type, feed] of rows) {
    const engine = engineWith(
      async ({ fetch, tell }) => {
        tell('info', 'begun')
        for (let times = asks ? 2 : 0; times > 0; times -= 1) await fetch({ url: pages.url('/') })
        return done()
      },
      { proxyFor: through(type) },
    )
    const run = await engine.task('search')
    await engine.ended(run)
    assert.equal(feedOf(engine, run), feed, `${asks} ${type}`)
  }
})

// ---- its share

tasks('a task works for the share of its team, so that its searches over own pages take turns with those of others', async () => {
  const shares: string[] = []
  const engine = engineWith(async ({ tell }) => {
    tell('info', 'begun')
    await new Promise(setImmediate)
    shares.push(currentShare())
    return done()
  })
  await engine.ended(await engine.task('search'))
  // This team has no owner.
  assert.equal(shares, ['team'])
})

// ---- its end

tasks('a task reports its events in order, and its end together with its result', async () => {
  const ends: { notes: string[]; status: string }[] = []
  const engine: EngineHarness = engineWith(
    async (context) => {
      assert.equal(context.run.spec, { version: 1, proxySlug: null, depth: 'basic' })
      assert.is(context.run.isResumed, false)
      context.tell('info', 'one')
      await keep(context, 'first')
      context.tell('warning', 'two')
      return done({ results: note('last'), kept: 1 })
    },
    {
      publish: (hints: RunHint[]) => {
        for (const { runNo, status } of hints)
          if (status === 'finished') ends.push({ notes: notes(engine, runNo), status: rowOf(engine, runNo).status })
      },
    },
  )
  const run = await engine.task('search', { options: { depth: 'basic' } })
  const row = await engine.ended(run)
  assert.equal([row.status, row['reason'], row.kept], ['finished', 'done', 2])
  assert.equal(feedOf(engine, run), ['info: one', 'warning: two', 'success: Done'])
  assert.equal(creditOf(engine, run), { used: 4, state: 'settled' })
  // A client that hears of the end finds the result.
  assert.equal(ends, [{ notes: ['first', 'last'], status: 'finished' }])
  assert.equal(faultsOfTask(engine.tables, run), [])
})

tasks('a task that fails costs nothing, whatever it had used before', async () => {
  const engine = engineWith(async (context) => {
    await keep(context, 'first')
    return { status: 'failed', reason: 'no_provider', type: 'error', message: 'Nobody answers' }
  })
  const run = await engine.task('search')
  assert.is((await engine.ended(run)).status, 'failed')
  assert.equal(creditOf(engine, run), { used: 0, state: 'settled' })
  assert.equal(feedOf(engine, run), ['error: Nobody answers'])
  assert.equal(faultsOfTask(engine.tables, run), [])
})

tasks('a task that reports its usage is charged for it', async () => {
  const engine = engineWith(async () => done({ used: 1 }))
  const run = await engine.task('sitemap')
  await engine.ended(run)
  assert.equal(creditOf(engine, run), { used: 1, state: 'settled' })
})

tasks('a task whose commit fails has written nothing of that commit', async () => {
  const engine = engineWith(async (context) => {
    const half = note('half').urls!
    const fault = await context.commit({ urls: [...half, ...half] }, { kept: 5 }).catch((error: unknown) => error)
    assert.is((fault as { code?: string }).code, isOverPostgres ? '23505' : 'SQLITE_CONSTRAINT_PRIMARYKEY')
    await keep(context, 'whole')
    return done()
  })
  const run = await engine.task('search')
  assert.is((await engine.ended(run)).kept, 1)
  assert.equal(notes(engine, run), ['whole'])
  assert.equal(faultsOfTask(engine.tables, run), [])
})

// ---- stopped

tasks('S-WRK-09 a task that is stopped ends at once, keeps its results, and can do nothing more', async () => {
  const gate = Promise.withResolvers<void>()
  const late = Promise.withResolvers<unknown[]>()
  const at = await site({ '/slow': { body: pageOf('slow'), until: gate.promise }, '/more': pageOf('more') })
  const engine = engineWith(async (context) => {
    await keep(context, 'first')
    const outcome = await context.fetch({ url: at.url('/slow') })
    const after = await context.fetch({ url: at.url('/more') })
    let thrown: unknown
    try {
      await keep(context, 'too late')
    } catch (fault) {
      thrown = fault
    }
    context.tell('info', 'too late')
    late.resolve([outcome, after, thrown, context.signal.reason])
    return done()
  })
  const run = await engine.task('search')
  await at.asked('/slow')
  await stop(engine, run)
  const { status, kept } = rowOf(engine, run)
  assert.equal([status, kept], ['canceled', 1])
  const [outcome, after, thrown, reason] = (await late.promise) as [{ reason: string }, { reason: string }, unknown, string]
  assert.equal([outcome.reason, after.reason, reason], ['canceled', 'canceled', 'canceled'])
  assert.ok(thrown instanceof RunOver)
  gate.resolve()
  assert.is(at.times('/more'), 0)
  assert.equal(notes(engine, run), ['first'])
  assert.equal(feedOf(engine, run), ['warning: Canceled with 1 result'])
  assert.equal(creditOf(engine, run), { used: 4, state: 'settled' })
  assert.equal(faultsOfTask(engine.tables, run), [])
})

tasks('a task that ignores its abort signal is ended anyway', async () => {
  const gate = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const engine = engineWith(async () => {
    started.resolve()
    await gate.promise
    return done()
  })
  const run = await engine.task('search')
  await started.promise
  await stop(engine, run)
  const before = rowOf(engine, run)
  assert.equal([before.status, creditOf(engine, run).used], ['canceled', 0])
  gate.resolve()
  const next = await engine.task('search')
  await engine.ended(next)
  assert.equal(rowOf(engine, run), before)
  assert.equal(faultsOfTask(engine.tables, run), [])
})

tasks('a task that is stopped just as it ends has one end', async () => {
  const ends = new Map<number, Set<string>>()
  const engine = engineWith(
    async (context) => {
      for (let n = 0; n < 3; n += 1) {
        await new Promise((resolve) => setImmediate(resolve))
        await keep(context, String(n))
      }
      return done()
    },
    {
      publish: (hints: RunHint[]) => {
        for (const { runNo, status } of hints) if (status !== 'running') ends.set(runNo, (ends.get(runNo) ?? new Set()).add(status))
      },
    },
  )
  for (let n = 0; n < 40; n += 1) {
    const run = await engine.task('search')
    for (let turns = n % 8; turns > 0; turns -= 1) await new Promise((resolve) => setImmediate(resolve))
    await stop(engine, run)
    const row = await engine.ended(run)
    assert.ok(['canceled', 'finished'].includes(row.status))
    assert.equal(faultsOfTask(engine.tables, run), [])
    assert.ok((ends.get(run)?.size ?? 0) <= 1, [...(ends.get(run) ?? [])].join())
  }
})

// ---- its time limit

// The clock is too fast for a server that answers just before the timeout.
aboutFiles(tasks)('that reaches its time limit may return its results so far, and ends with a warning', async () => {
  const engine = engineWith(
    async (context) => {
      await keep(context, 'in time')
      await aborted(context.signal)
      assert.is(context.signal.reason, 'deadline')
      await keep(context, 'in the last moment')
      return done({ kept: 1 })
    },
    { now: fast(), settings: { maxJobSeconds: 3 } },
  )
  const run = await engine.task('search')
  const row = await engine.ended(run)
  assert.equal([row.status, row['reason'], row.kept], ['finished', 'time_limit', 3])
  assert.equal(feedOf(engine, run), ['warning: The time limit was reached with 3 results'])
  assert.equal(faultsOfTask(engine.tables, run), [])
})

tasks('a task that reaches its time limit without results fails, whether it returns or not', async () => {
  const engine = engineWith(async ({ run }) => (run.label === '' ? done() : new Promise<never>(() => undefined)), {
    now: fast(),
    settings: { maxJobSeconds: 3 },
  })
  const run = await engine.task('search')
  const row = await engine.ended(run)
  assert.equal([row.status, row['reason']], ['failed', 'time_limit'])
  assert.is(creditOf(engine, run).used, 0)
  assert.equal(faultsOfTask(engine.tables, run), [])
})

// ---- interrupted

tasks('a task is released when the engine closes, and restarted by the next engine', async () => {
  const starts: { isResumed: boolean; kept: number }[] = []
  const engine = engineWith(async (context) => {
    starts.push({ isResumed: context.run.isResumed, kept: context.run.kept })
    if (starts.length === 3) return done()
    context.tell('info', `start ${starts.length}`)
    await keep(context, `part ${starts.length}`)
    context.tell('info', `kept ${starts.length}`)
    await aborted(context.signal)
    return done({ message: 'not heard' })
  })
  const run = await engine.task('search')
  for (const parts of [1, 2]) {
    await engine.until(() => notes(engine, run).length === parts, `part ${parts} is kept`)
    await engine.reopen()
  }
  const row = await engine.ended(run)
  assert.equal([row.status, row.kept], ['finished', 2])
  assert.equal(starts, [
    { isResumed: false, kept: 0 },
    { isResumed: true, kept: 1 },
    { isResumed: true, kept: 2 },
  ])
  assert.equal(
    feedOf(engine, run).filter((line) => !line.includes('interruption')),
    ['info: start 1', 'info: kept 1', 'info: start 2', 'info: kept 2', 'success: Done'],
  )
  assert.equal(faultsOfTask(engine.tables, run), [])
})

tasks('a task resumes after kill -9, any number of times, from its last commit', async () => {
  const paths = Array.from({ length: 60 }, (_, n) => `/p/${n}`)
  const at = await site(Object.fromEntries(paths.map((path) => [path, { body: pageOf(path), afterMs: 3 }])))
  const engine = startEngineHarness({ engine: false })
  open.push(engine)
  const run = await engine.task('search', { options: { urls: paths.map((path) => at.url(path)) } })
  const program = fileURLToPath(new URL('../../support/engine/task-engine.ts', import.meta.url))
  let kills = 0
  for (; kills < 6; kills += 1) {
    const child = fork(program, [engine.place], { stdio: 'ignore' })
    const target = at.hits.length + 7
    await engine.until(() => at.hits.length >= target, 'it asks on')
    child.kill('SIGKILL')
    await once(child, 'exit')
    assert.equal(faultsOfTask(engine.tables, run), [])
  }
  const child = fork(program, [engine.place], { stdio: 'ignore' })
  await engine.until(() => rowOf(engine, run).status === 'finished', 'it has ended')
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.is(rowOf(engine, run).kept, 60)
  assert.ok(at.hits.length <= 60 + kills, `${at.hits.length} requests`)
  assert.equal(faultsOfTask(engine.tables, run), [])
})

tasks('a task that throws is restarted after 1 s and after 4 s, and then fails', async () => {
  let starts = 0
  let at = Date.now()
  const engine = engineWith(
    async (context) => {
      if (context.run.teamId === 'other') return done()
      starts += 1
      throw new Error('a mistake of ours')
    },
    { now: () => at, steady: () => performance.now() },
  )
  const run = await engine.task('search')
  for (const [times, seconds] of [
    [1, 1],
    [2, 4],
  ] as const) {
    await engine.until(() => starts === times && rowOf(engine, run).owner === null, 'it has broken')
    assert.equal(engine.rows('SELECT run_at FROM job'), [{ run_at: at + seconds * 1000 }])
    at += seconds * 1000 - 1
    // Others are taken meanwhile.
    const well = await engine.task('search', { teamId: 'other' })
    assert.is((await engine.ended(well)).status, 'finished')
    assert.equal(faultsOfTask(engine.tables, well), [])
    assert.is(starts, times)
    at += 1
  }
  const row = await engine.ended(run)
  assert.equal([row.status, row['reason'], starts], ['failed', 'internal', 3])
  assert.match(feedOf(engine, run).at(-1)!, /^error: Stopped after repeated internal errors/)
  assert.equal(faultsOfTask(engine.tables, run), [])
})

tasks('a task that crashes its engine three times fails; a stopped server does not count as a crash', async () => {
  const engine = engineWith(async ({ signal }) => {
    await aborted(signal)
    return done()
  })
  let dead: unknown = null
  const crash = async (run: number, isAfterCrash: boolean) => {
    await engine.until(() => ![null, dead].includes(rowOf(engine, run).owner), 'it is taken')
    const { owner } = rowOf(engine, run)
    dead = owner
    await engine.stop()
    // As a process that died leaves it.
    engine.tables.prepare('UPDATE run SET owner = ? WHERE no = ? AND ended_at IS NULL').run(owner, run)
    await engine.reopen({ isAfterCrash })
  }
  const run = await engine.task('search')
  for (let n = 0; n < 4; n += 1) await crash(run, false)
  assert.is(rowOf(engine, run).status, 'running')
  for (let n = 0; n < 3; n += 1) await crash(run, true)
  assert.equal([(await engine.ended(run)).status, rowOf(engine, run).reason], ['failed', 'internal'])
})

tasks('a task with an expired lease token writes nothing, and is leased anew', async () => {
  const started = Promise.withResolvers<TaskContext>()
  let starts = 0
  const engine = engineWith(async (context) => {
    starts += 1
    if (starts > 1) return done()
    started.resolve(context)
    return new Promise<never>(() => undefined)
  })
  const run = await engine.task('search')
  const old = await started.promise
  engine.tables.prepare("UPDATE run SET token = token + 1, owner = 'another', lease_until = 0 WHERE no = ?").run(run)
  const fault = await keep(old, 'by the old owner').catch((error: unknown) => error)
  assert.instance(fault, RunOver)
  assert.is(old.signal.reason, 'taken')
  assert.equal(notes(engine, run), [])
  assert.is((await engine.ended(run)).status, 'finished')
  assert.equal(faultsOfTask(engine.tables, run), [])
})

// ---- among others

// Over PostgreSQL an engine may assign a place before it has read a job: ports/two-engines tests turns there.
aboutFiles(tasks)('waits for its turn: the team with the fewest runs goes first, and other jobs are not touched', async () => {
  const taken: string[] = []
  const gates = new Map<string, () => void>()
  const engine = engineWith(
    async ({ run, signal }) => {
      taken.push(run.teamId)
      await Promise.race([new Promise<void>((resolve) => gates.set(`${run.teamId} ${taken.length}`, resolve)), aborted(signal)])
      return done()
    },
    { settings: { runConcurrency: 2 } },
  )
  engine.tables
    .prepare("INSERT INTO job (key, kind, payload, team_id, priority, run_at) VALUES ('mail:1', 'mail', 'sealed', '', 0, 0)")
    .run()
  const first: number[] = []
  for (let n = 0; n < 4; n += 1) first.push(await engine.task('search'))
  await engine.until(() => taken.length === 2, 'both places are taken')
  const other = await engine.task('sitemap', { teamId: 'other' })
  gates.get('team 1')!()
  await engine.until(() => taken.length === 3, 'a place has gone on')
  assert.equal(taken, ['team', 'team', 'other'])
  while (engine.rows('SELECT 1 FROM run WHERE ended_at IS NULL').length > 0) {
    for (const go of gates.values()) go()
    gates.clear()
    await engine.until(() => gates.size > 0 || engine.rows('SELECT 1 FROM run WHERE ended_at IS NULL').length === 0, 'the next one starts')
  }
  for (const run of [...first, other]) assert.equal(faultsOfTask(engine.tables, run), [])
  assert.equal(engine.rows('SELECT key FROM job'), [{ key: 'mail:1' }])
})

tasks("a task and the crawls on its host share that host's limits, also a limit of one request at a time", async () => {
  const pages: Record<string, SitePage> = {}
  for (let n = 0; n < 30; n += 1) pages[`/p/${n}`] = { body: pageOf(`page ${n}`, [`/p/${n + 1}`, `/p/${n + 2}`]), afterMs: 4 }
  for (let n = 0; n < 15; n += 1) pages[`/t/${n}`] = { body: 'text', afterMs: 4 }
  const at = await site(pages)
  const engine = engineWith(
    async ({ fetch }) => {
      const outcomes = await Promise.all(Array.from({ length: 15 }, (_, n) => fetch({ url: at.url(`/t/${n}`) })))
      assert.ok(outcomes.every(({ kind }) => kind === 'fetched'))
      return done()
    },
    { settings: { hostConcurrency: 1 } },
  )
  const crawl = await engine.crawl(at.url('/p/0'), { spider: { max_depth: 100, page_limit: 25 } })
  await at.asked('/p/2')
  const run = await engine.task('search')
  await engine.ended(run)
  await engine.ended(crawl)
  assert.is(at.mostAtOnce(), 1)
  // Neither waits for the other's end.
  const order = at.paths().map((path) => path[1])
  assert.ok(order.lastIndexOf('p') > order.indexOf('t'), order.join(''))
  const between = order.slice(order.indexOf('t'), order.lastIndexOf('t'))
  assert.ok(between.filter((one) => one === 'p').length >= 5, order.join(''))
  assert.equal([faultsOfTask(engine.tables, run), engine.faults(crawl)], [[], []])
})

tasks.run()
