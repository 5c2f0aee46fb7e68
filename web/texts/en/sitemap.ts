import { count } from './language.ts'
export const filterTheUrls = 'Filter the URLs'
export const filter = (urls: string | number) => `Filter ${urls}`
export const copiedCount = (taken: string | number) => `Copied ${taken}`
export const theBrowserRefusedToCopy = 'The browser refused to copy'
export const copy = 'Copy'
export const copied = 'Copied'
export const aBatchTakesAtMostUrls = (most: string) => `A batch takes at most ${most} URLs: choose some, or filter.`
export const crawlThese = 'Crawl these'
export const nothingMatchesTheFilter = 'Nothing matches the filter'
export const clearTheFilter = 'Clear the filter'
export const urls = 'URLs'
export const ofChosen = (size: string, urls: string | number) => `${size} of ${urls} chosen.`
export const ofShown = (shown: string | number, urls: string | number) => `${shown} of ${urls} shown.`
export const chooseNone = 'Choose none'
export const details = 'Details'
export const urlsFound = 'URLs found'
export const waitingToStart = 'Waiting to start…'
export const soFar = (countText: string) => `${countText} so far…`
export const urlCount = (n: number) => count(n, { one: 'URL', other: 'URLs' })
export const lookingForTheUrlsOfThe = 'Looking for the URLs of the site…'
export const theSitemapCouldNotBeMade = 'The sitemap could not be made'
export const nothingOfTheSiteCouldBe = 'Nothing of the site could be fetched. The engine feedback says why.'
export const theSitemapWasCanceled = 'The sitemap was canceled'
export const whatWasFoundBeforeIsKept = 'What was found before is kept.'
export const nothingHadBeenFoundByThen = 'Nothing had been found by then.'
export const noUrlsWereFound = 'No URLs were found'
export const theSiteAnswersAndNothingOn = 'The site answers, and nothing on it fits the options. Fewer filters find more.'
export const found = (countText: string) => `Found ${countText}`
export const view = 'View'
export const list = 'List'
export const graph = 'Graph'
export const markdown = 'Markdown'
export const tooManyUrls = 'Too many URLs to display'
export const urlsAreBestReadAsA = (count: string) =>
  `${count} URLs are best read as a file: the downloads have them all, as a list, as Markdown and as sitemap files.`
export const theListCouldNotBeLoaded = 'The list could not be loaded'
export const loadingTheList = 'Loading the list…'
export const thisSitemapHasNoUrls = 'This sitemap has no URLs'
export const theTreeCouldNotBeLoaded = 'The tree could not be loaded'
export const loadingTheTree = 'Loading the tree…'
export const theMarkdownCouldNotBeLoaded = 'The Markdown could not be loaded'
export const backToTheList = 'Back to the list'
export const loadingTheMarkdown = 'Loading the Markdown…'
export const sitemapAsMarkdown = 'Sitemap as Markdown'
export const theFirstOfLinesTheDownload = (line: string, lines: string | number) =>
  `The first ${line} of ${lines} lines; the download has them all.`
export const urlList = 'URL list'
export const siteGraph = 'Site graph'
export const sitemapFile = 'Sitemap file'
export const enterAValidURLBeginningWith = 'Enter a valid URL, beginning with https:// or http://.'
export const withoutSubdomains = 'Without subdomains'
export const byFollowingLinks = 'By following links'
export const about = (words: string | number) => `About “${words}”`
export const proxy = (proxy_server: string | number) => `Proxy ${proxy_server}`
export const howToLook = 'How to look'
export const sitemapFilesAreQuickAndWhole = 'Sitemap files are fast, and complete if the site maintains them.'
export const includeSubdomains = 'Include subdomains'
export const alsoUrlsOfHostsBelowThe = "Also URLs of hosts below the site's own. www. always counts as the site itself."
export const ignoreSitemapXml = 'Ignore sitemap.xml'
export const followTheLinksOfTheSite =
  'Follow the links of the site instead of reading its files; slower, and for sites whose files are wrong.'
export const thisSitemapCosts = (form: string) => `This sitemap costs ${form}`
export const credits = (n: number) => count(n, { one: 'credit', other: 'credits' })
export const n5Credits15WhenIgnoringSitemap = '5 credits; 15 when ignoring sitemap files.'
export const whatToKeep = 'What to keep'
export const onlyUrlsThatFitAreListed = 'Only URLs that match are listed. Excluded paths take precedence.'
export const searchTerm = 'Search term'
export const keepsUrlsWhosePathHasOne = 'Keeps URLs whose path has one of these words, the best first'
export const teaPots = 'tea pots'
export const generateSitemap = 'Generate Sitemap'
export const generating = 'Generating…'
export const pleaseEnterAURL = 'Please enter a URL'
export const byFollowingLinksInASentence = 'by following links'
export const everyUrlOfASiteFrom = 'Every URL of a site: from its sitemap files, or by following its links.'
export const pastSitemaps = 'Past sitemaps'
export const target = 'Target'
export const urlOfTheSite = 'URL of the site'
export const includeTheProtocolSuchAsHttps = 'Include the protocol, such as https://'
export const httpsExampleCom = 'https://example.com'
export const defaultOptionsTheSiteAndIts = 'Default options: the site and its subdomains, by their sitemap files where there are any.'
export const sitemap = 'Sitemap'
export const sitemapOptions = 'Sitemap Options'
export const enterAURLAndConfigureOptions = 'Enter a URL and configure options to see the API request example.'
export const noSitemapYet = 'No sitemap yet'
export const enterTheUrlOfASite = 'Enter the URL of a site and generate its sitemap; it appears here.'
export const sitemapPlayground = 'Sitemap Playground'
export const sitemapRequestNotFound = 'Sitemap request not found'
export const cancelGeneration = 'Cancel Generation'
export const sitemapDetails = 'Sitemap Details'
export const aboutThisSitemap = 'About this sitemap'
export const tryInSitemapPlayground = 'Try in Sitemap Playground'
export const includedPaths = (n: number) => count(n, { one: 'included path', other: 'included paths' })
export const excludedPaths = (n: number) => count(n, { one: 'excluded path', other: 'excluded paths' })
export const theListCouldNotBeRead = (status: number) => `The list could not be read (status ${status}).`
