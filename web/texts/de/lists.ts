import { count } from './language.ts'
import { rich } from '../rich.ts'
import type { Part } from '../rich.ts'
export const pages = 'Seiten'
export const showingToOfResults = (first: string, last: string, n: number) =>
  `${first} bis ${last} von ${count(n, { one: 'Ergebnis', other: 'Ergebnissen' })}`
export const rowsOnAPage = 'Zeilen pro Seite'
export const rows = (size: string | number) => `${size} Zeilen`
export const previous = 'Zurück'
export const next = 'Weiter'
export const page1To = (pages: string | number) => `Seite, 1 bis ${pages}`
export const pageOf = (input: Part, pages: string) => rich`Seite${input}von ${pages}`
export const inAll = (total: string) => `${total} insgesamt`
export const pageNotFound = 'Seite nicht gefunden'
export const toTheFirstPage = 'Zur ersten Seite'
