import { formatsOf } from '../formats.ts'

/** What `Intl` calls the language of this catalogue. */
export const LANGUAGE = 'en'

/** Where prices in euros are written as here. */
export const EUROS_LIKE = 'en-IE'

export const { count, fixed, list, number, plural } = formatsOf(LANGUAGE)

/** A label as it stands within a sentence. */
export const inSentence = (text: string) => text.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase())
