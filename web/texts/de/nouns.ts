import type { Noun } from '../nouns.ts'
import { ONE } from './articles.ts'
import { count } from './language.ts'

/** Mehrere Aufträge einer Art. */
export const several: Record<Noun, string> = { crawl: 'Crawls', search: 'Suchen', sitemap: 'Sitemaps' }
export const howMany = (noun: Noun, n: number) => count(n, { one: ONE[noun], other: several[noun] })
/** Was ein Auftrag einer Art gefunden hat. */
export const found: Record<Noun, (n: number) => string> = {
  crawl: (n) => count(n, { one: 'Seite', other: 'Seiten' }),
  search: (n) => count(n, { one: 'Ergebnis', other: 'Ergebnisse' }),
  sitemap: (n) => count(n, { one: 'URL', other: 'URLs' }),
}
