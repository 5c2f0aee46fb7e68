/** Verifies the signature of a message: Stripe's scheme v1. Source: https://docs.stripe.com/webhooks#verify-manually */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Most times and signatures in a header: two during a rotation, and some to spare. */
const MAX_PARTS = 16

/**
 * @param header   `t=<seconds>,v1=<hex>`, perhaps with several `v1` and others
 * @param body     the raw bytes
 * @param secrets  each of them may have signed
 * @param at       now, in epoch milliseconds
 * @param toleranceSeconds  greatest age of a signature
 */
export function isSigned(
  header: string,
  body: Buffer,
  { secrets, at, toleranceSeconds }: { secrets: readonly string[]; at: number; toleranceSeconds: number },
): boolean {
  const parts = header.split(',', MAX_PARTS).map((part) => part.trim())
  const valuesOf = (name: string) => parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1))
  const [time = ''] = valuesOf('t')
  if (!/^\d{1,12}$/.test(time) || Math.floor(at / 1000) - Number(time) > toleranceSeconds) return false
  const given = valuesOf('v1').filter((signature) => /^[0-9a-f]{64}$/i.test(signature))
  return secrets.some((secret) => {
    const right = createHmac('sha256', secret).update(`${time}.`).update(body).digest()
    return given.some((signature) => timingSafeEqual(Buffer.from(signature, 'hex'), right))
  })
}
