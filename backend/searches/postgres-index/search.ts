/** The search over a team's own pages in PostgreSQL's full text: the same queries, filters and passages as with the index file. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import { postgresFault } from '#backend/platform/database/postgres/postgres.ts'
import type { PostgresPool } from '#backend/platform/database/postgres/postgres.ts'
import { AppError } from '#backend/errors.ts'
import { ENOUGH, MOST_MATCHES, isNarrow } from '../own-index/rank-pages.ts'
import type { OwnFilters, OwnHit, OwnSearchAnswer } from '../own-index/find-pages.ts'
import { allRequired, anyOfThem, chooseWords, isLong, termWeights, unknownWords } from '../own-index/words/choose-words.ts'
import type { ChosenWords } from '../own-index/words/choose-words.ts'
import { fewerWords, typed } from '../own-index/words/fewer-words.ts'
import { markText, snippetOf } from '../own-index/highlight.ts'
import type { OwnSearch, OwnSearchQuery } from '../own-index/own-search.ts'
import { RANKED_BY_NAME, rankByNameInTurns } from '../own-index/names-query.ts'
import type { Scored } from '../own-index/names-query.ts'
import { pageText } from '../own-index/page-text.ts'
import { readQuery, readSite, withoutTerms } from '../own-index/read-query.ts'
import type { OwnQuery, Term } from '../own-index/read-query.ts'
import { pagesOfRows } from '../own-index/stored-pages.ts'
import type { PageRow } from '../own-index/stored-pages.ts'
import { FORM_WEIGHT, withoutForms } from '../own-index/words/word-forms.ts'
import { holdersOf } from './page-holders.ts'
import { suggestOf } from './suggest.ts'
import { MOST_COUNTED, openVocabulary } from './vocabulary.ts'

/**
 * The weights D, C, B and A: body, URL and description, headings, title. Measured with 58 questions to 1,386 pages: the right page is among the
 * first ten for 93 %, with a body that weighs 0.1 for 84 %, with one that weighs 0.7 for 90 %.
 */
const WEIGHTS = '{0.3, 0.5, 0.7, 1}'
/** Each word of a long query is ranked on its own: the rarest of them. */
const MOST_RANKED_WORDS = 8
/** The rank of a word that fills a page of a thousand words. */
const MOST_OF_WORD = 0.1
/** Divides the rank by the logarithm of a page's length. */
const BY_LENGTH = 1
/** A person who types makes queries faster than they are answered. Queries beyond this are refused, and the client may repeat them. */
const MOST_AT_ONCE = 20

type Scope = { teamId: string; runNo: number | null; filters: OwnFilters; site: ReturnType<typeof readSite> }
type Window = { offset: number; limit: number }
type Ranked = { count: number; rows: [pageNo: number, score: number, title: string | null, url: string][] }
/** The matches of a query, which is without the ignored terms. */
type Found = { asked: OwnQuery; query: OwnQuery; ranked: Ranked; ignored: Term[]; weights: ReadonlyMap<Term, number> }
const ALIKE: Found['weights'] = new Map()

