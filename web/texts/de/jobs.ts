export const crawl = 'Crawl'
export const search = 'Suche'
export const sitemap = 'Sitemap'
export const more2 = (name: string, more: string) => `${name} +${more} weitere`
export const waitingToBegin = 'Wartet auf den Beginn'
export const soFar = (found: string) => `${found} bisher`
