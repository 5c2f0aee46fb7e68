import { count } from './language.ts'
export const withThisUrl = 'With this URL'
export const goTo = 'Go to'
export const presets = 'Presets'
export const jobs = 'Jobs'
export const apiKeys = 'API keys'
export const apiKey = 'api key'
export const doText = 'Do'
export const switchTo = (name: string) => `Switch to ${name}`
export const team = 'team'
export const switchToLightTheme = 'Switch to light theme'
export const switchToDarkTheme = 'Switch to dark theme'
export const appearanceColoursMode = 'appearance colours mode'
export const logOut = 'Log out'
export const signOutLeave = 'sign out leave'
export const lookForIt = 'Look for it'
export const search = 'search'
export const proxySettings = 'Proxy Settings'
export const billing = 'Billing'
export const plans = 'Plans'
export const upgradeSubscription = 'upgrade subscription'
export const settings = (label: string) => `Settings: ${label}`
export const searchOwnPagesFor = (text: string | number) => `Search own pages for “${text}”`
export const searchTheWebFor = (text: string | number) => `Search the web for “${text}”`
export const crawlWithPreset = (name: string) => `Crawl with preset: ${name}`
export const optionsSaved = 'options saved'
export const crawl = (typed: string | number) => `Crawl ${typed}`
export const generateSitemapOf = (typed: string | number) => `Generate sitemap of ${typed}`
export const findOrDoAnything = 'Find or do anything'
export const aScreenAJobAKey = 'A screen, a job, a key, or a URL'
export const close = 'Close'
export const results = 'Results'
export const looking = 'Looking…'
export const nothingMatches = (query: string | number) => `Nothing matches “${query}”.`
export const resultCount = (n: number) => count(n, { one: 'result', other: 'results' })
