import { count } from './language.ts'
export const more = (more: string) => `${more} weitere`
export const sitemapExplorer = 'Aufbau der Website'
export const theLiveViewWasInterrupted = 'Die Live-Ansicht wurde unterbrochen'
export const itIsBeingOpenedAgainThe = 'Sie wird neu verbunden. Der Crawl läuft weiter.'
export const crawlDetails = 'Details des Crawls'
export const results = 'Ergebnisse'
export const data = 'Daten'
export const allUrls = 'Alle URLs'
export const changes = 'Änderungen'
export const noMessages = 'Keine Meldungen.'
export const starting = 'Wird gestartet …'
export const retryFailedOf = (most: string, failed: string) => `Fehlgeschlagene nachholen (${most} von ${failed})`
export const retryFailed = (failed: string) => `Fehlgeschlagene nachholen (${failed})`
export const information = 'Angaben'
export const startURL = 'Start-URL'
export const crawlType = 'Art des Crawls'
export const batch = 'Mehrere'
export const single = 'Einzeln'
export const all = (urls: string | number) => `Alle ${urls}`
export const urlCount = (n: number) => count(n, { one: 'URL', other: 'URLs' })
export const failures = 'Fehler'
export const nothingFailed = 'Nichts ist fehlgeschlagen'
export const forOtherReasons = (rest: string) => `${rest} aus anderen Gründen`
export const skippedByARule = (skipped: string) => `${skipped} ausgelassen (Bereich oder Limits)`
export const waiting = (waiting: string) => `${waiting} warten`
export const openJSON = 'JSON öffnen'
export const saveGraph = 'Graph speichern'
export const saveMarkdown = 'Markdown speichern'
export const sitemap = 'Sitemap'
export const graphView = 'Als Graph'
export const markdownView = 'Als Markdown'
export const loadingTheTree = 'Baum wird geladen …'
export const thisCrawlSawNoLinks = 'Dieser Crawl hat keine Links gefunden'
export const loadingTheList = 'Liste wird geladen …'
export const sitemapAsMarkdown = 'Sitemap als Markdown'
export const noSitemapYet = 'Noch keine Sitemap'
export const theSitemapCouldNotBeLoaded = 'Die Sitemap konnte nicht geladen werden'
export const status = 'Status'
export const pages = 'Seiten'
export const duration = 'Dauer'
