import { count } from './language.ts'
export const withThisUrl = 'Mit dieser URL'
export const goTo = 'Gehe zu'
export const presets = 'Vorlagen'
export const jobs = 'Aufträge'
export const apiKeys = 'API-Schlüssel'
export const apiKey = 'api key schlüssel'
export const doText = 'Aktionen'
export const switchTo = (name: string) => `Zu ${name} wechseln`
export const team = 'team'
export const switchToLightTheme = 'Zum hellen Design wechseln'
export const switchToDarkTheme = 'Zum dunklen Design wechseln'
export const appearanceColoursMode = 'aussehen farben modus theme'
export const logOut = 'Abmelden'
export const signOutLeave = 'ausloggen verlassen sign out'
export const lookForIt = 'Danach suchen'
export const search = 'suche'
export const proxySettings = 'Proxys'
export const billing = 'Abrechnung'
export const plans = 'Tarife'
export const upgradeSubscription = 'upgrade abonnement'
export const settings = (label: string) => `Einstellungen: ${label}`
export const searchOwnPagesFor = (text: string | number) => `Eigene Seiten nach „${text}“ durchsuchen`
export const searchTheWebFor = (text: string | number) => `Im Web nach „${text}“ suchen`
export const crawlWithPreset = (name: string) => `Crawl mit Vorlage: ${name}`
export const optionsSaved = 'optionen gespeichert'
export const crawl = (typed: string | number) => `${typed} crawlen`
export const generateSitemapOf = (typed: string | number) => `Sitemap von ${typed} erstellen`
export const findOrDoAnything = 'Alles finden und tun'
export const aScreenAJobAKey = 'Eine Ansicht, ein Auftrag, ein Schlüssel oder eine URL'
export const close = 'Schließen'
export const results = 'Treffer'
export const looking = 'Wird gesucht …'
export const nothingMatches = (query: string | number) => `Nichts passt zu „${query}“.`
export const resultCount = (n: number) => count(n, { one: 'Treffer', other: 'Treffer' })
