import type { Noun } from '../nouns.ts'
import { count } from './language.ts'

/** The plural of a kind. */
export const several: Record<Noun, string> = { crawl: 'crawls', search: 'searches', sitemap: 'sitemaps' }
export const howMany = (noun: Noun, n: number) => count(n, { one: noun, other: several[noun] })
/** What a run of a kind has found. */
export const found: Record<Noun, (n: number) => string> = {
  crawl: (n) => count(n, { one: 'page', other: 'pages' }),
  search: (n) => count(n, { one: 'result', other: 'results' }),
  sitemap: (n) => count(n, { one: 'URL', other: 'URLs' }),
}
