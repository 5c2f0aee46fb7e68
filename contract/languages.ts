/** The languages of the dashboard and of the mails. Each has a catalogue of its own; docs/languages.md describes how to add one. */
export const LANGUAGES = ['en', 'de'] as const

export type Language = (typeof LANGUAGES)[number]

export const DEFAULT_LANGUAGE: Language = 'en'

/** The name of each language in that language. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }

/** The cookie with the language that the user of a browser has chosen; the gateway reads it before it writes the page. */
export const LANGUAGE_COOKIE = 'language'

export const isLanguage = (value: unknown): value is Language => LANGUAGES.some((language) => language === value)

/**
 * The supported language that a browser prefers.
 *
 * @param accepted  an `Accept-Language` header (RFC 9110, section 12.5.4); of a tag such as `de-AT` the first part counts
 * @returns         undefined when the header contains no supported language
 */
export function preferredLanguage(accepted: string | undefined): Language | undefined {
  const wishes = (accepted ?? '').split(',').map((wish) => {
    const [tag = '', ...parameters] = wish.split(';').map((part) => part.trim().toLowerCase())
    const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
    return { language: tag.split('-')[0], weight: Number.isFinite(weight) ? weight : 0 }
  })
  const known = wishes.flatMap(({ language, weight }) => (isLanguage(language) && weight > 0 ? [{ language, weight }] : []))
  return known.toSorted((one, other) => other.weight - one.weight)[0]?.language
}