export function createPostgresSearch({ pool }: { pool: PostgresPool }): OwnSearch {
  let atOnce = 0
  return { search, close: async () => undefined }

  async function search({ filters = {}, isTyping = false, ...asked }: OwnSearchQuery): Promise<OwnSearchAnswer> {
    if (atOnce >= MOST_AT_ONCE) throw new AppError('unavailable')
    atOnce += 1
    try {
      const all = { site: null, crawl: null, since: null, until: null, language: null, ...filters }
      return await find({ ...asked, filters: all, isTyping })
    } catch (fault) {
      throw postgresFault(fault)
    } finally {
      atOnce -= 1
    }
  }

  async function find(asked: Omit<OwnSearchQuery, 'filters'> & { filters: OwnFilters }): Promise<OwnSearchAnswer> {
    const { filters, isTyping = false, limit, offset, query: text, teamId } = asked
    const progress = await progressOf(teamId)
    const nothing = { hits: [], count: 0, isComplete: true, suggestion: null, ignoredWords: [], ...progress }
    const runNo = filters.crawl === null ? null : await runOf(teamId, filters.crawl.toLowerCase())
    if (runNo === undefined) return nothing
    const vocabulary = openVocabulary(pool, { teamId, language: filters.language })
    const query = readQuery(text, { isTyping })
    const named = query.site ?? filters.site
    const scope: Scope = { teamId, runNo, filters, site: named === null ? null : readSite(named) }
    // Names change the order of the best only: with those, all of them are read.
    const mayMove = offset < RANKED_BY_NAME
    const read: Window = mayMove ? { offset: 0, limit: Math.max(RANKED_BY_NAME, offset + limit) } : { offset, limit }
    const found = await rankQuery(query, read)
    const isFound = found.ranked.count > 0
    const finds = async (corrected: string) => (await rankQuery(readQuery(corrected), { offset: 0, limit: 1 })).ranked.count > 0
    const suggestion = isFound && found.ignored.length === 0 ? null : await suggestOf({ pool, teamId, query: found.asked, text, finds })
    if (isFound) return answerOf(found, suggestion)
    // The last word counts as written: with a beginning of a word, the frequency of words would be unknown.
    const written = await vocabulary.addForms(readQuery(text))
    if (suggestion === null)
      for (const fewer of fewerWords(written, await vocabulary.pagesOf(written))) {
        const some = await rank(allRequired(fewer.query), ALIKE, scope, read)
        if (some.count > 0) return answerOf({ ...fewer, asked: written, ranked: some, weights: ALIKE }, null)
      }
    return { ...nothing, suggestion }

    /** The matches of a query; the words of a long one that are on no page do not count. */
    async function rankQuery(asked: OwnQuery, window: Window): Promise<Found> {
      if (!isLong(asked)) return rankShort(asked, window)
      const withForms = await vocabulary.addForms(asked)
      const pages = await vocabulary.pagesOf(withForms)
      const ignored = unknownWords(withForms, pages)
      const known = withoutTerms(withForms, ignored)
      const chosen = chooseWords(known, pages, progress.indexed, MOST_COUNTED - 1)
      const weights = termWeights(known, pages, progress.indexed)
      let ranked = await rank(chosen, weights, scope, window)
      if (ranked.count === 0 && isNarrow(scope)) ranked = await rank(anyOfThem(chosen), weights, scope, window)
      return { asked: withForms, query: known, ranked, ignored, weights }
    }

    /** The matches of one or two words. Their forms are not even looked up if enough pages have them as they were written. */
    async function rankShort(asked: OwnQuery, window: Window): Promise<Found> {
      const found = (query: OwnQuery, ranked: Ranked): Found => ({ asked: query, query, ranked, ignored: [], weights: ALIKE })
      if (await vocabulary.areFrequent(asked)) {
        const exact = await rank(allRequired(asked), ALIKE, scope, window)
        if (exact.count >= ENOUGH) return found(asked, exact)
      }
      const all = await vocabulary.addForms(asked)
      return found(all, await rank(allRequired(all), ALIKE, scope, window))
    }

    async function answerOf({ ignored, ranked, ...answered }: Found, corrected: string | null): Promise<OwnSearchAnswer> {
      const { count, rows } = ranked
      const names = new Map(rows.map(([no, , title, url]) => [no, { title, url }]))
      const scored = rows.map(([no, score]): Scored => [no, score])
      const best = mayMove
        ? (await rankByNameInTurns(scored, (no) => names.get(no), answered.query, answered.weights)).slice(offset, offset + limit)
        : scored
      return {
        hits: await hitsOf(scope, answered, best),
        count: Math.min(count, MOST_MATCHES),
        isComplete: count <= MOST_MATCHES,
        suggestion: corrected,
        ignoredWords: typed(text, ignored),
        ...progress,
      }
    }
  }

  /** Undefined when the team has no such run. */
  async function runOf(teamId: string, id: string): Promise<number | undefined> {
    const { rows } = await pool.query<{ no: number }>('SELECT no FROM run WHERE team_id = $1 AND id = $2 AND deleted_at IS NULL', [
      teamId,
      id,
    ])
    return rows[0]?.no
  }

  /** The matches within the limits, best first; of equal ones the newer. */
  async function rank(chosen: ChosenWords, weights: Found['weights'], scope: Scope, window: Window): Promise<Ranked> {
    const expression = matchExpression(chosen)
    if (expression === null) return { count: 0, rows: [] }
    const values: unknown[] = [scope.teamId, expression, window.limit, window.offset]
    const { rows } = await pool.query<Ranked>(
      `WITH found AS MATERIALIZED (
          SELECT page_no, ${scoreOf(chosen, weights, values)} AS score
          FROM page_words AS p JOIN run ON run.no = p.run_no AND run.deleted_at IS NULL
          WHERE p.team_id = $1 AND words @@ $2::tsquery ${conditionsOf(scope, values)} LIMIT ${MOST_MATCHES + 1})
        SELECT (SELECT count(*) FROM found) AS count,
          coalesce(json_agg(json_build_array(page_no, score, title, url) ORDER BY score DESC, page_no DESC), '[]') AS rows
        FROM (SELECT * FROM found ORDER BY score DESC, page_no DESC LIMIT $3 OFFSET $4) AS wanted JOIN page ON page.no = page_no`,
      values,
    )
    return rows[0]!
  }

  /** Pages as they are shown, in their order. The database decides which team they belong to. */
  async function hitsOf(
    { teamId }: Scope,
    { query, weights }: Pick<Found, 'query' | 'weights'>,
    ranked: readonly Scored[],
  ): Promise<OwnHit[]> {
    const { rows } = await pool.query<PageRow & { runId: string; isNewest: number }>(
      `SELECT page.no, page.id, page.url, page.title, page.language, page.created_at AS "createdAt", page_body.encoding, page_body.raw_bytes AS "rawBytes", page_body.body,
          run.id AS "runId", NOT EXISTS (${newerThan('p')}) AS "isNewest"
        FROM page JOIN page_words AS p ON p.page_no = page.no JOIN run ON run.no = page.run_no AND run.team_id = $1 AND run.deleted_at IS NULL
        LEFT JOIN page_body ON page_body.page_no = page.no WHERE page.no = ANY($2::bigint[])`,
      [teamId, ranked.map(([no]) => no)],
    )
    const pages = pagesOfRows(rows, await holdersOf(pool, rows))
    const found = new Map(rows.map((row, index) => [row.no, { row, page: pages[index]! }]))
    const hits: OwnHit[] = []
    for (const [no, score] of ranked) {
      const { page, row } = found.get(no) ?? {}
      if (page === undefined || row === undefined) continue
      // Long pages take milliseconds: other calls get a turn between them.
      if (hits.length > 0) await nextTurn()
      const text = pageText(page, page.document)
      hits.push({
        id: page.id,
        runId: row.runId,
        url: page.url,
        title: markText(text.title, query),
        snippet: snippetOf(text.body || text.headings || text.description, query, weights),
        description: text.description,
        language: page.language,
        createdAt: page.createdAt,
        isNewest: row.isNewest === 1,
        score: Math.round(score * 1000) / 1000,
      })
    }
    return hits
  }

  async function progressOf(teamId: string): Promise<{ indexed: number; behind: number }> {
    const { rows } = await pool.query<{ kept: number; indexed: number }>(
      `SELECT coalesce(sum(run.kept), 0) AS kept, coalesce(sum(run_words.ordinal), 0) AS indexed
        FROM run LEFT JOIN run_words ON run_words.run_no = run.no
        WHERE run.team_id = $1 AND deleted_at IS NULL AND EXISTS (SELECT 1 FROM page WHERE page.no = run.no * $2::bigint + 1)`,
      [teamId, PAGES_PER_RUN],
    )
    const { indexed, kept } = rows[0]!
    return { indexed, behind: Math.max(0, kept - indexed) }
  }
}

