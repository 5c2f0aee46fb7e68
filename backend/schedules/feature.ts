/** Schedules: crawls of a team that repeat at set times. */
import type { Language } from '#contract/languages.ts'
import type { CrawlRequest } from '#contract/crawls.ts'
import type { CrawlChanges } from '#backend/crawls/crawl-changes.ts'
import type { RepeatCrawl } from '#backend/crawls/repeat-crawl.ts'
import type { Mails, ScheduledOutcome } from '#backend/mails/mails.ts'
import type { Transaction } from '#backend/platform/database/database.ts'
import { createSealer } from '#backend/platform/secrets.ts'
import type { Ports } from '#backend/ports.ts'
import type { Run } from '#backend/runs/run.ts'
import type { Runs } from '#backend/runs/runs.ts'
import { createReporter } from './report-ends.ts'
import { scheduleRoutes } from './routes.ts'
import { markAsScheduled, newestCrawls } from './scheduled-crawls.ts'
import { createSchedules } from './schedules.ts'
import type { ScheduleRow } from './schedules.ts'
import { createStarter } from './start-due.ts'

type Others = {
  crawls: { changes: CrawlChanges; present: (run: Run, baseUrl: string) => CrawlRequest; repeat: RepeatCrawl }
  mail: Mails['scheduledCrawl']
  /** The user if still a member of the team, else the team's owners. */
  readersOf: (transaction: Transaction, teamId: string, userId: string | null) => Promise<{ email: string; language: Language | null }[]>
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
    start: startCrawl,
  })
  let loops: { close(): Promise<void> }[] = []
  return { routes: [routes], start, close }

  function start(): void {
    const starter = createStarter({ database, every, now, onRefused, schedules, start: startCrawl, warn })
    const reporter = createReporter({ changes: crawls.changes, database, every, queueMails, runs, warn })
    loops = [starter, reporter]
    void starter.look()
    void reporter.look()
  }

  async function startCrawl({ id, teamId }: ScheduleRow, idempotencyKey?: string): Promise<Run> {
    return crawls.repeat.start(teamId, await schedules.requestOf(id), {
      idempotencyKey,
      onMade: (transaction, { runNo }) => markAsScheduled(transaction, runNo, id),
    })
  }

  /** The first refusal after a success is mailed; until the next success, further ones are not. */
  async function onRefused(row: ScheduleRow, message: string): Promise<void> {
    if (row.mailChanges === 0 || row.problem === 'refused') return
    await database.transaction().execute((transaction) => queueMails(transaction, row, { kind: 'refused', message }, null))
  }

  async function queueMails(transaction: Transaction, row: ScheduleRow, outcome: ScheduledOutcome, crawlId: string | null): Promise<void> {
    for (const { email, language } of await readersOf(transaction, row.teamId, row.createdBy))
      await outbox.queue(transaction, { to: email, mail: mail({ name: row.name, outcome, crawlId, language }) })
  }

  async function close(): Promise<void> {
    await Promise.all(loops.map((loop) => loop.close()))
  }
}
