import { THE } from './articles.ts'
import type { Noun } from '../nouns.ts'
export const theCouldNotBeLoaded = (noun: Noun) => `${THE[noun]} konnte nicht geladen werden`
export const nothingIsLostItComesBack = 'Nichts ist verloren; mit der Verbindung kommt alles zurück.'
export const loadingThe = (noun: Noun) => `${THE[noun]} wird geladen`
export const deleteText = 'Löschen'
