/** Words between those who find a site's addresses and those who keep them. */
import type { TaskContext } from '#backend/crawler/tasks/task.ts'

export type UrlSource = 'sitemap' | 'crawl' | 'provider'

/** What became of a found address. `foreign` is of another site, `left_out` of this one but not asked for. */
export type Taken = 'kept' | 'known' | 'left_out' | 'foreign'

/** Addresses that a search provider knows of a host; null when none could be asked. */
export type SearchSite = (host: string, words: string | null, context: Pick<TaskContext, 'signal' | 'tell'>) => Promise<string[] | null>

export type DiscoveryNeeds = Pick<TaskContext, 'fetch' | 'readPage' | 'signal' | 'tell'> & {
  /** Takes an address as it was found. */
  take: (url: string, lastmod: string | null, source: UrlSource) => Taken
  /** No further address can be kept. */
  isFull: () => boolean
  isOfSite: (url: string) => boolean
  /** Whether a link of a page is one to be kept and looked at. */
  follows: (url: string) => boolean
  /** The site has sent us to this address: its host belongs to the site. */
  moveTo: (url: string) => void
}

/** What reading sitemap files needs of it. */
export type FileNeeds = Pick<DiscoveryNeeds, 'fetch' | 'isFull' | 'isOfSite' | 'moveTo' | 'signal' | 'take' | 'tell'>

export type Discovery = {
  /** Where the addresses came from; null when nothing could be asked. */
  source: UrlSource | null
  /** Some of what there was could not be had. */
  isPartial: boolean
  /** Why the start page could not be read. */
  fault: string | null
}
