/** Which run a crash of the engine counts against, and what a crawl does while its database cannot be written. */
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import type { Task } from '#backend/crawler/tasks/task.ts'
import { createWorkRecord, readWorkRecord, workRecordOf } from '#backend/crawler/engine/work-record.ts'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import type { EngineHarness } from '#tests/support/engine/engine.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { aboutFiles } from '#tests/support/test-state.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const folder = temporaryFolder('seine-suspects-')
const suspects = suite('runs that are suspected of crashing the engine')

const crashesOf = (engine: EngineHarness, run: number) =>
  engine.rows<{ crashes: number }>('SELECT crashes FROM run WHERE no = ?', run)[0]?.crashes
const ownerOf = (engine: EngineHarness, run: number) =>
  engine.rows<{ owner: string | null }>('SELECT owner FROM run WHERE no = ?', run)[0]?.owner ?? null

/** Crashed owners: runs keep their names until another engine leases them. */
const dead = new Set<string>()
const isHeld = (engine: EngineHarness, run: number) => {
  const owner = ownerOf(engine, run)
  return owner !== null && !dead.has(owner)
}

/** Stops the engine like kill -9: its runs are still marked as its own. */
async function die(engine: EngineHarness, held: number[], guilty: number[]) {
  for (const run of held) await engine.until(() => isHeld(engine, run), `run ${run} is taken`)
  const owners = engine.rows<{ no: number; owner: string }>('SELECT no, owner FROM run WHERE owner IS NOT NULL')
  await engine.stop()
  for (const { owner } of owners) dead.add(owner)
  for (const { no, owner } of owners) engine.tables.prepare('UPDATE run SET owner = ? WHERE no = ? AND ended_at IS NULL').run(owner, no)
  await engine.reopen({ isAfterCrash: true, suspects: guilty })
}

/** Sets the crashes of a run that may be running. PostgreSQL locks its row while the engine commits, and the engine runs in this thread. */
const noteCrashes = (engine: EngineHarness, run: number) =>
  engine.until(() => {
    try {
      engine.tables.prepare('UPDATE run SET crashes = 2 WHERE no = ?').run(run)
      return true
    } catch (fault) {
      if (/lock timeout/.test(String(fault))) return false
      throw fault
    }
  }, `the crashes of run ${run} are noted`)

/** A task that waits until the gate opens, or the engine closes. */
function waitingTask() {
  const gate = Promise.withResolvers<void>()
  const starts: number[] = []
  const task: Task = async ({ run, signal }) => {
    starts.push(run.no)
    await Promise.race([gate.promise, new Promise((_, reject) => signal.addEventListener('abort', reject))])
    return { status: 'finished', reason: 'done', type: 'success', message: 'Done' }
  }
  return { task, open: gate.resolve, starts }
}

suspects(
  'O8: the record of work in progress is on the disk at once, and is removed in the turn of the event loop after the work ends',
  async () => {
    const file = workRecordOf(join(folder, 'seine.db'))
    assert.equal(readWorkRecord(file), [], 'nothing is known before the first record')
    const record = createWorkRecord(file)
    const page = Promise.withResolvers<string>()
    const work = record.during(7, () => page.promise)
    const ended = record.begin([7, 9])
    assert.equal(readWorkRecord(file), [7, 9])
    ended()
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(readWorkRecord(file), [7], 'a page of it is still with a parser')
    page.resolve('parsed')
    assert.is(await work, 'parsed')
    assert.equal(readWorkRecord(file), [7], 'what is done at once with the result belongs to it')
    await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(readWorkRecord(file), [])
    assert.is(statSync(file).mode & 0o777, 0o600)
    record.close()
  },
)

suspects('O8, house bug 3: three crashes of the engine end the crawl that caused them, and the task beside it goes on', async () => {
  const { task, open } = waitingTask()
  // The page that kills the engine never reaches a commit.
  const site = await startSite({ '/': { body: '', until: new Promise(() => undefined) } })
  const engine = startEngineHarness({ tasks: { sitemap: task } })
  const innocent = await engine.task('sitemap', { teamId: 'other' })
  const guilty = await engine.crawl([site.url('/')])
  for (let death = 0; death < 3; death += 1) await die(engine, death < 1 ? [innocent, guilty] : [guilty], [guilty])
  const ended = await engine.ended(guilty)
  assert.equal([ended.status, ended['reason']], ['failed', 'internal'])
  assert.is(crashesOf(engine, innocent), 0)
  open()
  assert.is((await engine.ended(innocent)).status, 'finished')
})

