import { count } from './language.ts'
export const filterTheUrls = 'URLs filtern'
export const filter = (urls: string | number) => `${urls} filtern`
export const copiedCount = (taken: string | number) => `${taken} kopiert`
export const theBrowserRefusedToCopy = 'Der Browser hat das Kopieren verweigert'
export const copy = 'Kopieren'
export const copied = 'Kopiert'
export const aBatchTakesAtMostUrls = (most: string) => `Ein Crawl nimmt höchstens ${most} URLs: Wähle einige aus oder filtere.`
export const crawlThese = 'Diese crawlen'
export const nothingMatchesTheFilter = 'Nichts passt zum Filter'
export const clearTheFilter = 'Filter leeren'
export const urls = 'URLs'
export const ofChosen = (size: string, urls: string | number) => `${size} von ${urls} gewählt.`
export const ofShown = (shown: string | number, urls: string | number) => `${shown} von ${urls} gezeigt.`
export const chooseNone = 'Keine wählen'
export const details = 'Angaben'
export const urlsFound = 'Gefundene URLs'
export const waitingToStart = 'Wartet auf den Start …'
export const soFar = (countText: string) => `${countText} bisher …`
export const urlCount = (n: number) => count(n, { one: 'URL', other: 'URLs' })
export const lookingForTheUrlsOfThe = 'Die URLs der Website werden gesucht …'
export const theSitemapCouldNotBeMade = 'Die Sitemap konnte nicht erstellt werden'
export const nothingOfTheSiteCouldBe = 'Von der Website konnte nichts abgerufen werden. Die Meldungen der Engine sagen, warum.'
export const theSitemapWasCanceled = 'Die Sitemap wurde abgebrochen'
export const whatWasFoundBeforeIsKept = 'Was vorher gefunden wurde, bleibt.'
export const nothingHadBeenFoundByThen = 'Bis dahin war nichts gefunden.'
export const noUrlsWereFound = 'Keine URLs gefunden'
export const theSiteAnswersAndNothingOn = 'Die Website antwortet, aber nichts darauf passt zu den Optionen. Weniger Filter finden mehr.'
export const found = (countText: string) => `${countText} gefunden`
export const view = 'Ansicht'
export const list = 'Liste'
export const graph = 'Graph'
export const markdown = 'Markdown'
export const tooManyUrls = 'Zu viele URLs zum Anzeigen'
export const urlsAreBestReadAsA = (count: string) =>
  `${count} URLs liest du am besten als Datei: Die Downloads enthalten alle, als Liste, als Markdown und als Sitemap-Dateien.`
export const theListCouldNotBeLoaded = 'Die Liste konnte nicht geladen werden'
export const loadingTheList = 'Liste wird geladen …'
export const thisSitemapHasNoUrls = 'Diese Sitemap hat keine URLs'
export const theTreeCouldNotBeLoaded = 'Der Baum konnte nicht geladen werden'
export const loadingTheTree = 'Baum wird geladen …'
export const theMarkdownCouldNotBeLoaded = 'Das Markdown konnte nicht geladen werden'
export const backToTheList = 'Zurück zur Liste'
export const loadingTheMarkdown = 'Markdown wird geladen …'
export const sitemapAsMarkdown = 'Sitemap als Markdown'
export const theFirstOfLinesTheDownload = (line: string, lines: string | number) =>
  `Die ersten ${line} von ${lines} Zeilen; der Download enthält alle.`
export const urlList = 'URL-Liste'
export const siteGraph = 'Graph der Website'
export const sitemapFile = 'Sitemap-Datei'
export const enterAValidURLBeginningWith = 'Gib eine gültige URL ein, die mit https:// oder http:// beginnt.'
export const withoutSubdomains = 'Ohne Subdomains'
export const byFollowingLinks = 'Über Links'
export const about = (words: string | number) => `Zu „${words}“`
export const proxy = (proxy_server: string | number) => `Proxy ${proxy_server}`
export const howToLook = 'Wie gesucht wird'
export const sitemapFilesAreQuickAndWhole = 'Sitemap-Dateien sind schnell und vollständig, wo eine Website sie pflegt.'
export const includeSubdomains = 'Mit Subdomains'
export const alsoUrlsOfHostsBelowThe = 'Auch URLs von Hosts unterhalb der Website. www. zählt immer als die Website selbst.'
export const ignoreSitemapXml = 'sitemap.xml ignorieren'
export const followTheLinksOfTheSite =
  'Folgt den Links der Website, statt ihre Dateien zu lesen; langsamer, für Websites mit falschen Dateien.'
export const thisSitemapCosts = (form: string) => `Diese Sitemap kostet ${form}`
export const credits = (n: number) => count(n, { one: 'Credit', other: 'Credits' })
export const n5Credits15WhenIgnoringSitemap = '5 Credits; 15, wenn Sitemap-Dateien ignoriert werden.'
export const whatToKeep = 'Was bleibt'
export const onlyUrlsThatFitAreListed = 'Nur passende URLs kommen in die Liste. Ausgeschlossene Pfade haben Vorrang.'
export const searchTerm = 'Suchbegriff'
export const keepsUrlsWhosePathHasOne = 'Behält URLs, deren Pfad eines dieser Wörter enthält, die besten zuerst'
export const teaPots = 'tee kannen'
export const generateSitemap = 'Sitemap erstellen'
export const generating = 'Wird erstellt …'
export const pleaseEnterAURL = 'Bitte gib eine URL ein'
export const byFollowingLinksInASentence = 'über Links'
export const everyUrlOfASiteFrom = 'Alle URLs einer Website: aus ihren Sitemap-Dateien oder über ihre Links.'
export const pastSitemaps = 'Frühere Sitemaps'
export const target = 'Ziel'
export const urlOfTheSite = 'URL der Website'
export const includeTheProtocolSuchAsHttps = 'Mit Protokoll, also https://'
export const httpsExampleCom = 'https://example.com'
export const defaultOptionsTheSiteAndIts =
  'Standardoptionen: die Website und ihre Subdomains, aus ihren Sitemap-Dateien, wo es welche gibt.'
export const sitemap = 'Sitemap'
export const sitemapOptions = 'Optionen der Sitemap'
export const enterAURLAndConfigureOptions = 'Gib eine URL ein und wähle Optionen, um den API-Aufruf zu sehen.'
export const noSitemapYet = 'Noch keine Sitemap'
export const enterTheUrlOfASite = 'Gib die URL einer Website ein und erstelle ihre Sitemap; sie erscheint hier.'
export const sitemapPlayground = 'Sitemap'
export const sitemapRequestNotFound = 'Sitemap nicht gefunden'
export const cancelGeneration = 'Abbrechen'
export const sitemapDetails = 'Sitemap'
export const aboutThisSitemap = 'Über diese Sitemap'
export const tryInSitemapPlayground = 'Neu einstellen'
export const includedPaths = (n: number) => count(n, { one: 'eingeschlossener Pfad', other: 'eingeschlossene Pfade' })
export const excludedPaths = (n: number) => count(n, { one: 'ausgeschlossener Pfad', other: 'ausgeschlossene Pfade' })
export const theListCouldNotBeRead = (status: number) => `Die Liste konnte nicht gelesen werden (Status ${status}).`
