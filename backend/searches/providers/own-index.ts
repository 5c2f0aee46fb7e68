/** Searches the team's own pages: everything that its crawls have stored. Needs no network, and is always available. */
import type { TimeRange } from '#contract/searches.ts'
import type { OwnSearchAnswer } from '#backend/searches/own-index/find-pages.ts'
import type { OwnSearchQuery } from '#backend/searches/own-index/own-search.ts'
import { languageOf } from '#backend/searches/own-index/stored-pages.ts'
import type { ProviderPage, SearchProvider, SearchQuestion } from './index.ts'
import { readLocale } from './locales.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const SPANS: Record<TimeRange, number | null> = {
  any: null,
  hour: DAY_MS / 24,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 31 * DAY_MS,
  year: 366 * DAY_MS,
}

/** @param search  the search over the pages of one team */
export function ownPages({
  now,
  search,
}: {
  now: () => number
  search: (query: OwnSearchQuery) => Promise<OwnSearchAnswer>
}): SearchProvider {
  return { name: 'own', label: 'your own pages', sources: ['web'], page }

  async function page({ query, language, country, timeRange, teamId, limit }: SearchQuestion, page: number): Promise<ProviderPage> {
    const span = SPANS[timeRange]
    const filters = { since: span === null ? null : now() - span, language: languageOf(readLocale(language, country).language) }
    const offset = page * limit
    let answer: OwnSearchAnswer
    try {
      answer = await search({ teamId, query, filters, limit, offset })
    } catch {
      // Too many queries, or the index is being rebuilt; the code that knows the reason has logged it.
      return { kind: 'failure', detail: 'the index is busy' }
    }
    return {
      kind: 'page',
      hits: answer.hits.map(({ url, title, description, snippet }) => ({
        url,
        title: textOf(title),
        description: description || textOf(snippet),
      })),
      hasMore: offset + answer.hits.length < answer.count && answer.hits.length > 0,
      ...(page === 0 && { notes: notesOf(answer) }),
    }
  }
}

function notesOf({ behind, count, ignoredWords, suggestion }: OwnSearchAnswer): string[] {
  return [
    ...(behind > 0 ? [`${behind} of the pages are not in the index yet`] : []),
    ...(suggestion === null
      ? []
      : [count === 0 ? `nothing was found; "${suggestion}" would find something` : `another spelling: "${suggestion}"`]),
    ...(ignoredWords.length > 0 ? [`no page has all words; ignored: ${ignoredWords.join(', ')}`] : []),
  ]
}

const textOf = (parts: [text: string, isMatch: boolean][]) => parts.map(([text]) => text).join('')
