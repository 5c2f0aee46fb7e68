import { count, number } from './language.ts'
import { rich } from '../rich.ts'
import type { Part } from '../rich.ts'
export const notAvailableInBatchMode = 'Bei mehreren URLs nicht verfügbar'
export const crawlerSettings = 'Crawler'
export const howFarTheCrawlGoesAnd = 'Wie weit der Crawl geht und wie schnell.'
export const maxDepth = 'Größte Tiefe'
export const pageLimit = 'Seitenlimit'
export const linksAwayFromTheStart = 'Links vom Start entfernt'
export const theMostPagesToStore = 'So viele Seiten höchstens'
export const concurrentRequests = 'Gleichzeitige Anfragen'
export const leaveEmptyForAutomatic = 'Ohne Angabe automatisch'
export const automaticUpTo = (maxConcurrency: string | number) => `Automatisch, bis ${maxConcurrency}`
export const pathFilters = 'Pfadfilter'
export const pathsMayUseForAnyText = '* steht für beliebigen Text. Ausgeschlossene Pfade haben Vorrang.'
export const excludePaths = 'Diese Pfade nicht'
export const includePaths = 'Nur diese Pfade'
export const allowedDomains = 'Erlaubte Domains'
export const comparedWithTheHostOfThe =
  'Wird mit dem Host der URL verglichen. * steht für beliebigen Text. Mit Port, wie in *.example.com:8080, müssen Host und Port passen; ohne Port passt jeder.'
export const exampleCom = '*.example.com'
export const leaveEmptyForTheStartDomain =
  'Leer heißt: die Domain des Starts und was darunter liegt. Links anderswohin werden notiert, aber nicht verfolgt.'
export const wholePage = 'Ganze Seite'
export const bareArticleText = 'Reiner Artikeltext'
export const htmlInTheMarkdown = 'HTML im Markdown'
export const withHTML = 'Mit HTML'
export const withoutLinks = 'Ohne Links'
export const timeoutMs = (timeout: string | number) => `${timeout} ms`
export const withoutRendering = 'Ohne Rendern'
export const waitMs = (wait_time: string | number) => `${wait_time} ms`
export const asOnAPhone = 'Wie auf einem Telefon'
export const acceptsCookies = 'Nimmt Cookies an'
export const startCrawling = 'Crawl starten'
export const starting = 'Wird gestartet …'
export const pleaseEnterAURLOrURLs = 'Bitte gib eine oder mehrere URLs ein'
export const followTheLinksOfASite = 'Folge den Links einer Website oder rufe eine Liste von Seiten ab, und behalte den Text.'
export const pastCrawls = 'Frühere Crawls'
export const crawl = 'Crawl'
export const spiderOptions = 'Optionen des Crawls'
export const pageOptions = 'Optionen der Seiten'
export const pluginOptions = 'Optionen der Plugins'
export const enterAURLAndConfigureOptions = 'Gib eine URL ein und wähle Optionen, um den API-Aufruf zu sehen.'
export const noResultsYet = 'Noch keine Ergebnisse'
export const enterAUrlAndStartCrawling = 'Gib eine URL ein und starte den Crawl; Seiten erscheinen hier, sobald sie gespeichert sind.'
export const theCrawlerHasSaidNothingYet = 'Der Crawler hat noch nichts gemeldet.'
export const more = (more: string | number) => `${more} weitere`
export const urlCount = (n: number) => count(n, { one: 'URL', other: 'URLs' })
export const singleURL = 'Eine URL'
export const depth = (depth: number) => `Tiefe ${number(depth)}`
export const limit = (pages: number) => `Limit ${number(pages)}`
export const oneFieldIsWrong = 'ein Feld ist falsch'
export const fieldsAreWrong = (wrong: string | number) => `${wrong} Felder sind falsch`
export const target = 'Ziel'
export const whatToCrawl = 'Was gecrawlt wird'
export const batchURLs = 'URL-Liste'
export const pressToStart = (kbd: Part) => rich`${kbd} startet`
export const howFar = 'Wie weit'
export const eachUrlIsFetchedOnceWith = 'Jede URL wird einmal abgerufen, mit den Standardoptionen.'
export const byDefaultOnlyThisPageIs = 'Ohne Optionen wird nur diese Seite gecrawlt.'
export const urlToCrawl = 'URL für den Crawl'
export const includeTheProtocolSuchAsHttps = 'Mit Protokoll, also https://'
export const httpsExampleCom = 'https://example.com'
export const oneURLPerLine = 'Eine URL pro Zeile'
export const httpsExampleComAHttpsExample = 'https://example.com/a\nhttps://example.com/b'
export const presets = 'Vorlagen'
export const isApplied = (name: string) => `„${name}“ ist angewendet`
export const saveOptionsAsPreset = 'Optionen als Vorlage speichern'
export const managePresets = 'Vorlagen verwalten'
export const thePresetsCouldNotBeLoaded = 'Die Vorlagen konnten nicht geladen werden'
export const noPresetsYet = 'Noch keine Vorlagen'
export const thePresetWasSaved = 'Die Vorlage wurde gespeichert'
export const saving = 'Wird gespeichert …'
export const savePreset = 'Vorlage speichern'
export const theTeamCanApplyItHere =
  'Das Team kann sie hier und in der Befehlspalette anwenden und in der API als "preset" nennen. Die URLs gehören nicht dazu.'
export const name = 'Name'
export const extraHeadersAreNotKeptThey = 'Eigene Header werden nicht gespeichert, da sie oft Geheimnisse enthalten.'
export const presetsOfTheTeam = 'Vorlagen des Teams'
export const loadingThePresets = 'Vorlagen werden geladen …'
export const wasDeleted = (name: string) => `„${name}“ wurde gelöscht`
export const newNameOf = (name: string) => `Neuer Name von ${name}`
export const rename = (name: string) => `${name} umbenennen`
export const saveNameOf = (name: string) => `Namen von ${name} speichern`
export const deleteText = (name: string) => `${name} löschen`
export const auto = 'Automatisch'
export const excludedPaths = (n: number) => count(n, { one: 'ausgeschlossener Pfad', other: 'ausgeschlossene Pfade' })
export const includedPaths = (n: number) => count(n, { one: 'eingeschlossener Pfad', other: 'eingeschlossene Pfade' })
export const allowedDomainCount = (n: number) => count(n, { one: 'erlaubte Domain', other: 'erlaubte Domains' })
export const proxy = 'Proxy'
export const excludedElements = (n: number) => count(n, { one: 'ausgeschlossenes Element', other: 'ausgeschlossene Elemente' })
export const includedElements = (n: number) => count(n, { one: 'eingeschlossenes Element', other: 'eingeschlossene Elemente' })
export const headerCount = (n: number) => count(n, { one: 'Header', other: 'Header' })
export const timeoutLabel = 'Zeitlimit'
export const localeLabel = 'Sprache'
export const keeps = 'Behält'
export const skips = 'Lässt aus'
export const wait = 'Wartet'
export const screenshotLabel = 'Screenshot'
export const blocks = 'Blockiert'
/** What a browser can leave out while it renders, by its name in the API. */
export const blockable = { images: 'Bilder', media: 'Videos und Töne', fonts: 'Schriften', ads: 'Werbung' }
