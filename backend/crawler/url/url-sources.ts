/** Types shared by the code that discovers a site's URLs and the code that stores them. */
import type { TaskContext } from '#backend/crawler/tasks/task.ts'

export type UrlSource = 'sitemap' | 'crawl' | 'provider'

/** What became of a discovered URL. `foreign`: of another site; `left_out`: of this site, but filtered. */
export type Taken = 'kept' | 'known' | 'left_out' | 'foreign'

/** URLs that a search provider knows of a host; null when no provider could be asked. */
export type SearchSite = (host: string, words: string | null, context: Pick<TaskContext, 'signal' | 'tell'>) => Promise<string[] | null>

export type DiscoveryNeeds = Pick<TaskContext, 'fetch' | 'readPage' | 'signal' | 'tell'> & {
  /** Takes a discovered URL, in whatever spelling. */
  take: (url: string, lastmod: string | null, source: UrlSource) => Taken
  /** The list has its most URLs. */
  isFull: () => boolean
  isOfSite: (url: string) => boolean
  /** Whether a link is in scope. */
  follows: (url: string) => boolean
  /** The site redirected to this URL: its host now belongs to the site. */
  moveTo: (url: string) => void
}

/** The part of `DiscoveryNeeds` that reading sitemap files takes. */
export type FileNeeds = Pick<DiscoveryNeeds, 'fetch' | 'isFull' | 'isOfSite' | 'moveTo' | 'signal' | 'take' | 'tell'>

export type Discovery = {
  /** Where the URLs came from; null when no source answered. */
  source: UrlSource | null
  /** Some URLs are missing: a source failed, or a bound was reached. */
  isPartial: boolean
  /** Why the start page could not be read, if so. */
  fault: string | null
}
