import { ONE } from './articles.ts'
import type { Noun } from '../nouns.ts'
export const deleteText = 'Löschen'
export const listCouldNotBeLoaded = (nouns: string | number) => `${nouns} konnten nicht geladen werden`
export const nothingIsLostTheyAreLoaded = 'Nichts ist verloren; die Liste wird geladen, sobald der Server antwortet.'
export const loading = (nouns: string | number) => `${nouns} werden geladen`
export const filters = 'Filter'
export const status = 'Status'
export const statusAll = 'Status: alle'
export const type = 'Art'
export const typeAny = 'Art: alle'
export const createdFrom = 'Angelegt ab'
export const from = 'Ab'
export const createdUntil = 'Angelegt bis'
export const until = 'Bis'
export const clear = 'Leeren'
export const nothingMatchesTheFilter = 'Nichts passt zum Filter'
export const clearTheFilter = 'Filter leeren'
export const noMatchTheseFilters = (nouns: string | number) => `Keine ${nouns} passen zu diesen Filtern.`
export const selectAllOnThisPage = 'Alle auf dieser Seite auswählen'
export const select = (run: string) => `${run} auswählen`
export const created = 'Angelegt'
export const duration = 'Dauer'
export const deleteJobs = (noun: Noun) => `${ONE[noun]} löschen`
export const selectedRows = 'Ausgewählte Zeilen'
export const selected = (selected: string) => `${selected} ausgewählt`
export const selectAllCounted = (all: string | number) => `Alle ${all} auf dieser Seite auswählen`
export const clearSelection = 'Auswahl aufheben'
export const preparing = 'Wird vorbereitet …'
export const download = 'Herunterladen'
export const exportRows = 'Zeilen exportieren'
export const starting = 'Wird gestartet …'
export const runAgain = 'Noch einmal'
export const started = (started: string) => `${started} gestartet`
export const ofWereNotStarted = (failed: string | number, all: string | number, reason: string | number) =>
  `${failed} von ${all} wurden nicht gestartet: ${reason}`
