import { THE } from './articles.ts'
import type { Noun } from '../nouns.ts'
export const theCouldNotBeLoaded = (noun: Noun) => `${THE[noun]} konnte nicht geladen werden`
export const nothingIsLostItIsLoaded = 'Nichts ist verloren; geladen wird, sobald der Server antwortet.'
export const loadingThe = (noun: Noun) => `${THE[noun]} wird geladen`
export const deleteText = 'Löschen'
