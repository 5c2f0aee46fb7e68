import { count } from './language.ts'
export const more = (more: string) => `${more} weitere`
export const sitemapExplorer = 'Aufbau der Website'
export const theLiveViewWasInterrupted = 'Die Live-Ansicht wurde unterbrochen'
export const itIsBeingOpenedAgainThe = 'Sie wird wieder geöffnet; der Crawl läuft inzwischen weiter.'
export const crawlDetails = 'Details des Crawls'
export const results = 'Ergebnisse'
export const data = 'Daten'
export const allAddresses = 'Alle Adressen'
export const changes = 'Änderungen'
export const theCrawlerHasSaidNothing = 'Der Crawler hat nichts gemeldet.'
export const starting = 'Wird gestartet …'
export const retryFailedOf = (url: string, failed: string) => `Fehlgeschlagene wiederholen (${url} von ${failed})`
export const retryFailed = (failed: string) => `Fehlgeschlagene wiederholen (${failed})`
export const waitingForAFreeCrawler = 'Wartet auf einen freien Crawler …'
export const workingTheFirstPagesAreOn = 'Läuft: Die ersten Seiten sind unterwegs …'
export const noPageCouldBeFetched = 'Keine Seite konnte abgerufen werden'
export const noPagesWereStored = 'Keine Seiten gespeichert'
export const seeWhatHappenedToEachAddress = 'Ansehen, was aus jeder Adresse wurde'
export const nothingOfThisCrawlWasKept = 'Von diesem Crawl wurde nichts behalten. Die Liste der Adressen sagt, warum.'
export const information = 'Angaben'
export const startURL = 'Start-URL'
export const crawlType = 'Art des Crawls'
export const batch = 'Mehrere'
export const single = 'Einzeln'
export const all = (urls: string | number) => `Alle ${urls}`
export const uRLs = (n: number) => count(n, { one: 'URL', other: 'URLs' })
export const failures = 'Fehler'
export const nothingFailed = 'Nichts ist fehlgeschlagen'
export const forOtherReasons = (rest: string) => `${rest} aus anderen Gründen`
export const leftOutByARule = (skipped: string) => `${skipped} durch eine Regel ausgelassen`
export const waiting = (waiting: string) => `${waiting} warten`
export const openJSON = 'JSON öffnen'
export const saveGraph = 'Graph speichern'
export const saveMarkdown = 'Markdown speichern'
export const sitemap = 'Sitemap'
export const graphView = 'Als Graph'
export const markdownView = 'Als Markdown'
export const loadingTheTree = 'Baum wird geladen …'
export const thisCrawlSawNoLinks = 'Dieser Crawl hat keine Links gesehen'
export const loadingTheList = 'Liste wird geladen …'
export const sitemapAsMarkdown = 'Sitemap als Markdown'
export const noSitemapYet = 'Noch keine Sitemap'
export const theSitemapCouldNotBeLoaded = 'Die Sitemap konnte nicht geladen werden'
