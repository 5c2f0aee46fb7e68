/**
 * Ranks the pages that match a query by BM25.
 *
 * SQLite computes the scores and keeps the best rows: to pass each row to JavaScript takes as long as its score. If very many pages match, the
 * newest ones are ranked, and those of which the names (title, headings, description, URL) have all words. The rest follows, the newest first.
 */
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import type { ChosenWords } from './words/choose-words.ts'
import type { OwnFilters } from './find-pages.ts'
import { WEIGHTS, wordsTable } from './index-file.ts'
import type { Scored } from './names-query.ts'
import { matchExpression, namedExpression, scoreExpressions } from './read-query.ts'
import type { Term, readSite } from './read-query.ts'

/** What is searched. */
export type Scope = { teamNo: number; runNo: number | null; filters: OwnFilters; site: ReturnType<typeof readSite> }
/** The best rows first; the count is a lower bound when `isComplete` is false. */
export type Ranked = { rows: Scored[]; count: number; isComplete: boolean }
type Limits = {
  /** Whether a term does not count for the rank, because to rank it takes long. */
  isUnranked: (term: Term) => boolean
  /** No more pages can match, as far as is known. */
  most: number
  wanted: number
}

/** Further matches are neither counted nor shown. */
export const MOST_MATCHES = 16_000
/** If so many pages have the words as they were written, other forms are not searched for: they would only add to a list that is too long. */
export const ENOUGH = 2000
/** If more pages match, only some of them are ranked: the newest, and those with all words in their names. */
const MOST_SCORED = 8000
const NEWEST_SCORED = 2000
const NAMED_SCORED = 2000

/** The ranking of the pages of one index. */
export function createRanking(index: SqliteConnection) {
  return { rank }

  /** The matches: all of them if there are fewer than `ENOUGH`, else at least the best `wanted` ones. */
  function rank(chosen: ChosenWords, scope: Scope, limits: Limits): Ranked {
    const expression = matchExpression(chosen)
    if (expression === null) return { rows: [], count: 0, isComplete: true }
    const { count, ranked, some } = planOf(chosen, expression, scope, limits)
    const rows = bestFirst(scored(ranked, scope, some, Math.max(ENOUGH, limits.wanted)))
    const all = count ?? rows.length
    if (rows.length < Math.min(all, limits.wanted)) rows.push(...others(rows, expression, scope))
    return { rows, count: Math.min(all, MOST_MATCHES), isComplete: all <= MOST_MATCHES }
  }

  /** Which words and which rows are ranked: null for all rows. The count is null if no row has to be counted before. */
  function planOf(
    chosen: ChosenWords,
    expression: string,
    scope: Scope,
    { isUnranked, most }: Limits,
  ): { count: number | null; ranked: ChosenWords; some: number[] | null } {
    const ranked = withoutUnranked(chosen, isUnranked)
    if (ranked.required.length < chosen.required.length) {
      const rows = rowsOf(expression, scope, MOST_MATCHES + 1)
      return { count: rows.length, ranked, some: rows.slice(0, MOST_SCORED) }
    }
    // If few pages can match, to count them takes longer than to rank them.
    const count = most <= ENOUGH ? null : countOf(expression, scope)
    if (count === null || count <= MOST_SCORED) return { count, ranked, some: null }
    return { count, ranked, some: [...rowsOf(expression, scope, NEWEST_SCORED), ...namedRows(chosen, scope)] }
  }

  /** A word in the URL of very many pages is often the name of their site, so those with the words in their titles are ranked, too. */
  function namedRows(chosen: ChosenWords, scope: Scope): number[] {
    const rows = rowsOf(namedExpression(chosen, 'name'), scope, NAMED_SCORED)
    return rows.length < NAMED_SCORED ? rows : [...rows, ...rowsOf(namedExpression(chosen, 'title'), scope, NAMED_SCORED)]
  }

  function countOf(expression: string, scope: Scope): number {
    const { from, values, where } = partsOf(scope)
    const counted = index.prepare(`SELECT count(*) FROM (SELECT 1 FROM ${from} WHERE ${where} LIMIT ?)`).pluck()
    let count = 0
    for (const range of ranges(scope.runNo)) count += counted.get(expression, ...range, ...values, MOST_MATCHES + 1 - count) as number
    return count
  }

  /** The best rows of each expression and range. */
  function scored(chosen: ChosenWords, scope: Scope, some: number[] | null, most: number): Scored[] {
    const { from, table, values, where } = partsOf(scope)
    // The plus keeps SQLite from starting a search for each of the rows.
    const isRanked = some === null ? '' : ` AND +${table}.rowid IN (SELECT value FROM json_each(?))`
    const ranked = some === null ? [] : [JSON.stringify(some)]
    // bm25 is smaller for better matches.
    const statement = index
      .prepare(
        `SELECT ${table}.rowid, -bm25(${table}, ${WEIGHTS.join(', ')}) AS score FROM ${from} WHERE ${where}${isRanked}
          ORDER BY score DESC, abs(${table}.rowid) DESC LIMIT ?`,
      )
      .raw()
    const rows: Scored[] = []
    for (const expression of scoreExpressions(chosen))
      for (const range of ranges(scope.runNo)) rows.push(...(statement.all(expression, ...range, ...values, ...ranked, most) as Scored[]))
    return rows
  }

  /** The matches that were not ranked. */
  function others(ranked: readonly Scored[], expression: string, scope: Scope): Scored[] {
    const known = new Set(ranked.map(([no]) => no))
    return rowsOf(expression, scope, MOST_MATCHES).flatMap((no): Scored[] => (known.has(no) ? [] : [[no, 0]]))
  }

  /** The newest matches, the newest first. */
  function rowsOf(expression: string, scope: Scope, most: number): number[] {
    const { from, table, values, where } = partsOf(scope)
    const rows: number[] = []
    for (const [first, last] of ranges(scope.runNo)) {
      // The numbers of replaced pages are negative.
      const order = first > 0 ? 'DESC' : 'ASC'
      const statement = index.prepare(`SELECT ${table}.rowid FROM ${from} WHERE ${where} ORDER BY ${table}.rowid ${order} LIMIT ?`).pluck()
      rows.push(...(statement.all(expression, first, last, ...values, most - rows.length) as number[]))
    }
    return rows
  }
}

