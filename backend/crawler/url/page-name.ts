import { canonicalUrl, urlIdentity } from './canonical-url.ts'

/**
 * What a page is called: by its canonical link, else by its own URL. A folder and its index file have one name. Pages with the same name and
 * the same text are copies.
 */
export function nameOfPage(url: string, canonical: string | null): string {
  const name = (canonical === null ? null : canonicalUrl(canonical, url)) ?? url
  return urlIdentity(name.replace(INDEX_FILE, '/'))
}
const INDEX_FILE = /\/(?:index|default)\.[a-z]{2,5}$/i
