/** Schedules: crawls of a team that repeat at set times. */
import type { Language } from '#contract/languages.ts'
import type { CrawlRequest } from '#contract/crawls.ts'
import type { CrawlComparison } from '#backend/crawls/crawl-comparison.ts'
import type { RepeatCrawl } from '#backend/crawls/repeat-crawl.ts'
import type { Mails } from '#backend/mails/mails.ts'
import type { RefusedBecause, ScheduledOutcome } from '#backend/mails/scheduled-outcome.ts'
import type { Transaction } from '#backend/platform/database/database.ts'
import { createSealer } from '#backend/platform/secrets.ts'
import type { Ports } from '#backend/ports.ts'
import type { Run } from '#backend/runs/run.ts'
import type { Runs } from '#backend/runs/runs.ts'
import { createReporter } from './report-ends.ts'
import { scheduleRoutes } from './routes.ts'
import { markAsScheduled, newestCrawls, scheduledCrawls } from './scheduled-crawls.ts'
import { createSchedules } from './schedules.ts'
import type { ScheduleRow } from './schedules.ts'
import { createStarter } from './start-due.ts'

type Others = {
  crawls: { comparison: CrawlComparison; present: (run: Run, baseUrl: string) => CrawlRequest; repeat: RepeatCrawl }
  mail: Mails['scheduledCrawl']
  /** Those of the users who are still members of the team, else the team's owners. */
  readersOf: (
    transaction: Transaction,
    teamId: string,
    userIds: readonly string[],
  ) => Promise<{ email: string; language: Language | null }[]>
  runs: Runs
}

/** Its routes; `start` begins to start crawls, once everything else is ready. */
export function schedulesFeature(ports: Ports, { crawls, mail, readersOf, runs }: Others) {
  const { baseUrl, database, every, keyFor, newId, now, outbox, warn } = ports
  const schedules = createSchedules({
    database,
    newId,
    now,
    repeatedOf: async (teamId, id) => crawls.repeat.requestOf(await runs.read(teamId, 'crawl', id)),
    sealer: createSealer(keyFor('secrets of runs')),
  })
  const routes = scheduleRoutes({
    baseUrl,
    newestOf: (ids) => newestCrawls(database, ids),
    now,
    presentCrawl: crawls.present,
    schedules,
    start: startNow,
  })
  let loops: { close(): Promise<void> }[] = []
  return { routes: [routes], schedules, scheduledCrawls: scheduledCrawls(database), startNow, start, close }

  function start(): void {
    const starter = createStarter({
      database,
      every,
      now,
      onRefused,
      schedules,
      start: (row, scheduledFor) => startCrawl(row, scheduledFor),
      warn,
    })
    const reporter = createReporter({ comparison: crawls.comparison, database, every, queueMails, runs, warn })
    loops = [starter, reporter]
    void starter.look()
    void reporter.look()
  }

  /** Starts its crawl by hand. The problem of an earlier start is solved by that. */
  async function startNow(row: ScheduleRow, idempotencyKey?: string): Promise<Run> {
    const run = await startCrawl(row, null, idempotencyKey)
    await schedules.clearProblem(row.id)
    return run
  }

  /** @param scheduledFor  the planned time, for which a crawl is started once; null for a start by hand */
  async function startCrawl(
    { id, teamId }: Pick<ScheduleRow, 'id' | 'teamId'>,
    scheduledFor: number | null,
    idempotencyKey = scheduledFor === null ? undefined : `schedule:${id}:${scheduledFor}`,
  ): Promise<Run> {
    return crawls.repeat.start(teamId, await schedules.requestOf(id), {
      idempotencyKey,
      askedBy: `schedule ${id}`,
      onMade: (transaction, { runNo }) => markAsScheduled(transaction, runNo, { scheduleId: id, scheduledFor }),
    })
  }

  /** The first refusal after a success is mailed; until the next success, further ones are not. */
  async function onRefused(transaction: Transaction, row: ScheduleRow, because: RefusedBecause): Promise<void> {
    if (row.mailChanges === 0 || row.problem === 'refused') return
    await queueMails(transaction, row, { kind: 'refused', because }, null)
  }

  async function queueMails(transaction: Transaction, row: ScheduleRow, outcome: ScheduledOutcome, crawlId: string | null): Promise<void> {
    for (const { email, language } of await readersOf(transaction, row.teamId, readerIdsOf(row)))
      await outbox.queue(transaction, { to: email, mail: mail({ name: row.name, outcome, crawlId, language }) })
  }

  async function close(): Promise<void> {
    await Promise.all(loops.map((loop) => loop.close()))
  }
}

/** The members who get the mails about a schedule. */
function readerIdsOf({ createdBy, mailTo }: ScheduleRow): string[] {
  if (mailTo !== null) return JSON.parse(mailTo) as string[]
  return createdBy === null ? [] : [createdBy]
}