/** A newer version of the same URL, of a run that is not deleted. */
const newerThan = (page: string) => `SELECT 1 FROM page_words AS newer JOIN run AS newer_run ON newer_run.no = newer.run_no
  WHERE newer.team_id = ${page}.team_id AND newer.address = ${page}.address AND newer.page_no > ${page}.page_no AND newer_run.deleted_at IS NULL`

/** Appends the values that the condition needs. */
function conditionsOf({ filters, runNo, site }: Scope, values: unknown[]): string {
  const conditions: string[] = []
  const value = (given: unknown) => `$${values.push(given)}`
  if (runNo === null) conditions.push(`NOT EXISTS (${newerThan('p')})`)
  else conditions.push(`p.run_no = ${value(runNo)}`)
  if (site !== null) {
    const host = value(site.host)
    conditions.push(`(p.host = ${host}::text OR right(p.host, length(${host}::text) + 1) = '.' || ${host}::text)`)
  }
  if (site !== null && site.path !== '') {
    const path = value(site.path)
    conditions.push(`(p.path = ${path}::text OR left(p.path, length(${path}::text) + 1) = ${path}::text || '/')`)
  }
  if (filters.since !== null) conditions.push(`p.created_at >= ${value(filters.since)}`)
  if (filters.until !== null) conditions.push(`p.created_at <= ${value(filters.until)}`)
  if (filters.language !== null) conditions.push(`p.language = ${value(filters.language)}`)
  return conditions.map((condition) => ` AND ${condition}`).join('')
}

