import * as assert from 'uvu/assert'
import type { Database } from '#backend/platform/database/database.ts'
import { migrate, openSqlite, sqliteDatabase } from '#backend/platform/database/sqlite.ts'
import { hintedQueue, workOnHints } from '#backend/platform/queue/bullmq-hints.ts'
import { embeddedQueue } from '#backend/platform/queue/embedded-queue.ts'
import { sliceKey } from '#backend/platform/queue/queue.ts'
import type { Job, RunQueue } from '#backend/platform/queue/queue.ts'
import { connectRedis } from '#backend/platform/redis/redis.ts'
import type { Redis } from '#backend/platform/redis/redis.ts'
import { addJob, dropSlices } from '#backend/store/run-leases.ts'
import type { FreeRun } from '#backend/store/run-leases.ts'
import type { WaitingRun } from '#backend/store/run-store.ts'
import { createStatements } from '#backend/store/sqlite/statements.ts'
import { DUE_JOBS, waitingRuns } from '#backend/store/sqlite/waiting-runs.ts'
import { startRedis } from '#tests/support/stubs/servers.ts'
import { until } from '#tests/support/until.ts'
import { atEnd, suite } from '#tests/support/suite.ts'

type Opened = {
  queue: RunQueue
  work: Work
  clock: { at: number }
  crash: (runNo: number) => void
  /** How the database finds the jobs that are due. */
  plan: () => string[]
  database: Database
  jobs: () => Promise<string[]>
  woken: () => number
}

/** What an engine does with the jobs. */
type Work = {
  due(withSuspects: boolean): WaitingRun[]
  take(runNo: number): void
  /** Returns how many jobs it added. */
  release(run: FreeRun, dueAt?: number): number
}

const server = await startRedis()
const connections: Redis[] = []
let installations = 0

function connect(isBlocking = false): Redis {
  const redis = connectRedis({ url: server.url, name: 'jobs', isBlocking, warn: () => undefined })
  connections.push(redis)
  return redis
}

const ADAPTERS: Record<string, () => Opened> = {
  embedded,
  'with hints over BullMQ': () => {
    const opened = embedded()
    const queue = hintedQueue({ rows: opened.queue, publisher: connect(), prefix: `test${(installations += 1)}` })
    atEnd(queue.close)
    return { ...opened, queue }
  },
}

function embedded(): Opened {
  const connection = openSqlite(':memory:', { cacheMiB: 1 })
  migrate(connection, Date.now)
  connection.exec("INSERT INTO team (id, name, is_default, created_at, updated_at) VALUES ('team', 'team', 1, 0, 0)")
  const database = sqliteDatabase(connection)
  atEnd(() => database.destroy())
  const statements = createStatements(connection)
  const clock = { at: 5 }
  const now = () => clock.at
  let woken = 0
  const jobs = async () => (await database.selectFrom('job').select('key').orderBy('no').execute()).map(({ key }) => key)
  return {
    queue: embeddedQueue({ now, wake: () => void (woken += 1) }),
    work: {
      due: waitingRuns(statements, { kinds: ['crawl', 'search'], now }),
      take: (runNo) => void statements.steps(dropSlices(runNo)),
      release: (run, dueAt) => statements.steps(addJob(run, now(), dueAt)),
    },
    clock,
    crash: (runNo) =>
      void connection
        .prepare(
          "INSERT INTO run (no, id, team_id, kind, variant, label, seeds, status, page_limit, url_salt, created_at, updated_at, crashes) VALUES (?, ?, 'team', 'crawl', '', '', 1, 'running', 1, x'00', 0, 0, 1)",
        )
        .run(runNo, `run ${runNo}`),
    plan: () =>
      (connection.prepare(`EXPLAIN QUERY PLAN ${DUE_JOBS}`).all({ kinds: '[]', now: 0, withSuspects: 0 }) as { detail: string }[]).map(
        ({ detail }) => detail,
      ),
    database,
    jobs,
    woken: () => woken,
  }
}

