/** Watches the services that only some work needs. */
import { createServiceWatch } from '#backend/platform/service-watch.ts'
import type { AskService, ServiceState } from '#backend/platform/service-watch.ts'
import type { Ports } from '#backend/ports.ts'

/** A mail server may count sign-ins, so it is asked less often. */
const EVERY_MS = { bucket: 30_000, mail: 10 * 60_000, renderer: 30_000, search: 60_000 }

export type ServiceName = keyof typeof EVERY_MS
/** Null for a service that is not configured. */
export type AskServices = Record<ServiceName, AskService | null>

/** Asks all services after the start, and returns their states for readiness. */
export function watchServices(asks: AskServices, { every, log, steady }: Pick<Ports, 'every' | 'log' | 'steady'>) {
  const watches = (Object.keys(EVERY_MS) as ServiceName[]).map((name) => {
    const watch = createServiceWatch({ ask: asks[name], every, everyMs: EVERY_MS[name], log, name, steady })
    return [name, watch] as const
  })
  return {
    start: () => watches.forEach(([, watch]) => watch.start()),
    async states(): Promise<Record<ServiceName, ServiceState>> {
      const states = await Promise.all(watches.map(async ([name, { check }]) => [name, await check()] as const))
      return Object.fromEntries(states) as Record<ServiceName, ServiceState>
    },
    close: () => watches.forEach(([, watch]) => watch.close()),
  }
}
