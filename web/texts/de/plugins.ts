export const required = 'Pflicht'
export const chooseOne = 'Wähle eines'
export const none = 'Keines'
export const format = 'Format'
export const item = 'Eintrag'
export const remove = (itemName: string, value1: string | number) => `${itemName} ${value1} entfernen`
export const add = (itemName: string) => `${itemName} hinzufügen`
export const atMost = (maxItems: string | number) => `höchstens ${maxItems}`
export const loadingThePlugins = 'Plugins werden geladen …'
export const thePluginsCouldNotBeLoaded = 'Die Plugins konnten nicht geladen werden'
export const crawlsCanBeStartedWithoutThem = 'Crawls lassen sich auch ohne sie starten.'
export const noPluginsInstalled = 'Keine Plugins installiert'
export const pluginsAddStepsOfTheirOwn =
  'Plugins fügen jeder Seite eigene Schritte hinzu, etwa das Herausziehen von Feldern. Dieser Server hat keine.'
export const active = 'Aktiv'
export const runsOnEachPageOfThe = 'Läuft auf jeder Seite des Crawls'
