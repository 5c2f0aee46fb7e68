import { count } from './language.ts'
export const theOtherCrawlsCouldNotBe = 'The other crawls could not be loaded'
export const loadingTheOtherCrawls = 'Loading the other crawls…'
export const noOtherCrawlOfThisStart = 'No other crawl of this start URL'
export const runTheCrawlAgainLaterWhat = 'Run the crawl again later: what changed on the site in between is listed here.'
export const compareWith = 'Compare with'
export const pages = (n: number) => count(n, { one: 'page', other: 'pages' })
export const anotherCrawl = 'Another crawl'
export const theCrawlsCouldNotBeCompared = 'The crawls could not be compared'
export const theCrawlsHaveDifferentOptions = 'The two crawls have different options'
export const theTextMayDifferBecauseOf = (names: string) =>
  `A page may be listed as changed because of ${names}, though the site has not changed it.`
export const whichPages = 'Which pages'
export const loadingTheComparison = 'Loading the comparison'
export const changes = { added: 'Added', removed: 'Removed', changed: 'Changed', unchanged: 'Unchanged' }
export const noPageWas = (change: string) => `No page was ${change}`
export const pagesOf = (label: string) => `${label} pages`
export const comparing = 'Comparing…'
export const showWhatChangedIn = (url: string | number) => `Show what changed in ${url}`
export const showWhatChanged = 'Show what changed'
export const storedCount = (kept: string) => `${kept} stored`
export const theOverviewCouldNotBeLoaded = 'The overview could not be loaded'
export const overview = 'Overview'
export const speed = 'Speed'
export const outcomes = 'Outcomes'
export const statusCodes = 'Status codes'
export const depth = 'Depth'
export const start = 'Start'
export const links = (n: number) => count(n, { one: 'link', other: 'links' })
export const contentTypes = 'Content types'
export const notStated = 'not stated'
export const largestAndSlowest = 'Largest and slowest'
export const largest = 'Largest'
export const slowest = 'Slowest'
export const ms = (took_ms: string) => `${took_ms} ms`
export const loadingTheOverview = 'Loading the overview'
export const noPageHasBeenStored = 'No page has been stored.'
export const pagesPerSecond = (rateText: string) => `${rateText} pages/s`
export const onAverageAtMost = (total: string, most: string) => `${total} on average, at most ${most}`
export const none = 'None'
export const others = (rest: number) => count(rest, { one: 'other', other: 'others' })
export const jsonLines = 'JSON Lines'
export const downloadTheData = 'Download the data'
export const theDataCouldNotBeLoaded = 'The data could not be loaded'
export const loadingTheData = 'Loading the data'
export const noPageYet = 'No page yet'
export const extractedData = 'Extracted data'
export const nothingWasExtracted = 'Nothing was extracted'
export const dataOf = (name: string) => `data ${name}`
export const tokensReadWritten = (prompt_tokens: string, answer_tokens: string) => `${prompt_tokens} tokens read, ${answer_tokens} written`
export const calls = (n: number) => count(n, { one: 'call', other: 'calls' })
export const cost = (amount: string) => `, cost ${amount}`
export const urlAndReason = 'URL and reason'
export const clear = (words: string | number) => `Clear ${words}`
export const urlContains = 'URL contains'
export const outcome = 'Outcome'
export const allOutcomes = 'All outcomes'
export const status = (status: string | number) => `Status ${status}`
export const atDepth = (depth: string | number) => `Depth ${depth}`
export const theUrlsCouldNotBeLoaded = 'The URLs could not be loaded'
export const loadingUrls = 'Loading URLs'
export const nothingMatchesTheFilter = 'Nothing matches the filter'
export const clearTheFilter = 'Clear the filter'
export const noUrlYet = 'No URL yet'
export const urls = 'URLs'
export const tries = 'Tries'
export const sizeOfIt = 'Size'
export const took = 'Took'
export const pageOfIt = 'Page'
export const difference = 'Difference'
