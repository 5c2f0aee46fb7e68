/** API keys of a team. A key is looked up by its hash; its text is stored sealed, because answers show it again. */
import { randomInt } from 'node:crypto'
import { maskKey } from '#contract/masked-keys.ts'
import { AppError } from '#backend/errors.ts'
import { API_KEY_PREFIX } from '#backend/http/authenticate.ts'
import type { MemberActor } from '#backend/http/actor.ts'
import { countRows } from '#backend/platform/database/count-rows.ts'
import type { Database, Transaction } from '#backend/platform/database/database.ts'
import type { Sealer } from '#backend/platform/secrets.ts'
import { checkMember } from './members.ts'

/** `createdBy` is a user's id; null for keys from before creators were recorded, which every member could read. */
export type ApiKey = { id: string; name: string; key: string; createdBy: string | null; createdAt: number; lastUsedAt: number | null }

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'
const SECRET_LENGTH = 32
/** The last use of a key is stored at most this often. */
const USE_EVERY_MS = 60_000

/** The check at start must be fast: opening one key takes about 5 µs. */
const MOST_CHECKED = 1000

/**
 * @param hash     a keyed hash of a key's text
 * @param onFault  called when the last use of a key could not be stored; the caller is served all the same
 */
export function createApiKeys({ database, hash, newId, now, onFault, sealer }: ApiKeyNeeds) {
  return { issue, issueIn, list, count, revoke, revokeKnownTo, revokeAllOf, recognise, isKey, countUnreadable }

  /** Creates a key of a team. Its creator gets the whole key. Throws `not_found` for a creator who was removed from the team meanwhile. */
  function issue(actor: MemberActor, name: string): Promise<ApiKey> {
    return database.transaction().execute((transaction) => issueIn(transaction, actor, name))
  }

  /** The same in the caller's transaction. */
  async function issueIn(transaction: Transaction, { teamId, userId }: MemberActor, name: string): Promise<ApiKey> {
    await checkMember(transaction, { teamId, userId })
    const id = newId()
    const key = newKey()
    const createdAt = now()
    await transaction
      .insertInto('apiKey')
      .values({
        id,
        teamId,
        name,
        hash: hash(key),
        sealed: sealer.seal(key, contextOf(id)),
        createdBy: userId,
        createdAt,
        lastUsedAt: null,
      })
      .execute()
    return { id, name, key, createdBy: userId, createdAt, lastUsedAt: null }
  }

  /**
   * Keys of a team, newest first: whole for their creator and the team's owner, masked for others. `key` is empty where it cannot be
   * decrypted, as after the loss of the secret key.
   */
  async function list({ teamId, userId }: MemberActor, { limit, offset }: { limit: number; offset: number }): Promise<ApiKey[]> {
    const owner = await ownedBy(userId).where('teamId', '=', teamId).executeTakeFirst()
    const rows = await database
      .selectFrom('apiKey')
      .select(['id', 'name', 'sealed', 'createdBy', 'createdAt', 'lastUsedAt'])
      .where('teamId', '=', teamId)
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute()
    return rows.map(({ sealed, ...row }) => {
      const key = sealer.tryOpen(sealed, contextOf(row.id)) ?? ''
      return { ...row, key: owner !== undefined || row.createdBy === userId ? key : maskKey(key) }
    })
  }

  function count(teamId: string): Promise<number> {
    return countRows(database.selectFrom('apiKey').where('teamId', '=', teamId))
  }

  /** Ends a key at once. Throws `not_found` for a key of another team. */
  async function revoke(teamId: string, id: string): Promise<void> {
    const { numDeletedRows } = await database.deleteFrom('apiKey').where('id', '=', id).where('teamId', '=', teamId).executeTakeFirst()
    if (numDeletedRows === 0n) throw new AppError('not_found')
  }

  /** Ends the team's keys that a member (not the owner) has read: those they created, and those from before creators were recorded. */
  async function revokeKnownTo(transaction: Transaction, { teamId, userId }: MemberActor): Promise<void> {
    await transaction
      .deleteFrom('apiKey')
      .where('teamId', '=', teamId)
      .where((key) => key.or([key('createdBy', '=', userId), key('createdBy', 'is', null)]))
      .execute()
  }

  /** Ends every key that a user created, in any team, and all keys of the teams that they own. */
  async function revokeAllOf(transaction: Transaction, userId: string): Promise<void> {
    await transaction
      .deleteFrom('apiKey')
      .where((key) => key.or([key('createdBy', '=', userId), key('teamId', 'in', ownedBy(userId))]))
      .execute()
  }

  function ownedBy(userId: string) {
    return database.selectFrom('teamMember').select('teamId').where('userId', '=', userId).where('isOwner', '=', 1)
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

  /** Counts keys that cannot be decrypted because another secret key sealed them, among the newest thousand. */
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

/** Whether the newest API key was sealed with another secret key. Each installation has one, since every team begins with an API key. */
export async function isSealedByAnother(database: Database, sealer: Sealer): Promise<boolean> {
  const newest = await database.selectFrom('apiKey').select(['id', 'sealed']).orderBy('id', 'desc').limit(1).executeTakeFirst()
  return newest !== undefined && sealer.tryOpen(newest.sealed, contextOf(newest.id)) === null
}

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
