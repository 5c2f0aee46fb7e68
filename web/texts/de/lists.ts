import { rich } from '../rich.ts'
import type { Part } from '../rich.ts'
export const remove = (value: string | number) => `${value} entfernen`
export const addTo = (label: string) => `Zu ${label} hinzufügen`
export const clear = (label: string) => `${label} leeren`
export const nothingMatches = 'Nichts passt'
export const copy = 'Kopieren'
export const copied = 'Kopiert'
export const theFirstOfCharacters = (shown: string, code: string) => `Die ersten ${shown} von ${code} Zeichen`
export const showAll = 'Alles anzeigen'
export const pages = 'Seiten'
export const showingToOfResults = (first: string, last: string, numberText: string) => `${first} bis ${last} von ${numberText} Ergebnissen`
export const rowsOnAPage = 'Zeilen pro Seite'
export const rows = (size: string | number) => `${size} Zeilen`
export const previous = 'Zurück'
export const next = 'Weiter'
export const page1To = (pages: string | number) => `Seite, 1 bis ${pages}`
export const pageOf = (input: Part, pages: string) => rich`Seite${input}von ${pages}`
export const updating = 'Wird aktualisiert …'
export const inAll = (total: string) => `${total} insgesamt`
