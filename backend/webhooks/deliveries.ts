/** The queue of messages to endpoints. A message is queued in the transaction that causes it; what was sent stays in the log. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { sql } from 'kysely'
import type { ExpressionBuilder, Selectable } from 'kysely'
import type { DeliveryState } from '#contract/webhooks.ts'
import { latestWait } from '#backend/platform/clock.ts'
import type { Database, Rows, Tables, Transaction, WebhookAttemptTable } from '#backend/platform/database/database.ts'
import { shareOfTeam } from '#backend/platform/database/share-of-team.ts'

/** A message for one endpoint. `runNo` is set when the body contains pages. */
type NewDelivery = {
  /** Absent: a new id. */
  id?: string
  endpointId: string
  type: string
  runId: string | null
  runNo?: number | null
  body: string
}

/** A message to be sent now; `attempts` includes this one. */
export type ClaimedDelivery = {
  no: number
  id: string
  endpointId: string
  type: string
  runId: string | null
  body: Buffer
  attempts: number
}

export type NewAttempt = Omit<Selectable<WebhookAttemptTable>, 'no' | 'deliveryNo'>

/** An enabled endpoint with waiting messages, and when the first of them is due. */
export type WaitingEndpoint = { endpointId: string; share: string; failures: number; restUntil: number; dueAt: number }

const SHARE = sql.raw(shareOfTeam('webhook_endpoint.team_id'))

/** Most deliveries of one endpoint that are read to find its next one. */
const CANDIDATES = 20

/**
 * @param claimMs    how long a claimed delivery is hidden from others; longer than an attempt may take
 * @param longestMs  the longest wait of a delivery: one that is due even later was postponed while the clock was wrong, and is due at once
 * @param onWaiting  called when something may be due
 */
