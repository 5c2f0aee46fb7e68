import { NEW, THE } from './articles.ts'
import type { Noun } from '../nouns.ts'
export const newText = (noun: Noun) => `${NEW[noun]}`
export const theCouldNotBeLoaded = (noun: Noun) => `${THE[noun]} konnte nicht geladen werden`
export const itIsStoredTryAgainIn = 'Das Ergebnis ist gespeichert; versuche es gleich noch einmal.'
export const loadingThe = (noun: Noun) => `${THE[noun]} wird geladen`
export const differsFromTheDefaults = 'Anders als der Standard:'
export const reset = 'Zurücksetzen'
export const theLiveViewEnded = 'Die Live-Ansicht ist zu Ende'
export const details = 'Details'
export const canceling = 'Wird abgebrochen …'
export const theWasNotStarted = (noun: Noun) => `${THE[noun]} wurde nicht gestartet`
export const apiDocumentation = 'API-Dokumentation'
export const results = 'Ergebnisse'
export const noMessagesYet = 'Noch keine Meldungen.'
