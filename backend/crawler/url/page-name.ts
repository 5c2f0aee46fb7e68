import { canonicalUrl, urlIdentity } from './canonical-url.ts'

/**
 * The URL that identifies a page: of its canonical link, else its own, without the index file of a folder. Pages with the same URL by this
 * rule and the same text are copies.
 */
export function nameOfPage(url: string, canonical: string | null): string {
  const name = (canonical === null ? null : canonicalUrl(canonical, url)) ?? url
  return urlIdentity(name.replace(INDEX_FILE, '/'))
}
const INDEX_FILE = /\/(?:index|default)\.[a-z]{2,5}$/i