for (const [name, open] of Object.entries(ADAPTERS)) {
  const queue = suite(`queue, ${name}`)
  const job = (runNo: number, sliceNo = 1): Job => ({ key: sliceKey(runNo, sliceNo), kind: 'crawl', runNo, teamId: 'team' })

  queue('a job is stored only if the transaction that added it commits', async () => {
    const { queue: opened, database, jobs } = open()
    await database.transaction().execute((transaction) => opened.enqueue(transaction, job(1)))
    await database
      .transaction()
      .execute(async (transaction) => {
        await opened.enqueue(transaction, job(2))
        throw new Error('changed my mind')
      })
      .catch((error: unknown) => assert.match(String(error), 'changed my mind'))
    assert.equal(await jobs(), ['run:1:1'])
  })

  queue('a key has one job, however often it is added', async () => {
    const { queue: opened, database, jobs } = open()
    for (const each of [job(1), job(1), job(1, 2), job(1)])
      await database.transaction().execute((transaction) => opened.enqueue(transaction, each))
    assert.equal(await jobs(), ['run:1:1', 'run:1:2'])
  })

  queue('the worker is notified only when wake is called', async () => {
    const { queue: opened, database, woken } = open()
    await database.transaction().execute((transaction) => opened.enqueue(transaction, job(1)))
    assert.is(woken(), 0)
    opened.wake()
    assert.is(woken(), 1)
  })

  const add = async ({ database, queue: opened }: Opened, ...added: Job[]) => {
    for (const one of added) await database.transaction().execute((transaction) => opened.enqueue(transaction, one))
  }
  const dueOf = ({ work }: Opened) => work.due(true).map(({ runNo }) => runNo)

  queue('a delayed job is not leased before its time, and then goes before the other jobs of its team', async () => {
    const opened = open()
    const { clock, work } = opened
    await add(opened, { ...job(1), dueAt: 100 }, job(2))
    assert.equal(dueOf(opened), [2])
    clock.at = 99
    assert.equal(dueOf(opened), [2])
    clock.at = 100
    assert.equal(dueOf(opened), [1, 2])
    work.take(2)
    assert.equal(dueOf(opened), [1])
  })

  queue('the longest waiting job of a team is next, and a released job goes behind the others', async () => {
    const opened = open()
    const { work } = opened
    await add(opened, job(1), job(2), job(3))
    const order: number[] = []
    for (let turn = 0; turn < 7; turn += 1) {
      const [next] = work.due(true)
      order.push(next!.runNo)
      work.take(next!.runNo)
      assert.is(work.release({ runNo: next!.runNo, sliceNo: 2 + turn, kind: 'crawl', teamId: 'team' }), 1)
    }
    assert.equal(order, [1, 2, 3, 1, 2, 3, 1])
  })

  queue('each team and each kind of jobs has its own queue; jobs of kinds that the worker does not handle stay', async () => {
    const opened = open()
    await add(opened, job(1), job(2), { ...job(3), teamId: 'other' }, { ...job(4), kind: 'search' }, { ...job(5), kind: 'sitemap' })
    assert.equal(opened.work.due(true), [
      { runNo: 1, kind: 'crawl', teamId: 'team', share: 'team', isShort: false },
      { runNo: 3, kind: 'crawl', teamId: 'other', share: 'other', isShort: false },
      { runNo: 4, kind: 'search', teamId: 'team', share: 'team', isShort: false },
    ])
  })

  queue(
    'short jobs go before the other jobs of their team, even before retries that are due, in the order in which they came',
    async () => {
      const opened = open()
      await add(opened, job(1), { ...job(2), dueAt: 1 }, { ...job(3), isShort: true }, { ...job(4), isShort: true })
      const due = () => opened.work.due(true).map(({ isShort, runNo }) => `${runNo}${isShort ? ' short' : ''}`)
      assert.equal(due(), ['3 short', '2', '1'])
      opened.work.take(3)
      assert.equal(due(), ['4 short', '2', '1'])
    },
  )

  queue('a leased run has no waiting job, and no other run is touched', async () => {
    const opened = open()
    await add(opened, job(1), job(10), job(11))
    opened.work.take(1)
    assert.equal(await opened.jobs(), ['run:10:1', 'run:11:1'])
  })

  queue('a run that is released twice has one job', async () => {
    const opened = open()
    const given = { runNo: 1, sliceNo: 2, kind: 'crawl', teamId: 'team' }
    assert.is(opened.work.release(given), 1)
    assert.is(opened.work.release(given, 50), 0)
    assert.equal(await opened.jobs(), ['run:1:2'])
  })

  queue('a run with a recorded crash is skipped while another of its kind is in progress', async () => {
    const opened = open()
    await add(opened, job(1), job(2))
    opened.crash(1)
    assert.equal(
      opened.work.due(false).map(({ runNo }) => runNo),
      [2],
    )
    assert.equal(dueOf(opened), [1])
  })

  queue("a job created under a wrong clock does not wait until that clock's time", async () => {
    const opened = open()
    const { clock } = opened
    clock.at = 10 ** 12
    await add(opened, { ...job(1), dueAt: clock.at + 60_000 }, job(2))
    clock.at = 10 ** 11
    assert.equal(dueOf(opened), [1, 2])
  })

  queue('a job cannot be delayed for more than an hour', async () => {
    const opened = open()
    await add(opened, { ...job(1), dueAt: 10 ** 12 })
    assert.equal(dueOf(opened), [])
    opened.clock.at += 3_600_000
    assert.equal(dueOf(opened), [1])
  })

  queue('100,000 jobs of one team do not delay other teams: the next job is found along one index', async () => {
    const opened = open()
    const { database, plan } = opened
    const rows = (from: number, runAt: number) =>
      Array.from({ length: 1000 }, (_, n) => ({
        key: sliceKey(from + n, 1),
        kind: 'crawl',
        payload: JSON.stringify({ runNo: from + n }),
        teamId: 'busy',
        priority: runAt === 0 ? 1 : 0,
        runAt,
        owner: null,
        leaseUntil: null,
      }))
    await database.transaction().execute(async (transaction) => {
      for (let from = 1; from <= 100_000; from += 1000)
        await transaction
          .insertInto('job')
          .values(rows(from, from > 50_000 ? 0 : 1000 + from))
          .execute()
    })
    await add(opened, job(200_000))
    assert.equal(dueOf(opened), [50_001, 200_000])
    const ofJobs = plan().filter((step) => /\b(?:job|next)\b/.test(step))
    assert.ok(ofJobs.length >= 5, ofJobs.join('; '))
    for (const step of ofJobs)
      assert.match(
        step,
        /^SEARCH (?:job|next) USING (?:COVERING INDEX job_turn|INTEGER PRIMARY KEY|INDEX job_turn) |^SCAN job USING COVERING INDEX job_turn$/,
      )
    assert.is(ofJobs.filter((step) => step.startsWith('SCAN')).length, 1, 'the first line is the first entry of the index')
    assert.ok(ofJobs.filter((step) => step.includes('(team_id=? AND kind=? AND priority=? AND run_at')).length >= 2, ofJobs.join('; '))
  })

  queue.run()
}

