/** Headers that a run sends only to the origins of its submitted URLs. */

/** Secrets of a run's owner. */
export type RunSecrets = {
  headers: Record<string, string>
  /** `user:password` by host key. */
  credentials: Record<string, string>
}

export const NO_SECRETS: RunSecrets = { headers: {}, credentials: {} }
/** For the feed. */
export const LOST_SECRETS = 'The headers and credentials of this run were sealed by another secret key: it goes on without them'

export const readRunSecrets = (text: string): RunSecrets => JSON.parse(text) as RunSecrets

/**
 * Returns the headers for a request by its host key: the run's own headers for its own origins, and Basic authentication for an origin
 * whose submitted URL had credentials, unless the run sets `Authorization` itself.
 *
 * Source: RFC 7617 (Basic), in UTF-8.
 * @param always   sent to every host, names in lower case
 * @param origins  host keys of the submitted URLs
 */
export function ownHeaders(
  always: Record<string, string>,
  { credentials, headers }: RunSecrets,
  origins: readonly string[],
): (hostKey: string) => Record<string, string> {
  const own = { ...always, ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])) }
  const byOrigin = new Map<string, Record<string, string>>(origins.map((origin) => [origin, own]))
  for (const [origin, pair] of Object.entries(credentials)) {
    const authorization = `Basic ${Buffer.from(pair).toString('base64')}`
    byOrigin.set(origin, { authorization, ...(byOrigin.get(origin) ?? always) })
  }
  return (hostKey) => byOrigin.get(hostKey) ?? always
}
