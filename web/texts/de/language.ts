import { formatsOf } from '../formats.ts'

/** What `Intl` calls the language of this catalogue. */
export const LANGUAGE = 'de'

/** Where prices in euros are written as here. */
export const EUROS_LIKE = 'de'

export const { count, fixed, list, number, percent, plural, short } = formatsOf(LANGUAGE)

/** A label as it stands within a sentence. */
export const inSentence = (text: string) => text
