/** Adds the URLs from sitemap files of a crawl's sites, like links found at its start. */
import { canonicalUrl, urlIdentity } from '#backend/crawler/url/canonical-url.ts'
import { readSiteFiles } from './discover-urls.ts'
import { LINK_STRIDE } from '#backend/crawler/page/page-rules.ts'
import type { LinkBlock } from '#backend/crawler/page/page-rules.ts'
import type { OutOfScope } from '#backend/crawler/url/scope.ts'
import { trapOf } from '#backend/crawler/url/traps.ts'
import { urlKey } from '#backend/crawler/url/url-key.ts'
import type { FileNeeds, Taken } from '#backend/crawler/url/url-sources.ts'

/** URLs per batch. */
const URLS_AT_ONCE = 500

/**
 * Reads the sitemap files of each start URL's site.
 *
 * @param add    receives URLs in scope, as links without a text
 * @param judge  the scope of the crawl
 * @param limit  most URLs
 * @param salt   the run's secret for URL keys
 */
export async function seedFromSitemaps(
  startUrls: readonly string[],
  {
    add,
    ignoresQuery,
    judge,
    limit,
    salt,
    ...needs
  }: Pick<FileNeeds, 'fetch' | 'signal' | 'tell'> & {
    add: (links: LinkBlock) => void
    ignoresQuery: boolean
    judge: (url: string) => OutOfScope | null
    limit: number
    salt: Uint8Array
  },
): Promise<void> {
  const known = new Set<string>()
  let waiting: string[] = []
  const isFull = () => known.size >= limit
  const files: FileNeeds = {
    ...needs,
    isFull,
    isOfSite: (url) => judge(url)?.rule !== 'domain',
    moveTo: () => undefined,
    take,
  }
  for (const url of new Map(startUrls.map((start) => [new URL(start).origin, start])).values()) {
    const { ofSite } = await readSiteFiles(url, files)
    if (ofSite === 0 && !needs.signal.aborted) needs.tell('info', `No sitemap file names pages of ${new URL(url).host}`)
  }
  flush()
  if (known.size > 0) needs.tell('info', `The sitemap files name ${known.size} ${known.size === 1 ? 'page' : 'pages'} of this crawl`)

  function take(found: string): Taken {
    const spelled = canonicalUrl(found)
    if (spelled === null) return 'left_out'
    const query = spelled.indexOf('?')
    const url = ignoresQuery && query >= 0 ? spelled.slice(0, query) : spelled
    const outside = judge(url)
    if (outside !== null) return outside.rule === 'domain' ? 'foreign' : 'left_out'
    if (trapOf(url) !== null) return 'left_out'
    if (known.has(url)) return 'known'
    if (isFull()) return 'left_out'
    known.add(url)
    waiting.push(url)
    if (waiting.length >= URLS_AT_ONCE) flush()
    return 'kept'
  }

  function flush() {
    if (waiting.length > 0 && !needs.signal.aborted) add(blockOf(waiting, salt))
    waiting = []
  }
}

function blockOf(urls: readonly string[], salt: Uint8Array): LinkBlock {
  const numbers = new Int32Array(urls.length * LINK_STRIDE)
  let text = ''
  for (const [index, url] of urls.entries()) {
    const { hi, lo } = urlKey(salt, urlIdentity(url))
    text += url
    numbers.set([hi, lo, text.length, text.length, 0], index * LINK_STRIDE)
  }
  return { numbers, text, notes: [] }
}
