/** How long a caller waits: until a timeout, or until the caller disconnects. */
import type { FastifyReply } from 'fastify'

export type Patience = { signal: AbortSignal; hasHungUp: () => boolean; end: () => void }

export function patienceOf(reply: FastifyReply, timeoutMs: number): Patience {
  const controller = new AbortController()
  let hasHungUp = false
  const stop = () => controller.abort()
  const hangUp = () => {
    hasHungUp = true
    stop()
  }
  const timer = setTimeout(stop, timeoutMs)
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
