/**
 * Keeps a run's secrets out of clear text: the values of its own headers, and credentials in its URLs. They are sealed beside the run's
 * options; everywhere else, in answers, log lines and file names, `***` replaces them.
 */
import { canonicalUrlWithTracking, hostKey } from '#backend/crawler/url/canonical-url.ts'
import type { RunSecrets } from '#backend/crawler/crawl/own-headers.ts'
import { readRunSecrets } from '#backend/crawler/crawl/own-headers.ts'
import type { Sealer } from '#backend/platform/secrets.ts'

/** Replaces hidden values. A request that contains it is rejected. */
const MASK = '***'

/** The error for a URL that was copied out of an answer. */
export const HIDDEN_PASSWORD = 'The password is not shown: enter it again.'

type Hidden = { label: string; seeds: string[]; options: Record<string, unknown>; secrets: RunSecrets | null }

/**
 * Separates a run's secrets from what is shown. Searches have none: their label is a query, not a URL. Source: contract README 15.10
 * (`http://user:***@host/`).
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

/** Masks the password of a URL; without a password the user name may be a token, and is masked instead. */
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
  // For unusual spellings, take the URL as a browser would write it.
  if (url.password === '') url.username = MASK
  else url.password = MASK
  return url.href
}

/** The same names, each with the mask as its value. */
export const maskHeaders = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, MASK]))

/** Whether a URL's credentials are the mask, as in a URL that was copied out of an answer. */
export function hasMaskedCredentials(address: string): boolean {
  const url = address.includes(MASK) ? URL.parse(address) : null
  return url !== null && (url.password === MASK || (url.username === MASK && url.password === ''))
}

/** The names of headers whose value is the mask. */
export const maskedHeaders = (headers: Record<string, string>): string[] => Object.keys(headers).filter((name) => headers[name] === MASK)

export const sealSecrets = (sealer: Sealer, runId: string, secrets: RunSecrets | null): string | null =>
  secrets === null ? null : sealer.seal(JSON.stringify(secrets), contextOf(runId))

/** Opens sealed secrets; null when that fails, as with another secret key. */
export function openSecrets(sealer: Sealer, runId: string, sealed: string): RunSecrets | null {
  const text = sealer.tryOpen(sealed, contextOf(runId))
  return text === null ? null : readRunSecrets(text)
}

/** Restores the secrets that `hideSecrets` removed: values of headers, and credentials of URLs. */
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

/** Adds the credentials of its origin to a URL; unchanged without any. */
export function withCredentials(address: string, { credentials }: RunSecrets): string {
  const canonical = canonicalUrlWithTracking(address)
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
  return { ...options, page_options: { ...(options['page_options'] as Record<string, unknown>), extra_headers: maskHeaders(headers) } }
}

function credentialsOf(address: string): { hostKey: string; pair: string } | null {
  const canonical = canonicalUrlWithTracking(address)
  const url = URL.parse(address)
  if (canonical === null || url === null || (url.username === '' && url.password === '')) return null
  return { hostKey: hostKey(canonical), pair: `${decoded(url.username)}:${decoded(url.password)}` }
}

/** Decodes percent-encoding; a percent sign that encodes nothing stays. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
