import { count } from './language.ts'
import { rich } from '../rich.ts'
import type { Part } from '../rich.ts'
export const sitemapExplorer = 'Sitemap explorer'
export const sitemapExplorerNoSitemapYet = 'Sitemap explorer (no sitemap yet)'
export const thePagesCouldNotBeLoaded = 'The pages could not be loaded'
export const loadingThePages = 'Loading the pages…'
export const waitingForAFreeCrawler = 'Waiting for a free crawler…'
export const runningNoPageYet = 'Running. No page is stored yet…'
export const noPageCouldBeFetched = 'No page could be fetched'
export const noPagesWereStored = 'No pages were stored'
export const seeWhatHappenedToEachUrl = 'See what happened to each URL'
export const nothingOfThisCrawlWasKept = 'This crawl stored no page. The list of URLs shows why.'
export const previousPage = 'Previous page'
export const nextPage = 'Next page'
export const results = 'Results'
export const filterResults = 'Filter results'
export const filter = (countText: string) => `Filter ${countText}`
export const resultCount = (n: number) => count(n, { one: 'result', other: 'results' })
export const nothingMatchesTheFilter = 'Nothing matches the filter'
export const clearTheFilter = 'Clear the filter'
export const pages = 'Pages'
export const toMove = (up: Part, down: Part) => rich`${up}${down} to move`
export const ofText = (place: string | number, all: string) => `${place} of ${all}`
export const allResults = 'All results'
export const numberOfAll = (place: string, all: string) => `${place} of ${all}`
export const fullWindowF = 'Full window (F)'
export const moreResultsCouldNotBeLoaded = 'More results could not be loaded'
export const loading = 'Loading…'
export const loadMore = 'Load More'
export const tryAgain = 'Try again'
export const moreAreOnTheirWay = 'More are on their way'
export const allLoaded = (countText: string) => `All ${countText} loaded`
export const repeat = 'Repeat'
