/** Plurals and number formats for the catalogues of all languages. Pure. */

/** The forms of a word by plural category (`Intl.PluralRules`); English and German have these two. */
export type Forms = { one: string; other: string }

/** A name before a number in a sentence: one in Arabic or Hebrew would otherwise draw the number to its other side. */
export const isolated = (name: string): string => `\u2068${name}\u2069`

/** Formats plurals and numbers by the rules of a language. */
export function formatsOf(language: string) {
  const rules = new Intl.PluralRules(language)
  const lists = new Intl.ListFormat(language)
  const numbers = new Intl.NumberFormat(language)
  /** The form of a word for a number: `plural(2, { one: 'page', other: 'pages' })` is "pages". */
  const plural = (count: number, forms: Forms): string => (rules.select(count) === 'one' ? forms.one : forms.other)
  /** "48,212" in English, "48.212" in German. */
  const number = (value: number): string => numbers.format(value)
  const shortNumbers = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1, useGrouping: 'always' })
  /** For an axis: "1.5K" and "2M" in English, "1.500" and "2 Mio." in German. */
  const short = (value: number): string => shortNumbers.format(value)
  /** A number of things with their word: "1 page", "1,204 pages". */
  const count = (value: number, forms: Forms): string => `${number(value)} ${plural(value, forms)}`
  /** "a, b, and c". */
  const list = (entries: readonly string[]): string => lists.format(entries)
  /** With a fixed number of decimals: `fixed(1.25, 1)` is "1.3" in English, "1,3" in German. */
  const fixed = (value: number, digits: number): string =>
    value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  /** A share of 1 in percent: `percent(0.667)` is "66.7 %" in English, "66,7 %" in German; `digits` are the decimals it has at least. */
  const percent = (share: number, digits = 0): string =>
    `${(share * 100).toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: 1 })} %`
  return { count, fixed, list, number, percent, plural, short }
}
