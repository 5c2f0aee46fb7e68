/** The secrets and the own headers of an endpoint, which its row holds sealed. */
import type { Sealer } from '#backend/platform/secrets.ts'
import type { EndpointRow } from './endpoints.ts'

export type EndpointSecrets = ReturnType<typeof createEndpointSecrets>

export function createEndpointSecrets({ now, sealer }: { now: () => number; sealer: Sealer }) {
  return { seal, open, sealHeaders, secretsOf, headersOf, previousUntil }

  function seal(id: string, secret: string): string {
    return sealer.seal(secret, secretContext(id))
  }

  /** The secret of an endpoint; null when it has none, or when it cannot be decrypted. */
  function open({ id, sealedSecret }: EndpointRow): string | null {
    return sealedSecret === null ? null : sealer.tryOpen(sealedSecret, secretContext(id))
  }

  /** The secrets that sign now, the newest first. Empty when nothing signs; null when they cannot be decrypted. */
  function secretsOf(row: EndpointRow): string[] | null {
    if (row.sealedSecret === null) return []
    const secret = open(row)
    if (secret === null) return null
    const previous =
      row.sealedPrevious === null || previousUntil(row) === null ? null : sealer.tryOpen(row.sealedPrevious, secretContext(row.id))
    return previous === null ? [secret] : [secret, previous]
  }

  /** Until when the secret before the last rotation also signs; null when it no longer does. */
  function previousUntil({ previousUntil: until }: EndpointRow): number | null {
    return until !== null && until > now() ? until : null
  }

  /** Its own headers; null when they cannot be decrypted. */
  function headersOf(row: EndpointRow): Record<string, string> | null {
    if (row.sealedHeaders === null) return {}
    const text = sealer.tryOpen(row.sealedHeaders, headerContext(row.id))
    return text === null ? null : (JSON.parse(text) as Record<string, string>)
  }

  function sealHeaders(id: string, headers: Record<string, string>): string | null {
    return Object.keys(headers).length === 0 ? null : sealer.seal(JSON.stringify(headers), headerContext(id))
  }
}

const secretContext = (id: string) => `webhook:${id}`
const headerContext = (id: string) => `webhook_headers:${id}`
