/** A team's proxy servers, and those of the installation that it may use. Passwords are stored sealed and never shown. */
import type { ProxyBody, ProxyCategory, ProxyChanges, ProxyChoice } from '#contract/proxies.ts'
import type { Proxy } from '#backend/crawler/fetch/proxy.ts'
import { AppError, fieldError } from '#backend/errors.ts'
import { countRows } from '#backend/platform/database/count-rows.ts'
import type { Database, ProxyServerTable, Rows, Transaction } from '#backend/platform/database/database.ts'
import type { Sealer } from '#backend/platform/secrets.ts'
import { canOpen, checkPasswordStays, clearDefault, columnsOf, openProxy, sealPassword } from './proxy-rows.ts'

/** The check at start must be fast. */
const MOST_CHECKED = 1000

/** Whether the address guard allows a proxy. A name that does not resolve passes, because each connection is judged again. */
export type MayDial = (host: string, port: number) => Promise<boolean>

export function createProxies({ database, mayDial, newId, now, sealer }: ProxyNeeds) {
  return { list, count, read, create, change, remove, choices, categoryOf, dialled, countUnreadable }

  /** The team's own proxies, the oldest first. */
  function list(teamId: string, { limit, offset }: { limit: number; offset: number }): Promise<ProxyServerTable[]> {
    return database.selectFrom('proxyServer').selectAll().where('teamId', '=', teamId).orderBy('id').limit(limit).offset(offset).execute()
  }

  function count(teamId: string): Promise<number> {
    return countRows(database.selectFrom('proxyServer').where('teamId', '=', teamId))
  }

  /** Counts stored passwords, of all teams and of the installation, that cannot be decrypted because another secret key sealed them. */
  async function countUnreadable(): Promise<number> {
    const rows = await database.selectFrom('proxyServer').selectAll().where('sealedPassword', 'is not', null).limit(MOST_CHECKED).execute()
    return rows.filter((row) => !canOpen(row, sealer)).length
  }

  /** Throws `not_found` for a proxy of another team. */
  async function read(teamId: string, slug: string, rows: Rows = database): Promise<ProxyServerTable> {
    const row = await find(rows, teamId, slug)
    if (!row) throw new AppError('not_found')
    return row
  }

  /** Throws `invalid_input` for a taken slug and for a refused address. */
  async function create(teamId: string, body: ProxyBody): Promise<ProxyServerTable> {
    const { name, slug, host, port, proxy_type: proxyType } = body
    await checkAddress(host, port)
    const id = newId()
    const at = now()
    const row: ProxyServerTable = {
      id,
      teamId,
      category: 'team',
      slug,
      name,
      isDefault: body.is_default ? 1 : 0,
      proxyType,
      host,
      port,
      username: body.username || null,
      sealedPassword: sealPassword(sealer, id, body.password),
      createdAt: at,
      updatedAt: at,
    }
    await database.transaction().execute(async (transaction) => {
      await checkSlug(transaction, teamId, slug)
      if (body.is_default) await clearDefault(transaction, teamId)
      await transaction.insertInto('proxyServer').values(row).execute()
    })
    return row
  }

  /** Changes the given fields; an absent password stays. Throws like `read`, `create` and `checkPasswordStays`. */
  async function change(teamId: string, slug: string, changes: ProxyChanges): Promise<ProxyServerTable> {
    const { host, password, port } = changes
    const before = await read(teamId, slug)
    if (host !== undefined || port !== undefined) await checkAddress(host ?? before.host, port ?? before.port)
    return database.transaction().execute(async (transaction) => {
      const { host: storedHost, id, sealedPassword } = await read(teamId, slug, transaction)
      checkPasswordStays({ host: storedHost, hasPassword: sealedPassword !== null }, changes)
      if (changes.slug !== undefined && changes.slug !== slug) await checkSlug(transaction, teamId, changes.slug)
      if (changes.is_default === true) await clearDefault(transaction, teamId)
      return transaction
        .updateTable('proxyServer')
        .set({
          ...columnsOf(changes),
          ...(password !== undefined && { sealedPassword: sealPassword(sealer, id, password) }),
          updatedAt: now(),
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
    })
  }

  /** Throws `not_found` for a proxy of another team. */
  async function remove(teamId: string, slug: string): Promise<void> {
    const { numDeletedRows } = await database
      .deleteFrom('proxyServer')
      .where('teamId', '=', teamId)
      .where('slug', '=', slug)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw new AppError('not_found')
  }

  /** The proxies that the team may name, its own first. The team's own slugs hide equal ones of the installation. */
  async function choices(teamId: string): Promise<ProxyChoice[]> {
    const rows = await database
      .selectFrom('proxyServer')
      .select(['teamId', 'name', 'slug', 'category'])
      .where(({ eb, or }) => or([eb('teamId', '=', teamId), eb('teamId', 'is', null)]))
      .orderBy('id')
      .execute()
    const own = new Set(rows.filter((row) => row.teamId !== null).map(({ slug }) => slug))
    return rows
      .filter((row) => row.teamId !== null || !own.has(row.slug))
      .toSorted((one, other) => ORDER.indexOf(one.category) - ORDER.indexOf(other.category))
      .map(({ name, slug, category }) => ({ name, slug, category: category as ProxyCategory }))
  }

  /** The category of a proxy by its slug, the team's own before the installation's; null for an unknown slug. */
  async function categoryOf(teamId: string, slug: string): Promise<ProxyCategory | null> {
    const rows = await database
      .selectFrom('proxyServer')
      .select(['teamId', 'category'])
      .where('slug', '=', slug)
      .where(({ eb, or }) => or([eb('teamId', '=', teamId), eb('teamId', 'is', null)]))
      .execute()
    const row = rows.find((one) => one.teamId !== null) ?? rows[0]
    return row ? (row.category as ProxyCategory) : null
  }

  /**
   * A proxy of the team with its decrypted password; null for an unknown slug. Throws `invalid_input` for a password that cannot be
   * decrypted.
   */
  async function dialled(teamId: string, slug: string): Promise<Proxy | null> {
    const row = await find(database, teamId, slug)
    if (!row) return null
    try {
      return openProxy(row, sealer)
    } catch (cause) {
      // The secret key of the installation has changed since.
      throw new AppError('invalid_input', {
        fields: { password: ['The stored password cannot be read any more. Please set it again.'] },
        cause,
      })
    }
  }

  async function checkAddress(host: string, port: number): Promise<void> {
    if (!(await mayDial(host, port))) throw fieldError('host', 'This address is not allowed.')
  }
}

export type Proxies = ReturnType<typeof createProxies>

type ProxyNeeds = { database: Database; mayDial: MayDial; newId: () => string; now: () => number; sealer: Sealer }

/** Order of the categories in a list to choose from. */
const ORDER: readonly string[] = ['team', 'general', 'premium'] satisfies ProxyCategory[]

const find = (rows: Rows, teamId: string, slug: string): Promise<ProxyServerTable | undefined> =>
  rows.selectFrom('proxyServer').selectAll().where('teamId', '=', teamId).where('slug', '=', slug).executeTakeFirst()

/**
 * No team may use the slug of a premium proxy. Runs look up their slug again when they start, so a team could otherwise create a proxy with
 * that slug, delete it, and use the premium one without the plan for it.
 */
async function checkSlug(transaction: Transaction, teamId: string, slug: string): Promise<void> {
  const premium = transaction.selectFrom('proxyServer').select('id').where('category', '=', 'premium').where('slug', '=', slug)
  if ((await find(transaction, teamId, slug)) ?? (await premium.executeTakeFirst()))
    throw fieldError('slug', 'This slug is already in use.')
}
