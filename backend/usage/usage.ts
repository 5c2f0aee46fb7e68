/** A team's usage, read from its runs and their ledger entries; for removed runs from the ledger alone. */
import { sql } from 'kysely'
import { USAGE_DAYS } from '#contract/usage.ts'
import type { Usage, UsageDay } from '#contract/usage.ts'
import type { RunKind, RunStatus } from '#contract/runs.ts'
import type { PageWindow } from '#backend/http/pagination.ts'
import { countRows } from '#backend/platform/database/count-rows.ts'
import type { Database } from '#backend/platform/database/database.ts'

const ENTRIES_AT_ONCE = 500
const DAY_MS = 24 * 60 * 60 * 1000

type LedgerFilters = { kind?: RunKind | undefined; createdAt: readonly { operator: '=' | '>' | '>=' | '<' | '<='; at: number }[] }

/** A ledger entry with its run. The label of a deleted run is empty: the ledger keeps how much was used, not what for. */
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
  return { totals, ledger, entries }

  /** Totals and daily histories of runs created in the last 30 days. */
  async function totals(teamId: string): Promise<Usage> {
    const periodMs = USAGE_DAYS * DAY_MS
    const to = now()
    const days = await daysOf(teamId, to - periodMs, null)
    const before = await daysOf(teamId, to - 2 * periodMs, to - periodMs)
    const crawls = days.filter(({ kind }) => kind === 'crawl')
    const ofKind = (wanted: RunKind) => days.filter(({ kind }) => kind === wanted)
    return {
      ...totalsOf(days),
      running_crawls: runsOf(inStates(crawls, 'new', 'running', 'canceling')),
      crawl_history: history(crawls, ({ runs }) => runs),
      document_history: history(crawls, ({ kept }) => kept ?? 0),
      search_history: history(ofKind('search'), ({ runs }) => runs),
      sitemap_history: history(ofKind('sitemap'), ({ runs }) => runs),
      credit_history: history(days, ({ credits }) => credits ?? 0),
      previous: totalsOf(before),
    }
  }

  /**
   * In one statement: a run that is removed between two would count twice.
   *
   * @param to  the end of the period, exclusive; null for now
   */
  function daysOf(teamId: string, from: number, to: number | null): Promise<DayRow[]> {
    return ofRuns(teamId, from, to)
      .unionAll(ofRemoved(teamId, from, to))
      .execute()
  }

  /** Counts runs that have a row, deleted or not, by day, kind and status. */
  function ofRuns(teamId: string, from: number, to: number | null) {
    return database
      .selectFrom('run')
      .leftJoin('creditEntry', 'creditEntry.runNo', 'run.no')
      .where('run.teamId', '=', teamId)
      .where('run.createdAt', '>=', from)
      .$if(to !== null, (query) => query.where('run.createdAt', '<', to ?? 0))
      .select(({ fn, ref }) => [
        sql<number>`${ref('run.createdAt')} / ${sql.lit(DAY_MS)}`.as('day'),
        'run.kind',
        'run.status',
        fn.countAll<number>().as('runs'),
        fn.sum<number | null>('run.kept').as('kept'),
        fn.sum<number | null>('creditEntry.used').as('credits'),
      ])
      .groupBy(['day', 'run.kind', 'run.status'])
      .$castTo<DayRow>()
  }

  /** The same for removed runs. */
  function ofRemoved(teamId: string, from: number, to: number | null) {
    return database
      .selectFrom('creditEntry')
      .where('teamId', '=', teamId)
      .where('createdAt', '>=', from)
      .$if(to !== null, (query) => query.where('createdAt', '<', to ?? 0))
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
      .$castTo<DayRow>()
  }

  /**
   * One page of the team's ledger, newest first.
   *
   * @param windowOf  selects the rows, given their count
   */
  async function ledger(teamId: string, filters: LedgerFilters, windowOf: (count: number) => PageWindow) {
    const window = windowOf(await countRows(filtered(teamId, filters)))
    const rows = await selected(teamId, filters).orderBy('creditEntry.runNo', 'desc').limit(window.pageSize).offset(window.offset).execute()
    return { window, entries: rows.map(entryOf) }
  }

  /** The whole ledger, newest first, in groups. */
  async function* entries(teamId: string, filters: LedgerFilters): AsyncGenerator<LedgerEntry[]> {
    for (let before = Number.MAX_SAFE_INTEGER; ;) {
      const rows = await selected(teamId, filters)
        .where('creditEntry.runNo', '<', before)
        .orderBy('creditEntry.runNo', 'desc')
        .limit(ENTRIES_AT_ONCE)
        .execute()
      if (rows.length > 0) yield rows.map(entryOf)
      if (rows.length < ENTRIES_AT_ONCE) return
      before = rows.at(-1)!.runNo
    }
  }

  function selected(teamId: string, filters: LedgerFilters) {
    return filtered(teamId, filters).select([
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
  }

  function filtered(teamId: string, { kind, createdAt }: LedgerFilters) {
    let query = database.selectFrom('creditEntry').leftJoin('run', 'run.no', 'creditEntry.runNo').where('creditEntry.teamId', '=', teamId)
    query = query.where((entry) => entry.or([entry('run.no', 'is not', null), entry('creditEntry.removedKind', 'is not', null)]))
    if (kind !== undefined) query = query.where(sql<boolean>`coalesce(run.kind, removed_kind) = ${kind}`)
    for (const { operator, at } of createdAt) query = query.where('creditEntry.createdAt', operator, at)
    return query
  }
}

const entryOf = <Row extends { isDeleted: number | boolean }>(row: Row) =>
  ({ ...row, isDeleted: Number(row.isDeleted) === 1 }) as unknown as LedgerEntry

/** Runs of one day (since the epoch), kind and status. */
type DayRow = { day: number; kind: string; status: string; runs: number; kept: number | null; credits: number | null }

export type UsageReader = ReturnType<typeof createUsage>

const runsOf = (rows: readonly DayRow[]) => sum(rows.map(({ runs }) => runs))
const inStates = (rows: readonly DayRow[], ...states: RunStatus[]) => rows.filter(({ status }) => (states as string[]).includes(status))

/** The totals of a period. */
function totalsOf(days: readonly DayRow[]): Usage['previous'] {
  const crawls = days.filter(({ kind }) => kind === 'crawl')
  return {
    total_crawls: runsOf(crawls),
    finished_crawls: runsOf(inStates(crawls, 'finished')),
    failed_crawls: runsOf(inStates(crawls, 'failed')),
    total_documents: sum(crawls.map(({ kept }) => kept ?? 0)),
    total_searches: runsOf(days.filter(({ kind }) => kind === 'search')),
    total_sitemaps: runsOf(days.filter(({ kind }) => kind === 'sitemap')),
    used_credits: sum(days.map(({ credits }) => credits ?? 0)),
  }
}

/** Sums rows of several states and kinds by day; omits days with nothing. */
function history<Row extends { day: number }>(rows: readonly Row[], countOf: (row: Row) => number): UsageDay[] {
  const days = new Map<number, number>()
  for (const row of rows) days.set(row.day, (days.get(row.day) ?? 0) + countOf(row))
  return [...days]
    .filter(([, count]) => count > 0)
    .toSorted(([one], [other]) => one - other)
    .map(([day, count]) => ({ date: new Date(day * DAY_MS).toISOString().slice(0, 10), count }))
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
