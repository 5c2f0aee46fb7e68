/** Parses dates as pages write them, to ISO 8601. */

const EARLIEST_YEAR = 1400
const LATEST_YEAR = 2199
const MAX_LENGTH = 80

const ISO =
  /^([12]\d{3})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2})(?:[T\s]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d+)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?)?)?$/i
/** Dates that are valid as they are: a day that every month has, in a year that cannot come from a clock at zero. */
const USUAL = /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:Z|[+-](?:0\d|1[0-3]):[0-5]\d))?$/
const COMPACT = /^([12]\d{3})(\d{2})(\d{2})(?:T?(\d{2})(\d{2})(\d{2})?(Z|[+-]\d{4})?)?$/
const MAIL =
  /^(?:\p{L}+\.?,\s*)?(\d{1,2})\s+(\p{L}{3,})\.?\s+([12]\d{3})\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2}|(?:[ECMP][SD]T|[CE]ES?T)(?!\p{L}))?/iu
/** As the C library and Java write it: `Tue Jan 28 15:28:56 CET 2020`. */
const CLOCK =
  /^\p{L}{3}\s(\p{L}{3})\s(\d{1,2})\s(\d{2}):(\d{2}):(\d{2})(?:\s(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[ECMP][SD]T|[CE]ES?T|\p{L}+))?\s([12]\d{3})$/iu
