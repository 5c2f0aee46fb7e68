/** The languages and countries to choose from, named in the dashboard's language, each with a flag. Pure. */
import type { ListChoice } from '#web/ui/form/filter-choices.ts'
import { LANGUAGE } from '#texts/language.ts'

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

const namesIn = (language: string, type: 'language' | 'region') => new Intl.DisplayNames(language, { type, fallback: 'code' })
const nameIn = (names: Intl.DisplayNames, code: string): string => {
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}

/** The choices with their names in a language, sorted by name. */
export function choicesIn(language: string): { languages: readonly ListChoice[]; countries: readonly ListChoice[] } {
  const [languageNames, countryNames] = [namesIn(language, 'language'), namesIn(language, 'region')]
  const byName = (one: ListChoice, other: ListChoice) => one.label.localeCompare(other.label, language)
  const languages = Object.entries(LANGUAGES).map(([code, ownName]) => ({
    value: code,
    label: nameIn(languageNames, code),
    mark: flagOf(HOMES[code] ?? code),
    words: `${code} ${ownName}`,
  }))
  const countries = COUNTRIES.map((code) => ({
    value: code,
    label: nameIn(countryNames, code.toUpperCase()),
    mark: flagOf(code),
    words: code === 'gb' ? 'gb uk great britain england' : code === 'us' ? 'us usa america' : code,
  }))
  return { languages: languages.toSorted(byName), countries: countries.toSorted(byName) }
}

export const { languages: LANGUAGE_CHOICES, countries: COUNTRY_CHOICES } = choicesIn(LANGUAGE)

const [languageNames, countryNames] = [namesIn(LANGUAGE, 'language'), namesIn(LANGUAGE, 'region')]
/** "German"; an unknown code stays as it is. */
export const languageName = (code: string): string => nameIn(languageNames, code)
/** "Germany"; an unknown code stays as it is. */
export const countryName = (code: string): string => nameIn(countryNames, code.toUpperCase())
