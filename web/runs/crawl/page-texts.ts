/** Short texts about pages and crawls. Pure. */
import { isHttpUrl } from '#contract/addresses.ts'
import { fixed } from '#texts/language.ts'
import * as t from '#texts/page-texts.ts'

/** The URL without its scheme, and without the slash of an empty path: `docs.example/guide`. */
export const bareUrl = (url: string): string => url.replace(/^https?:\/\//i, '').replace(/^([^/?#]+)\/$/, '$1')

/** Everything after the host, percent-decoded for reading; the whole text when there is no host. */
export function pathText(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed || !isHttpUrl(url)) return url
  const path = parsed.pathname + parsed.search
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** The page's title, or its path where it has none. */
export const pageTitle = ({ title, url }: { title: string | null; url: string }): string => title?.trim() || pathText(url)

/** The name of a crawl: its first URL, and how many more URLs it has. */
export const crawlName = ({ url, urls }: { url: string | null; urls: readonly string[] }): { name: string; more: number } => ({
  name: bareUrl(url ?? urls[0] ?? ''),
  more: Math.max(0, urls.length - 1),
})

/** The most pages that a crawl can store. */
export function pageLimitOf(crawl: {
  crawl_type: string
  urls: readonly string[]
  options: { spider_options: Record<string, unknown> }
}): number {
  const limit = crawl.options.spider_options['page_limit']
  return crawl.crawl_type === 'batch' || typeof limit !== 'number' ? new Set(crawl.urls).size : limit
}

/** Tone of an HTTP status. */
export const statusTone = (status: string): 'success' | 'warning' | 'danger' =>
  status.startsWith('2') ? 'success' : status.startsWith('3') ? 'warning' : 'danger'

/** "6.2", "64": one decimal below 10. */
export const rateText = (perSecond: number): string => fixed(perSecond, perSecond >= 10 ? 0 : 1)

/** A duration in short: "50 s", "1 min 24 s", "2 h 5 min". */
export function shortSpan(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return t.minS(Math.floor(seconds / 60), seconds % 60)
  return t.hMin(Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60))
}

/** Metadata that the crawler derives, the most interesting first. */
const DERIVED = [
  'title',
  'description',
  'authors',
  'published_time',
  'modified_time',
  'site_name',
  'section',
  'tags',
  'language',
  'word_count',
  'page_count',
  'pages_read',
  'image',
  'favicon',
  'canonical_url',
  'status_code',
  'content_type',
  'extraction',
]

type Entry = [key: string, value: string | null]

/** Derived metadata first, then other metadata elements. `author` only if it differs from `authors`. */
export function metadataGroups(metadata: Readonly<Record<string, string | null>>): { known: Entry[]; elements: Entry[] } {
  const known = DERIVED.filter((key) => Object.hasOwn(metadata, key)).map((key): Entry => [key, metadata[key] ?? null])
  const elements = Object.entries(metadata).filter(
    ([key, value]) => !DERIVED.includes(key) && !(key === 'author' && value === metadata['authors']),
  )
  return { known, elements }
}
