/**
 * Checks the catalogues of all languages against the English one: the same files, names and parameters. A text that is missing in a
 * language, or superfluous, is a type error here.
 */
import type * as de from './de/index.ts'
import type * as en from './en/index.ts'

/** The type of a translation: any text, with the same parameters. */
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

/** `true` for each area of `Found` that has exactly the texts of `Wanted`; otherwise the names of the superfluous texts. */
type Same<Wanted, Found extends Wanted> = {
  [Area in keyof Wanted]: Exclude<keyof Found[Area], keyof Wanted[Area]> extends never
    ? true
    : { superfluous: Exclude<keyof Found[Area], keyof Wanted[Area]> }
}

type AllTrue<Checked extends Record<string, true>> = Checked

export type GermanAgrees = AllTrue<Same<Catalogue, typeof de>>
