/** Asks Brave's web search (https://api-dashboard.search.brave.com/api-reference/web/search/get). */
import { decodeHTML } from 'entities/decode'
import type { TimeRange } from '#contract/searches.ts'
import { field, listOf, textOf } from './ask-provider.ts'
import type { AskProvider, Json } from './ask-provider.ts'
import { isFresh, NO_HOURS } from './freshness.ts'
import type { ProviderHit, ProviderPage, SearchProvider, SearchQuestion } from './index.ts'
import { readLocale, spelledLanguage } from './locales.ts'
import type { Locale } from './locales.ts'

/** Its shortest time range is a day. */
const FRESHNESS: Record<TimeRange, string | null> = { any: null, hour: 'pd', day: 'pd', week: 'pw', month: 'pm', year: 'py' }
const PAGE_SIZE = 20
/** `offset` counts pages, and ends at 9. */
const MAX_PAGES = 10
const MAX_CHARACTERS = 400
const MAX_WORDS = 50

const COUNTRIES = new Set(
  'AR AU AT BE BR CA CL DK FI FR DE GR HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US'.split(' '),
)
const LANGUAGES = new Set(
  'ar eu bn bg ca hr cs da nl en et fi fr gl de el gu he hi hu is it kn ko lv lt ms ml mr nb pl pa ro ru sr sk sl es sv ta te th tr uk vi'.split(
    ' ',
  ),
)
/** Languages that it spells differently. */
const SPELLINGS: Record<string, (locale: Locale) => string> = {
  en: ({ country }) => (country === 'GB' ? 'en-gb' : 'en'),
  ja: () => 'jp',
  nn: () => 'nb',
  no: () => 'nb',
  pt: ({ country }) => (country === 'PT' ? 'pt-pt' : 'pt-br'),
  zh: ({ country, script }) => (script === 'Hant' || country === 'TW' || country === 'HK' ? 'zh-hant' : 'zh-hans'),
}

/**
 * @param key  subscription token
 * @param url  base URL of the API, without a trailing slash
 */
export function brave({ ask, key, now, url }: { ask: AskProvider; key: string; now: () => number; url: string }): SearchProvider {
  return { name: 'brave', label: 'Brave Search', sources: ['web'], page }

  async function page(question: SearchQuestion, page: number, signal: AbortSignal): Promise<ProviderPage> {
    const answer = await ask(addressOf(question, page), {
      headers: { 'x-subscription-token': key },
      signal,
      statuses: { 402: 'its quota is used up', 403: 'it does not accept the key', 422: 'it does not accept the key or the request' },
    })
    if (answer.kind === 'failure') return answer
    const found = listOf(field(field(answer.json, 'web'), 'results'))
    const isHour = question.timeRange === 'hour'
    const hits = found.filter((result) => !isHour || isFresh(textOf(field(result, 'page_age')), now()))
    return {
      kind: 'page',
      hits: hits.map(toHit),
      hasMore: field(field(answer.json, 'query'), 'more_results_available') === true && found.length > 0 && page + 1 < MAX_PAGES,
      ...(isHour && page === 0 && { notes: [NO_HOURS] }),
    }
  }

  function addressOf({ query, language, country, timeRange }: SearchQuestion, page: number): URL {
    const address = new URL(`${url}/res/v1/web/search`)
    const locale = readLocale(language, country)
    const spoken = spelledLanguage(locale, LANGUAGES, SPELLINGS)
    const freshness = FRESHNESS[timeRange]
    address.search = new URLSearchParams({
      q: shortened(query),
      count: String(PAGE_SIZE),
      offset: String(page),
      result_filter: 'web',
      text_decorations: 'false',
      ...(locale.country !== null && COUNTRIES.has(locale.country) && { country: locale.country }),
      ...(spoken !== null && { search_lang: spoken }),
      ...(freshness !== null && { freshness }),
    }).toString()
    return address
  }
}

/** Longer queries are refused. */
const shortened = (query: string) => Array.from(query.split(/\s+/).slice(0, MAX_WORDS).join(' ')).slice(0, MAX_CHARACTERS).join('')

const toHit = (result: Json): ProviderHit => ({
  url: textOf(field(result, 'url')),
  title: plain(textOf(field(result, 'title'))),
  description: plain(textOf(field(result, 'description'))),
})

/** Its texts are HTML, even without highlighting. */
const plain = (html: string) => decodeHTML(html.replace(/<\/?strong>/g, ''))
