import { count, plural } from './language.ts'
export const pages = (n: number) => count(n, { one: 'Seite', other: 'Seiten' })
export const aValidIntegerIsRequired = 'Eine gültige ganze Zahl ist nötig.'
export const enterAValidURLBeginningWith = 'Gib eine gültige URL ein, die mit https:// oder http:// beginnt.'
export const urlEnterAValidURL = (line: string | number) => `URL ${line}: Gib eine gültige URL ein.`
export const ensureThisValueIsGreaterThan = (min: string | number) => `Der Wert muss mindestens ${min} sein.`
export const ensureThisValueIsLessThan = (max: string | number) => `Der Wert darf höchstens ${max} sein.`
export const url = (line: string | number) => `URL ${line}: `
export const entry = (number: string | number) => `Eintrag ${number}: `
export const progressStoredFailed = (kept: string, failed: string) => `Fortschritt: ${kept} gespeichert, ${failed} fehlgeschlagen`
export const ofAtMost = (limit: string) => `von höchstens ${limit}`
export const pagesStored = (n: number) => plural(n, { one: 'Seite gespeichert', other: 'Seiten gespeichert' })
export const reconnecting = 'Wird neu verbunden …'
export const pagesTitle = 'Seiten'
export const storedCount = (kept: string) => `${kept} gespeichert`
export const failed = (failed: string) => `${failed} fehlgeschlagen`
export const toFetch = (left: string) => `${left} noch abzurufen`
export const moreFoundOverTheLimit = (count: string) => `${count} weitere gefunden, über dem Limit`
export const pagesS = 'Seiten/s'
export const timeLeft = 'Restzeit'
export const about = (roughly: string | number) => `etwa ${roughly}`
export const urlsFound = 'URLs'
export const speed = 'Tempo'
export const errors = 'Fehler'
export const elapsed = 'Vergangen'
export const enterAHost = (pattern: string) =>
  `${pattern}: Gib einen Host wie *.example.com oder example.com:8080 ein, ohne https:// und Pfad.`
