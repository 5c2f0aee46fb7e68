/**
 * Holds the catalogues of all languages to the English one: the same files, the same names, the same parameters. A text that is
 * missing in a language, or one too many, is an error of types here.
 */
import type * as de from './de/index.ts'
import type * as en from './en/index.ts'

/** What another language has in place of an English text: any words, with the same parameters. */
type Text<English> = English extends (...parameters: infer Parameters) => infer Result
  ? (...parameters: Parameters) => Text<Result>
  : English extends string
    ? string
    : English extends readonly (infer Entry)[]
      ? readonly Text<Entry>[]
      : English extends Readonly<Record<string, unknown>>
        ? { [Name in keyof English]: Text<English[Name]> }
        : English

type Catalogue = { readonly [Area in keyof typeof en]: { readonly [Name in keyof (typeof en)[Area]]: Text<(typeof en)[Area][Name]> } }

/** `Same<Catalogue, …>` holds when the second has all that the first has, and of each area nothing more. */
type Same<Wanted, Found extends Wanted> = {
  [Area in keyof Wanted]: Exclude<keyof Found[Area], keyof Wanted[Area]> extends never
    ? true
    : { superfluous: Exclude<keyof Found[Area], keyof Wanted[Area]> }
}

type AllTrue<Checked extends Record<string, true>> = Checked

export type GermanAgrees = AllTrue<Same<Catalogue, typeof de>>
