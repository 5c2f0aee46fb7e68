/** Lists of a team's runs: which rows a page has, and the runs in them. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { RunKind } from '#contract/runs.ts'
import type { PageWindow } from '#backend/http/pagination.ts'
import { countRows } from '#backend/platform/database/count-rows.ts'
import type { Database } from '#backend/platform/database/database.ts'
import { textConditions } from './text-conditions.ts'
import { selectRuns, toRun } from './run.ts'
import type { Run } from './run.ts'
import type { RunFilters, RunOrdering } from './run-filters.ts'

/** Bytes of options and URLs that are read and written at once, between turns of the event loop. */
const BYTES_AT_ONCE = 256 * 1024

/** @param lists  connection for long lists and counts */
export function createRunLists({ database, lists }: { database: Database; lists: Database }) {
  return list

  /**
   * One page of a team's runs, newest first, in groups of one read: options and URLs of a hundred runs may be 200 MB.
   *
   * @param windowOf  selects the rows, given their count
   */
  async function list(
    teamId: string,
    kind: RunKind,
    filters: RunFilters,
    windowOf: (count: number) => PageWindow,
  ): Promise<{ window: PageWindow; groups: AsyncGenerator<Run[]> }> {
    const counted = filtered(isOfOptions(filters) ? withOptions(lists) : runsOf(lists), teamId, kind, filters)
    const window = windowOf(await countRows(counted))
    const rows = await filtered(withOptions(lists), teamId, kind, filters)
      .select(['run.no', sql<number>`octet_length(run_options.options) + octet_length(run_options.seeds)`.as('bytes')])
      .orderBy(orderOf(filters.ordering))
      .orderBy('run.no', 'desc')
      .limit(window.pageSize)
      .offset(window.offset)
      .execute()
    return { window, groups: readGroups(database, rows) }
  }
}

/** Runs in the order of their rows; one that was deleted meanwhile is omitted. */
async function* readGroups(database: Database, rows: readonly { no: number; bytes: number }[]): AsyncGenerator<Run[]> {
  for (const nos of groupsOf(rows)) {
    const found = await selectRuns(database).where('run.no', 'in', nos).execute()
    yield found.map(toRun).toSorted((one, other) => nos.indexOf(one.no) - nos.indexOf(other.no))
  }
}

type RunRows = ReturnType<typeof runsOf>

const runsOf = (lists: Database) => lists.selectFrom('run').where('run.deletedAt', 'is', null)

/** Joining the options of a hundred thousand runs takes longer than counting them. */
const withOptions = (lists: Database): RunRows => runsOf(lists).innerJoin('runOptions', 'runOptions.runNo', 'run.no') as unknown as RunRows

/** Whether a filter reads the submitted URLs. */
const isOfOptions = ({ url: { oneOf, ...parts } }: RunFilters) => oneOf !== undefined || textConditions('seed.value', parts).length > 0

/** @param runs  with their options if a filter reads the submitted URLs */
function filtered(runs: RunRows, teamId: string, kind: RunKind, { uuid, variant, schedule, statuses, createdAt, url, label }: RunFilters) {
  let query = runs.where('run.teamId', '=', teamId).where('run.kind', '=', kind)
  if (uuid !== undefined) query = query.where('run.id', '=', uuid)
  if (variant !== undefined) query = query.where('run.variant', '=', variant)
  if (schedule !== undefined) query = query.where('run.scheduleId', '=', schedule)
  if (statuses !== undefined) query = query.where('run.status', 'in', statuses)
  for (const { operator, at } of createdAt) query = query.where('run.createdAt', operator, at)
  for (const condition of textConditions('run.label', label)) query = query.where(condition)
  const { oneOf, ...parts } = url
  const onSeed = textConditions('seed.value', parts)
  // Matches any of the submitted URLs, as submitted or in the crawl's spelling. These have the lowest indexes of the crawl or of its parts.
  if (onSeed.length > 0) query = query.where(seedExists(sql.join(onSeed, sql` AND `)))
  if (oneOf !== undefined) {
    const spelled = sql.join(oneOf)
    query = query.where(
      sql<boolean>`(${seedExists(sql`seed.value IN (${spelled})`)} OR EXISTS (
        SELECT 1 FROM run_url WHERE run_url.run_no = run.no AND run_url.seq < run.seeds * run.parts AND run_url.is_seed = 1 AND run_url.url IN (${spelled})))`,
    )
  }
  return query
}

/** The sort key of a list. An unfinished run counts with its duration so far. */
function orderOf(ordering: RunOrdering | undefined) {
  const { by, descending } = ordering ?? { by: 'created_at', descending: true }
  const column = {
    created_at: sql`run.no`,
    status: sql`run.status`,
    duration: sql`coalesce(run.ended_at, run.updated_at) - run.created_at`,
    number_of_documents: sql`run.kept`,
    label: sql`run.label`,
  }[by]
  return sql`${column} ${sql.raw(descending ? 'DESC' : 'ASC')}`
}

const seedExists = (condition: RawBuilder<unknown>) =>
  sql<boolean>`EXISTS (SELECT 1 FROM json_each(${sql.ref('runOptions.seeds')}) AS seed WHERE ${condition})`

/** Groups rows for reading: as many as stay below `BYTES_AT_ONCE`, at least one. */
function* groupsOf(rows: readonly { no: number; bytes: number }[]): Generator<number[]> {
  let group: number[] = []
  let sum = 0
  for (const { no, bytes } of rows) {
    if (group.length > 0 && sum + bytes > BYTES_AT_ONCE) {
      yield group
      group = []
      sum = 0
    }
    group.push(no)
    sum += bytes
  }
  if (group.length > 0) yield group
}
