/** The parts of schedules that work beside requests: what happens if something fails, or two changes meet. */
import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { createCrawl } from '#contract/crawls.ts'
import { createSchedule, runSchedule } from '#contract/schedules.ts'
import { AppError } from '#backend/errors.ts'
import { createSealer } from '#backend/platform/secrets.ts'
import { createReporter } from '#backend/schedules/report-ends.ts'
import { createSchedules } from '#backend/schedules/schedules.ts'
import type { ScheduleRow } from '#backend/schedules/schedules.ts'
import { createStarter } from '#backend/schedules/start-due.ts'
import { startApp } from '#tests/support/app.ts'
import type { App, Caller } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import type { Clock } from '#tests/support/clock.ts'
import { suite } from '#tests/support/suite.ts'

const loops = suite('loops of schedules')

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOON = Date.parse('2026-11-27T12:00:00Z')
const NEVER = () => () => undefined

type Stage = { app: App; clock: Clock; me: Caller; schedules: ReturnType<typeof createSchedules>; warned: string[] }

/** An app whose own loops never look. */
async function onStage(work: (stage: Stage) => Promise<void>): Promise<void> {
  const clock = createClock(NOON)
  const app = await startApp({ clock, every: NEVER })
  const schedules = createSchedules({
    database: app.backend.database,
    newId: () => assert.unreachable() as never,
    now: clock.now,
    repeatedOf: () => assert.unreachable() as never,
    sealer: createSealer(Buffer.alloc(32)),
  })
  await work({ app, clock, me: await app.signIn(), schedules, warned: [] })
}

async function scheduled(stage: Stage): Promise<string> {
  const {
    app,
    me: { apiKey: key },
  } = stage
  const { uuid: crawl } = (await app.call(createCrawl, { key, body: { url: 'http://127.0.0.1:8080/' } })).body
  await finish(stage, crawl)
  const body = { crawl, name: 'Nightly', cron: '0 3 * * *', mail_changes: true }
  return (await app.call(createSchedule, { key, body })).body.uuid
}
const run = async ({ app, me }: Stage, id: string) => (await app.call(runSchedule, { key: me.apiKey, params: { id } })).body.uuid

async function finish({ app, clock }: Stage, crawlId: string): Promise<void> {
  await app.backend.database.updateTable('run').set({ status: 'finished', endedAt: clock.now() }).where('id', '=', crawlId).execute()
}

/** @param countOf  called for each comparison of a crawl */
function reporterOf({ app, warned }: Stage, countOf: (crawlId: string) => void) {
  const mailed: string[] = []
  const { database } = app.backend
  const reporter = createReporter({
    comparison: {
      async count({ no }) {
        const { id } = await database.selectFrom('run').select('id').where('no', '=', no).executeTakeFirstOrThrow()
        countOf(id)
        return { new: 1, changed: 0, removed: 0, error: 0, same: 0 }
      },
    },
    database,
    every: NEVER,
    queueMails: async (_transaction, _row, _outcome, crawlId) => void mailed.push(crawlId),
    runs: {
      async read(teamId, _kind, id) {
        return (await database
          .selectFrom('run')
          .selectAll()
          .where('teamId', '=', teamId)
          .where('id', '=', id)
          .executeTakeFirstOrThrow()) as never
      },
    },
    warn: (_facts, message) => void warned.push(message),
  })
  return { mailed, reporter }
}

function starterOf(
  { app, clock, schedules, warned }: Stage,
  calls: Pick<Parameters<typeof createStarter>[0], 'start'> & Partial<Pick<Parameters<typeof createStarter>[0], 'onRefused'>>,
) {
  return createStarter({
    database: app.backend.database,
    every: NEVER,
    now: clock.now,
    onRefused: () => assert.unreachable() as never,
    schedules,
    warn: (_facts, message) => void warned.push(message),
    ...calls,
  })
}

