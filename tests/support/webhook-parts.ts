/** The parts of webhooks, over the database of an app whose own sender they do not wake. */
import { randomBytes } from 'node:crypto'
import type { Database } from '#backend/platform/database/database.ts'
import { createIds } from '#backend/platform/ids.ts'
import { createSealer } from '#backend/platform/secrets.ts'
import { createDeliveries } from '#backend/webhooks/deliveries.ts'
import { createDeliveryLog } from '#backend/webhooks/delivery-log.ts'
import { createEndpointSecrets } from '#backend/webhooks/endpoint-secrets.ts'
import { createEndpoints } from '#backend/webhooks/endpoints.ts'

export const CLAIM_MS = 60_000

export function webhookParts({ database, now }: { database: Database; now: () => number }) {
  const newId = createIds(now)
  const onWaiting = () => undefined
  const secrets = createEndpointSecrets({ now, sealer: createSealer(randomBytes(32)) })
  return {
    deliveries: createDeliveries({ database, claimMs: CLAIM_MS, longestMs: 3_600_000, newId, now, onWaiting }),
    deliveryLog: createDeliveryLog({ database, now, onWaiting }),
    endpoints: createEndpoints({ database, maySendTo: async () => true, newId, now, onEnabled: () => undefined, secrets }),
  }
}
