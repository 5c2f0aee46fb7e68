/** A provider's hit as it is kept: an address that can be opened, texts of one line and a bounded length. */
import { canonicalUrl, urlIdentity } from '#backend/crawler/url/canonical-url.ts'
import type { ProviderHit } from './providers/index.ts'

export const MAX_TITLE = 255
export const MAX_DESCRIPTION = 2000
const MAX_URL = 2048

/** @returns  the hit, and by which name it is one with others; null when it has no address of the web */
export function cleanHit({ url, title, description }: ProviderHit): { hit: ProviderHit; identity: string } | null {
  const address = url.trim()
  const canonical = canonicalUrl(address)
  if (canonical === null || address.length > MAX_URL) return null
  return {
    hit: { url: address, title: oneLine(title, MAX_TITLE) || cut(address, MAX_TITLE), description: oneLine(description, MAX_DESCRIPTION) },
    identity: urlIdentity(canonical),
  }
}

/** Text without line breaks and invisible characters, of at most `max` characters. */
export const oneLine = (text: string, max: number) => cut(text.replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ').trim(), max)

function cut(text: string, max: number): string {
  if (text.length <= max) return text
  // No character is cut in two: those outside the first plane count as one here and as two there.
  const head = text.slice(0, max - 1)
  return `${/[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head}…`
}
