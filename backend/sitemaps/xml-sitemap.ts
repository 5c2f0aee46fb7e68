/**
 * A sitemap in the format of the sitemaps protocol (sitemaps.org, version 0.9): one `urlset`, or an index of several when it would exceed
 * the protocol's limits.
 */
import type { SitemapUrl } from '#contract/sitemaps.ts'
import type { SitemapUrls, Span } from './sitemap-urls.ts'

/** Limits of one file. */
const MAX_URLS_PER_FILE = 50_000
const MAX_BYTES_PER_FILE = 50 * 1024 * 1024

/** Longest markup around a URL. */
const BYTES_PER_URL = 64
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** Divides the URLs of a sitemap into files: equal shares, and halves of those that would be too long. */
export async function xmlParts(urls: Pick<SitemapUrls, 'bytes' | 'count'>, runNo: number): Promise<Span[]> {
  const count = await urls.count(runNo)
  const parts: Span[] = []
  for (let from = 0; from < count; from += MAX_URLS_PER_FILE) await split({ from, to: Math.min(count, from + MAX_URLS_PER_FILE) })
  return parts

  async function split(span: Span): Promise<void> {
    const size = span.to - span.from
    const bytes = HEAD.length + 128 + size * BYTES_PER_URL + (await urls.bytes(runNo, span))
    if (bytes <= MAX_BYTES_PER_FILE) return void parts.push(span)
    const middle = span.from + Math.ceil(size / 2)
    await split({ from: span.from, to: middle })
    await split({ from: middle, to: span.to })
  }
}

/** One file of URLs, in pieces. */
export async function* urlsetXml(batches: AsyncIterable<SitemapUrl[]>): AsyncGenerator<string> {
  yield `${HEAD}<urlset xmlns="${NAMESPACE}">\n`
  for await (const batch of batches) yield batch.map(urlElement).join('')
  yield '</urlset>\n'
}

/** The index file. */
export const indexXml = (files: readonly string[]): string =>
  `${HEAD}<sitemapindex xmlns="${NAMESPACE}">\n${files.map((file) => `<sitemap><loc>${escapeXml(file)}</loc></sitemap>\n`).join('')}</sitemapindex>\n`

const urlElement = ({ url, lastmod }: SitemapUrl): string =>
  `<url><loc>${escapeXml(withPath(url))}</loc>${lastmod === null ? '' : `<lastmod>${escapeXml(lastmod)}</lastmod>`}</url>\n`

/** A URL without a path gets a final slash, as the protocol demands. */
const withPath = (url: string): string => (url.indexOf('/', url.indexOf('://') + 3) < 0 ? `${url}/` : url)

const ESCAPES: Record<string, string> = { '&': '&amp;', "'": '&apos;', '"': '&quot;', '<': '&lt;', '>': '&gt;' }

/** Escapes the five characters that the protocol names, and removes those that XML forbids. */
const escapeXml = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  text.replace(/[&'"<>]/g, (sign) => ESCAPES[sign]!).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
