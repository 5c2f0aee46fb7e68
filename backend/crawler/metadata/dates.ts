/** Parses dates as pages write them, to ISO 8601. */
import { gregorianYear, persianDate, plainDigits, withoutEras } from './calendars.ts'

/** Numbers of the 15th century are years of the Persian or Islamic calendar. */
const EARLIEST_YEAR = 1500
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
/** In Arabic some months have two words. */
const NAME = String.raw`\p{L}[\p{L}\p{M}]+(?:\s+ال\p{L}+)?`
const YEAR = String.raw`([12]\d{3})(?!\d)`
const DAY_FIRST = new RegExp(
  String.raw`(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|\.|º|ª)?(?:\s+de)?\s+(?:d['’])?(${NAME})\.?[,،]?(?:\s+del?)?\s+${YEAR}`,
  'iu',
)
const MONTH_FIRST = new RegExp(String.raw`(?<!\p{L})(${NAME})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+${YEAR}`, 'iu')
/** Hungarian, Lithuanian and Latvian. */
const NAME_AFTER_YEAR = new RegExp(
  String.raw`(?<!\d)([12]\d{3})(?:\.?\s+gada|\s+m\.|\.)?\s+(?:(\d{1,2})\.\s+)?(${NAME})\.?(?:\s+(\d{1,2}))?(?!\d)`,
  'iu',
)
const VIETNAMESE = new RegExp(String.raw`(?<!\d)(\d{1,2})\s+tháng\s+(\d{1,2})(?:\s+năm|,)?\s+${YEAR}`, 'iu')
const THAI = /(?<!\d)(\d{1,2})\s+([\u0e01-\u0e4e.]+)\s+(?:พ\.?\s?ศ\.?\s*|ค\.?\s?ศ\.?\s*)?([12]\d{3})(?!\d)/u
const EAST_ASIAN = /([12]\d{3})\s*[年년.]\s*(\d{1,2})\s*[月월.]\s*(\d{1,2})\s*(?:[日일.]|$)/u
const DOTTED = /(?<!\d)(\d{1,2})\.\s?(\d{1,2})\.\s?([12]\d{3})(?!\d)/
const SLASHED = /(?<!\d)(\d{1,2})\/(\d{1,2})\/([12]\d{3})(?!\d)/
const YEAR_FIRST = /(?<!\d)([12]\d{3})[-/](\d{2})[-/](\d{2})(?!\d)/

/**
 * Names of months by their first letters without accents, as many as tell them apart, in the languages of Europe, Arabic, Hebrew, Hindi and
 * Indonesian.
 */
const MONTHS: readonly string[][] = [
  'jan|gen|ene|sty|янв|јан|јан|січ|студз|януар|ocak|oca|ιαν|ledn|ian|jaan|saus|sij|tammi|يناير|جانفي|كانون الثاني|ינואר|जनवरी',
  'feb|fev|lut|фев|феб|лют|sub|φεβ|uno|helm|veeb|vas|velj|فبراير|فيفري|شباط|פברואר|फरवरी',
  'mar|maa|mrt|мар|бер|сак|μαρ|brezn|kov|ozuj|مارس|اذار|מרץ|מרס|मार्च',
  'apr|avr|abr|kwi|апр|кві|красав|nis|απρ|dub|huht|bal|trav|ابريل|افريل|نيسان|אפריל|अप्रैल',
  'may|mai|mag|mei|maj|май|мая|мај|тра|μαι|kvet|touk|geg|svib|مايو|ماي|ايار|מאי|मई',
  'jun|juin|giu|cze|июн|юни|јун|чер|чэр|haz|ιουν|cervn|kes|iun|juuni|birz|lipn|lipanj|يونيو|جوان|حزيران|יוני|जून',
  'jul|juil|lug|lip|июл|юли|јул|лип|ліп|tem|ιουλ|cerven|hein|iul|juuli|liep|srpnj|srpanj|يوليو|جويلية|تموز|יולי|जुलाई',
  'aug|aou|ago|sie|авг|сер|жні|agu|αυγ|srp|elo|avg|rugp|kolov|اغسطس|اوت|اب|אוגוסט|अगस्त',
  'sep|set|wrz|сен|септ|вер|eyl|σεπ|zari|syys|rugs|ruj|سبتمبر|ايلول|ספטמבר|सितंबर|सितम्बर',
  'oct|okt|out|ott|paz|окт|жов|кастр|eki|οκτ|rij|loka|spal|اكتوبر|تشرين الاول|אוקטובר|अक्टूबर',
  'nov|lis|ноя|ноем|нов|лис|ліс|kas|νοε|marr|noi|lapkr|stud|نوفمبر|تشرين الثاني|נובמבר|नवंबर|नवम्बर',
  'dec|dez|dic|des|gru|дек|дец|гру|снеж|ara|δεκ|pros|joul|dets|ديسمبر|كانون الاول|דצמבר|दिसंबर|दिसम्बर',
].map((names) => names.split('|').map(plainName))