export function createDeliveries({
  database,
  claimMs,
  longestMs,
  newId,
  now,
  onWaiting,
}: {
  database: Database
  claimMs: number
  longestMs: number
  newId: () => string
  now: () => number
  onWaiting: () => void
}) {
  return { add, addClaimed, waiting, claim, settle, postpone, countWaiting }

  /** Queues a message in the caller's transaction; it is sent soon after the commit. */
  async function add(transaction: Transaction, delivery: NewDelivery): Promise<void> {
    await insert(transaction, delivery, now(), 0)
    onWaiting()
  }

  /** Queues a message that the caller sends itself, at once. */
  async function addClaimed(delivery: NewDelivery): Promise<ClaimedDelivery> {
    return insert(database, delivery, now() + claimMs, 1)
  }

  async function insert(
    rows: Rows,
    { body, endpointId, id = newId(), runId, runNo = null, type }: NewDelivery,
    dueAt: number,
    attempts: number,
  ): Promise<ClaimedDelivery> {
    const at = now()
    const bytes = Buffer.from(body)
    const row = {
      id,
      endpointId,
      type,
      runId,
      runNo,
      state: 'waiting' satisfies DeliveryState,
      body: deflateRawSync(bytes),
      attempts,
      dueAt,
      lastStatus: null,
      lastFailure: null,
      createdAt: at,
      endedAt: null,
    }
    const { no } = await rows.insertInto('webhookDelivery').values(row).returning('no').executeTakeFirstOrThrow()
    return { ...row, no, body: bytes }
  }

  /** Enabled endpoints with waiting messages; one index step each, however many messages wait. */
  async function waiting(): Promise<WaitingEndpoint[]> {
    const { rows } = await sql<WaitingEndpoint>`
      WITH RECURSIVE line(endpoint_id, due_at) AS (
        SELECT * FROM (SELECT endpoint_id, due_at FROM webhook_delivery WHERE state = 'waiting' ORDER BY endpoint_id, due_at, no LIMIT 1) AS first
        UNION ALL
        SELECT next.endpoint_id, next.due_at FROM line, webhook_delivery AS next WHERE next.no = (
          SELECT no FROM webhook_delivery WHERE state = 'waiting' AND endpoint_id > line.endpoint_id ORDER BY endpoint_id, due_at, no LIMIT 1))
      SELECT webhook_endpoint.id AS "endpointId", ${SHARE} AS share, failures, rest_until AS "restUntil", due_at AS "dueAt"
      FROM line JOIN webhook_endpoint ON id = endpoint_id WHERE is_enabled = 1 AND deleted_at IS NULL`.execute(database)
    return rows
  }

  /**
   * The first due message of an endpoint, marked as being sent.
   *
   * Messages of a run keep their order while all goes well, whichever process sends them: a message waits for earlier ones without a failure.
   *
   * @param isBusy  whether this process is sending another message of that run there
   */
  async function claim(endpointId: string, isBusy: (runId: string) => boolean): Promise<ClaimedDelivery | null> {
    const at = now()
    return database.transaction().execute(async (transaction) => {
      const waiting = transaction
        .selectFrom('webhookDelivery')
        .select(['no', 'runId', 'attempts', 'lastFailure'])
        .where('endpointId', '=', endpointId)
        .where('state', '=', 'waiting')
      const isDue = (delivery: ExpressionBuilder<Tables, 'webhookDelivery'>) =>
        delivery.or([delivery('dueAt', '<=', at), delivery('dueAt', '>', latestWait(at, longestMs))])
      const due = await waiting.where(isDue).orderBy('dueAt').orderBy('no').limit(CANDIDATES).execute()
      if (due.length === 0) return null
      // Claimed by any process, this one included.
      const claimed = await waiting
        .where('dueAt', '>', at)
        .where('dueAt', '<=', at + claimMs)
        .where('runId', 'is not', null)
        .where('lastFailure', 'is', null)
        .execute()
      const first = new Map<string, number>()
      for (const { lastFailure, no, runId } of [...claimed, ...due])
        if (runId !== null && lastFailure === null) first.set(runId, Math.min(no, first.get(runId) ?? no))
      const next = due.find(({ no, runId }) => runId === null || (!isBusy(runId) && no <= (first.get(runId) ?? no)))
      if (next === undefined) return null
      const row = await transaction
        .updateTable('webhookDelivery')
        .set({ dueAt: at + claimMs, attempts: next.attempts + 1 })
        .where('no', '=', next.no)
        .returning(['no', 'id', 'endpointId', 'type', 'runId', 'body', 'attempts'])
        .executeTakeFirstOrThrow()
      return { ...row, body: inflateRawSync(row.body) }
    })
  }

  /** Stores the last attempt. */
  async function settle(transaction: Transaction, no: number, state: 'delivered' | 'failed', attempt: NewAttempt): Promise<void> {
    await note(transaction, no, attempt)
    await transaction
      .updateTable('webhookDelivery')
      .set({ state, endedAt: attempt.at + attempt.tookMs, lastStatus: attempt.status, lastFailure: attempt.failure })
      .where('no', '=', no)
      .execute()
  }

  /** Stores an attempt, and when the next one follows. */
  async function postpone(transaction: Transaction, no: number, dueAt: number, attempt: NewAttempt): Promise<void> {
    await note(transaction, no, attempt)
    await transaction
      .updateTable('webhookDelivery')
      .set({ dueAt, lastStatus: attempt.status, lastFailure: attempt.failure })
      .where('no', '=', no)
      .execute()
  }

  /** Stores an attempt, unless the message was removed meanwhile. */
  async function note(transaction: Transaction, deliveryNo: number, attempt: NewAttempt): Promise<void> {
    const there = await transaction.selectFrom('webhookDelivery').select('no').where('no', '=', deliveryNo).executeTakeFirst()
    if (there !== undefined)
      await transaction
        .insertInto('webhookAttempt')
        .values({ ...attempt, deliveryNo })
        .execute()
  }

  /** The number of messages that wait for an endpoint, counted up to `most`. */
  async function countWaiting(endpointId: string, most: number): Promise<number> {
    const found = await database
      .selectFrom('webhookDelivery')
      .select('no')
      .where('endpointId', '=', endpointId)
      .where('state', '=', 'waiting')
      .limit(most)
      .execute()
    return found.length
  }
}

export type Deliveries = ReturnType<typeof createDeliveries>