loops('a crawl starts at its time, no millisecond earlier, and not for a deleted team', async () => {
  await onStage(async (stage) => {
    const { app, clock } = stage
    const id = await scheduled(stage)
    const started: [id: string, scheduledFor: number][] = []
    const starter = starterOf(stage, { start: async (row, scheduledFor) => started.push([row.id, scheduledFor]) })
    clock.advance(15 * HOUR - 1)
    await starter.look()
    assert.equal(started, [])
    clock.advance(1)
    const { database } = app.backend
    await database.updateTable('team').set({ deletedAt: 1 }).execute()
    await starter.look()
    assert.equal(started, [])
    await database.updateTable('team').set({ deletedAt: null }).execute()
    await starter.look()
    await starter.look()
    assert.equal(started, [[id, NOON + 15 * HOUR]])
    await starter.close()
  })
})

loops('a schedule whose crawls cannot be compared does not hold up the mails of others', async () => {
  await onStage(async (stage) => {
    const [broken, other] = [await scheduled(stage), await scheduled(stage)]
    const [unreadable, crawl] = [await run(stage, broken), await run(stage, other)]
    for (const id of [unreadable, crawl]) await finish(stage, id)
    const { mailed, reporter } = reporterOf(stage, (id) => {
      if (id === unreadable) throw new Error('disk I/O error')
    })
    await reporter.look()
    assert.equal([mailed, stage.warned.length], [[crawl], 1])
    await reporter.close()
  })
})

loops('a crawl is reported after those before it, also if they take longer', async () => {
  await onStage(async (stage) => {
    const id = await scheduled(stage)
    const [slow, fast] = [await run(stage, id), await run(stage, id)]
    const { mailed, reporter } = reporterOf(stage, () => undefined)
    await finish(stage, fast)
    await reporter.look()
    assert.equal(mailed, [])
    await finish(stage, slow)
    await reporter.look()
    await reporter.look()
    assert.equal(mailed, [slow, fast])
    await reporter.close()
  })
})

loops('a refusal is stored together with its mails: if they cannot be queued, it is tried again', async () => {
  await onStage(async (stage) => {
    const { clock, me, schedules, warned } = stage
    const id = await scheduled(stage)
    const told: string[] = []
    const starter = starterOf(stage, {
      async onRefused(_transaction, _row, because) {
        told.push(because)
        if (told.length === 1) throw new Error('database is busy')
      },
      start: () => Promise.reject(new AppError('plan_limit')),
    })
    clock.advance(DAY)
    const isDue = async () => (await schedules.read(me.teamId, id)).nextAt! <= clock.now()
    await starter.look()
    assert.equal([await isDue(), warned.length], [true, 1])
    await starter.look()
    const { problem } = await schedules.read(me.teamId, id)
    assert.equal([await isDue(), problem, told.length], [false, 'refused', 2])
    await starter.close()
  })
})

loops('schedules that cannot be started hold up no other, however many they are', async () => {
  await onStage(async (stage) => {
    const { clock } = stage
    const id = await scheduled(stage)
    await copyEarlier(stage, 250)
    const started: string[] = []
    const starter = starterOf(stage, {
      async start(due) {
        if (due.id !== id) throw new Error('its request cannot be read')
        started.push(due.id)
      },
    })
    clock.advance(DAY)
    for (let looks = 0; looks < 3; looks += 1) await starter.look()
    assert.equal(started, [id])
    await starter.close()
  })
})

loops('a schedule that could not be started once is started soon, although many others never can be', async () => {
  await onStage(async (stage) => {
    const { clock } = stage
    const id = await scheduled(stage)
    await copyEarlier(stage, 150)
    const tries: string[] = []
    const starter = starterOf(stage, {
      async start(due) {
        if (due.id === id) tries.push(id)
        if (due.id !== id || tries.length === 1) throw new Error('its request cannot be read')
      },
    })
    clock.advance(DAY)
    for (let looks = 0; looks < 5; looks += 1) await starter.look()
    assert.equal(tries, [id, id])
    await starter.close()
  })
})

loops('teams start their due schedules in turn: one with many does not delay another', async () => {
  await onStage(async (stage) => {
    const { app, clock } = stage
    const id = await scheduled(stage)
    const other = await scheduled({ ...stage, me: await app.secondUser() })
    await copyEarlier(stage, 250, id)
    const started: string[] = []
    const starter = starterOf(stage, { start: async (row) => started.push(row.id) })
    clock.advance(DAY)
    await starter.look()
    assert.ok(started.includes(other))
    await starter.close()
  })
})

