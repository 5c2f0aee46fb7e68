/** The endpoint of the search over a team's own pages. */
import type { FastifyPluginAsync } from 'fastify'
import { searchOwnPages } from '#contract/own-pages.ts'
import type { MarkedPart, OwnPageHit } from '#contract/own-pages.ts'
import { fieldError } from '#backend/errors.ts'
import { hrefOf } from '#backend/http/base-url.ts'
import type { BaseUrl } from '#backend/http/base-url.ts'
import { instant, parseInstant } from '#backend/http/instants.ts'
import { pagedAnswer, pageWindow, queryText } from '#backend/http/pagination.ts'
import type { Query } from '#backend/http/pagination.ts'
import { route } from '#backend/http/route.ts'
import type { OwnFilters, OwnHit } from './find-pages.ts'
import type { Part } from './highlight.ts'
import type { OwnSearch } from './own-search.ts'
import { readSite } from './read-query.ts'
import { languageOf } from './stored-pages.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const DAY_MS = 86_400_000
const ALL = Number.MAX_SAFE_INTEGER

/** @param baseUrl  the prefix of links to further pages */
export function ownPageRoutes({ baseUrl, ownSearch }: { baseUrl: BaseUrl; ownSearch: OwnSearch }): FastifyPluginAsync {
  return async (app) => {
    route(app, searchOwnPages, async ({ actor, query, request }) => {
      const asked = request.query as Query
      const started = performance.now()
      // The number of pages is known only with the answer: a page after the last one is refused then.
      const { offset, pageSize } = pageWindow(asked, queryText(asked, 'page') === 'last' ? 0 : ALL)
      const filters = readOwnFilters(asked)
      const search = (from: number) =>
        ownSearch.search({ teamId: actor.teamId, query: query.q, filters, isTyping: query.typing, limit: pageSize, offset: from })
      let answer = await search(offset)
      const window = pageWindow(asked, answer.count)
      if (window.offset !== offset) answer = await search(window.offset)
      return {
        ...pagedAnswer(hrefOf(baseUrl, request), window, answer.hits.map(presentHit)),
        suggestion: answer.suggestion,
        ignored_words: answer.ignoredWords,
        is_complete: answer.isComplete,
        took_ms: Math.round(performance.now() - started),
        index: { indexed: answer.indexed, behind: answer.behind },
      }
    })
  }
}

/**
 * The filters of a query; empty values filter nothing. An `until` without a time means the last millisecond of that day.
 *
 * Throws `invalid_input` with the field for an invalid value.
 */
function readOwnFilters(query: Query): OwnFilters {
  const site = queryText(query, 'site') ?? null
  if (site !== null && readSite(site) === null) throw fieldError('site', 'Enter a valid host name.')
  const crawl = queryText(query, 'crawl') ?? null
  if (crawl !== null && !UUID.test(crawl)) throw fieldError('crawl', 'Enter a valid UUID.')
  const language = queryText(query, 'language')?.toLowerCase() ?? null
  if (language !== null && !/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/.test(language)) throw fieldError('language', 'Enter a valid language code.')
  return {
    site,
    crawl,
    since: bound(query, 'since'),
    until: bound(query, 'until'),
    language: languageOf(language),
  }
}

function bound(query: Query, name: 'since' | 'until'): number | null {
  const text = queryText(query, name)
  if (text === undefined) return null
  const at = parseInstant(text)
  if (at === null) throw fieldError(name, 'Enter a valid date/time.')
  return name === 'until' && /^\s*\d{4}-\d\d-\d\d\s*$/.test(text) ? at + DAY_MS - 1 : at
}

const presentHit = (hit: OwnHit): OwnPageHit => ({
  uuid: hit.id,
  crawl_uuid: hit.runId,
  url: hit.url,
  title: hit.title.map(presentPart),
  snippet: hit.snippet.map(presentPart),
  language: hit.language,
  created_at: instant(hit.createdAt),
  is_newest: hit.isNewest,
  score: hit.score,
})

const presentPart = ([text, isMatch]: Part): MarkedPart => ({ text, is_match: isMatch })
