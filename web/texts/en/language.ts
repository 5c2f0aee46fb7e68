import { formatsOf } from '../formats.ts'

/** The locale for `Intl`. */
export const LANGUAGE = 'en'

/** The locale for prices in euros. */
export const EUROS_LIKE = 'en-IE'

export const { count, fixed, list, number, percent, plural, short } = formatsOf(LANGUAGE)

/** A label for use within a sentence. */
export const inSentence = (text: string) => text.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase())
