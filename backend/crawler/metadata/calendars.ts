/** Dates of calendars that pages use beside the Gregorian one: Persian months, Japanese eras, the years of Taiwan, Buddhist years. */

const PERSIAN_MONTHS = 'فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند'.split(' ')
const PERSIAN = new RegExp(`(?<!\\d)(\\d{1,2})\\s+(${PERSIAN_MONTHS.join('|')})(?:\\s+ماه)?[،,]?\\s+(1[34]\\d\\d)(?!\\d)`, 'u')
const PERSIAN_NUMBERS = /^(1[34]\d\d)[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/
const PERSIAN_DIGITS = /[۰-۹]/

const ERAS: Readonly<Record<string, number>> = { 明治: 1867, 大正: 1911, 昭和: 1925, 平成: 1988, 令和: 2018, 民國: 1911, 民国: 1911 }
const ERA = new RegExp(`(${Object.keys(ERAS).join('|')})\\s*(\\d{1,3}|元)\\s*年`, 'u')

const BUDDHIST_FROM = 2400
const BUDDHIST_AHEAD = 543

/** The digits of Arabic, Persian, Hindi and Thai as ASCII, characters in their usual width, nothing that is not shown. */
export function plainDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[٠-٩۰-۹๐-๙]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/[०-९]/g, (digit) => String((digit.charCodeAt(0) & 15) - 6))
}

type Day = [year: string, month: string, day: string]

/**
 * A date of the Persian calendar: by the name of its month, or in Persian digits.
 *
 * @param given  the text as it is on the page
 * @param plain  the same with plain digits
 */
export function persianDate(given: string, plain: string): Day | null {
  const [, day, name, year] = PERSIAN.exec(plain) ?? []
  if (name !== undefined) return fromPersian(Number(year), PERSIAN_MONTHS.indexOf(name) + 1, Number(day))
  const numbers = PERSIAN_DIGITS.test(given) ? PERSIAN_NUMBERS.exec(plain) : null
  return numbers === null ? null : fromPersian(Number(numbers[1]), Number(numbers[2]), Number(numbers[3]))
}

const DAY_MS = 86_400_000
let persian: Intl.DateTimeFormat | null = null

/** The year begins on 20, 21 or 22 March. Null if it has no such day. */
function fromPersian(year: number, month: number, day: number): Day | null {
  const dayOfYear = month < 8 ? (month - 1) * 31 + day : (month - 1) * 30 + 6 + day
  persian ??= new Intl.DateTimeFormat('en-u-ca-persian-nu-latn', { year: 'numeric', month: 'numeric', day: 'numeric', timeZone: 'UTC' })
  for (const first of [20, 21, 22]) {
    const at = new Date(Date.UTC(year + 621, 2, first) + (dayOfYear - 1) * DAY_MS)
    const parts = new Map(persian.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    if (parts.get('year') === year && parts.get('month') === month && parts.get('day') === day)
      return [String(at.getUTCFullYear()), String(at.getUTCMonth() + 1), String(at.getUTCDate())]
  }
  return null
}

/** A text with the years of Japanese eras and of Taiwan in the Gregorian calendar. */
export const withoutEras = (text: string): string =>
  text.replace(ERA, (_, era: string, year: string) => `${ERAS[era]! + (year === '元' ? 1 : Number(year))}年`)

/** A Buddhist year in the Gregorian calendar; other years as they are. */
export const gregorianYear = (year: number): number => (year > BUDDHIST_FROM ? year - BUDDHIST_AHEAD : year)
