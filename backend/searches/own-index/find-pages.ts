/**
 * Answers a query from the index: the best pages of one team, with their passages.
 *
 * Synchronous, for a thread that may be stalled. Bounded three ways: rows that are ranked, time, and terms of a query.
 */
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import { allRequired, anyOfThem, chooseWords, isLong, mostMatches, termWeights, unknownWords } from './words/choose-words.ts'
import type { ChosenWords } from './words/choose-words.ts'
import { fewerWords, typed } from './words/fewer-words.ts'
import { markText, snippetOf } from './highlight.ts'
import type { Part } from './highlight.ts'
import { RANKED_BY_NAME, rankByName } from './names-query.ts'
import { pageText } from './page-text.ts'
import { ENOUGH, MOST_MATCHES, addMatches, createRanking, isNarrow } from './rank-pages.ts'
import type { Ranked, Scope } from './rank-pages.ts'
import { readQuery, readSite, withoutTerms } from './read-query.ts'
import type { OwnQuery, Term } from './read-query.ts'
import { storedPages } from './stored-pages.ts'
import { suggest } from './suggest.ts'
import { openVocabulary } from './words/vocabulary.ts'
import type { FrequentWords } from './words/vocabulary.ts'
import { formScore, withoutForms } from './words/word-forms.ts'

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

const LONGEST_MS = 1000
const ALIKE: ReadonlyMap<Term, number> = new Map()

/** The matches of a query, which is without the ignored terms. The weights are for the passages that are shown. */
type Found = { asked: OwnQuery; query: OwnQuery; ranked: Ranked; ignored: Term[]; weights: ReadonlyMap<Term, number> }

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
  const frequent: FrequentWords = new Map()
  const ranking = index === null ? null : createRanking(index)
  const teamOf = index?.prepare('SELECT no FROM team WHERE id = ?')
  const followedOf = index?.prepare('SELECT coalesce(sum(ordinal), 0) AS pages FROM run WHERE team_no = ?')
  return find

  function find(request: OwnSearchRequest): OwnSearchAnswer {
    const teamNo = (teamOf?.get(request.teamId) as { no: number } | undefined)?.no ?? null
    const progress = progressOf(request.teamId, teamNo)
    const nothing = { hits: [], count: 0, isComplete: true, suggestion: null, ignoredWords: [], ...progress }
    const scope = teamNo === null ? null : scopeOf(teamNo, request)
    if (scope === null) return nothing
    const { language } = request.filters
    const { addForms, isFrequentBeginning, pagesOf } = openVocabulary(index!, { frequent, language, now, teamNo: scope.teamNo })
    const query = readQuery(request.query, request)
    const inScope = query.site === null ? scope : { ...scope, site: readSite(query.site) ?? scope.site }
    const deadline = now() + LONGEST_MS
    const found = rankQuery(query)
    const finds = (text: string) => rankQuery(readQuery(text)).ranked.count > 0
    const isFound = found.ranked.count > 0
    const suggestion =
      isFound && found.ignored.length === 0
        ? null
        : suggest({ index: index!, teamNo: scope.teamNo, query: found.asked, text: request.query, deadline, now, finds })
    if (isFound) return answerOf(found, suggestion)
    // The last word counts as written: with a beginning of a word, the frequency of words would be unknown.
    const written = addForms(readQuery(request.query))
    if (suggestion === null)
      for (const fewer of fewerWords(written, pagesOf(written))) {
        if (now() > deadline) break
        const some = rankForms(fewer.query, allRequired(fewer.query))
        if (some.count > 0) return answerOf({ ...fewer, asked: written, ranked: some, weights: ALIKE }, null)
      }
    return { ...nothing, isComplete: found.ranked.isComplete, suggestion }

    /** The matches of a query; the words of a long one that are on no page do not count. */
    function rankQuery(asked: OwnQuery): Found {
      if (!isLong(asked)) return rankShort(asked)
      const withForms = addForms(asked)
      const pages = pagesOf(withForms)
      const ignored = unknownWords(withForms, pages)
      const known = withoutTerms(withForms, ignored)
      const chosen = chooseWords(known, pages, progress.indexed, MOST_MATCHES)
      const weights = termWeights(known, pages, progress.indexed)
      let ranked = rankForms(known, chosen)
      if (ranked.count === 0 && isNarrow(inScope)) ranked = rankForms(known, anyOfThem(chosen))
      return { asked: withForms, query: known, ranked, ignored, weights }
    }

    /** The matches of one or two words. Their forms are not even looked up if enough pages have them as they were written. */
    function rankShort(asked: OwnQuery): Found {
      const exact = rankWords(allRequired(asked), asked)
      const all = isPlenty(exact) ? asked : addForms(asked)
      const ranked = all === asked ? exact : rankForms(all, allRequired(all), exact)
      return { asked: all, query: all, ranked, ignored: [], weights: ALIKE }
    }

    function rankForms(asked: OwnQuery, chosen: ChosenWords, exact = rankWords(withoutForms(chosen), asked)): Ranked {
      if (withoutForms(chosen) === chosen || isPlenty(exact)) return exact
      // If the time is over, the pages with the words as they were written are enough.
      if (now() > deadline) return { ...exact, isComplete: false }
      return addMatches(exact, rankWords(chosen, asked), formScore(chosen, pagesOf(asked), progress.indexed))
    }

    function rankWords(chosen: ChosenWords, asked: OwnQuery): Ranked {
      const wanted = Math.max(RANKED_BY_NAME, request.offset + request.limit)
      return ranking!.rank(chosen, inScope, { isUnranked: isFrequentBeginning, most: mostMatches(chosen, pagesOf(asked)), wanted })
    }

    function answerOf({ ignored, query: answered, ranked, weights }: Found, suggestion: string | null): OwnSearchAnswer {
      const { count, isComplete, rows } = ranked
      const nameOf = (rowid: number) => names.get(Math.abs(rowid)) as { title: string | null; url: string } | undefined
      const hits = rankByName(rows, nameOf, answered, weights)
        .slice(request.offset, request.offset + request.limit)
        .flatMap(([no, score]) => hitOf(request.teamId, answered, weights, no, score))
      return { hits, count, isComplete, suggestion, ignoredWords: typed(request.query, ignored), ...progress }
    }
  }

  function scopeOf(teamNo: number, { teamId, filters }: OwnSearchRequest): Scope | null {
    const site = filters.site === null ? null : readSite(filters.site)
    if (filters.crawl === null) return { teamNo, runNo: null, filters, site }
    const run = runOf.get(teamId, filters.crawl.toLowerCase()) as { no: number } | undefined
    return run === undefined ? null : { teamNo, runNo: run.no, filters, site }
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

/** Whether no forms of words are needed. */
const isPlenty = ({ count }: Ranked) => count >= ENOUGH
