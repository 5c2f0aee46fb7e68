/** URLs as users type them. Pure. */
import { isHttpUrl } from '#contract/addresses.ts'

/** Adds the missing scheme to a typed URL, such as `example.org/a`: a name with a dot, or a host with a port. */
export function withScheme(typed: string): string {
  const text = typed.trim()
  if (text === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text
  return /^([\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,}(:\d+)?([/?#]|$)/iu.test(text) ||
    /^(localhost|\[[\da-f:.]+\]|[\d.]+)(:\d+)?([/?#]|$)/i.test(text)
    ? `https://${text}`
    : text
}

/** Whether the server will probably accept a URL; it checks again, with its own messages. */
export const isTarget = (url: string): boolean => isHttpUrl(url)
