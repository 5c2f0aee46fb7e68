/** Webhook endpoints of teams. Secrets and header values are stored sealed. */
import type { Selectable } from 'kysely'
import { MAX_WEBHOOKS } from '#contract/sizes.ts'
import type { WebhookBody, WebhookChanges } from '#contract/webhooks.ts'
import { AppError, fieldError } from '#backend/errors.ts'
import { countRows } from '#backend/platform/database/count-rows.ts'
import type { Database, Rows, Transaction, WebhookEndpointTable } from '#backend/platform/database/database.ts'
import type { EndpointSecrets } from './endpoint-secrets.ts'
import { newSecret } from './signature.ts'

/** A stored endpoint. */
export type EndpointRow = Selectable<WebhookEndpointTable>

/** Whether the address guard allows an endpoint; a name that does not resolve passes, because each connection is judged again. */
type MaySendTo = (url: string) => Promise<boolean>

const HOUR_MS = 3_600_000

/** @param onEnabled  called when an endpoint was switched on: its waiting messages are due */
export function createEndpoints({
  database,
  maySendTo,
  newId,
  now,
  onEnabled,
  secrets,
}: {
  database: Database
  maySendTo: MaySendTo
  newId: () => string
  now: () => number
  onEnabled: () => void
  secrets: EndpointSecrets
}) {
  return {
    list,
    count,
    read,
    byId,
    create,
    createForRun,
    change,
    remove,
    secretOf,
    rotate,
    secretFor,
    enabledOf,
    countUnreadable,
  }

  /** The oldest first. */
  function list(teamId: string, { limit, offset }: { limit: number; offset: number }): Promise<EndpointRow[]> {
    return ofTeam(database, teamId).selectAll().orderBy('id').limit(limit).offset(offset).execute()
  }

  function count(teamId: string, rows: Rows = database): Promise<number> {
    return countRows(ofTeam(rows, teamId))
  }

  /** Throws `not_found` for an endpoint of another team. */
  async function read(teamId: string, id: string, rows: Rows = database): Promise<EndpointRow> {
    const row = await ofTeam(rows, teamId).selectAll().where('id', '=', id).executeTakeFirst()
    if (row === undefined) throw new AppError('not_found')
    return row
  }

  /** Of any team or run, for the sender. */
  async function byId(id: string): Promise<EndpointRow | undefined> {
    return database.selectFrom('webhookEndpoint').selectAll().where('id', '=', id).where('deletedAt', 'is', null).executeTakeFirst()
  }

  /** The enabled endpoints of a team: their ids and their events. */
  async function enabledOf(rows: Rows, teamId: string): Promise<{ id: string; events: string[] }[]> {
    const found = await ofTeam(rows, teamId).select(['id', 'events']).where('isEnabled', '=', 1).execute()
    return found.map(({ id, events }) => ({ id, events: JSON.parse(events) as string[] }))
  }

  /** Throws `invalid_input` for a refused address, and when the team has the most endpoints allowed. */
  async function create(teamId: string, body: WebhookBody): Promise<{ row: EndpointRow; secret: string }> {
    await checkAddress(body.url)
    const secret = newSecret()
    const row = rowOf(teamId, { ...body, runNo: null, metadata: null, secret })
    await database.transaction().execute(async (transaction) => {
      if ((await count(teamId, transaction)) >= MAX_WEBHOOKS) throw fieldError('url', `A team may have ${MAX_WEBHOOKS} webhook endpoints.`)
      await transaction.insertInto('webhookEndpoint').values(row).execute()
    })
    return { row, secret }
  }

  /**
   * Creates an endpoint for one run, in the transaction that creates the run; it is deleted with the run. The caller has checked its
   * address.
   */
  async function createForRun(transaction: Transaction, teamId: string, runNo: number, wanted: RunWebhook): Promise<string> {
    const row = rowOf(teamId, { ...wanted, name: '', is_enabled: true, runNo })
    await transaction.insertInto('webhookEndpoint').values(row).execute()
    return row.id
  }

  function rowOf(
    teamId: string,
    wanted: Omit<WebhookBody, 'events'> & {
      events: readonly string[]
      runNo: number | null
      metadata: object | null
      secret: string | null
    },
  ): EndpointRow {
    const id = newId()
    const at = now()
    return {
      id,
      teamId,
      runNo: wanted.runNo,
      name: wanted.name,
      url: wanted.url,
      events: JSON.stringify([...new Set(wanted.events)]),
      metadata: wanted.metadata === null ? null : JSON.stringify(wanted.metadata),
      sealedSecret: wanted.secret === null ? null : secrets.seal(id, wanted.secret),
      sealedPrevious: null,
      previousUntil: null,
      sealedHeaders: secrets.sealHeaders(id, wanted.headers),
      isEnabled: wanted.is_enabled ? 1 : 0,
      switchedOff: null,
      switchedOffAt: null,
      failingSince: null,
      failures: 0,
      restUntil: 0,
      lastAttemptAt: null,
      lastStatus: null,
      createdAt: at,
      updatedAt: at,
      deletedAt: null,
    }
  }

  /** Changes the given fields. When switched on again, an endpoint's past failures are forgotten. Throws like `read` and `create`. */
  async function change(teamId: string, id: string, changes: WebhookChanges): Promise<EndpointRow> {
    const { events, headers, is_enabled: isEnabled, name, url } = changes
    const before = await read(teamId, id)
    if (url !== undefined && url !== before.url) await checkAddress(url)
    const row = await database
      .updateTable('webhookEndpoint')
      .set({
        ...(name !== undefined && { name }),
        ...(url !== undefined && { url }),
        ...(events !== undefined && { events: JSON.stringify([...new Set(events)]) }),
        ...(headers !== undefined && { sealedHeaders: secrets.sealHeaders(id, headers) }),
        ...(isEnabled === false && { isEnabled: 0 }),
        ...(isEnabled === true && { isEnabled: 1, switchedOff: null, switchedOffAt: null, failingSince: null, failures: 0, restUntil: 0 }),
        updatedAt: now(),
      })
      .where('id', '=', id)
      .where('deletedAt', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) throw new AppError('not_found')
    if (isEnabled === true) onEnabled()
    return row
  }

  /** Marks it as deleted: nothing is sent any more, and its log cannot be read. Its rows are removed afterwards. */
  async function remove(teamId: string, id: string): Promise<void> {
    await read(teamId, id)
    await database
      .updateTable('webhookEndpoint')
      .set({ ...EMPTY, deletedAt: now() })
      .where('id', '=', id)
      .execute()
  }

  // ---- secrets

  /** Throws like `read`, and `invalid_input` when another key sealed the secret. */
  async function secretOf(teamId: string, id: string): Promise<{ secret: string; previousUntil: number | null }> {
    const row = await read(teamId, id)
    const secret = secrets.open(row)
    if (secret === null) throw fieldError('secret', 'The stored secret cannot be read any more. Please rotate it.')
    return { secret, previousUntil: secrets.previousUntil(row) }
  }

  /** The secret of the team's endpoint at a URL; null without one. */
  async function secretFor(rows: Rows, teamId: string, url: string): Promise<string | null> {
    const row = await ofTeam(rows, teamId).selectAll().where('url', '=', url).orderBy('id').executeTakeFirst()
    return row === undefined ? null : (secrets.secretsOf(row)?.[0] ?? null)
  }

  /** Creates a new secret; the old one also signs until the overlap is over. */
  async function rotate(teamId: string, id: string, overlapHours: number): Promise<{ secret: string; previousUntil: number | null }> {
    const secret = newSecret()
    const at = now()
    return database.transaction().execute(async (transaction) => {
      const row = await read(teamId, id, transaction)
      const previousUntil = overlapHours === 0 ? null : at + overlapHours * HOUR_MS
      await transaction
        .updateTable('webhookEndpoint')
        .set({
          sealedSecret: secrets.seal(id, secret),
          sealedPrevious: previousUntil === null ? null : row.sealedSecret,
          previousUntil,
          updatedAt: at,
        })
        .where('id', '=', id)
        .execute()
      return { secret, previousUntil }
    })
  }

  /** Counts secrets that cannot be decrypted because another secret key sealed them, up to a thousand. */
  async function countUnreadable(): Promise<number> {
    const rows = await database
      .selectFrom('webhookEndpoint')
      .selectAll()
      .where('sealedSecret', 'is not', null)
      .where('deletedAt', 'is', null)
      .limit(1000)
      .execute()
    return rows.filter((row) => secrets.secretsOf(row) === null).length
  }

  async function checkAddress(url: string): Promise<void> {
    if (!(await maySendTo(url))) throw fieldError('url', 'This address is not allowed.')
  }
}

export type Endpoints = ReturnType<typeof createEndpoints>

/** A webhook that was requested with a run. */
type RunWebhook = {
  url: string
  headers: Record<string, string>
  events: readonly string[]
  metadata: object
  secret: string | null
}

/** The emptied columns of a deleted endpoint. */
const EMPTY = {
  isEnabled: 0,
  name: '',
  url: '',
  metadata: null,
  sealedSecret: null,
  sealedPrevious: null,
  sealedHeaders: null,
} as const

/** A team's own endpoints, without those of single runs. */
const ofTeam = (rows: Rows, teamId: string) =>
  rows.selectFrom('webhookEndpoint').where('teamId', '=', teamId).where('runNo', 'is', null).where('deletedAt', 'is', null)
