/**
 * Answers a query from the index: the best pages of one team, with their passages.
 *
 * Synchronous, for a thread that may be stalled. Bounded three ways: rows that are ranked, time, and terms of a query.
 */
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import { allRequired, anyOfThem, chooseWords, isLong, termWeights, unknownWords } from './choose-words.ts'
import type { ChosenWords } from './choose-words.ts'
import { fewerWords, typed } from './fewer-words.ts'
import { markText, snippetOf } from './highlight.ts'
import type { Part } from './highlight.ts'
import { WEIGHTS, wordsTable } from './index-file.ts'
import { rankByName } from './names-query.ts'
import { pageText } from './page-text.ts'
import { matchExpressions, readQuery, readSite, withoutTerms } from './read-query.ts'
import type { OwnQuery, Term } from './read-query.ts'
import { storedPages } from './stored-pages.ts'
import { suggest } from './suggest.ts'
import { openVocabulary } from './vocabulary.ts'
import { formScore, withoutForms } from './word-forms.ts'

/** A null filter filters nothing. Times are epoch milliseconds, both ends included; `crawl` is a run's id. */
export type OwnFilters = {
  site: string | null
  crawl: string | null
  since: number | null
  until: number | null
  language: string | null
}

export type OwnSearchRequest = {
  teamId: string
  query: string
  filters: OwnFilters
  /** The last word is still being written. */
  isTyping: boolean
  limit: number
  offset: number
}

export type OwnHit = {
  id: string
  runId: string
  url: string
  title: Part[]
  snippet: Part[]
  description: string
  language: string | null
  createdAt: number
  isNewest: boolean
  /** Larger is better. */
  score: number
}

export type OwnSearchAnswer = {
  hits: OwnHit[]
  /** The number of all matches; a lower bound when `isComplete` is false. */
  count: number
  isComplete: boolean
  suggestion: string | null
  /** Words of the query that are not in the hits, because no page has all of its words. */
  ignoredWords: string[]
  indexed: number
  behind: number
}

/** Further matches are not ranked; the newest crawls are ranked first. */
const MOST_RANKED = 16_000
/** If so many pages have the words as they were written, other forms are not searched: ranking all of them would take long. */
const ENOUGH = 4000
const LONGEST_MS = 1000
/** The clock is checked once per this many rows. */
const ROWS_PER_LOOK = 256
const ALIKE: ReadonlyMap<Term, number> = new Map()

type Ranked = { rows: [no: number, score: number][]; isComplete: boolean }
/** The matches of a query, which is without the ignored terms. The weights are for the passages that are shown. */
type Found = { query: OwnQuery; ranked: Ranked; ignored: Term[]; weights: ReadonlyMap<Term, number> }
type Scope = {
  teamNo: number
  runNo: number | null
  filters: OwnFilters
  site: ReturnType<typeof readSite>
  /** See `word-forms.ts`. */
  formScore: (chosen: ChosenWords) => (added: number) => number
}

export type FindPages = ReturnType<typeof createFindPages>

/**
 * @param pages  connection to the database; only read
 * @param index  connection to the index; null while there is none
 */