const THAI_MONTHS = [
  'มกรา|ม.ค|มค',
  'กุมภา|ก.พ|กพ',
  'มีนา|มี.ค|มีค',
  'เมษา|เม.ย|เมย',
  'พฤษภา|พ.ค|พค',
  'มิถุนา|มิ.ย|มิย',
  'กรกฎา|ก.ค|กค',
  'สิงหา|ส.ค|สค',
  'กันยา|ก.ย|กย',
  'ตุลา|ต.ค|ตค',
  'พฤศจิกา|พ.ย|พย',
  'ธันวา|ธ.ค|ธค',
].map((names) => names.split('|'))

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
  const shown = text.trim().replace(/\s+/g, ' ')
  if (shown.length > MAX_LENGTH) return null
  const isAscii = !/[^\0-\x7f]/.test(shown)
  const given = isAscii ? shown : withoutEras(plainDigits(shown))
  if (given === '' || !/\d/.test(given)) return null
  const persian = isAscii ? null : persianDate(shown, given)
  if (persian !== null) return written(...persian)
  const iso = ISO.exec(given) ?? COMPACT.exec(given)
  if (iso !== null) return written(iso[1]!, iso[2], iso[3], iso[4], iso[5], iso[6], iso[7])
  if (/^\d{10}(?:\d{3})?$/.test(given)) return ofClock(given)
  const mail = MAIL.exec(given)
  if (mail !== null) return written(mail[3]!, monthOf(mail[2]) ?? '0', mail[1], mail[4], mail[5], mail[6], mail[7])
  const clock = CLOCK.exec(given)
  if (clock !== null) return written(clock[7]!, monthOf(clock[1]) ?? '0', clock[2], clock[3], clock[4], clock[5], clock[6])
  return inWords(given)
}

/** Finds a date in a short text: `Published on March 5, 2024`. Without a time. */
function inWords(text: string): string | null {
  const thai = THAI.exec(text)
  const dayFirst = DAY_FIRST.exec(text)
  const monthFirst = MONTH_FIRST.exec(text)
  const yearFirst = NAME_AFTER_YEAR.exec(text)
  for (const [year, month, day] of [
    [thai?.[3], monthOf(thai?.[2], THAI_MONTHS), thai?.[1]],
    [dayFirst?.[3], CROATIAN_OCTOBER.test(text) ? '10' : monthOf(dayFirst?.[2]), dayFirst?.[1]],
    [monthFirst?.[3], monthOf(monthFirst?.[1]), monthFirst?.[2]],
    [yearFirst?.[1], monthOf(yearFirst?.[3]), yearFirst?.[2] ?? yearFirst?.[4]],
  ])
    if (year !== undefined && month !== undefined && day !== undefined) return written(year, month, day)
  const vietnamese = VIETNAMESE.exec(text)
  if (vietnamese !== null) return written(vietnamese[3]!, vietnamese[2], vietnamese[1])
  const eastern = EAST_ASIAN.exec(text) ?? YEAR_FIRST.exec(text)
  if (eastern !== null) return written(eastern[1]!, eastern[2], eastern[3])
  const dotted = DOTTED.exec(text)
  if (dotted !== null) return written(dotted[3]!, dotted[2], dotted[1])
  const slashed = SLASHED.exec(text)
  if (slashed === null) return null
  const [, first, second, year] = slashed
  if (Number(first) > 12 || gregorianYear(Number(year)) < Number(year)) return written(year!, second, first)
  return Number(second) > 12 ? written(year!, first, second) : null
}

/** Listopad is November in Polish and Czech; Croatian, which writes a point after the day, means October by this form. */
const CROATIAN_OCTOBER = /\d\.\s+listopada/i

function plainName(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f\u0653-\u0655]/g, '')
    .normalize('NFC')
}

/** The number of a month; undefined if the word is none. */
function monthOf(name: string | undefined, months: readonly string[][] = MONTHS): string | undefined {
  if (name === undefined) return undefined
  // In Hebrew the word for `in` is written as a part of the name.
  const word = plainName(name).replace(/^ב(?=[א-ת]{3})/, '')
  // The longest match wins: července is July and června June.
  let best: string | undefined
  let length = 0
  for (const [at, starts] of months.entries())
    for (const start of starts)
      if (start.length > length && word.startsWith(start)) {
        best = String(at + 1)
        length = start.length
      }
  return best
}

function ofClock(digits: string): string | null {
  const at = new Date(Number(digits) * (digits.length === 10 ? 1000 : 1))
  return at.getUTCFullYear() < 1990 || at.getUTCFullYear() > LATEST_YEAR ? null : at.toISOString().replace(/\.\d+Z$/, 'Z')
}

function written(
  stated: string,
  month?: string,
  day?: string,
  hour?: string,
  minute?: string,
  second: string = '00',
  zone?: string,
): string | null {
  const year = String(gregorianYear(Number(stated)))
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
