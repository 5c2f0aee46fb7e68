/** Whether a message was signed with one of our secrets: Stripe's scheme v1. Source: https://docs.stripe.com/webhooks#verify-manually */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Times and signatures that a header may name: two while a secret is replaced, and some to spare. */
const MAX_PARTS = 16

/**
 * @param header   `t=<seconds>,v1=<hex>`, perhaps with several `v1` and others
 * @param body     the bytes as they came
 * @param secrets  each of them signs
 * @param at       the present, epoch milliseconds
 * @param toleranceSeconds  how old a signature may be
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
