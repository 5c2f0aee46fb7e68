/** Asks a Programmable Search Engine over Google's Custom Search JSON API (https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list). */
import type { TimeRange } from '#contract/searches.ts'
import { field, listOf, textOf } from './ask-provider.ts'
import type { AskProvider, Json } from './ask-provider.ts'
import type { ProviderHit, ProviderPage, SearchProvider, SearchQuestion } from './index.ts'
import { readLocale, spelledLanguage } from './locales.ts'
import type { Locale } from './locales.ts'

/** Its shortest time range is a day. */
const DATES: Record<TimeRange, string | null> = { any: null, hour: 'd1', day: 'd1', week: 'w1', month: 'm1', year: 'y1' }
const PAGE_SIZE = 10
/** It returns only the first hundred hits. */
const MAX_PAGES = 10

/** Languages that it can restrict results to. */
const LANGUAGES = new Set('ar bg ca cs da de el en es et fi fr hr hu id is it ja ko lt lv nl no pl pt ro ru sk sl sr sv tr'.split(' '))
const SPELLINGS: Record<string, (locale: Locale) => string> = {
  he: () => 'iw',
  nb: () => 'no',
  nn: () => 'no',
  zh: ({ country, script }) => (script === 'Hant' || country === 'TW' || country === 'HK' ? 'zh-TW' : 'zh-CN'),
}

const NO_DATES = 'It cannot be asked for the last hour: it was asked for the last day.'

/**
 * @param cx   id of the search engine
 * @param key  API key
 * @param url  base URL of the API, without a trailing slash
 */
export function google({ ask, cx, key, url }: { ask: AskProvider; cx: string; key: string; url: string }): SearchProvider {
  return { name: 'google', label: 'Google', sources: ['web'], page }

  async function page(question: SearchQuestion, page: number, signal: AbortSignal): Promise<ProviderPage> {
    const answer = await ask(addressOf(question, page), {
      signal,
      statuses: {
        400: 'it does not accept the key, the engine id or the request',
        403: 'it does not accept the key, or its quota is used up',
        429: 'its quota is used up',
      },
    })
    if (answer.kind === 'failure') return answer
    const found = listOf(field(answer.json, 'items'))
    const hasNext = listOf(field(field(answer.json, 'queries'), 'nextPage')).length > 0
    return {
      kind: 'page',
      hits: found.map(toHit),
      hasMore: hasNext && found.length > 0 && page + 1 < MAX_PAGES,
      ...(question.timeRange === 'hour' && page === 0 && { notes: [NO_DATES] }),
    }
  }

  function addressOf({ query, language, country, timeRange }: SearchQuestion, page: number): URL {
    const address = new URL(`${url}/customsearch/v1`)
    const locale = readLocale(language, country)
    const spoken = spelledLanguage(locale, LANGUAGES, SPELLINGS)
    const date = DATES[timeRange]
    address.search = new URLSearchParams({
      key,
      cx,
      q: query,
      num: String(PAGE_SIZE),
      start: String(page * PAGE_SIZE + 1),
      ...(spoken !== null && { hl: spoken, lr: `lang_${spoken}` }),
      ...(locale.country !== null && { gl: locale.country.toLowerCase() }),
      ...(date !== null && { dateRestrict: date }),
    }).toString()
    return address
  }
}

const toHit = (result: Json): ProviderHit => ({
  url: textOf(field(result, 'link')),
  title: textOf(field(result, 'title')),
  description: textOf(field(result, 'snippet')),
})