loops('the due schedules of all teams of an owner are one turn beside those of another owner', async () => {
  await onStage(async (stage) => {
    const { app, clock, me } = stage
    const id = await scheduled(stage)
    const other = await scheduled({ ...stage, me: await app.secondUser() })
    const { database } = app.backend
    const row = await database.selectFrom('crawlSchedule').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const teams = Array.from({ length: 120 }, () => ({
      id: randomUUID(),
      name: 'Team',
      isDefault: 0,
      ownerId: me.userId,
      createdAt: 0,
      updatedAt: 0,
    }))
    await database.insertInto('team').values(teams).execute()
    for (const team of teams)
      await database
        .insertInto('crawlSchedule')
        .values({ ...row, id: randomUUID(), teamId: team.id, nextAt: row.nextAt! - 1 })
        .execute()
    const started: string[] = []
    const starter = starterOf(stage, { start: async (due) => started.push(due.id) })
    clock.advance(DAY)
    await starter.look()
    assert.ok(started.includes(other))
    await starter.close()
  })
})

loops('crawls that can never be compared hold up no mails, however many they are', async () => {
  await onStage(async (stage) => {
    await scheduled(stage)
    await copyWithCrawl(stage, 80)
    const crawl = await run(stage, await scheduled(stage))
    await finish(stage, crawl)
    const { mailed, reporter } = reporterOf(stage, (compared) => {
      if (compared !== crawl) throw new Error('disk I/O error')
    })
    for (let looks = 0; looks < 3; looks += 1) await reporter.look()
    assert.equal(mailed, [crawl])
    await reporter.close()
  })
})

loops('crawls of teams are reported in turn: a team with many does not delay another', async () => {
  await onStage(async (stage) => {
    const { app } = stage
    await scheduled(stage)
    await copyWithCrawl(stage, 120)
    const other = { ...stage, me: await app.secondUser() }
    const crawl = await run(other, await scheduled(other))
    await finish(other, crawl)
    const { mailed, reporter } = reporterOf(stage, () => undefined)
    await reporter.look()
    assert.ok(mailed.includes(crawl))
    await reporter.close()
  })
})

/** Copies the first schedule, each with a crawl that has finished. */
async function copyWithCrawl({ app: { backend }, clock }: Stage, count: number): Promise<void> {
  const schedule = await backend.database.selectFrom('crawlSchedule').selectAll().executeTakeFirstOrThrow()
  const crawl = await backend.database.selectFrom('run').selectAll().orderBy('no').executeTakeFirstOrThrow()
  const newest = await backend.database.selectFrom('run').select('no').orderBy('no', 'desc').executeTakeFirstOrThrow()
  for (let at = 1; at <= count; at += 1) {
    const id = randomUUID()
    await backend.database
      .insertInto('crawlSchedule')
      .values({ ...schedule, id })
      .execute()
    await backend.database
      .insertInto('run')
      .values({ ...crawl, no: newest.no + at, id: randomUUID(), scheduleId: id, endedAt: clock.now() })
      .execute()
  }
}

/** Copies a schedule, else the first, with a planned time a millisecond earlier. */
async function copyEarlier({ app: { backend } }: Stage, count: number, id?: string): Promise<void> {
  const row = await backend.database
    .selectFrom('crawlSchedule')
    .$if(id !== undefined, (query) => query.where('id', '=', id!))
    .selectAll()
    .executeTakeFirstOrThrow()
  const copies = Array.from({ length: count }, () => ({ ...row, id: randomUUID(), nextAt: row.nextAt! - 1 }))
  for (let at = 0; at < count; at += 50)
    await backend.database
      .insertInto('crawlSchedule')
      .values(copies.slice(at, at + 50))
      .execute()
}

loops('two changes at once keep both: a pause stays a pause', async () => {
  await onStage(async (stage) => {
    const { me, schedules } = stage
    const id = await scheduled(stage)
    await Promise.all([schedules.change(me.teamId, id, { is_active: false }), schedules.change(me.teamId, id, { name: 'Every night' })])
    const { isActive, name, nextAt }: ScheduleRow = await schedules.read(me.teamId, id)
    assert.equal([name, isActive, nextAt], ['Every night', 0, null])
  })
})

loops.run()
