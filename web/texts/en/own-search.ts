import { count, plural } from './language.ts'
import { rich } from '../rich.ts'
import type { Part } from '../rich.ts'
export const asWrittenWithItsSubdomains = 'As written, with its subdomains'
export const filters = 'Filters'
export const site = 'Site'
export const allSites = 'All sites'
export const crawl = 'Crawl'
export const allCrawls = 'All crawls'
export const more = (name: string, more: string) => `${name} +${more} more`
export const crawlAndPages = (created_at: string | number, number_of_documents: string) => `${created_at} · ${number_of_documents} pages`
export const language = 'Language'
export const anyLanguage = 'Any language'
export const stored = 'Stored'
export const clear = 'Clear'
export const results = 'Results'
export const pagesTitle = 'Pages'
export const enter = 'Enter'
export const toMoveToRead = (up: Part, down: Part, enter: Part) => rich`${up} ${down} to move, ${enter} to read`
export const loading = 'Loading…'
export const loadMore = 'Load More'
export const shownOfAll = (hits: string | number, countText: string | number) => `${hits} of ${countText}`
export const olderVersion = 'Older version'
export const storedAnyTime = 'Stored: any time'
export const past24Hours = 'Past 24 hours'
export const pastWeek = 'Past week'
export const pastMonth = 'Past month'
export const pastYear = 'Past year'
export const search = 'Search'
export const searchYourOwnPages = 'Search your own pages'
export const resultsAppearAsYouTypeArrow = 'Results appear as you type. Arrow keys move through them, Enter opens the page.'
export const wordsAPhraseWithout = 'Words, “a phrase”, -without'
export const ms = (took_ms: string) => `${took_ms} ms`
export const clearTheQuery = 'Clear the query'
export const pagesFound = (matches: string | number) => `${matches} pages`
export const hitOfAll = (place: string | number, all: string | number, title: string) => `${place} of ${all}: ${title}`
export const theseWordsCouldNotBeSearched = 'These words could not be searched for'
export const tryAgain = 'Try again'
export const yourPagesCouldNotBeSearched = 'Your pages could not be searched'
export const nothingIsLostTryAgainIn = 'Nothing is lost; try again in a moment.'
export const openingYourPages = 'Opening your pages…'
export const noPagesYet = 'No pages yet'
export const startCrawling = 'Start crawling'
export const everyPageThatACrawlOf = 'Every page that a crawl of this team stores can be found here within seconds.'
export const searching = 'Searching…'
export const storedPage = 'Stored page'
export const pageCount = (n: number) => count(n, { one: 'page', other: 'pages' })
export const notIndexedYet = (behind: string) => `, ${behind} not indexed yet`
export const pagesWithAllOfTheseWords = 'Pages with all of these words'
export const theWordsSideBySide = 'The words side by side'
export const withoutAWord = 'Without a word'
export const theBeginningOfAWord = 'The beginning of a word'
export const onlyOfASiteOrA = 'Only of a site, or a part of it'
export const typeToSearchEverythingThatYour = 'Type to search everything that your crawls have stored'
export const noStoredPageHasAllOf = 'No stored page has all of these words'
export const clearTheFilters = 'Clear the filters'
export const didYouMean = (suggestion: Part) => rich`Did you mean ${suggestion}`
export const ignoredWords = (words: string) => `No page has all words. Ignored: ${words}`
export const theSearchStoppedBeforeItHad = 'The search stopped before it had read all pages. With more words it is faster.'
export const fewerWordsOrOnlyTheBeginning = 'Fewer words, or only the beginning of one, find more.'
export const aMetasearchServerOfYourOwn =
  'A metasearch server of your own: no account, no fee, and queries stay on your server. The older searx works too.'
export const howToRunIt = 'How to run it'
export const itsSettingsYmlMustAllowAnswers = 'Its settings.yml must allow answers as JSON:'
export const searXNGSettings = 'SearXNG settings'
export const braveSearch = 'Brave Search'
export const needsAnAccount = 'Needs an account'
export const commercialApiOf20 = 'A commercial search API. It receives your users’ queries and charges one call per 20 results.'
export const getASubscriptionToken = 'Get a subscription token'
export const googleCustomSearch = 'Google Custom Search'
export const commercialApiOf10 = 'A commercial search API. It receives your users’ queries and charges one call per 10 results.'
export const createASearchEngineAndA = 'Create a search engine and a key'
export const searchOfTheWebIsNot = 'Search of the web is not set up'
export const pagesThatYourCrawlsHaveStored = 'pages that your crawls have stored'
export const thereIsNoProviderToAsk = (button: Part) =>
  rich`No search provider is configured yet. Choose one below, or several: if one fails, the next one is used. The ${button} can be searched without a provider.`
export const restartAfterwards = (productName: string) => `Restart ${productName} afterwards`
export const theseAreOptionsOfTheServer = (code: Part) =>
  rich`These are options of the server: set them in its environment, then start it again. Where ${code} is set, the provider must be in that list.`
export const opensInANewTab = '(opens in a new tab)'
export const options = (name: string) => `${name} options`
export const thisCrawl = 'this crawl'
export const storedBy = (relativeTime: Part, link: Part, value2: Part) => rich`Stored ${relativeTime} by ${link}${value2}`
export const previousMatch = 'Previous match'
export const matchOfAll = (place: string, all: string) => `${place} of ${all}`
export const nextMatch = 'Next match'
export const areNotIndexedYet = (n: number) =>
  `${pageCount(n)} ${plural(n, { one: 'is', other: 'are' })} not indexed yet; the search repeats automatically.`
export const aLaterCrawl = '; a later crawl has a newer version'
export const selfHosted = 'Self-hosted'
export const orMore = (number: string) => `${number} or more`
