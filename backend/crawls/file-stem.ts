/** Names of files after the URLs of their pages. */
import { domainToUnicode } from 'node:url'

const MAX_NAME = 150
/** File systems allow 255 bytes; a number and an extension may follow. */
const MAX_NAME_BYTES = 220

/** The name without an extension, such as `shop.example_tea`; empty if the URL has no character that a name may have. */
export const fileStem = (url: string): string => safeName(readable(url))

/** A URL as people read it: its host in their script, its path without escapes. Those that are not UTF-8 stay. */
function readable(url: string): string {
  return url
    .replace(/(?<=:\/\/)[^/?#:]*xn--[^/?#:]*/i, (host) => domainToUnicode(host) || host)
    .replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
      try {
        return decodeURIComponent(escapes)
      } catch {
        return escapes
      }
    })
}

/** Keeps letters, digits and a few characters that every file system accepts: no path, no leading dot, no misleading extension. */
function safeName(url: string): string {
  const name = url
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/[^\p{L}\p{M}\p{N}._~%+=-]+/gu, '_')
    .replace(/\.{2,}/g, '.')
    .slice(0, MAX_NAME)
    // Half a character at the end.
    .replace(/[\ud800-\udbff]$/, '')
  // Writes whole characters only, as many as fit.
  const { read } = new TextEncoder().encodeInto(name, new Uint8Array(MAX_NAME_BYTES))
  return name.slice(0, read).replace(/^[._-]+|[._]+$/g, '')
}
