import { count } from './language.ts'
import { rich } from '../rich.ts'
import type { Part } from '../rich.ts'
export const pages = 'Seiten'
export const fullWindowF = 'Ganzes Fenster (F)'
export const newestFirst = 'Neueste zuerst'
export const pagesShown = (span: Part) => rich`Seiten${span}`
export const pauseUpdates = 'Liste anhalten'
export const showNew = (missed: string) => `${missed} neue zeigen`
export const resumeUpdates = 'Liste fortsetzen'
export const attachments = (n: number) => count(n, { one: 'Anhang', other: 'Anhänge' })
export const preview = (title: string | number) => `Vorschau von ${title}`
export const previewTab = 'Vorschau'
export const downloadJSONOf = (title: string | number) => `JSON von ${title} herunterladen`
export const downloadJSON = 'JSON herunterladen'
export const leaveTheFullWindowF = 'Ganzes Fenster verlassen (F)'
export const previousResult = 'Voriges Ergebnis'
export const nextResult = 'Nächstes Ergebnis'
