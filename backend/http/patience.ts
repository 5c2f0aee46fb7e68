/** How long a caller waits: until a timeout, or until the caller disconnects. */
import type { FastifyReply } from 'fastify'

/** `signal` aborts in both cases; `hasHungUp` tells them apart. */
export type Patience = { signal: AbortSignal; hasHungUp: () => boolean; end: () => void }

/** Call `end` when the answer is there. */
export function patienceOf(reply: FastifyReply, timeoutMs: number): Patience {
  const controller = new AbortController()
  let hasHungUp = false
  const stop = () => controller.abort()
  const hangUp = () => {
    hasHungUp = true
    stop()
  }
  const timer = setTimeout(stop, timeoutMs)
  // The caller may have disconnected while it was authenticated.
  if (reply.raw.destroyed) hangUp()
  reply.raw.once('close', hangUp)
  return {
    signal: controller.signal,
    hasHungUp: () => hasHungUp,
    end: () => {
      clearTimeout(timer)
      reply.raw.off('close', hangUp)
    },
  }
}