export function createFindPages({ pages, index }: { pages: SqliteConnection; index: SqliteConnection | null }) {
  const now = () => performance.now()
  const stored = storedPages(pages)
  const names = pages.prepare('SELECT title, url FROM page WHERE no = ?')
  const runOf = pages.prepare('SELECT no, id, kept FROM run WHERE team_id = ? AND id = ? AND deleted_at IS NULL')
  const runById = pages.prepare('SELECT id FROM run WHERE no = ? AND team_id = ? AND deleted_at IS NULL')
  const keptOf = pages.prepare(
    'SELECT coalesce(sum(run.kept), 0) AS kept FROM run WHERE team_id = ? AND deleted_at IS NULL AND EXISTS (SELECT 1 FROM page WHERE page.no = run.no * ? + 1)',
  )
  const teamOf = index?.prepare('SELECT no FROM team WHERE id = ?')
  const followedOf = index?.prepare('SELECT coalesce(sum(ordinal), 0) AS pages FROM run WHERE team_no = ?')
  return find

  function find(request: OwnSearchRequest): OwnSearchAnswer {
    const teamNo = (teamOf?.get(request.teamId) as { no: number } | undefined)?.no ?? null
    const progress = progressOf(request.teamId, teamNo)
    const nothing = { hits: [], count: 0, isComplete: true, suggestion: null, ignoredWords: [], ...progress }
    const scope = teamNo === null ? null : scopeOf(teamNo, request)
    if (scope === null) return nothing
    const { addForms, pagesOf } = openVocabulary(index!, { teamNo: teamNo!, language: request.filters.language, now })
    const query = addForms(readQuery(request.query, request))
    const site = readSite(query.site ?? '') ?? scope.site
    const inScope = {
      ...scope,
      site: query.site === null ? scope.site : site,
      formScore: (chosen: ChosenWords) => formScore(chosen, pagesOf(query), progress.indexed),
    }
    const deadline = now() + LONGEST_MS
    const found = rankQuery(query, MOST_RANKED)
    const finds = (text: string) => rankQuery(addForms(readQuery(text)), 1).ranked.rows.length > 0
    const isFound = found.ranked.rows.length > 0
    const suggestion =
      isFound && found.ignored.length === 0
        ? null
        : suggest({ index: index!, teamNo: teamNo!, query, text: request.query, deadline, now, finds })
    if (isFound) return answerOf(found, suggestion)
    // The last word counts as written: with a beginning of a word, the frequency of words would be unknown.
    const written = addForms(readQuery(request.query))
    if (suggestion === null)
      for (const fewer of fewerWords(written, pagesOf(written))) {
        if (now() > deadline) break
        const some = rank(allRequired(fewer.query), inScope, deadline, MOST_RANKED)
        if (some.rows.length > 0) return answerOf({ ...fewer, ranked: some, weights: ALIKE }, null)
      }
    return { ...nothing, isComplete: found.ranked.isComplete, suggestion }

    /** The matches of a query; the words of a long one that are on no page do not count. */
    function rankQuery(asked: OwnQuery, most: number): Found {
      if (!isLong(asked)) return { query: asked, ranked: rank(allRequired(asked), inScope!, deadline, most), ignored: [], weights: ALIKE }
      const pages = pagesOf(asked)
      const ignored = unknownWords(asked, pages)
      const known = withoutTerms(asked, ignored)
      const chosen = chooseWords(known, pages, progress.indexed, MOST_RANKED)
      const weights = termWeights(known, pages, progress.indexed)
      let ranked = rank(chosen, inScope!, deadline, most)
      if (ranked.rows.length === 0 && isNarrow(inScope!)) ranked = rank(anyOfThem(chosen), inScope!, deadline, most)
      return { query: known, ranked, ignored, weights }
    }

    function answerOf({ ignored, query: answered, ranked, weights }: Found, suggestion: string | null): OwnSearchAnswer {
      const { isComplete, rows } = ranked
      const nameOf = (rowid: number) => names.get(Math.abs(rowid)) as { title: string | null; url: string } | undefined
      const hits = rankByName(rows, nameOf, answered, weights)
        .slice(request.offset, request.offset + request.limit)
        .flatMap(([no, score]) => hitOf(request.teamId, answered, weights, no, score))
      return { hits, count: rows.length, isComplete, suggestion, ignoredWords: typed(request.query, ignored), ...progress }
    }
  }

  function scopeOf(teamNo: number, { teamId, filters }: OwnSearchRequest): Omit<Scope, 'formScore'> | null {
    const site = filters.site === null ? null : readSite(filters.site)
    if (filters.crawl === null) return { teamNo, runNo: null, filters, site }
    const run = runOf.get(teamId, filters.crawl.toLowerCase()) as { no: number } | undefined
    return run === undefined ? null : { teamNo, runNo: run.no, filters, site }
  }

  /**
   * All matches that the limits allow, best first; of equal ones the newer. FTS5 ranks a form like the word itself, so the words as they were
   * written are ranked on their own, and what the forms add to it counts less.
   */
  function rank(chosen: ChosenWords, scope: Scope, deadline: number, most: number): Ranked {
    const written = withoutForms(chosen)
    const exact = match(written, scope, deadline, most)
    if (written === chosen || !exact.isComplete || exact.rows.length >= ENOUGH) return bestFirst(exact)
    const found = match(chosen, scope, deadline, most)
    const scoreOf = scope.formScore(chosen)
    // If the time is over before all forms are ranked, the pages with the words as they were written stay.
    const scores = new Map(exact.rows)
    for (const [no, both] of found.rows) {
      const score = scores.get(no) ?? 0
      scores.set(no, score + scoreOf(both - score))
    }
    return bestFirst({ rows: [...scores].slice(0, most), isComplete: found.isComplete })
  }

  function match(chosen: ChosenWords, scope: Scope, deadline: number, most: number): Ranked {
    const rows: [number, number][] = []
    const { sql, values } = statementFor(scope)
    const statement = index!.prepare(sql).raw()
    for (const expression of matchExpressions(chosen))
      for (const range of ranges(scope.runNo))
        for (const row of statement.iterate(expression, ...range, ...values)) {
          const [rowid, score] = row as [number, number]
          // bm25 is smaller for better matches.
          rows.push([rowid, -score])
          if (rows.length >= most || (rows.length % ROWS_PER_LOOK === 0 && now() > deadline)) return { rows, isComplete: false }
        }
    return { rows, isComplete: true }
  }

  /** A page as it is shown. Null when it was deleted after it was indexed, or belongs to another team: the database decides. */
  function hitOf(teamId: string, query: OwnQuery, weights: Found['weights'], rowid: number, score: number): OwnHit[] {
    const no = Math.abs(rowid)
    const page = stored.one(no)
    const run = runById.get(Math.floor(no / PAGES_PER_RUN), teamId) as { id: string } | undefined
    if (page === null || run === undefined) return []
    const text = pageText(page, page.document)
    const snippet = snippetOf(text.body || text.headings || text.description, query, weights)
    return [
      {
        id: page.id,
        runId: run.id,
        url: page.url,
        title: markText(text.title, query),
        snippet,
        description: text.description,
        language: page.language,
        createdAt: page.createdAt,
        isNewest: rowid > 0,
        score: Math.round(score * 1000) / 1000,
      },
    ]
  }

  function progressOf(teamId: string, teamNo: number | null): { indexed: number; behind: number } {
    const { kept } = keptOf.get(teamId, PAGES_PER_RUN) as { kept: number }
    const indexed = teamNo === null ? 0 : (followedOf!.get(teamNo) as { pages: number }).pages
    return { indexed, behind: Math.max(0, kept - indexed) }
  }
}

