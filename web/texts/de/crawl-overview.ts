import { count } from './language.ts'
export const theOtherCrawlsCouldNotBe = 'Die anderen Crawls konnten nicht geladen werden'
export const loadingTheOtherCrawls = 'Andere Crawls werden geladen …'
export const noOtherCrawlOfThisStart = 'Kein anderer Crawl mit diesem Start'
export const runTheCrawlAgainLaterWhat =
  'Starte den Crawl später noch einmal: Hier steht dann, was sich auf der Website inzwischen geändert hat.'
export const compareWith = 'Vergleichen mit'
export const pages = (n: number) => count(n, { one: 'Seite', other: 'Seiten' })
export const anotherCrawl = 'Ein anderer Crawl'
export const theCrawlsCouldNotBeCompared = 'Die Crawls konnten nicht verglichen werden'
export const theCrawlsHaveDifferentOptions = 'Die beiden Crawls haben verschiedene Optionen'
export const theTextMayDifferBecauseOf = (names: string) =>
  `Eine Seite kann wegen ${names} als geändert gelten, obwohl die Website sie nicht geändert hat.`
export const whichPages = 'Welche Seiten'
export const loadingTheComparison = 'Vergleich wird geladen'
export const changes = { added: 'Hinzugefügt', removed: 'Entfernt', changed: 'Geändert', unchanged: 'Unverändert' }
export const noPageWas = (change: string) => `Keine ${change}en Seiten`
export const pagesOf = (label: string) => `Seiten: ${label}`
export const comparing = 'Wird verglichen …'
export const showWhatChangedIn = (url: string | number) => `Zeigen, was sich in ${url} geändert hat`
export const showWhatChanged = 'Zeigen, was sich geändert hat'
export const storedCount = (kept: string) => `${kept} gespeichert`
export const theOverviewCouldNotBeLoaded = 'Die Übersicht konnte nicht geladen werden'
export const overview = 'Übersicht'
export const speed = 'Tempo'
export const outcomes = 'Was daraus wurde'
export const statusCodes = 'Statuscodes'
export const depth = 'Tiefe'
export const start = 'Start'
export const links = (n: number) => count(n, { one: 'Link', other: 'Links' })
export const contentTypes = 'Inhaltstypen'
export const notStated = 'ohne Angabe'
export const largestAndSlowest = 'Größte und langsamste'
export const largest = 'Größte'
export const slowest = 'Langsamste'
export const ms = (took_ms: string) => `${took_ms} ms`
export const loadingTheOverview = 'Übersicht wird geladen'
export const noPageHasBeenStored = 'Es wurde keine Seite gespeichert.'
export const pagesPerSecond = (rateText: string) => `${rateText} Seiten/s`
export const onAverageAtMost = (total: string, most: string) => `${total} im Mittel, höchstens ${most}`
export const none = 'Keine'
export const others = (rest: number) => count(rest, { one: 'andere', other: 'andere' })
export const jsonLines = 'JSON Lines'
export const downloadTheData = 'Daten herunterladen'
export const theDataCouldNotBeLoaded = 'Die Daten konnten nicht geladen werden'
export const loadingTheData = 'Daten werden geladen'
export const noPageYet = 'Noch keine Seite'
export const extractedData = 'Extrahierte Daten'
export const nothingWasExtracted = 'Nichts wurde extrahiert'
export const dataOf = (name: string) => `Daten: ${name}`
export const tokensReadWritten = (prompt_tokens: string, answer_tokens: string) =>
  `${prompt_tokens} Tokens gelesen, ${answer_tokens} geschrieben`
export const calls = (n: number) => count(n, { one: 'Aufruf', other: 'Aufrufe' })
export const cost = (amount: string) => `, Kosten ${amount}`
export const urlAndReason = 'URL und Grund'
export const clear = (words: string | number) => `${words} entfernen`
export const urlContains = 'URL enthält'
export const outcome = 'Ausgang'
export const allOutcomes = 'Jeder Ausgang'
export const status = (status: string | number) => `Status ${status}`
export const atDepth = (depth: string | number) => `Tiefe ${depth}`
export const theUrlsCouldNotBeLoaded = 'Die URLs konnten nicht geladen werden'
export const loadingUrls = 'URLs werden geladen'
export const nothingMatchesTheFilter = 'Nichts passt zum Filter'
export const clearTheFilter = 'Filter leeren'
export const noUrlYet = 'Noch keine URL'
export const urls = 'URLs'
export const tries = 'Versuche'
export const sizeOfIt = 'Größe'
export const took = 'Dauer'
export const pageOfIt = 'Seite'
export const difference = 'Unterschied'
