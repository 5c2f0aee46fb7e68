/** The content of one attempt: headers and body, signed at the time of the attempt. */
import type { ClaimedDelivery } from './deliveries.ts'
import type { EndpointRow } from './endpoints.ts'
import { firecrawlSignature, signedHeaders } from './signature.ts'

/** Replaces hidden values in logs. */
export const HIDDEN = '•••'

/** @param own  headers of the endpoint; they cannot replace the product's headers */
export function outgoing(
  { runNo }: Pick<EndpointRow, 'runNo'>,
  { body, id }: Pick<ClaimedDelivery, 'body' | 'id'>,
  { at, own, secrets, userAgent }: { at: number; own: Record<string, string>; secrets: readonly string[]; userAgent: string },
): { headers: Record<string, string>; body: Buffer } {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()))
  const first = secrets[0]
  const defaults = { 'user-agent': userAgent, accept: '*/*' }
  return {
    body,
    headers: {
      ...Object.fromEntries(Object.entries(defaults).filter(([name]) => !names.has(name))),
      ...own,
      'content-type': 'application/json',
      ...signedHeaders(id, at, body, secrets),
      // A webhook that was requested in Firecrawl's API is also signed in Firecrawl's way.
      ...(runNo !== null && first !== undefined && firecrawlSignature(body, first)),
    },
  }
}
