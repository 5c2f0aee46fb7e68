export const crawl = 'Crawl'
export const search = 'Search'
export const sitemap = 'Sitemap'
export const nameAndMore = (name: string, more: string) => `${name} +${more} more`
export const waitingToBegin = 'Waiting to begin'
export const soFar = (found: string) => `${found} so far`
