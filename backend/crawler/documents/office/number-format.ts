/** How spreadsheets and charts show a number. */
export type NumberFormat = 'plain' | 'date' | 'time' | 'percent'

/** Built-in number formats that are dates. Source: ECMA-376 part 1, 18.8.30. */
const DATE_FORMATS = new Set([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58])
const TIME_FORMATS = new Set([18, 19, 20, 21, 32, 33, 45, 46, 47])

/** @param code  the pattern of a format that is not built in, such as `yyyy\-mm\-dd` */
export function numberFormat(id: number, code: string): NumberFormat {
  if (DATE_FORMATS.has(id)) return 'date'
  if (TIME_FORMATS.has(id)) return 'time'
  if (id === 9 || id === 10) return 'percent'
  // Quoted texts, colours and escaped characters are not part of the pattern.
  const pattern = code.slice(0, 300).replace(/"[^"]*"|\[[^\]]*\]|\\./g, '')
  if (/[yd]/i.test(pattern)) return 'date'
  if (/h|s/i.test(pattern) && !/general/i.test(pattern)) return 'time'
  return pattern.includes('%') ? 'percent' : 'plain'
}

/** The text of a stored number; other values stay as they are. */
export function numberText(value: string, format: NumberFormat, startsIn1904: boolean): string {
  const number = Number(value)
  if (value.trim() === '' || !Number.isFinite(number)) return value
  if (format === 'percent') return `${Number((number * 100).toPrecision(12))} %`
  if (format !== 'plain') return dateText(number, format, startsIn1904)
  // Rounds away floating-point noise such as that of 0.1 + 0.2.
  return String(Number(number.toPrecision(15)))
}

/**
 * Converts days since the workbook's epoch to ISO 8601. The calendar of 1900 has a 29 February 1900, which never existed.
 * Source: ECMA-376 part 1, 18.17.4.1.
 */
function dateText(days: number, format: 'date' | 'time', startsIn1904: boolean): string {
  if (days < 0 || days > 2_958_466) return String(days)
  const first = startsIn1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  const text = new Date(first + Math.round(days * 86_400) * 1000).toISOString()
  const time = text.slice(11, 19)
  if (format === 'time' && days < 1) return time.endsWith(':00') ? time.slice(0, 5) : time
  return time === '00:00:00' ? text.slice(0, 10) : `${text.slice(0, 10)} ${time.endsWith(':00') ? time.slice(0, 5) : time}`
}
