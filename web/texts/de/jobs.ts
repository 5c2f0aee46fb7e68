export const crawl = 'Crawl'
export const search = 'Suche'
export const sitemap = 'Sitemap'
export const nameAndMore = (name: string, more: string) => `${name} +${more} weitere`
export const waitingToBegin = 'Wartet auf den Beginn'
export const soFar = (found: string) => `${found} bisher`
