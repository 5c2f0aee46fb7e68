/** What a team has done and used, read from its runs and their ledger entries, and from the ledger alone for runs that were removed. */
import { sql } from 'kysely'
import { USAGE_DAYS } from '#contract/usage.ts'
import type { Usage, UsageDay } from '#contract/usage.ts'
import type { RunKind, RunStatus } from '#contract/runs.ts'
import type { PageWindow } from '#backend/http/pagination.ts'
import type { Database } from '#backend/platform/database/database.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export type LedgerFilters = { kind?: RunKind | undefined; createdAt: readonly { operator: '=' | '>' | '>=' | '<' | '<='; at: number }[] }

/** A ledger entry with the run that it belongs to. Of a deleted run its label is empty: the ledger keeps what was used, not what for. */
export type LedgerEntry = {
  runNo: number
  runId: string
  kind: RunKind
  label: string
  isDeleted: boolean
  status: RunStatus
  requested: number
  used: number
  createdAt: number
}

export function createUsage({ database, now }: { database: Database; now: () => number }) {
  return { totals, ledger }

  /** Totals and daily histories of the last 30 days, rolling: what was created in them. */
  async function totals(teamId: string): Promise<Usage> {
    const days = [...(await ofRuns(teamId)), ...(await ofRemoved(teamId))]
    const crawls = days.filter(({ kind }) => kind === 'crawl')
    const runsOf = (rows: typeof days) => sum(rows.map(({ runs }) => runs))
    const inStates = (...states: RunStatus[]) => crawls.filter(({ status }) => (states as string[]).includes(status))
    const ofKind = (wanted: RunKind) => days.filter(({ kind }) => kind === wanted)
    return {
      total_crawls: runsOf(crawls),
      finished_crawls: runsOf(inStates('finished')),
      failed_crawls: runsOf(inStates('failed')),
      running_crawls: runsOf(inStates('new', 'running', 'canceling')),
      total_documents: sum(crawls.map(({ kept }) => kept ?? 0)),
      total_searches: runsOf(ofKind('search')),
      total_sitemaps: runsOf(ofKind('sitemap')),
      used_credits: sum(days.map(({ credits }) => credits ?? 0)),
      crawl_history: history(crawls, ({ runs }) => runs),
      document_history: history(crawls, ({ kept }) => kept ?? 0),
      search_history: history(ofKind('search'), ({ runs }) => runs),
      sitemap_history: history(ofKind('sitemap'), ({ runs }) => runs),
      credit_history: history(days, ({ credits }) => credits ?? 0),
    }
  }

  /** Counts of the runs that have a row, deleted or not, by day, kind and status. */
  function ofRuns(teamId: string): Promise<DayRow[]> {
    return database
      .selectFrom('run')
      .leftJoin('creditEntry', 'creditEntry.runNo', 'run.no')
      .where('run.teamId', '=', teamId)
      .where('run.createdAt', '>=', now() - USAGE_DAYS * DAY_MS)
      .select(({ fn, ref }) => [
        sql<number>`${ref('run.createdAt')} / ${sql.lit(DAY_MS)}`.as('day'),
        'run.kind',
        'run.status',
        fn.countAll<number>().as('runs'),
        fn.sum<number | null>('run.kept').as('kept'),
        fn.sum<number | null>('creditEntry.used').as('credits'),
      ])
      .groupBy(['day', 'run.kind', 'run.status'])
      .execute()
  }

  /** The same of runs that were removed. */
  function ofRemoved(teamId: string): Promise<DayRow[]> {
    return database
      .selectFrom('creditEntry')
      .where('teamId', '=', teamId)
      .where('createdAt', '>=', now() - USAGE_DAYS * DAY_MS)
      .where('removedKind', 'is not', null)
      .select(({ fn, ref }) => [
        sql<number>`${ref('createdAt')} / ${sql.lit(DAY_MS)}`.as('day'),
        sql<string>`removed_kind`.as('kind'),
        sql<string>`removed_status`.as('status'),
        fn.countAll<number>().as('runs'),
        fn.sum<number | null>('removedKept').as('kept'),
        fn.sum<number | null>('used').as('credits'),
      ])
      .groupBy(['day', 'removedKind', 'removedStatus'])
      .execute()
  }

  /**
   * One page of the team's ledger, newest first.
   *
   * @param windowOf  says which rows, once it is known how many there are
   */
  async function ledger(teamId: string, filters: LedgerFilters, windowOf: (count: number) => PageWindow) {
    const { count } = await filtered(teamId, filters)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    const window = windowOf(count)
    const rows = await filtered(teamId, filters)
      .select([
        'creditEntry.runNo',
        sql<string>`coalesce(run.id, removed_run_id)`.as('runId'),
        sql<string>`coalesce(run.kind, removed_kind)`.as('kind'),
        sql<string>`CASE WHEN run.deleted_at IS NULL THEN coalesce(run.label, '') ELSE '' END`.as('label'),
        sql<string>`coalesce(run.status, removed_status)`.as('status'),
        sql<number>`run.no IS NULL OR run.deleted_at IS NOT NULL`.as('isDeleted'),
        'creditEntry.requested',
        'creditEntry.used',
        'creditEntry.createdAt',
      ])
      .orderBy('creditEntry.runNo', 'desc')
      .limit(window.pageSize)
      .offset(window.offset)
      .execute()
    return { window, entries: rows.map((row) => ({ ...row, isDeleted: row.isDeleted === 1 }) as LedgerEntry) }
  }

  function filtered(teamId: string, { kind, createdAt }: LedgerFilters) {
    let query = database.selectFrom('creditEntry').leftJoin('run', 'run.no', 'creditEntry.runNo').where('creditEntry.teamId', '=', teamId)
    query = query.where((entry) => entry.or([entry('run.no', 'is not', null), entry('creditEntry.removedKind', 'is not', null)]))
    if (kind !== undefined) query = query.where(sql<boolean>`coalesce(run.kind, removed_kind) = ${kind}`)
    for (const { operator, at } of createdAt) query = query.where('creditEntry.createdAt', operator, at)
    return query
  }
}

/** Runs of one day (since the epoch), kind and status. */
type DayRow = { day: number; kind: string; status: string; runs: number; kept: number | null; credits: number | null }

export type UsageReader = ReturnType<typeof createUsage>

/** Rows of several states and kinds added up by day; days that come to nothing are left out. */
function history<Row extends { day: number }>(rows: readonly Row[], countOf: (row: Row) => number): UsageDay[] {
  const days = new Map<number, number>()
  for (const row of rows) days.set(row.day, (days.get(row.day) ?? 0) + countOf(row))
  return [...days]
    .filter(([, count]) => count > 0)
    .toSorted(([one], [other]) => one - other)
    .map(([day, count]) => ({ date: new Date(day * DAY_MS).toISOString().slice(0, 10), count }))
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
