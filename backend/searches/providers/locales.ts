/** Converts languages and countries as people write them to the spellings of the providers. Values that are not understood are left out. */

export type Locale = { language: string | null; script: string | null; country: string | null }

/**
 * Reads a language (`en`, `EN_us`, `pt-BR`, `zh-hant`) and a country (`de`, `UK`). A given country takes precedence over the language's. A
 * value that is not a code is null.
 */
export function readLocale(language: string | null, country: string | null): Locale {
  const locale = parse(language)
  return {
    language: locale?.language ?? null,
    script: locale?.script ?? null,
    country: readCountry(country) ?? readCountry(locale?.region ?? null),
  }
}

/** One tag for both, `de-AT`; a country without a language gets the language that most people there read. Null when both are missing. */
export function localeOf(language: string | null, country: string | null): string | null {
  const read = readLocale(language, country)
  if (read.country === null) return read.language
  const spoken = read.language ?? parse(`und-${read.country}`)?.maximize().language ?? null
  return spoken === null ? null : `${spoken}-${read.country}`
}

/** The spelling of a provider for a locale's language; null when the provider does not know the language. */
export function spelledLanguage(
  locale: Locale,
  known: ReadonlySet<string>,
  spellings: Readonly<Record<string, (locale: Locale) => string>>,
): string | null {
  const { language } = locale
  if (language === null) return null
  return spellings[language]?.(locale) ?? (known.has(language) ? language : null)
}

function parse(tag: string | null): Intl.Locale | null {
  if (tag === null) return null
  try {
    const locale = new Intl.Locale(tag.replaceAll('_', '-'))
    return (locale.language ?? 'und').length <= 3 ? locale : null
  } catch {
    // Not a language tag that a provider would understand.
    return null
  }
}

/** Two capital letters. */
function readCountry(code: string | null): string | null {
  if (code === null || !/^[a-z]{2}$/i.test(code)) return null
  const upper = code.toUpperCase()
  return upper === 'UK' ? 'GB' : upper
}
