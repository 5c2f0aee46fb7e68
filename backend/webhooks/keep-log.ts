/** Removes old deliveries, and the rows of deleted endpoints, in small steps. */
import type { Database } from '#backend/platform/database/database.ts'
import { createLookLoop } from '#backend/platform/look-loop.ts'
import type { SwitchedOff } from '#contract/webhooks.ts'
import type { Deliveries } from './deliveries.ts'
import type { DeliveryLog } from './delivery-log.ts'
import { switchOff } from './endpoint-health.ts'
import type { EndpointRow, Endpoints } from './endpoints.ts'

const DAY_MS = 86_400_000
const LOOK_MS = 60_000
/** Most messages that may wait for one endpoint. */
const MOST_WAITING = 10_000
/** Pause between two steps, for other writers. */
const REST_MS = 20

/**
 * @param logDays        older deliveries are removed, whatever their state
 * @param onSwitchedOff  called with an endpoint that was switched off because too many deliveries wait for it
 */
export function createLogKeeper({
  database,
  deliveries,
  deliveryLog,
  endpoints,
  every,
  logDays,
  mostWaiting = MOST_WAITING,
  now,
  onSwitchedOff,
  warn,
}: {
  database: Database
  deliveries: Pick<Deliveries, 'countWaiting' | 'waiting'>
  deliveryLog: Pick<DeliveryLog, 'removeOf' | 'removeOlder'>
  endpoints: Pick<Endpoints, 'byId'>
  every: (ms: number, call: () => void) => () => void
  logDays: number
  mostWaiting?: number
  now: () => number
  onSwitchedOff: (row: EndpointRow, why: SwitchedOff) => void
  warn: (facts: object, message: string) => void
}) {
  let mustLookAgain = false
  const loop = createLookLoop({
    every,
    ms: LOOK_MS,
    onFault: (error) => warn({ err: error }, 'old entries of the webhook log could not be deleted; it is tried again in a minute'),
    work: workAll,
  })
  const { close, isOpen } = loop
  return { look, close }

  /** Resolves when nothing is left to remove. */
  function look(): Promise<void> {
    // A look in progress may already have passed the new rows.
    mustLookAgain = true
    return loop.look()
  }

  async function workAll(): Promise<void> {
    do {
      mustLookAgain = false
      await work()
    } while (mustLookAgain && isOpen())
  }

  async function work(): Promise<void> {
    while (isOpen() && (await deliveryLog.removeOlder(now() - logDays * DAY_MS))) await rest()
    const deleted = await database.selectFrom('webhookEndpoint').select('id').where('deletedAt', 'is not', null).limit(100).execute()
    for (const { id } of deleted) {
      while (isOpen() && (await deliveryLog.removeOf(id))) await rest()
      if (isOpen()) await database.deleteFrom('webhookEndpoint').where('id', '=', id).execute()
    }
    for (const { endpointId } of await deliveries.waiting()) {
      if (!isOpen() || (await deliveries.countWaiting(endpointId, mostWaiting)) < mostWaiting) continue
      const row = await endpoints.byId(endpointId)
      if (row !== undefined && (await switchOff(database, endpointId, 'overflow', now()))) onSwitchedOff(row, 'overflow')
    }
  }
}

const rest = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, REST_MS)
  })
