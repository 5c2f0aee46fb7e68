import { count, number } from './language.ts'
import { rich } from '../rich.ts'
import type { Part } from '../rich.ts'
export const notAvailableInBatchMode = 'Not available in batch mode'
export const crawlerSettings = 'Crawler settings'
export const howFarTheCrawlGoesAnd = 'How far the crawl goes and how fast.'
export const maxDepth = 'Max depth'
export const pageLimit = 'Page limit'
export const linksAwayFromTheStart = 'Links away from the start'
export const theMostPagesToStore = 'The most pages to store'
export const concurrentRequests = 'Concurrent requests'
export const leaveEmptyForAutomatic = 'Leave empty for automatic'
export const automaticUpTo = (maxConcurrency: string | number) => `Automatic, up to ${maxConcurrency}`
export const pathFilters = 'Path filters'
export const pathsMayUseForAnyText = '* stands for any text. Excluded paths take precedence.'
export const excludePaths = 'Exclude paths'
export const includePaths = 'Include paths'
export const allowedDomains = 'Allowed domains'
export const comparedWithTheHostOfThe =
  'Compared with the host of the URL. * stands for any text. With a port, as in *.example.com:8080, host and port must match; without one any port does.'
export const exampleCom = '*.example.com'
export const leaveEmptyForTheStartDomain =
  'Leave empty for the start domain and its subdomains. Links to other domains are listed, not followed.'
export const wholePage = 'Whole page'
export const bareArticleText = 'Bare article text'
export const htmlInTheMarkdown = 'HTML in Markdown'
export const withHTML = 'With HTML'
export const withoutLinks = 'Without links'
export const timeoutMs = (timeout: string | number) => `${timeout} ms`
export const withoutRendering = 'Without rendering'
export const waitMs = (wait_time: string | number) => `${wait_time} ms`
export const asOnAPhone = 'As on a phone'
export const acceptsCookies = 'Accepts cookies'
export const startCrawling = 'Start Crawling'
export const starting = 'Starting…'
export const pleaseEnterAURLOrURLs = 'Please enter a URL or URLs'
export const followTheLinksOfASite = 'Follow the links of a site, or fetch a list of pages, and keep the text.'
export const pastCrawls = 'Past crawls'
export const crawl = 'Crawl'
export const spiderOptions = 'Spider Options'
export const pageOptions = 'Page Options'
export const pluginOptions = 'Plugin Options'
export const enterAURLAndConfigureOptions = 'Enter a URL and configure options to see the API request example.'
export const noResultsYet = 'No results yet'
export const enterAUrlAndStartCrawling = 'Enter a URL and start crawling; pages appear here as they are stored.'
export const theCrawlerHasSaidNothingYet = 'No messages from the crawler yet.'
export const more = (more: string | number) => `${more} more`
export const urlCount = (n: number) => count(n, { one: 'URL', other: 'URLs' })
export const singleURL = 'Single URL'
export const depth = (depth: number) => `depth ${number(depth)}`
export const limit = (pages: number) => `limit ${number(pages)}`
export const oneFieldIsWrong = 'one field is wrong'
export const fieldsAreWrong = (wrong: string | number) => `${wrong} fields are wrong`
export const target = 'Target'
export const whatToCrawl = 'What to crawl'
export const batchURLs = 'Batch URLs'
export const pressToStart = (kbd: Part) => rich`Press ${kbd} to start`
export const howFar = 'How far'
export const eachUrlIsFetchedOnceWith = 'Each URL is fetched once, with the default options.'
export const byDefaultOnlyThisPageIs = 'By default only this page is crawled.'
export const urlToCrawl = 'URL to crawl'
export const includeTheProtocolSuchAsHttps = 'Include the protocol, such as https://'
export const httpsExampleCom = 'https://example.com'
export const oneURLPerLine = 'One URL per line'
export const httpsExampleComAHttpsExample = 'https://example.com/a\nhttps://example.com/b'
export const presets = 'Presets'
export const isApplied = (name: string) => `“${name}” is applied`
export const saveOptionsAsPreset = 'Save options as preset'
export const managePresets = 'Manage presets'
export const thePresetsCouldNotBeLoaded = 'The presets could not be loaded'
export const noPresetsYet = 'No presets yet'
export const thePresetWasSaved = 'The preset was saved'
export const saving = 'Saving…'
export const savePreset = 'Save preset'
export const theTeamCanApplyItHere =
  'The team can apply it here and in the command palette, and name it as "preset" in the API. The URLs are not part of it.'
export const name = 'Name'
export const extraHeadersAreNotKeptThey = 'Extra headers are not saved, since they often contain secrets.'
export const presetsOfTheTeam = 'Presets of the team'
export const loadingThePresets = 'Loading the presets…'
export const wasDeleted = (name: string) => `“${name}” was deleted`
export const newNameOf = (name: string) => `New name of ${name}`
export const rename = (name: string) => `Rename ${name}`
export const saveNameOf = (name: string) => `Save name of ${name}`
export const deleteText = (name: string) => `Delete ${name}`
export const auto = 'Auto'
export const excludedPaths = (n: number) => count(n, { one: 'excluded path', other: 'excluded paths' })
export const includedPaths = (n: number) => count(n, { one: 'included path', other: 'included paths' })
export const allowedDomainCount = (n: number) => count(n, { one: 'allowed domain', other: 'allowed domains' })
export const proxy = 'Proxy'
export const excludedElements = (n: number) => count(n, { one: 'excluded element', other: 'excluded elements' })
export const includedElements = (n: number) => count(n, { one: 'included element', other: 'included elements' })
export const headerCount = (n: number) => count(n, { one: 'header', other: 'headers' })
export const timeoutLabel = 'Timeout'
export const localeLabel = 'Locale'
export const keeps = 'Keeps'
export const skips = 'Skips'
export const wait = 'Wait'
export const screenshotLabel = 'Screenshot'
export const blocks = 'Blocks'
/** What a browser can leave out while it renders, by its name in the API. */
export const blockable = { images: 'images', media: 'media', fonts: 'fonts', ads: 'ads' }
