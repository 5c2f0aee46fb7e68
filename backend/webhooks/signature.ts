/** Signatures by Standard Webhooks. Source: https://github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md */
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
/** The specification asks for 24 to 64. */
const SECRET_BYTES = 32

/** A new secret: `whsec_` and 32 random bytes in base64. */
export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/**
 * The headers that identify and sign a message.
 *
 * @param at       time of the attempt, in milliseconds
 * @param secrets  each gives one signature; the newest first
 */
export function signedHeaders(id: string, at: number, body: Uint8Array, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000))
  const head = { 'webhook-id': id, 'webhook-timestamp': timestamp }
  if (secrets.length === 0) return head
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
  })
  return { ...head, 'webhook-signature': signatures.join(' ') }
}

/** Firecrawl's signature header: hexadecimal HMAC-SHA256 of the body. */
export const firecrawlSignature = (body: Uint8Array, secret: string): Record<string, string> => ({
  'x-firecrawl-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
})