suspects('O8: a kill while no work is in progress counts against no run', async () => {
  const { task, open } = waitingTask()
  const engine = startEngineHarness({ tasks: { sitemap: task } })
  const run = await engine.task('sitemap')
  for (let death = 0; death < 4; death += 1) await die(engine, [run], [])
  assert.is(crashesOf(engine, run), 0)
  open()
  assert.is((await engine.ended(run)).status, 'finished')
})

suspects('O8: suspects run one at a time beside other runs, and a suspect that commits is cleared', async () => {
  const { task, open, starts } = waitingTask()
  const noted = Promise.withResolvers<void>()
  const site = await startSite({ '/': { body: pageOf('Home') }, '/slow': { body: pageOf('Slow'), until: noted.promise } })
  const engine = startEngineHarness({ tasks: { sitemap: task } })
  const first = await engine.task('sitemap')
  const second = await engine.task('sitemap')
  const crawl = await engine.crawl([site.url('/')], { spider: { page_limit: 1 } })
  await engine.ended(crawl)
  await engine.until(() => starts.length === 2, 'both are at it')
  await die(engine, [first, second], [first, second])
  await engine.until(() => starts.length === 3, 'one suspect is taken')
  const well = await engine.crawl([site.url('/')], { teamId: 'other' })
  assert.is((await engine.ended(well)).status, 'finished', 'others run beside it')
  assert.is(starts.length, 3, 'the other suspect waits')
  open()
  for (const run of [first, second]) assert.is((await engine.ended(run)).status, 'finished')
  await noteCrashes(engine, crawl)
  const next = await engine.crawl([site.url('/slow')])
  await noteCrashes(engine, next)
  noted.resolve()
  await engine.ended(next)
  assert.is(crashesOf(engine, next), 0)
  assert.is(crashesOf(engine, crawl), 2, 'and nobody else')
})

aboutFiles(suspects)('O4: while the disk is full a crawl waits, then resumes without loss, and its feed says so once', async () => {
  const paths = Array.from({ length: 40 }, (_, at) => `/${at}`)
  const page = (at: number) => pageOf(`Page ${at} ${randomBytes(3000).toString('hex')}`, paths)
  const site = await startSite(Object.fromEntries([['/', { body: page(0) }], ...paths.map((path, at) => [path, { body: page(at + 1) }])]))
  const told: string[] = []
  const note = (_: object, message: string) => void told.push(message)
  const stuck: boolean[] = []
  const engine = startEngineHarness({ log: { info: note, warn: note, error: note }, onStuck: (is) => stuck.push(is) })
  const [{ pages } = { pages: 0 }] = engine.rows<{ pages: number }>('SELECT page_count AS pages FROM pragma_page_count')
  engine.engineTables.exec(`PRAGMA max_page_count = ${pages + 8}`)
  const run = await engine.crawl([site.url('/')], { spider: { max_depth: 2, page_limit: 100 } })
  await engine.until(() => stuck.length > 0, 'the database is full')
  assert.equal(stuck, [true])
  engine.engineTables.exec('PRAGMA max_page_count = 1000000')
  const { status, kept } = await engine.ended(run)
  assert.equal([status, kept], ['finished', 41])
  assert.equal(engine.faults(run), [])
  assert.equal(stuck, [true, false])
  const feed = engine
    .rows<{ messages: string }>('SELECT messages FROM run_feed WHERE run_no = ?', run)
    .flatMap(({ messages }) =>
      (JSON.parse(messages) as { type: string; message: string }[]).map(({ message, type }) => `${type}: ${message}`),
    )
  const waits = feed.filter((line) => /disk of the server was full/.test(line))
  assert.is(waits.length, 1, feed.join('\n'))
  assert.match(waits[0] ?? '', /^warning: The disk of the server was full: the crawl waited \d+ s and goes on$/)
  assert.is(told.filter((message) => /cannot be written/.test(message)).length, 1, 'the log says it once')
})

suspects.run()
