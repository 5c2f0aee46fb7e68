import { formatsOf } from '../formats.ts'

/** What `Intl` calls the language of this catalogue. */
export const LANGUAGE = 'de'

export const { count, list, number, plural } = formatsOf(LANGUAGE)
