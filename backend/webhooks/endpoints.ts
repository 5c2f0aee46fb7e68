/** Webhook endpoints of teams. Secrets and the values of headers are kept sealed. */
import type { Selectable } from 'kysely'
import { MAX_WEBHOOKS } from '#contract/sizes.ts'
import type { SwitchedOff, WebhookBody, WebhookChanges } from '#contract/webhooks.ts'
import { AppError, fieldError } from '#backend/errors.ts'
import type { Database, Rows, Transaction, WebhookEndpointTable } from '#backend/platform/database/database.ts'
import type { Sealer } from '#backend/platform/secrets.ts'
import { newSecret } from './signature.ts'

/** An endpoint as it is stored. */
export type EndpointRow = Selectable<WebhookEndpointTable>

/** Whether the address door lets an endpoint be asked; a name that does not resolve is fine: each connection is judged again. */
export type MaySendTo = (url: string) => Promise<boolean>

const HOUR_MS = 3_600_000

/** @param onEnabled  told when an endpoint was switched on: what waited for it is due */
export function createEndpoints({
  database,
  maySendTo,
  newId,
  now,
  onEnabled,
  sealer,
}: {
  database: Database
  maySendTo: MaySendTo
  newId: () => string
  now: () => number
  onEnabled: () => void
  sealer: Sealer
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
    secretsOf,
    previousUntil: activePrevious,
    headersOf,
    enabledOf,
    noteSuccess,
    noteFailure,
    switchOff,
    countUnreadable,
  }

  /** The oldest first. */
  function list(teamId: string, { limit, offset }: { limit: number; offset: number }): Promise<EndpointRow[]> {
    return ofTeam(database, teamId).selectAll().orderBy('id').limit(limit).offset(offset).execute()
  }

  async function count(teamId: string, rows: Rows = database): Promise<number> {
    const { total } = await ofTeam(rows, teamId)
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    return total
  }

  /** Throws `not_found` for one that is not the team's. */
  async function read(teamId: string, id: string, rows: Rows = database): Promise<EndpointRow> {
    const row = await ofTeam(rows, teamId).selectAll().where('id', '=', id).executeTakeFirst()
    if (row === undefined) throw new AppError('not_found')
    return row
  }

  /** Of any team or run, for those who send. */
  async function byId(id: string): Promise<EndpointRow | undefined> {
    return database.selectFrom('webhookEndpoint').selectAll().where('id', '=', id).where('deletedAt', 'is', null).executeTakeFirst()
  }

  /** Throws `invalid_input` for an address that may not be asked, and when the team has as many as it may have. */
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

  /** An endpoint that belongs to one run and goes with it, in the transaction that makes the run. The caller has judged its address. */
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
      sealedSecret: wanted.secret === null ? null : sealer.seal(wanted.secret, secretContext(id)),
      sealedPrevious: null,
      previousUntil: null,
      sealedHeaders: sealHeaders(id, wanted.headers),
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

  /** Changes what is named. Switched on again, an endpoint begins without its past failures. Throws as `read` and `create`. */
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
        ...(headers !== undefined && { sealedHeaders: sealHeaders(id, headers) }),
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

  /** Marks it: nothing is sent any more, and its log cannot be read. What it has is removed afterwards. */
  async function remove(teamId: string, id: string): Promise<void> {
    await read(teamId, id)
    await database
      .updateTable('webhookEndpoint')
      .set({ ...EMPTY, deletedAt: now() })
      .where('id', '=', id)
      .execute()
  }

  // ---- secrets

  /** Throws as `read`, and `invalid_input` where the secret was sealed with another key. */
  async function secretOf(teamId: string, id: string): Promise<{ secret: string; previousUntil: number | null }> {
    const row = await read(teamId, id)
    const secret = row.sealedSecret === null ? null : sealer.tryOpen(row.sealedSecret, secretContext(id))
    if (secret === null) throw fieldError('secret', 'The stored secret cannot be read any more. Please rotate it.')
    return { secret, previousUntil: activePrevious(row) }
  }

  /** The secret of the team's endpoint at a URL; null without one. */
  async function secretFor(rows: Rows, teamId: string, url: string): Promise<string | null> {
    const row = await ofTeam(rows, teamId).selectAll().where('url', '=', url).orderBy('id').executeTakeFirst()
    return row === undefined ? null : (secretsOf(row)?.[0] ?? null)
  }

  /** Makes a new secret; the old one signs as well until the overlap is over. */
  async function rotate(teamId: string, id: string, overlapHours: number): Promise<{ secret: string; previousUntil: number | null }> {
    const secret = newSecret()
    const at = now()
    return database.transaction().execute(async (transaction) => {
      const row = await read(teamId, id, transaction)
      const previousUntil = overlapHours === 0 ? null : at + overlapHours * HOUR_MS
      await transaction
        .updateTable('webhookEndpoint')
        .set({
          sealedSecret: sealer.seal(secret, secretContext(id)),
          sealedPrevious: previousUntil === null ? null : row.sealedSecret,
          previousUntil,
          updatedAt: at,
        })
        .where('id', '=', id)
        .execute()
      return { secret, previousUntil }
    })
  }

  /** What signs now, the newest first. Empty where nothing signs; null where it cannot be opened. */
  function secretsOf(row: EndpointRow): string[] | null {
    if (row.sealedSecret === null) return []
    const secret = sealer.tryOpen(row.sealedSecret, secretContext(row.id))
    if (secret === null) return null
    const previous =
      row.sealedPrevious === null || activePrevious(row) === null ? null : sealer.tryOpen(row.sealedPrevious, secretContext(row.id))
    return previous === null ? [secret] : [secret, previous]
  }

  function activePrevious({ previousUntil }: EndpointRow): number | null {
    return previousUntil !== null && previousUntil > now() ? previousUntil : null
  }

  /** Its own headers; null where they cannot be opened. */
  function headersOf(row: EndpointRow): Record<string, string> | null {
    if (row.sealedHeaders === null) return {}
    const text = sealer.tryOpen(row.sealedHeaders, headerContext(row.id))
    return text === null ? null : (JSON.parse(text) as Record<string, string>)
  }

  function sealHeaders(id: string, headers: Record<string, string>): string | null {
    return Object.keys(headers).length === 0 ? null : sealer.seal(JSON.stringify(headers), headerContext(id))
  }

  /** How many, up to a thousand, have a secret that cannot be opened: sealed by another secret key. */
  async function countUnreadable(): Promise<number> {
    const rows = await database
      .selectFrom('webhookEndpoint')
      .selectAll()
      .where('sealedSecret', 'is not', null)
      .where('deletedAt', 'is', null)
      .limit(1000)
      .execute()
    return rows.filter((row) => secretsOf(row) === null).length
  }

  // ---- what happens to them

  /** Of a team, those that are switched on: their ids and what they want to hear of. */
  async function enabledOf(rows: Rows, teamId: string): Promise<{ id: string; events: string[] }[]> {
    const found = await ofTeam(rows, teamId).select(['id', 'events']).where('isEnabled', '=', 1).execute()
    return found.map(({ id, events }) => ({ id, events: JSON.parse(events) as string[] }))
  }

  async function noteSuccess(transaction: Transaction, id: string, at: number, status: number): Promise<void> {
    await transaction
      .updateTable('webhookEndpoint')
      .set({ lastAttemptAt: at, lastStatus: status, failingSince: null, failures: 0, restUntil: 0 })
      .where('id', '=', id)
      .execute()
  }

  /** @param restMs  how long nothing is sent to it, by how often it has failed in a row */
  async function noteFailure(
    transaction: Transaction,
    id: string,
    at: number,
    status: number | null,
    restMs: (failures: number) => number,
  ): Promise<EndpointRow | undefined> {
    const row = await transaction.selectFrom('webhookEndpoint').selectAll().where('id', '=', id).executeTakeFirst()
    if (row === undefined) return undefined
    const failures = row.failures + 1
    const changed = {
      lastAttemptAt: at,
      lastStatus: status,
      failures,
      failingSince: row.failingSince ?? at,
      restUntil: Math.max(row.restUntil, now() + restMs(failures)),
    }
    await transaction.updateTable('webhookEndpoint').set(changed).where('id', '=', id).execute()
    return { ...row, ...changed }
  }

  /** False when it was off. */
  async function switchOff(rows: Rows, id: string, why: SwitchedOff): Promise<boolean> {
    const { numUpdatedRows } = await rows
      .updateTable('webhookEndpoint')
      .set({ isEnabled: 0, switchedOff: why, switchedOffAt: now() })
      .where('id', '=', id)
      .where('isEnabled', '=', 1)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  async function checkAddress(url: string): Promise<void> {
    if (!(await maySendTo(url))) throw fieldError('url', 'This address is not allowed.')
  }
}

export type Endpoints = ReturnType<typeof createEndpoints>

/** A webhook that was asked for with a run. */
export type RunWebhook = {
  url: string
  headers: Record<string, string>
  events: readonly string[]
  metadata: object
  secret: string | null
}

/** What a deleted endpoint no longer holds. */
export const EMPTY = {
  isEnabled: 0,
  name: '',
  url: '',
  metadata: null,
  sealedSecret: null,
  sealedPrevious: null,
  sealedHeaders: null,
} as const

/** Endpoints of a team that are its own, not those of single runs. */
const ofTeam = (rows: Rows, teamId: string) =>
  rows.selectFrom('webhookEndpoint').where('teamId', '=', teamId).where('runNo', 'is', null).where('deletedAt', 'is', null)

const secretContext = (id: string) => `webhook:${id}`
const headerContext = (id: string) => `webhook_headers:${id}`
