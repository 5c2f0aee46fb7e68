/**
 * What of a run must not lie in clear: the values of its own headers, and credentials in its addresses. They are sealed beside the run's
 * options; everything else of it, and so every answer, line and file name, has `***` in their place.
 */
import { hostKey, normalizedUrl } from '#backend/crawler/url/canonical-url.ts'
import type { RunSecrets } from '#backend/crawler/crawl/own-headers.ts'
import { readRunSecrets } from '#backend/crawler/crawl/own-headers.ts'
import type { Sealer } from '#backend/platform/secrets.ts'

/** Replaces hidden values. Requests with it are refused. */
export const MASK = '***'

/** What the address field says to one that was copied out of an answer. */
export const HIDDEN_PASSWORD = 'The password is not shown: enter it again.'

type Hidden = { label: string; seeds: string[]; options: Record<string, unknown>; secrets: RunSecrets | null }

/**
 * Parts a run's secrets from what is shown of it. Searches have none: their label is a query and not an address.
 * Source: contract README 15.10 (`http://user:***@host/`).
 */
export function hideSecrets({
  kind,
  label,
  options,
  seeds,
}: {
  kind: string
  label: string
  options: Record<string, unknown>
  seeds: string[]
}): Hidden {
  if (kind === 'search') return { label, options, seeds, secrets: null }
  const headers = headersOf(options)
  const credentials: RunSecrets['credentials'] = {}
  for (const seed of seeds) {
    const found = seed.includes('@') ? credentialsOf(seed) : null
    if (found !== null) credentials[found.hostKey] ??= found.pair
  }
  const hasHeaders = Object.keys(headers).length > 0
  return {
    label: maskAddress(label),
    seeds: seeds.map(maskAddress),
    options: hasHeaders ? withMaskedHeaders(options, headers) : options,
    secrets: hasHeaders || Object.keys(credentials).length > 0 ? { headers, credentials } : null,
  }
}

/** An address without its password; without a password the user name may be a token, and is hidden instead. */
export function maskAddress(address: string): string {
  if (!address.includes('@')) return address
  const url = URL.parse(address)
  if (url === null || (url.username === '' && url.password === '')) return address
  const masked = address.replace(/^(\s*[a-z]+:[\\/]*)([^\\/?#]*)@/i, (_all, scheme: string, userinfo: string) => {
    const colon = userinfo.indexOf(':')
    return `${scheme}${colon === -1 || colon === userinfo.length - 1 ? MASK : `${userinfo.slice(0, colon)}:${MASK}`}@`
  })
  const left = URL.parse(masked)
  if (left !== null && left.host === url.host && (left.password === MASK || (left.username === MASK && left.password === ''))) return masked
  // An odd spelling: then the address as a browser would write it.
  if (url.password === '') url.username = MASK
  else url.password = MASK
  return url.href
}

/** True for an address whose credentials are the mask, as it is copied out of an answer. */
export function hasMaskedCredentials(address: string): boolean {
  const url = address.includes(MASK) ? URL.parse(address) : null
  return url !== null && (url.password === MASK || (url.username === MASK && url.password === ''))
}

/** The names of headers whose values are the mask. */
export const maskedHeaders = (headers: Record<string, string>): string[] => Object.keys(headers).filter((name) => headers[name] === MASK)

export const sealSecrets = (sealer: Sealer, runId: string, secrets: RunSecrets | null): string | null =>
  secrets === null ? null : sealer.seal(JSON.stringify(secrets), contextOf(runId))

/** What was sealed; null when it does not open, as under another secret key. */
export function openSecrets(sealer: Sealer, runId: string, sealed: string): RunSecrets | null {
  const text = sealer.tryOpen(sealed, contextOf(runId))
  return text === null ? null : readRunSecrets(text)
}

/** Puts secrets back where `hideSecrets` took them: values of headers, and credentials of addresses. */
export function revealSecrets(
  { options, seeds }: { options: Record<string, unknown>; seeds: readonly string[] },
  secrets: RunSecrets,
): { options: Record<string, unknown>; seeds: string[] } {
  const page = options['page_options']
  const headers = headersOf(options)
  const revealed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, secrets.headers[name] ?? value]))
  return {
    options:
      isObject(page) && Object.keys(headers).length > 0 ? { ...options, page_options: { ...page, extra_headers: revealed } } : options,
    seeds: seeds.map((seed) => (hasMaskedCredentials(seed) ? withCredentials(seed, secrets) : seed)),
  }
}

/** An address with the credentials of its origin; without any it stays as it is. */
export function withCredentials(address: string, { credentials }: RunSecrets): string {
  const canonical = normalizedUrl(address)
  const pair = canonical === null ? undefined : credentials[hostKey(canonical)]
  const url = URL.parse(address)
  if (pair === undefined || url === null) return address
  const colon = pair.indexOf(':')
  url.username = encodeURIComponent(pair.slice(0, colon))
  url.password = encodeURIComponent(pair.slice(colon + 1))
  return url.href
}

const contextOf = (runId: string) => `run:${runId}`

function headersOf(options: Record<string, unknown>): Record<string, string> {
  const page = options['page_options']
  const headers = isObject(page) ? page['extra_headers'] : undefined
  if (!isObject(headers)) return {}
  return Object.fromEntries(Object.entries(headers).filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
}

function withMaskedHeaders(options: Record<string, unknown>, headers: Record<string, string>): Record<string, unknown> {
  const masked = Object.fromEntries(Object.keys(headers).map((name) => [name, MASK]))
  return { ...options, page_options: { ...(options['page_options'] as Record<string, unknown>), extra_headers: masked } }
}

function credentialsOf(address: string): { hostKey: string; pair: string } | null {
  const canonical = normalizedUrl(address)
  const url = URL.parse(address)
  if (canonical === null || url === null || (url.username === '' && url.password === '')) return null
  return { hostKey: hostKey(canonical), pair: `${decoded(url.username)}:${decoded(url.password)}` }
}

/** As it was meant; a percent sign that encodes nothing stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
