/** Addresses as people type them. Pure. */
import { isAddress } from '#contract/addresses.ts'

/** `example.org/a` is what people type; a name with a dot, or an address with a port, gets the scheme it lacks. */
export function withScheme(typed: string): string {
  const text = typed.trim()
  if (text === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text
  return /^([\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,}(:\d+)?([/?#]|$)/iu.test(text) ||
    /^(localhost|\[[\da-f:.]+\]|[\d.]+)(:\d+)?([/?#]|$)/i.test(text)
    ? `https://${text}`
    : text
}

/** True for an address the server will take; it checks again, with its own words. */
export const isTarget = (url: string): boolean => isAddress(url)
