/** Cleans a provider's hit before it is stored: a URL that can be opened, and texts of one line and limited length. */
import { parseZoned } from '#backend/crawler/fetch/zoned-dates.ts'
import type { SearchItem, SearchSource } from '#contract/searches.ts'
import { canonicalUrl, urlIdentity } from '#backend/crawler/url/canonical-url.ts'
import type { ProviderHit } from './providers/index.ts'

export const MAX_TITLE = 255
export const MAX_DESCRIPTION = 2000
const MAX_URL = 2048

/** A hit with the field names of the API; `image_url` and `published_at` if the provider returned them. */
export type CleanHit = Omit<SearchItem, 'depth' | 'order'>

/**
 * @param source  hits of an image search are identified by the image's URL, all others by the page's URL
 * @returns  the hit, and its identity for finding duplicates; null when it has no web URL
 */
export function cleanHit(
  { description, image, publishedAt, title, url }: ProviderHit,
  source: SearchSource,
): { hit: CleanHit; identity: string } | null {
  const address = url.trim()
  const canonical = canonicalOf(address)
  if (canonical === null) return null
  const picture = image === undefined ? null : withScheme(image.url.trim())
  const canonicalPicture = picture === null ? null : canonicalOf(picture)
  if (source === 'images' && canonicalPicture === null) return null
  return {
    hit: {
      url: address,
      title: oneLine(title, MAX_TITLE) || cut(address, MAX_TITLE),
      description: oneLine(description, MAX_DESCRIPTION),
      ...publishedOf(publishedAt),
      ...(picture !== null && canonicalPicture !== null && { image_url: picture, ...sizeOf(image?.resolution ?? '') }),
    },
    identity: urlIdentity(source === 'images' ? canonicalPicture! : canonical),
  }
}

const canonicalOf = (url: string) => (url.length > MAX_URL ? null : canonicalUrl(url))

/** URLs of pictures often have no scheme. */
const withScheme = (url: string) => (url.startsWith('//') ? `https:${url}` : url)

function publishedOf(date: string | undefined): { published_at?: string } {
  const at = date === undefined || date === '' ? NaN : parseZoned(date)
  return Number.isNaN(at) ? {} : { published_at: new Date(at).toISOString() }
}

/** `1280 x 720`, `1280×720` and the like. */
function sizeOf(resolution: string): { image_width?: number; image_height?: number } {
  const found = /^\s*(\d{1,5})\s*[x×]\s*(\d{1,5})\b/i.exec(resolution)
  return found === null ? {} : { image_width: Number(found[1]), image_height: Number(found[2]) }
}

/** Text without line breaks and invisible characters, of at most `max` characters. */
export const oneLine = (text: string, max: number) => cut(text.replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ').trim(), max)

function cut(text: string, max: number): string {
  if (text.length <= max) return text
  // Does not cut a character in two: characters outside the first plane have two units.
  const head = text.slice(0, max - 1)
  return `${/[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head}…`
}
