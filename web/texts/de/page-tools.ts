import { count } from './language.ts'
export const thePageCouldNotBeLoaded = 'Die Seite konnte nicht geladen werden'
export const loadingBothVersions = 'Beide Fassungen werden geladen …'
export const theTextIsTheSame = 'Der Text ist derselbe'
export const somethingElseOfThePageDiffers = 'Etwas anderes an der Seite ist verschieden, etwa ihre Links oder Metadaten.'
export const words = (n: number) => count(n, { one: 'Wort', other: 'Wörter' })
export const addedRemoved = (added: string, removed: string) => `${added} hinzugefügt, ${removed} entfernt`
export const showUnchangedCharacters = (hidden: string) => `${hidden} unveränderte Zeichen zeigen`
export const showMore = 'Mehr zeigen'
export const screenshotOf = (url: string | number) => `Screenshot von ${url}`
export const pageTools = 'Werkzeuge der Seite'
export const openTheScreenshotInFullSize = 'Screenshot in voller Größe öffnen'
export const outline = 'Gliederung'
export const searchWithinThePage = 'In der Seite suchen'
export const notFound = 'Nicht gefunden'
export const matchOfAll = (place: string, all: string, more: string | number) => `${place} von ${all}${more}`