/**
 * How well a page matches. PostgreSQL ranks all words alike, so those of a long query are ranked one by one and weighed.
 *
 * Appends the values that the expression needs.
 */
function scoreOf(chosen: ChosenWords, weights: Found['weights'], values: unknown[]): string {
  const { oneOf, others, required } = chosen
  const rankOf = (query: string) => `ts_rank('${WEIGHTS}', words, $${values.push(query)}::tsquery, ${BY_LENGTH})`
  if (oneOf.length === 0) return `${rankOf(matchExpression(withoutForms(chosen))!)}${formsScore(required, rankOf)}`
  const ranked = [...required, ...oneOf, ...others].slice(0, MOST_RANKED_WORDS)
  return ranked.map((term) => `${weights.get(term) ?? 1} * (${rankOf(writtenOf(term))}${formsScore([term], rankOf)})`).join(' + ')
}

/**
 * What the forms of words add to the rank: nearly as much as the words themselves, and several of them little more than one.
 *
 * PostgreSQL divides the rank of alternatives by their number.
 */
function formsScore(terms: readonly Term[], rankOf: (query: string) => string): string {
  if (terms.every(({ forms }) => forms.length === 0)) return ''
  const words = terms.flatMap(alternativesOf)
  const most = MOST_OF_WORD * terms.length
  const sum = `${words.length} * ${rankOf(words.join(' | '))}`
  // Without OFFSET, PostgreSQL would compute the rank for each x: three times for a page.
  return ` + (SELECT ${FORM_WEIGHT * most} * x / sqrt(${most * most} + x * x) FROM (SELECT ${sum} AS x OFFSET 0) AS forms)`
}

/**
 * The chosen words in the query language of PostgreSQL; null when no page can match.
 *
 * Words consist of letters, marks and digits only and are quoted: no part of a query can be read as an operator.
 */
function matchExpression({ excluded, oneOf, required }: ChosenWords): string | null {
  const needed = [
    ...new Set(required.map((term) => `(${phraseOf(term)})`)),
    ...(oneOf.length > 0 ? [`(${oneOf.map(phraseOf).join(' | ')})`] : []),
  ]
  if (needed.length === 0) return null
  return [...needed, ...new Set(excluded.map((term) => `!(${phraseOf(term)})`))].join(' & ')
}

const phraseOf = (term: Term) => alternativesOf(term).join(' | ')

const alternativesOf = (term: Term) => [writtenOf(term), ...term.forms.map((form) => `'${form}'`)]

const writtenOf = ({ isPrefix, words }: Term) =>
  words.map((word, at) => `'${word}'${isPrefix && at === words.length - 1 ? ':*' : ''}`).join(' <-> ')
