import { count } from './language.ts'
import { rich } from '../rich.ts'
import type { Part } from '../rich.ts'
export const sitemapExplorer = 'Aufbau der Website'
export const sitemapExplorerNoSitemapYet = 'Aufbau der Website (noch keine Sitemap)'
export const thePagesCouldNotBeLoaded = 'Die Seiten konnten nicht geladen werden'
export const loadingThePages = 'Seiten werden geladen …'
export const waitingForAFreeCrawler = 'Wartet auf einen freien Crawler …'
export const runningNoPageYet = 'Läuft. Noch ist keine Seite gespeichert …'
export const noPageCouldBeFetched = 'Keine Seite konnte abgerufen werden'
export const noPagesWereStored = 'Keine Seiten gespeichert'
export const seeWhatHappenedToEachUrl = 'Was aus jeder URL wurde'
export const nothingOfThisCrawlWasKept = 'Dieser Crawl hat keine Seite gespeichert. Die Liste der URLs zeigt, warum.'
export const previousPage = 'Vorige Seite'
export const nextPage = 'Nächste Seite'
export const results = 'Ergebnisse'
export const filterResults = 'Ergebnisse filtern'
export const filter = (countText: string) => `${countText} filtern`
export const resultCount = (n: number) => count(n, { one: 'Ergebnis', other: 'Ergebnisse' })
export const nothingMatchesTheFilter = 'Nichts passt zum Filter'
export const clearTheFilter = 'Filter leeren'
export const pages = 'Seiten'
export const toMove = (up: Part, down: Part) => rich`${up}${down} bewegen`
export const ofText = (place: string | number, all: string) => `${place} von ${all}`
export const allResults = 'Alle Ergebnisse'
export const numberOfAll = (place: string, all: string) => `${place} von ${all}`
export const fullWindowF = 'Ganzes Fenster (F)'
export const moreResultsCouldNotBeLoaded = 'Weitere Ergebnisse konnten nicht geladen werden'
export const loading = 'Wird geladen …'
export const loadMore = 'Mehr laden'
export const tryAgain = 'Noch einmal versuchen'
export const moreAreOnTheirWay = 'Weitere sind unterwegs'
export const allLoaded = (countText: string) => `Alle geladen: ${countText}`
export const repeat = 'Wiederholen'
