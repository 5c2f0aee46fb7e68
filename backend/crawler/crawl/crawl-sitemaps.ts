/** Adds the URLs from the sitemap files of a crawl's start URLs; pages are fetched while the files are read. */
import type { Crawl } from './crawl.ts'
import { createHostRequests } from '#backend/crawler/frontier/host-requests.ts'
import { checkEnd } from './settle-url.ts'
import { seedFromSitemaps } from '#backend/crawler/sitemap/sitemap-seeds.ts'
import { createTaskFetch } from '#backend/crawler/tasks/task-fetch.ts'

/** A sitemap may add twice as many URLs as the crawl wants pages, and this many more, because some will fail. */
const SPARE_URLS = 1000

export function createCrawlSitemaps(crawl: Crawl) {
  const { hosts, proxy, row, rules, spec, stop } = crawl
  const requests = createHostRequests({ hosts, maxConcurrency: crawl.concurrency, pump: crawl.pump })
  return {
    read,
    /** The next request for a file, or when to ask again; null when all files are read. */
    turn: (at: number) => (crawl.isReadingSitemaps ? requests.turn(at) : null),
  }

  /** Runs again after an interruption: known URLs stay as they are. */
  async function read() {
    crawl.isReadingSitemaps = true
    const fetch = createTaskFetch({
      fetcher: crawl.fetcher,
      headersFor: crawl.headersFor,
      hosts,
      maxPageBytes: crawl.maxPageBytes,
      proxy,
      random: crawl.random,
      signal: stop.signal,
      turnAt: requests.turnAt,
    })
    try {
      await seedFromSitemaps(
        crawl.seedOrigins.map((origin) => `${origin}/`).filter((url) => crawl.frontier.owns(url)),
        {
          add(links) {
            if (crawl.isOver() || crawl.open.ending !== null) return
            crawl.frontier.addLinks(links, -1, crawl.open.changes)
            crawl.touch()
            crawl.pump()
          },
          fetch,
          ignoresQuery: spec.ignoresQuery === true,
          judge: rules.judge,
          limit: row.pageLimit * 2 + SPARE_URLS,
          salt: row.urlSalt,
          signal: stop.signal,
          tell: crawl.feed,
        },
      )
    } catch (fault) {
      if (!crawl.isOver()) crawl.report('the sitemap files of a crawl could not be read', fault)
    } finally {
      crawl.isReadingSitemaps = false
    }
    if (crawl.isOver()) return
    crawl.touch()
    checkEnd(crawl)
  }
}