/**
 * Adds the matches of other forms. FTS5 ranks a form like the word itself, so the words as they were written are ranked on their own, and what
 * the forms add to it counts less.
 *
 * @param exact    the matches of the words as they were written
 * @param found    the matches of all forms
 * @param scoreOf  see `word-forms.ts`
 */
export function addMatches(exact: Ranked, found: Ranked, scoreOf: (added: number) => number): Ranked {
  const scores = new Map(exact.rows)
  for (const [no, both] of found.rows) {
    const own = scores.get(no) ?? 0
    scores.set(no, own + scoreOf(both - own))
  }
  return { rows: bestFirst([...scores]), count: Math.max(scores.size, found.count), isComplete: found.isComplete }
}

/** The same words if none or all of them do not count. */
function withoutUnranked(chosen: ChosenWords, isUnranked: (term: Term) => boolean): ChosenWords {
  const without = (terms: readonly Term[]) => terms.filter((term) => !isUnranked(term))
  const ranked = { ...chosen, required: without(chosen.required), others: without(chosen.others) }
  return ranked.required.length + ranked.oneOf.length > 0 ? ranked : chosen
}

/** Of equal ones the newer first. */
const bestFirst = (rows: Scored[]) =>
  rows.sort(([one, oneScore], [other, otherScore]) => otherScore - oneScore || Math.abs(other) - Math.abs(one))

/** Whether a search is within a part of the team's pages. */
export const isNarrow = ({ filters, runNo, site }: Pick<Scope, 'filters' | 'runNo' | 'site'>) =>
  site !== null || runNo !== null || filters.since !== null || filters.until !== null || filters.language !== null

/** Rows of the newest versions; for one crawl its pages, whether newest or replaced. */
function ranges(runNo: number | null): [from: number, to: number][] {
  if (runNo === null) return [[1, Number.MAX_SAFE_INTEGER]]
  const first = runNo * PAGES_PER_RUN
  return [
    [first + 1, first + PAGES_PER_RUN - 1],
    [-(first + PAGES_PER_RUN - 1), -(first + 1)],
  ]
}

/** The parts of a statement; the first values are the expression and the two ends of the range. */
function partsOf({ teamNo, filters, site }: Scope) {
  const table = wordsTable(teamNo)
  const conditions: string[] = []
  const values: (string | number)[] = []
  const also = (condition: string, ...given: (string | number)[]) => {
    conditions.push(condition)
    values.push(...given)
  }
  if (site !== null) also(`(page.host = ? OR substr(page.host, -length(?)) = ?)`, site.host, `.${site.host}`, `.${site.host}`)
  if (site !== null && site.path !== '')
    also('(page.path = ? OR substr(page.path, 1, length(?)) = ?)', site.path, `${site.path}/`, `${site.path}/`)
  if (filters.since !== null) also('page.created_at >= ?', filters.since)
  if (filters.until !== null) also('page.created_at <= ?', filters.until)
  if (filters.language !== null) also('page.language = ?', filters.language)
  const join = conditions.length === 0 ? '' : ` CROSS JOIN page ON page.no = abs(${table}.rowid)`
  return {
    table,
    from: `${table}${join}`,
    where: [`${table} MATCH ? AND ${table}.rowid BETWEEN ? AND ?`, ...conditions].join(' AND '),
    values,
  }
}