const DAY_FIRST = /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|\.|º|ª)?(?:\s+de)?\s+(\p{L}{3,})\.?,?(?:\s+del?)?\s+([12]\d{3})(?!\d)/iu
const MONTH_FIRST = /(?<!\p{L})(\p{L}{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+([12]\d{3})(?!\d)/iu
const EAST_ASIAN = /([12]\d{3})\s*[年년.]\s*(\d{1,2})\s*[月월.]\s*(\d{1,2})\s*(?:[日일.]|$)/u
const DOTTED = /(?<!\d)(\d{1,2})\.\s?(\d{1,2})\.\s?([12]\d{3})(?!\d)/
const SLASHED = /(?<!\d)(\d{1,2})\/(\d{1,2})\/([12]\d{3})(?!\d)/
const YEAR_FIRST = /(?<!\d)([12]\d{3})[-/](\d{2})[-/](\d{2})(?!\d)/

/**
 * Names of months by their first letters, as many as tell them apart: English, German, French, Spanish, Portuguese, Italian, Dutch, Polish,
 * …
 */
const MONTHS: readonly string[][] = [
  'jan|gen|ene|sty|янв|січ|ocak|oca|ιαν|ledn'.split('|'),
  'feb|fév|fev|lut|фев|лют|şub|φεβ|úno|helm'.split('|'),
  'mar|mär|maa|mrt|мар|бер|μαρ|březn'.split('|'),
  'apr|avr|abr|kwi|апр|кві|nis|απρ|dub|huht'.split('|'),
  'may|mai|mag|mei|maj|май|мая|тра|μαΐ|μαι|květ|touk'.split('|'),
  'jun|juin|giu|cze|июн|чер|haz|ιουν|červn|kes'.split('|'),
  'jul|juil|lug|lip|июл|лип|tem|ιουλ|červen|hein'.split('|'),
  'aug|aoû|aou|ago|sie|авг|сер|ağu|αυγ|srp|elo'.split('|'),
  'sep|set|wrz|сен|вер|eyl|σεπ|září|syys'.split('|'),
  'oct|okt|out|ott|paź|окт|жов|eki|οκτ|říj|loka'.split('|'),
  'nov|lis|ноя|kas|νοε|marr'.split('|'),
  'dec|dez|déc|dic|gru|дек|гру|ara|δεκ|pros|joul'.split('|'),
]

const ZONES: Readonly<Record<string, string>> = {
  EST: '-05:00',
  EDT: '-04:00',
  CST: '-06:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
  CET: '+01:00',
  CEST: '+02:00',
  EET: '+02:00',
  EEST: '+03:00',
}

/**
 * Converts a date on a page to ISO 8601: `2024-03-05T10:00:00+01:00` when its zone is known, else `2024-03-05`, `2024-03` or `2024`.
 *
 * @returns  null when the text is no date, is ambiguous between two conventions (03/04/2024), or comes from a clock at zero
 */
export function isoDate(text: string): string | null {
  if (USUAL.test(text)) return text
  const given = text.trim().replace(/\s+/g, ' ')
  if (given === '' || given.length > MAX_LENGTH || !/\d/.test(given)) return null
  const iso = ISO.exec(given) ?? COMPACT.exec(given)
  if (iso !== null) return written(iso[1]!, iso[2], iso[3], iso[4], iso[5], iso[6], iso[7])
  if (/^\d{10}(?:\d{3})?$/.test(given)) return ofClock(given)
  const mail = MAIL.exec(given)
  if (mail !== null) return written(mail[3]!, monthOf(mail[2]!), mail[1], mail[4], mail[5], mail[6], mail[7])
  const clock = CLOCK.exec(given)
  if (clock !== null) return written(clock[7]!, monthOf(clock[1]!), clock[2], clock[3], clock[4], clock[5], clock[6])
  return inWords(given)
}

/** Finds a date in a short text: `Published on March 5, 2024`. Without a time. */
function inWords(text: string): string | null {
  const dayFirst = DAY_FIRST.exec(text)
  if (dayFirst !== null) return written(dayFirst[3]!, monthOf(dayFirst[2]!), dayFirst[1])
  const monthFirst = MONTH_FIRST.exec(text)
  if (monthFirst !== null) return written(monthFirst[3]!, monthOf(monthFirst[1]!), monthFirst[2])
  const eastern = EAST_ASIAN.exec(text) ?? YEAR_FIRST.exec(text)
  if (eastern !== null) return written(eastern[1]!, eastern[2], eastern[3])
  const dotted = DOTTED.exec(text)
  if (dotted !== null) return written(dotted[3]!, dotted[2], dotted[1])
  const slashed = SLASHED.exec(text)
  if (slashed === null) return null
  const [, first, second, year] = slashed
  if (Number(first) > 12) return written(year!, second, first)
  return Number(second) > 12 ? written(year!, first, second) : null
}

function monthOf(name: string): string {
  const word = name.toLowerCase()
  // The longest match wins: července is July and června June.
  let best = 0
  let length = 0
  for (const [at, starts] of MONTHS.entries())
    for (const start of starts)
      if (start.length > length && word.startsWith(start)) {
        best = at + 1
        length = start.length
      }
  return String(best)
}

function ofClock(digits: string): string | null {
  const at = new Date(Number(digits) * (digits.length === 10 ? 1000 : 1))
  return at.getUTCFullYear() < 1990 || at.getUTCFullYear() > LATEST_YEAR ? null : at.toISOString().replace(/\.\d+Z$/, 'Z')
}

function written(
  year: string,
  month?: string,
  day?: string,
  hour?: string,
  minute?: string,
  second: string = '00',
  zone?: string,
): string | null {
  if (Number(year) < EARLIEST_YEAR || Number(year) > LATEST_YEAR) return null
  if (month === undefined) return year
  if (Number(month) < 1 || Number(month) > 12) return null
  const date = `${year}-${month.padStart(2, '0')}`
  if (day === undefined) return date
  if (Number(day) < 1 || Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()) return null
  const whole = `${date}-${day.padStart(2, '0')}`
  if (whole === '1970-01-01') return null
  const offset = zone === undefined ? null : offsetOf(zone)
  if (hour === undefined || minute === undefined || offset === null) return whole
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return whole
  return `${whole}T${hour.padStart(2, '0')}:${minute}:${second}${offset}`
}

function offsetOf(zone: string): string | null {
  const name = zone.toUpperCase()
  if (name === 'Z' || name === 'UTC' || name === 'GMT') return 'Z'
  const known = ZONES[name]
  if (known !== undefined) return known
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(name)
  if (match === null || Number(match[2]) > 14 || Number(match[3] ?? 0) > 59) return null
  return `${match[1]}${match[2]}:${match[3] ?? '00'}`
}
