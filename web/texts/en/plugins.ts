export const required = 'Required'
export const chooseOne = 'Choose one'
export const none = 'None'
export const format = 'Format'
export const item = 'Item'
export const remove = (itemName: string, value1: string | number) => `Remove ${itemName} ${value1}`
export const add = (itemName: string) => `Add ${itemName}`
export const atMost = (maxItems: string | number) => `${maxItems} at most`
export const loadingThePlugins = 'Loading the plugins…'
export const thePluginsCouldNotBeLoaded = 'The plugins could not be loaded'
export const crawlsCanBeStartedWithoutThem = 'Crawls can be started without them.'
export const noPluginsInstalled = 'No plugins installed'
export const pluginsAddStepsOfTheirOwn = 'Plugins add steps of their own to each page, such as pulling out fields. This server has none.'
export const active = 'Active'
export const runsOnEachPageOfThe = 'Runs on each page of the crawl'
