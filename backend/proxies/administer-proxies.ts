/** Proxy servers of the installation, for all of its teams: what an operator does with them without an endpoint. */
import { createProxy } from '#contract/proxies.ts'
import type { ProxyCategory } from '#contract/proxies.ts'
import { Refusal } from '#backend/errors.ts'
import type { Database, ProxyServerTable } from '#backend/platform/database/database.ts'
import type { Sealer } from '#backend/platform/secrets.ts'
import { clearDefault, sealPassword } from './proxy-rows.ts'

type NewGlobalProxy = {
  slug: string
  /** `TYPE://[USERNAME@]HOST:PORT`. */
  address: string
  name: string
  category: Exclude<ProxyCategory, 'team'>
  isDefault: boolean
  password: string | null
}

type ListedProxy = Pick<ProxyServerTable, 'slug' | 'name' | 'category' | 'createdAt'> & {
  address: string
  isDefault: boolean
  hasPassword: boolean
}

export function administerProxies({ database, newId, now, sealer }: Needs) {
  return { list, add, remove }

  /** The installation's proxies, the oldest first. */
  async function list(): Promise<ListedProxy[]> {
    const rows = await database.selectFrom('proxyServer').selectAll().where('teamId', 'is', null).orderBy('id').execute()
    return rows.map(({ slug, name, category, createdAt, isDefault, sealedPassword, ...row }) => ({
      slug,
      name,
      category,
      createdAt,
      address: `${row.proxyType}://${row.username === null ? '' : `${encodeURIComponent(row.username)}@`}${row.host}:${row.port}`,
      isDefault: isDefault === 1,
      hasPassword: sealedPassword !== null,
    }))
  }

  /** Throws `Refusal` for a taken slug, and for invalid values. */
  async function add({ address, category, isDefault, password, slug, name }: NewGlobalProxy): Promise<void> {
    // Runs that name no proxy use the default one, whatever their plan allows.
    if (isDefault && category === 'premium')
      throw new Refusal('A premium proxy cannot be the default: teams whose plan does not include premium proxies would use it.')
    const body = checked({ ...partsOf(address), slug, name, is_default: isDefault, password })
    const id = newId()
    const at = now()
    await database.transaction().execute(async (transaction) => {
      const taken = await transaction
        .selectFrom('proxyServer')
        .select('id')
        .where('teamId', 'is', null)
        .where('slug', '=', body.slug)
        .executeTakeFirst()
      if (taken) throw new Refusal(`There is a proxy server ${body.slug} already: remove it first.`)
      if (isDefault) await clearDefault(transaction, null)
      await transaction
        .insertInto('proxyServer')
        .values({
          id,
          teamId: null,
          category,
          slug: body.slug,
          name: body.name,
          isDefault: isDefault ? 1 : 0,
          proxyType: body.proxy_type,
          host: body.host,
          port: body.port,
          username: body.username || null,
          sealedPassword: sealPassword(sealer, id, body.password),
          createdAt: at,
          updatedAt: at,
        })
        .execute()
    })
  }

  /** Runs that name it use the default proxy from their next start on. */
  async function remove(slug: string): Promise<void> {
    const { numDeletedRows } = await database
      .deleteFrom('proxyServer')
      .where('teamId', 'is', null)
      .where('slug', '=', slug)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw new Refusal(`The installation has no proxy server ${slug}.`)
  }
}

type Needs = { database: Database; newId: () => string; now: () => number; sealer: Sealer }

function partsOf(address: string) {
  const parts = /^(\w+):\/\/(?:([^@/]*)@)?(\[[^\]/]+\]|[^:@/]+):(\d{1,5})\/?$/.exec(address)
  if (!parts) throw new Refusal('Write the proxy server as TYPE://[USERNAME@]HOST:PORT, with the type http, socks4 or socks5.')
  const [, type = '', user, host = '', port = ''] = parts
  if (user?.includes(':')) throw new Refusal('Every user of the machine can see an argument: send the password with --password-stdin.')
  return { proxy_type: type.toLowerCase(), username: user === undefined ? null : decoded(user), host, port: Number(port) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Refusal('The user name of the proxy server is not percent-encoded correctly.')
  }
}

/** Validates by the rules of the API. */
function checked(given: object) {
  const result = createProxy.body.safeParse(given)
  if (result.success) return result.data
  throw new Refusal(result.error.issues.map(({ path, message }) => `${String(path[0])}: ${message}`).join('\n'))
}
