/** URLs as users type them. Pure. */
import { isHttpUrl } from '#contract/addresses.ts'

/** A host at the start of a typed URL: a name with a dot, or one of the local kind; and its port. */
const TYPED_HOST = /^(?:(?<local>localhost|\[[\da-f:.]+\]|[\d.]+)|(?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,})(?::(?<port>\d+))?(?:[/?#]|$)/iu

/**
 * Adds the missing scheme to a typed URL, as browsers do: https to a name such as `example.org/a`, and http to localhost, an IP address or
 * a port other than 443, because few of these have a certificate.
 */
export function withScheme(typed: string): string {
  const text = typed.trim()
  const host = TYPED_HOST.exec(text)?.groups
  if (!host) return text
  const isPlain = host['port'] === undefined ? host['local'] !== undefined : host['port'] !== '443'
  return `${isPlain ? 'http' : 'https'}://${text}`
}

/** Whether the server will probably accept a URL; it checks again, with its own messages. */
export const isTarget = (url: string): boolean => isHttpUrl(url)
