/** The stored schedules of teams. Secrets of the repeated crawls are stored sealed. */
import type { Selectable } from 'kysely'
import { MAX_SCHEDULES } from '#contract/sizes.ts'
import type { ScheduleBody, ScheduleProblem } from '#contract/schedules.ts'
import type { RepeatedCrawl } from '#backend/crawls/repeat-crawl.ts'
import { AppError, fieldError } from '#backend/errors.ts'
import { countRows } from '#backend/platform/database/count-rows.ts'
import type { CrawlScheduleTable, Database, Rows, Transaction } from '#backend/platform/database/database.ts'
import type { Sealer } from '#backend/platform/secrets.ts'
import { hideSecrets, openSecrets, revealSecrets, sealSecrets } from '#backend/runs/run-secrets.ts'
import { checkTimes, nextTime } from './times.ts'

/** A schedule without its long texts: the request may have two megabytes. */
export type ScheduleRow = Omit<Selectable<CrawlScheduleTable>, 'monitor' | 'request' | 'secrets'>

export const SCHEDULE_COLUMNS = [
  'crawlSchedule.id',
  'crawlSchedule.teamId',
  'crawlSchedule.createdBy',
  'crawlSchedule.name',
  'crawlSchedule.crawlId',
  'crawlSchedule.variant',
  'crawlSchedule.url',
  'crawlSchedule.urls',
  'crawlSchedule.cron',
  'crawlSchedule.timezone',
  'crawlSchedule.isActive',
  'crawlSchedule.mailChanges',
  'crawlSchedule.mailTo',
  'crawlSchedule.nextAt',
  'crawlSchedule.plannedAt',
  'crawlSchedule.reportedNo',
  'crawlSchedule.problem',
  'crawlSchedule.problemText',
  'crawlSchedule.problemAt',
  'crawlSchedule.createdAt',
  'crawlSchedule.updatedAt',
] as const

/**
 * @param repeatedOf  the request of a crawl of the team; throws `not_found` without such a crawl
 * @param sealer      seals headers and credentials
 */
