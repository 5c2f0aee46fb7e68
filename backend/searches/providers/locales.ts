/** Languages and countries as people write them, turned into the spellings of the providers. Nothing that is not understood is passed on. */

export type Locale = { language: string | null; script: string | null; country: string | null }

/**
 * Reads a language (`en`, `EN_us`, `pt-BR`, `zh-hant`) and a country (`de`, `UK`). A country of its own wins over the language's.
 * What is no code is null, and left out.
 */
export function readLocale(language: string | null, country: string | null): Locale {
  const locale = parse(language)
  return {
    language: locale?.language ?? null,
    script: locale?.script ?? null,
    country: readCountry(country) ?? readCountry(locale?.region ?? null),
  }
}

/** One tag for both, `de-AT`; a country alone gives the language that most people there read. Null for neither. */
export function localeOf(language: string | null, country: string | null): string | null {
  const read = readLocale(language, country)
  if (read.country === null) return read.language
  const spoken = read.language ?? parse(`und-${read.country}`)?.maximize().language ?? null
  return spoken === null ? null : `${spoken}-${read.country}`
}

function parse(tag: string | null): Intl.Locale | null {
  if (tag === null) return null
  try {
    const locale = new Intl.Locale(tag.replaceAll('_', '-'))
    return (locale.language ?? 'und').length <= 3 ? locale : null
  } catch {
    // Not a language tag, and nothing that a provider would understand.
    return null
  }
}

/** Two letters in capitals. */
function readCountry(code: string | null): string | null {
  if (code === null || !/^[a-z]{2}$/i.test(code)) return null
  const upper = code.toUpperCase()
  return upper === 'UK' ? 'GB' : upper
}