function bestFirst({ isComplete, rows }: Ranked): Ranked {
  rows.sort(([one, oneScore], [other, otherScore]) => otherScore - oneScore || Math.abs(other) - Math.abs(one))
  return { rows, isComplete }
}

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

function statementFor({ teamNo, filters, site }: Scope): { sql: string; values: (string | number)[] } {
  const table = wordsTable(teamNo)
  const conditions: string[] = []
  const values: (string | number)[] = []
  const where = (condition: string, ...given: (string | number)[]) => {
    conditions.push(condition)
    values.push(...given)
  }
  if (site !== null) where(`(page.host = ? OR substr(page.host, -length(?)) = ?)`, site.host, `.${site.host}`, `.${site.host}`)
  if (site !== null && site.path !== '')
    where('(page.path = ? OR substr(page.path, 1, length(?)) = ?)', site.path, `${site.path}/`, `${site.path}/`)
  if (filters.since !== null) where('page.created_at >= ?', filters.since)
  if (filters.until !== null) where('page.created_at <= ?', filters.until)
  if (filters.language !== null) where('page.language = ?', filters.language)
  const join = conditions.length === 0 ? '' : ` CROSS JOIN page ON page.no = abs(${table}.rowid)`
  const sql = `SELECT ${table}.rowid, bm25(${table}, ${WEIGHTS.join(', ')}) FROM ${table}${join}
    WHERE ${table} MATCH ? AND ${table}.rowid BETWEEN ? AND ?${conditions.map((condition) => ` AND ${condition}`).join('')}
    ORDER BY ${table}.rowid DESC`
  return { sql, values }
}