export function createSchedules({ database, newId, now, repeatedOf, sealer }: SchedulesNeeds) {
  return { list, listMonitors, isMonitor, monitorOf, count, read, create, copyOfCrawl, change, remove, requestOf, plan, clearProblem }

  /** The oldest first. */
  function list(teamId: string, { limit, offset }: { limit: number; offset: number }): Promise<ScheduleRow[]> {
    return ofTeam(database, teamId).select(SCHEDULE_COLUMNS).orderBy('id').limit(limit).offset(offset).execute()
  }

  /** Those that were made as monitors, the newest first. */
  function listMonitors(teamId: string, { limit, offset }: { limit: number; offset: number }): Promise<ScheduleRow[]> {
    return ofTeam(database, teamId)
      .where('monitor', 'is not', null)
      .select(SCHEDULE_COLUMNS)
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute()
  }

  /** Without reading what the client asked for, which may be long. */
  async function isMonitor({ id }: Pick<ScheduleRow, 'id'>): Promise<boolean> {
    const row = await database
      .selectFrom('crawlSchedule')
      .select('id')
      .where('id', '=', id)
      .where('monitor', 'is not', null)
      .executeTakeFirst()
    return row !== undefined
  }

  /** What the client of the Firecrawl API asked for, as JSON; null for a schedule that is no monitor. */
  async function monitorOf({ id }: Pick<ScheduleRow, 'id'>): Promise<string | null> {
    const row = await database.selectFrom('crawlSchedule').select('monitor').where('id', '=', id).executeTakeFirst()
    return row?.monitor ?? null
  }

  function count(teamId: string, rows: Rows = database): Promise<number> {
    return countRows(ofTeam(rows, teamId))
  }

  /** Throws `not_found` for a schedule of another team. */
  async function read(teamId: string, id: string, rows: Rows = database): Promise<ScheduleRow> {
    const row = await ofTeam(rows, teamId).select(SCHEDULE_COLUMNS).where('id', '=', id.toLowerCase()).executeTakeFirst()
    if (row === undefined) throw new AppError('not_found')
    return row
  }

  /** Throws `invalid_input` for times that cannot be used, and beyond `MAX_SCHEDULES`. */
  async function create(teamId: string, createdBy: string | null, body: NewSchedule): Promise<ScheduleRow> {
    const at = now()
    checkTimes(body, at)
    const id = newId()
    const row = {
      id,
      teamId,
      createdBy,
      name: body.name,
      ...columnsOf(id, body.repeated),
      cron: body.cron,
      timezone: body.timezone,
      isActive: body.is_active ? 1 : 0,
      mailChanges: body.mail_changes ? 1 : 0,
      mailTo: mailToOf(body.mailTo ?? null),
      nextAt: body.is_active ? nextTime(body, at) : null,
      plannedAt: at,
      reportedNo: 0,
      problem: null,
      problemText: null,
      problemAt: null,
      createdAt: at,
      updatedAt: at,
    }
    await database.transaction().execute(async (transaction) => {
      if ((await count(teamId, transaction)) >= MAX_SCHEDULES)
        throw fieldError('non_field_errors', `A team has at most ${MAX_SCHEDULES} schedules.`)
      await transaction.insertInto('crawlSchedule').values(row).execute()
    })
    return row
  }

  /** Changes the given fields, and plans the next crawl anew if its time may differ. Throws like `read` and `create`. */
  async function change(teamId: string, id: string, changes: Partial<NewSchedule>): Promise<ScheduleRow> {
    const at = now()
    const changed = {
      ...(changes.name !== undefined && { name: changes.name }),
      ...(changes.repeated !== undefined && columnsOf(id.toLowerCase(), changes.repeated)),
      ...(changes.mail_changes !== undefined && { mailChanges: changes.mail_changes ? 1 : 0 }),
      ...(changes.mailTo !== undefined && { mailTo: mailToOf(changes.mailTo) }),
      updatedAt: at,
    }
    return database.transaction().execute(async (transaction) => {
      const before = await lock(transaction, teamId, id, at)
      const startsToMail = changes.mail_changes === true && before.mailChanges === 0
      return transaction
        .updateTable('crawlSchedule')
        .set({
          ...changed,
          ...changedPlan(before, changes, at),
          // Mails report crawls from now on, not those of the past.
          ...(startsToMail && { reportedNo: await newestRun(transaction, before.id) }),
        })
        .where('id', '=', before.id)
        .returning(SCHEDULE_COLUMNS)
        .executeTakeFirstOrThrow()
    })
  }

  /** Reads a schedule that others cannot change until the end of the transaction: a write locks its row, in every database. */
  async function lock(transaction: Transaction, teamId: string, id: string, at: number): Promise<ScheduleRow> {
    const row = await transaction
      .updateTable('crawlSchedule')
      .set({ updatedAt: at })
      .where('teamId', '=', teamId)
      .where('id', '=', id.toLowerCase())
      .returning(SCHEDULE_COLUMNS)
      .executeTakeFirst()
    if (row === undefined) throw new AppError('not_found')
    return row
  }

  /** Throws `not_found` for a schedule of another team. */
  async function remove(teamId: string, id: string): Promise<void> {
    const { numDeletedRows } = await database
      .deleteFrom('crawlSchedule')
      .where('teamId', '=', teamId)
      .where('id', '=', id.toLowerCase())
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw new AppError('not_found')
  }

  /**
   * The crawl to repeat. Secrets that another secret key sealed stay masked, and no start accepts them. Throws `not_found` when the schedule
   * was deleted meanwhile.
   */
  async function requestOf(id: string): Promise<RepeatedCrawl> {
    const row = await database.selectFrom('crawlSchedule').select(['request', 'secrets']).where('id', '=', id).executeTakeFirst()
    if (row === undefined) throw new AppError('not_found')
    const stored = JSON.parse(row.request) as RepeatedCrawl
    const secrets = row.secrets === null ? null : openSecrets(sealer, id, row.secrets)
    if (secrets === null) return stored
    const { options, seeds } = revealSecrets({ options: stored.options, seeds: stored.urls }, secrets)
    return { ...stored, options: options as RepeatedCrawl['options'], urls: seeds }
  }

  /**
   * Stores the next time, unless another process has done so.
   *
   * @returns  whether it was stored
   */
  async function plan({ id, nextAt: due, ...times }: ScheduleRow, problem: Problem | null, rows: Rows = database): Promise<boolean> {
    const at = now()
    const { numUpdatedRows } = await rows
      .updateTable('crawlSchedule')
      .set({ nextAt: nextTime(times, at), plannedAt: at, ...(problem === null ? NO_PROBLEM : problemColumns(problem, due ?? at)) })
      .where('id', '=', id)
      .where('nextAt', '=', due)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** For a crawl that was started by hand. */
  async function clearProblem(id: string): Promise<void> {
    await database.updateTable('crawlSchedule').set(NO_PROBLEM).where('id', '=', id).execute()
  }

  /** A copy of a crawl, to be repeated. Throws `invalid_input` for an unknown crawl. */
  async function copyOfCrawl(teamId: string, crawlId: string): Promise<Repeated> {
    const request = await repeatedOf(teamId, crawlId).catch((cause: unknown) => {
      throw cause instanceof AppError && cause.code === 'not_found' ? fieldError('crawl', 'Unknown crawl.') : cause
    })
    return { crawlId: crawlId.toLowerCase(), monitor: null, request }
  }

  /** The columns with the crawl to repeat, for the schedule of this id. */
  function columnsOf(id: string, { crawlId, monitor, request: { urls, options, ...request } }: Repeated) {
    const shown = hideSecrets({ kind: 'crawl', label: urls[0] ?? '', options, seeds: urls })
    return {
      crawlId,
      monitor: monitor === null ? null : JSON.stringify(monitor),
      variant: request.variant,
      url: shown.label,
      urls: urls.length,
      request: JSON.stringify({ ...request, urls: shown.seeds, options: shown.options }),
      secrets: sealSecrets(sealer, id, shown.secrets),
    }
  }
}

/** What a schedule repeats. */
export type Repeated = {
  /** The crawl that it is a copy of. */
  crawlId: string | null
  /** What a client of the Firecrawl API asked for, without secrets; null for schedules that are no monitors. */
  monitor: object | null
  request: RepeatedCrawl
}

export type NewSchedule = Omit<ScheduleBody, 'crawl'> & {
  /** Ids of the members who get the mails; null or absent for the creator, else the owners. */
  mailTo?: readonly string[] | null
  repeated: Repeated
}

export type Problem = { problem: ScheduleProblem; message: string }

type SchedulesNeeds = {
  database: Database
  newId: () => string
  now: () => number
  repeatedOf: (teamId: string, crawlId: string) => Promise<RepeatedCrawl>
  sealer: Sealer
}

export type Schedules = ReturnType<typeof createSchedules>

const NO_PROBLEM = { problem: null, problemText: null, problemAt: null }

const mailToOf = (userIds: readonly string[] | null) => (userIds === null ? null : JSON.stringify(userIds))

const problemColumns = ({ problem, message }: Problem, at: number) => ({ problem, problemText: message, problemAt: at })

const ofTeam = (rows: Rows, teamId: string) => rows.selectFrom('crawlSchedule').where('teamId', '=', teamId)

/** The columns of the times, if a change concerns them. Throws for times that cannot be used. */
function changedPlan(before: ScheduleRow, changes: Partial<NewSchedule>, at: number) {
  const times = { cron: changes.cron ?? before.cron, timezone: changes.timezone ?? before.timezone }
  const isActive = changes.is_active ?? before.isActive === 1
  const isNewTime = times.cron !== before.cron || times.timezone !== before.timezone
  if (isNewTime) checkTimes(times, at)
  if (!isNewTime && isActive === (before.isActive === 1)) return {}
  return { ...times, isActive: isActive ? 1 : 0, nextAt: isActive ? nextTime(times, at) : null, plannedAt: at, ...NO_PROBLEM }
}

async function newestRun(rows: Rows, scheduleId: string): Promise<number> {
  const row = await rows
    .selectFrom('run')
    .where('scheduleId', '=', scheduleId)
    .select('no')
    .orderBy('no', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.no ?? 0
}
