import { count, plural } from './language.ts'
export const pages = (n: number) => count(n, { one: 'page', other: 'pages' })
export const aValidIntegerIsRequired = 'A valid integer is required.'
export const enterAValidURLBeginningWith = 'Enter a valid URL, beginning with https:// or http://.'
export const urlEnterAValidURL = (line: string | number) => `URL ${line}: Enter a valid URL.`
export const ensureThisValueIsGreaterThan = (min: string | number) => `Ensure this value is greater than or equal to ${min}.`
export const ensureThisValueIsLessThan = (max: string | number) => `Ensure this value is less than or equal to ${max}.`
export const url = (line: string | number) => `URL ${line}: `
export const entry = (number: string | number) => `Entry ${number}: `
export const progressStoredFailed = (kept: string, failed: string) => `Progress: ${kept} stored, ${failed} failed`
export const ofAtMost = (limit: string) => `of at most ${limit}`
export const pagesStored = (n: number) => plural(n, { one: 'page stored', other: 'pages stored' })
export const reconnecting = 'Reconnecting…'
export const pagesTitle = 'Pages'
export const storedCount = (kept: string) => `${kept} stored`
export const failed = (failed: string) => `${failed} failed`
export const toFetch = (left: string) => `${left} to fetch`
export const moreFoundOverTheLimit = (count: string) => `${count} more found beyond the limit`
export const pagesS = 'pages/s'
export const timeLeft = 'Time left'
export const about = (roughly: string | number) => `about ${roughly}`
export const urlsFound = 'URLs found'
export const speed = 'Speed'
export const errors = 'Errors'
export const elapsed = 'Elapsed'
export const enterAHost = (pattern: string) =>
  `${pattern}: Enter a host such as *.example.com or example.com:8080, without https:// and path.`
