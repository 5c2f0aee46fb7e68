import { count, plural } from './language.ts'
import { rich } from '../rich.ts'
import type { Part } from '../rich.ts'
export const asWrittenWithItsSubdomains = 'Wie geschrieben, mit Subdomains'
export const filters = 'Filter'
export const site = 'Website'
export const allSites = 'Alle Websites'
export const crawl = 'Crawl'
export const allCrawls = 'Alle Crawls'
export const more = (name: string, more: string) => `${name} +${more} weitere`
export const crawlAndPages = (created_at: string | number, number_of_documents: string) => `${created_at} · ${number_of_documents} Seiten`
export const language = 'Sprache'
export const anyLanguage = 'Jede Sprache'
export const stored = 'Gespeichert'
export const clear = 'Leeren'
export const results = 'Ergebnisse'
export const pagesTitle = 'Seiten'
export const enter = 'Enter'
export const toMoveToRead = (up: Part, down: Part, enter: Part) => rich`${up} ${down} bewegen, ${enter} öffnet`
export const loading = 'Wird geladen …'
export const loadMore = 'Mehr laden'
export const shownOfAll = (hits: string | number, countText: string | number) => `${hits} von ${countText}`
export const olderVersion = 'Ältere Fassung'
export const storedAnyTime = 'Gespeichert: beliebig'
export const past24Hours = 'Letzte 24 Stunden'
export const pastWeek = 'Letzte Woche'
export const pastMonth = 'Letzter Monat'
export const pastYear = 'Letztes Jahr'
export const search = 'Suche'
export const searchYourOwnPages = 'Eigene Seiten durchsuchen'
export const resultsAppearAsYouTypeArrow = 'Ergebnisse erscheinen beim Tippen. Pfeiltasten bewegen, Enter öffnet die Seite.'
export const wordsAPhraseWithout = 'Wörter, „eine Wendung“, -ohne'
export const ms = (took_ms: string) => `${took_ms} ms`
export const clearTheQuery = 'Suchanfrage leeren'
export const pagesFound = (matches: string | number) => `${matches} Seiten`
export const hitOfAll = (place: string | number, all: string | number, title: string) => `${place} von ${all}: ${title}`
export const theseWordsCouldNotBeSearched = 'Nach diesen Wörtern konnte nicht gesucht werden'
export const tryAgain = 'Noch einmal versuchen'
export const yourPagesCouldNotBeSearched = 'Deine Seiten konnten nicht durchsucht werden'
export const nothingIsLostTryAgainIn = 'Nichts ist verloren; versuche es gleich noch einmal.'
export const openingYourPages = 'Deine Seiten werden geöffnet …'
export const noPagesYet = 'Noch keine Seiten'
export const startCrawling = 'Crawl starten'
export const everyPageThatACrawlOf = 'Jede Seite, die ein Crawl dieses Teams speichert, findest du hier nach wenigen Sekunden.'
export const searching = 'Wird gesucht …'
export const storedPage = 'Gespeicherte Seite'
export const pageCount = (n: number) => count(n, { one: 'Seite', other: 'Seiten' })
export const notIndexedYet = (behind: string) => `, ${behind} noch nicht im Index`
export const pagesWithAllOfTheseWords = 'Seiten mit allen diesen Wörtern'
export const theWordsSideBySide = 'Die Wörter nebeneinander'
export const withoutAWord = 'Ohne ein Wort'
export const theBeginningOfAWord = 'Der Anfang eines Wortes'
export const onlyOfASiteOrA = 'Nur von einer Website oder einem Teil davon'
export const typeToSearchEverythingThatYour = 'Tippe, um alles zu durchsuchen, was deine Crawls gespeichert haben'
export const noStoredPageHasAllOf = 'Keine gespeicherte Seite enthält alle diese Wörter'
export const clearTheFilters = 'Filter leeren'
export const didYouMean = (suggestion: Part) => rich`Meintest du ${suggestion}`
export const ignoredWords = (words: string) => `Keine Seite enthält alle Wörter. Ausgelassen: ${words}`
export const theSearchStoppedBeforeItHad = 'Die Suche endete, bevor sie alle Seiten gelesen hatte. Mehr Wörter machen sie schneller.'
export const fewerWordsOrOnlyTheBeginning = 'Weniger Wörter, oder nur der Anfang eines Wortes, finden mehr.'
export const aMetasearchServerOfYourOwn =
  'Ein eigener Metasuch-Server: kein Konto, keine Gebühr, und die Anfragen bleiben auf deinem Server. Das ältere searx geht auch.'
export const howToRunIt = 'So betreibst du ihn'
export const itsSettingsYmlMustAllowAnswers = 'Seine settings.yml muss Antworten als JSON erlauben:'
export const searXNGSettings = 'Einstellungen von SearXNG'
export const braveSearch = 'Brave Search'
export const needsAnAccount = 'Braucht ein Konto'
export const commercialApiOf20 =
  'Eine kommerzielle Such-API. Sie bekommt die Anfragen deiner Nutzer und zählt einen Aufruf je 20 Ergebnisse.'
export const getASubscriptionToken = 'Token holen'
export const googleCustomSearch = 'Google Custom Search'
export const commercialApiOf10 =
  'Eine kommerzielle Such-API. Sie bekommt die Anfragen deiner Nutzer und zählt einen Aufruf je 10 Ergebnisse.'
export const createASearchEngineAndA = 'Suchmaschine und Schlüssel anlegen'
export const searchOfTheWebIsNot = 'Die Suche im Web ist nicht eingerichtet'
export const pagesThatYourCrawlsHaveStored = 'Seiten, die deine Crawls gespeichert haben,'
export const thereIsNoProviderToAsk = (button: Part) =>
  rich`Es ist noch kein Suchanbieter eingerichtet. Wähle unten einen oder mehrere: Fällt einer aus, wird der nächste verwendet. Die ${button} lassen sich auch ohne durchsuchen.`
export const restartAfterwards = (productName: string) => `Starte ${productName} danach neu`
export const theseAreOptionsOfTheServer = (code: Part) =>
  rich`Das sind Optionen des Servers: Setz sie in seiner Umgebung und starte ihn neu. Wo ${code} gesetzt ist, muss der Anbieter in dieser Liste stehen.`
export const opensInANewTab = '(öffnet einen neuen Tab)'
export const options = (name: string) => `Optionen für ${name}`
export const thisCrawl = 'diesem Crawl'
export const storedBy = (relativeTime: Part, link: Part, value2: Part) => rich`Gespeichert ${relativeTime} von ${link}${value2}`
export const previousMatch = 'Voriger Treffer'
export const matchOfAll = (place: string, all: string) => `${place} von ${all}`
export const nextMatch = 'Nächster Treffer'
export const areNotIndexedYet = (n: number) =>
  `${pageCount(n)} ${plural(n, { one: 'ist', other: 'sind' })} noch nicht im Index; die Suche wiederholt sich automatisch.`
export const aLaterCrawl = '; ein späterer Crawl hat eine neuere Fassung'
export const selfHosted = 'Selbst betrieben'
export const orMore = (number: string) => `${number} oder mehr`
