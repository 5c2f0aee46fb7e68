/** The languages and countries to choose from, named in English, each with a flag. Pure. */
import type { ListChoice } from '#web/ui/form/filter-choices.ts'

/** The languages, each with its native name, which is a search term. */
const LANGUAGES: Record<string, string> = {
  ar: 'العربية',
  bn: 'বাংলা',
  cs: 'čeština',
  da: 'dansk',
  de: 'Deutsch',
  el: 'Ελληνικά',
  en: 'English',
  es: 'español',
  fa: 'فارسی',
  fi: 'suomi',
  fr: 'français',
  he: 'עברית',
  hi: 'हिन्दी',
  hu: 'magyar',
  id: 'Indonesia',
  it: 'italiano',
  ja: '日本語',
  ko: '한국어',
  ms: 'Melayu',
  nl: 'Nederlands',
  no: 'norsk',
  pl: 'polski',
  pt: 'português',
  ro: 'română',
  ru: 'русский',
  sv: 'svenska',
  th: 'ไทย',
  tr: 'Türkçe',
  uk: 'українська',
  ur: 'اردو',
  vi: 'Tiếng Việt',
  zh: '中文',
}
const COUNTRIES =
  'ae af at au be bg br ca ch cn cz de dk eg es fi fr gb gr hk hu id ie il in iq ir it jo jp kr kw lb mx my nl no nz om ph pk pl pt qa ro ru sa se sg sy th tr tw ua us vn ye za'.split(
    ' ',
  )

/** The country whose flag stands for a language, where its code differs from the language's. */
const HOMES: Record<string, string> = {
  ar: 'sa',
  bn: 'bd',
  cs: 'cz',
  da: 'dk',
  el: 'gr',
  en: 'gb',
  fa: 'ir',
  he: 'il',
  hi: 'in',
  ja: 'jp',
  ko: 'kr',
  ms: 'my',
  sv: 'se',
  uk: 'ua',
  ur: 'pk',
  vi: 'vn',
  zh: 'cn',
}

/** The flag of "de" as an emoji: two characters that are drawn as one. */
export const flagOf = (country: string): string =>
  String.fromCodePoint(...Array.from(country.toUpperCase(), (letter) => (letter.codePointAt(0) ?? 65) + 0x1f1a5))

const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' })
const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

/** "German"; an unknown code stays as it is. */
export function languageName(code: string): string {
  try {
    return languageNames.of(code) ?? code
  } catch {
    return code
  }
}

export function countryName(code: string): string {
  try {
    return countryNames.of(code.toUpperCase()) ?? code
  } catch {
    return code
  }
}

const byName = (one: ListChoice, other: ListChoice) => one.label.localeCompare(other.label, 'en')

export const LANGUAGE_CHOICES: readonly ListChoice[] = Object.entries(LANGUAGES)
  .map(([code, ownName]) => ({
    value: code,
    label: languageName(code),
    mark: flagOf(HOMES[code] ?? code),
    words: `${code} ${ownName}`,
  }))
  .toSorted(byName)

export const COUNTRY_CHOICES: readonly ListChoice[] = COUNTRIES.map((code) => ({
  value: code,
  label: countryName(code),
  mark: flagOf(code),
  words: code === 'gb' ? 'gb uk great britain england' : code === 'us' ? 'us usa america' : code,
})).toSorted(byName)
