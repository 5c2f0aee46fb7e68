/** API keys of a team. A key is found by its hash; its text is kept sealed, since every answer shows it again. */
import { randomInt } from 'node:crypto'
import { AppError } from '#backend/errors.ts'
import { API_KEY_PREFIX } from '#backend/http/authenticate.ts'
import type { Database, Rows } from '#backend/platform/database/database.ts'
import type { Sealer } from '#backend/platform/secrets.ts'

export type ApiKey = { id: string; name: string; key: string; createdAt: number; lastUsedAt: number | null }

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'
const SECRET_LENGTH = 32
/** The use of a key is written down at most this often. */
const USE_EVERY_MS = 60_000

/** A check at start must not take longer than the start: opening one key takes about 5 µs. */
const MOST_CHECKED = 1000

/**
 * @param hash     a keyed hash of a key's text
 * @param onFault  told when the use of a key could not be written down, which is no reason to refuse the caller
 */
export function createApiKeys({ database, hash, newId, now, onFault, sealer }: ApiKeyNeeds) {
  return { issue, list, count, revoke, recognise, isKey, countUnreadable }

  /** Makes a key of a team, in the caller's transaction if there is one. */
  async function issue(teamId: string, name: string, rows: Rows = database): Promise<ApiKey> {
    const id = newId()
    const key = newKey()
    const createdAt = now()
    await rows
      .insertInto('apiKey')
      .values({ id, teamId, name, hash: hash(key), sealed: sealer.seal(key, contextOf(id)), createdAt, lastUsedAt: null })
      .execute()
    return { id, name, key, createdAt, lastUsedAt: null }
  }

  /** Keys of a team, newest first. `key` is empty where the text cannot be opened, as after the secret key was lost. */
  async function list(teamId: string, { limit, offset }: { limit: number; offset: number }): Promise<ApiKey[]> {
    const rows = await database
      .selectFrom('apiKey')
      .select(['id', 'name', 'sealed', 'createdAt', 'lastUsedAt'])
      .where('teamId', '=', teamId)
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute()
    return rows.map(({ sealed, ...row }) => ({ ...row, key: sealer.tryOpen(sealed, contextOf(row.id)) ?? '' }))
  }

  async function count(teamId: string): Promise<number> {
    const { total } = await database
      .selectFrom('apiKey')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where('teamId', '=', teamId)
      .executeTakeFirstOrThrow()
    return total
  }

  /** Ends a key at once. Throws `not_found` for a key that is not the team's. */
  async function revoke(teamId: string, id: string): Promise<void> {
    const { numDeletedRows } = await database.deleteFrom('apiKey').where('id', '=', id).where('teamId', '=', teamId).executeTakeFirst()
    if (numDeletedRows === 0n) throw new AppError('not_found')
  }

  /** The team of a key, or null. */
  async function recognise(key: string): Promise<{ apiKeyId: string; teamId: string } | null> {
    const row = await database.selectFrom('apiKey').select(['id', 'teamId', 'lastUsedAt']).where('hash', '=', hash(key)).executeTakeFirst()
    if (!row) return null
    const at = now()
    if (row.lastUsedAt === null || row.lastUsedAt <= at - USE_EVERY_MS) await noteUse(row.id, at)
    return { apiKeyId: row.id, teamId: row.teamId }
  }

  /** Whether the team still has the key. */
  async function isKey(teamId: string, id: string): Promise<boolean> {
    const row = await database.selectFrom('apiKey').select('id').where('id', '=', id).where('teamId', '=', teamId).executeTakeFirst()
    return row !== undefined
  }

  /** How many of the newest keys, up to a thousand, cannot be opened: sealed by another secret key. */
  async function countUnreadable(): Promise<number> {
    const rows = await database.selectFrom('apiKey').select(['id', 'sealed']).orderBy('id', 'desc').limit(MOST_CHECKED).execute()
    return rows.filter(({ id, sealed }) => sealer.tryOpen(sealed, contextOf(id)) === null).length
  }

  async function noteUse(id: string, at: number) {
    try {
      await database.updateTable('apiKey').set({ lastUsedAt: at }).where('id', '=', id).execute()
    } catch (error) {
      onFault(error)
    }
  }
}

export type ApiKeys = ReturnType<typeof createApiKeys>

type ApiKeyNeeds = {
  database: Database
  hash: (text: string) => string
  newId: () => string
  now: () => number
  onFault: (error: unknown) => void
  sealer: Sealer
}

const newKey = () => API_KEY_PREFIX + Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

const contextOf = (id: string) => `api_key:${id}`
