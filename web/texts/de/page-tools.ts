import { count } from './language.ts'
export const thePageCouldNotBeLoaded = 'Die Seite konnte nicht geladen werden'
export const loadingBothVersions = 'Beide Fassungen werden geladen …'
export const theTextIsTheSame = 'Der Text ist derselbe'
export const somethingElseOfThePageDiffers = 'Etwas anderes an der Seite ist verschieden, etwa ihre Links oder Metadaten.'
export const words = (n: number) => count(n, { one: 'Wort', other: 'Wörter' })
export const addedRemoved = (wordsIn: string, wordsIn2: string) => `${wordsIn} hinzugefügt, ${wordsIn2} entfernt`
export const showUnchangedCharacters = (hidden: string) => `${hidden} unveränderte Zeichen zeigen`
export const showMore = 'Mehr zeigen'
export const screenshotOf = (url: string | number) => `Screenshot von ${url}`
export const pageTools = 'Werkzeuge der Seite'
export const openTheScreenshotInFullSize = 'Screenshot in voller Größe öffnen'
export const outline = 'Gliederung'
export const searchWithinThePage = 'In der Seite suchen'
export const notFound = 'Nicht gefunden'
export const matchOfAll = (numberText: string, numberText2: string, value2: string | number) => `${numberText} von ${numberText2}${value2}`
