import { count } from './language.ts'
export const more = (more: string) => `${more} more`
export const sitemapExplorer = 'Sitemap explorer'
export const theLiveViewWasInterrupted = 'The live view was interrupted'
export const itIsBeingOpenedAgainThe = 'It is reconnecting. The crawl continues.'
export const crawlDetails = 'Crawl details'
export const results = 'Results'
export const data = 'Data'
export const allUrls = 'All URLs'
export const changes = 'Changes'
export const noMessages = 'No messages.'
export const starting = 'Starting…'
export const retryFailedOf = (most: string, failed: string) => `Retry failed (${most} of ${failed})`
export const retryFailed = (failed: string) => `Retry failed (${failed})`
export const information = 'Information'
export const startURL = 'Start URL'
export const crawlType = 'Crawl type'
export const batch = 'Batch'
export const single = 'Single'
export const all = (urls: string | number) => `All ${urls}`
export const urlCount = (n: number) => count(n, { one: 'URL', other: 'URLs' })
export const failures = 'Failures'
export const nothingFailed = 'Nothing failed'
export const forOtherReasons = (rest: string) => `${rest} for other reasons`
export const skippedByARule = (skipped: string) => `${skipped} skipped (scope or limits)`
export const waiting = (waiting: string) => `${waiting} waiting`
export const openJSON = 'Open JSON'
export const saveGraph = 'Save graph'
export const saveMarkdown = 'Save Markdown'
export const sitemap = 'Sitemap'
export const graphView = 'Graph view'
export const markdownView = 'Markdown view'
export const loadingTheTree = 'Loading the tree…'
export const thisCrawlSawNoLinks = 'This crawl found no links'
export const loadingTheList = 'Loading the list…'
export const sitemapAsMarkdown = 'Sitemap as Markdown'
export const noSitemapYet = 'No sitemap yet'
export const theSitemapCouldNotBeLoaded = 'The sitemap could not be loaded'
export const status = 'Status'
export const pages = 'Pages'
export const duration = 'Duration'