const hints = suite('hints of jobs, between processes')

/** Processes that share the rows of the queue, each with its own hints. */
function shared() {
  const opened = embedded()
  const prefix = `test${(installations += 1)}`
  const isWaiting = async (key: string) => (await opened.jobs()).includes(key)
  return {
    ...opened,
    /** A process that makes work. */
    maker() {
      const queue = hintedQueue({ rows: { ...opened.queue, wake: () => undefined }, publisher: connect(), prefix })
      atEnd(queue.close)
      return async (job: Job, ends: 'well' | 'badly' = 'well') => {
        await opened.database
          .transaction()
          .execute(async (transaction) => {
            await queue.enqueue(transaction, job)
            if (ends === 'badly') throw new Error('rolled back')
          })
          .catch(() => undefined)
        queue.wake()
      }
    },
    /** A process that takes jobs; `take` runs when a hint tells it to look. */
    worker(take: () => void) {
      const worker = workOnHints({ blocking: connect(true), prefix, isWaiting, wake: take, places: 2 })
      atEnd(worker.close)
      return worker
    },
  }
}
const jobOf = (runNo: number): Job => ({ key: sliceKey(runNo, 1), kind: 'crawl', runNo, teamId: 'team' })

hints('a job that is committed in one process wakes the worker of another process; a job that is rolled back wakes none', async () => {
  const { maker, worker, jobs, work } = shared()
  let looks = 0
  worker(() => {
    looks += 1
    for (const { runNo } of work.due(true)) work.take(runNo)
  })
  const make = maker()
  await make(jobOf(1), 'badly')
  await make(jobOf(2))
  await until(async () => looks > 0 && (await jobs()).length === 0)
  assert.is(looks, 1)
})

hints('a job that does not fit into one process is leased by another', async () => {
  const { maker, worker, jobs, work } = shared()
  let refused = 0
  worker(() => void (refused += 1))
  const make = maker()
  await make(jobOf(1))
  await until(() => refused > 0)
  assert.equal(await jobs(), ['run:1:1'])
  worker(() => {
    for (const { runNo } of work.due(true)) work.take(runNo)
  })
  await until(async () => (await jobs()).length === 0)
})

hints('no job is lost when Redis is emptied: rows are still leased, and new jobs send hints', async () => {
  const { maker, worker, jobs, work } = shared()
  const make = maker()
  await make(jobOf(1))
  await server.flush()
  assert.equal(
    work.due(true).map(({ runNo }) => runNo),
    [1],
  )
  worker(() => {
    for (const { runNo } of work.due(true)) work.take(runNo)
  })
  await make(jobOf(2))
  // One job is handed out of each team and kind; the next look finds the other.
  await make(jobOf(3))
  await until(async () => {
    await make(jobOf(4))
    return !(await jobs()).some((key) => ['run:1:1', 'run:2:1', 'run:3:1'].includes(key))
  })
})

hints('jobs are created and leased without Redis as before', async () => {
  const { maker, jobs, work } = shared()
  const make = maker()
  for (const redis of connections) redis.disconnect()
  await make(jobOf(1))
  assert.equal(await jobs(), ['run:1:1'])
  assert.is(work.due(true).length, 1)
})

hints.after(async () => {
  for (const redis of connections) redis.disconnect()
  await server.close()
})
hints.run()
