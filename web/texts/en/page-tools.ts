import { count } from './language.ts'
export const thePageCouldNotBeLoaded = 'The page could not be loaded'
export const loadingBothVersions = 'Loading both versions…'
export const theTextIsTheSame = 'The text is the same'
export const somethingElseOfThePageDiffers = 'Something else of the page differs, such as its links or its metadata.'
export const words = (n: number) => count(n, { one: 'word', other: 'words' })
export const addedRemoved = (added: string, removed: string) => `${added} added, ${removed} removed`
export const showUnchangedCharacters = (hidden: string) => `Show ${hidden} unchanged characters`
export const showMore = 'Show more'
export const screenshotOf = (url: string | number) => `Screenshot of ${url}`
export const pageTools = 'Page tools'
export const openTheScreenshotInFullSize = 'Open the screenshot in full size'
export const outline = 'Outline'
export const searchWithinThePage = 'Search within the page'
export const notFound = 'Not found'
export const matchOfAll = (place: string, all: string, more: string | number) => `${place} of ${all}${more}`
