import type { Noun } from '../nouns.ts'

// Die Arten von Aufträgen mit ihren Artikeln.

export const THE: Record<Noun, string> = { crawl: 'Der Crawl', search: 'Die Suche', sitemap: 'Die Sitemap' }
export const THIS: Record<Noun, string> = { crawl: 'Diesen Crawl', search: 'Diese Suche', sitemap: 'Diese Sitemap' }
export const ONE: Record<Noun, string> = { crawl: 'Crawl', search: 'Suche', sitemap: 'Sitemap' }
export const NEW: Record<Noun, string> = { crawl: 'Neuer Crawl', search: 'Neue Suche', sitemap: 'Neue Sitemap' }
