/** The log of messages to endpoints, kept with their attempts until the retention is over. */
import { inflateRawSync } from 'node:zlib'
import type { Selectable } from 'kysely'
import { MAX_REPLAYED_AT_ONCE } from '#contract/sizes.ts'
import type { DeliveryState } from '#contract/webhooks.ts'
import { AppError } from '#backend/errors.ts'
import { countRows } from '#backend/platform/database/count-rows.ts'
import type { Database, WebhookAttemptTable, WebhookDeliveryTable } from '#backend/platform/database/database.ts'

/** A delivery in lists. */
export type ListedDelivery = Omit<Selectable<WebhookDeliveryTable>, 'body'>

type DeliveryFilter = { state?: DeliveryState | undefined; type?: string | undefined }

export type DeliveryLog = ReturnType<typeof createDeliveryLog>

const SHOWN_ATTEMPTS = 100
const REMOVED_AT_ONCE = 200

const LISTED = [
  'no',
  'id',
  'endpointId',
  'type',
  'runId',
  'runNo',
  'state',
  'attempts',
  'dueAt',
  'lastStatus',
  'lastFailure',
  'createdAt',
  'endedAt',
] as const

/** @param onWaiting  called when messages were queued again */
export function createDeliveryLog({ database, now, onWaiting }: { database: Database; now: () => number; onWaiting: () => void }) {
  return { list, count, read, attemptsOf, replay, removeOlder, removeOf }

  function ofEndpoint(endpointId: string, { state, type }: DeliveryFilter) {
    let query = database.selectFrom('webhookDelivery').where('endpointId', '=', endpointId)
    if (state !== undefined) query = query.where('state', '=', state)
    if (type !== undefined) query = query.where('type', '=', type)
    return query
  }

  /** The newest first. */
  function list(
    endpointId: string,
    filter: DeliveryFilter,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<ListedDelivery[]> {
    return ofEndpoint(endpointId, filter).select(LISTED).orderBy('no', 'desc').limit(limit).offset(offset).execute()
  }

  function count(endpointId: string, filter: DeliveryFilter): Promise<number> {
    return countRows(ofEndpoint(endpointId, filter))
  }

  /** Throws `not_found` for a message of another endpoint. */
  async function read(endpointId: string, id: string): Promise<ListedDelivery & { body: string }> {
    const row = await database
      .selectFrom('webhookDelivery')
      .select([...LISTED, 'body'])
      .where('id', '=', id)
      .where('endpointId', '=', endpointId)
      .executeTakeFirst()
    if (row === undefined) throw new AppError('not_found')
    return { ...row, body: inflateRawSync(row.body).toString() }
  }

  /** Attempts of a delivery, the newest first. */
  function attemptsOf(no: number): Promise<Selectable<WebhookAttemptTable>[]> {
    return database
      .selectFrom('webhookAttempt')
      .selectAll()
      .where('deliveryNo', '=', no)
      .orderBy('no', 'desc')
      .limit(SHOWN_ATTEMPTS)
      .execute()
  }

  /**
   * Sends messages again: the given ones, or all that failed, the oldest first.
   *
   * @returns how many, and how many failed ones are left
   */
  async function replay(endpointId: string, ids: readonly string[] | undefined): Promise<{ replayed: number; remaining: number }> {
    const replayed = await database.transaction().execute(async (transaction) => {
      let chosen = transaction.selectFrom('webhookDelivery').select('no').where('endpointId', '=', endpointId)
      // Waiting messages will be sent anyway; a test is repeated with its button.
      chosen = chosen.where('type', '!=', 'webhook.test')
      chosen = ids === undefined ? chosen.where('state', '=', 'failed') : chosen.where('id', 'in', ids).where('state', '!=', 'waiting')
      const rows = await chosen.orderBy('no').limit(MAX_REPLAYED_AT_ONCE).execute()
      if (rows.length === 0) return 0
      await transaction
        .updateTable('webhookDelivery')
        .set({ state: 'waiting', dueAt: now(), attempts: 0, endedAt: null })
        .where(
          'no',
          'in',
          rows.map(({ no }) => no),
        )
        .execute()
      return rows.length
    })
    onWaiting()
    const failed = await countRows(ofEndpoint(endpointId, { state: 'failed' }).where('type', '!=', 'webhook.test'))
    return { replayed, remaining: ids === undefined ? failed : 0 }
  }

  /** Removes some of the messages that are older than an instant; false when none is left. */
  async function removeOlder(before: number): Promise<boolean> {
    const oldest = await database.selectFrom('webhookDelivery').select(['no', 'createdAt']).orderBy('no').limit(REMOVED_AT_ONCE).execute()
    return remove(oldest.filter(({ createdAt }) => createdAt < before).map(({ no }) => no))
  }

  /** The same for the messages of an endpoint. */
  async function removeOf(endpointId: string): Promise<boolean> {
    const some = await database
      .selectFrom('webhookDelivery')
      .select('no')
      .where('endpointId', '=', endpointId)
      .orderBy('no')
      .limit(REMOVED_AT_ONCE)
      .execute()
    return remove(some.map(({ no }) => no))
  }

  async function remove(numbers: number[]): Promise<boolean> {
    if (numbers.length === 0) return false
    await database.deleteFrom('webhookDelivery').where('no', 'in', numbers).execute()
    return true
  }
}
