/** What teams' and operators' functions share: the columns of proxy servers, and their sealed passwords. */
import type { ProxyChanges, ProxyType } from '#contract/proxies.ts'
import type { Proxy } from '#backend/crawler/fetch/proxy.ts'
import type { ProxyServerTable, Transaction } from '#backend/platform/database/database.ts'
import type { Sealer } from '#backend/platform/secrets.ts'
import { fieldError } from '#backend/errors.ts'

/** Seals a password for storage; null for none. */
export const sealPassword = (sealer: Sealer, id: string, password: string | null | undefined): string | null =>
  password ? sealer.seal(password, contextOf(id)) : null

/** The proxy for a connection. Throws when the password cannot be decrypted, as with another secret key. */
export const openProxy = (row: DialledColumns, sealer: Sealer): Proxy => ({
  type: row.proxyType as ProxyType,
  host: row.host.replace(/^\[|\]$/g, ''),
  port: row.port,
  username: row.username || null,
  password: row.sealedPassword === null ? null : sealer.open(row.sealedPassword, contextOf(row.id)),
  share: row.teamId,
})

const bareHost = (host: string) => host.replace(/^\[|\]$/g, '').toLowerCase()

/**
 * A stored password is never sent to another host than the one that it was given for: a member who changes a proxy could read it there.
 * Throws `invalid_input` for another host without a password (null is without).
 */
export function checkPasswordStays(
  stored: { host: string; hasPassword: boolean },
  { host, password }: { host?: string | null | undefined; password?: string | null | undefined },
): void {
  if (!stored.hasPassword || password !== undefined || bareHost(host ?? stored.host) === bareHost(stored.host)) return
  throw fieldError('host', 'The stored password belongs to the former host: enter the password again, or remove it.')
}

/** Whether the stored password can be decrypted with this secret key. */
export const canOpen = ({ id, sealedPassword }: Pick<ProxyServerTable, 'id' | 'sealedPassword'>, sealer: Sealer): boolean =>
  sealedPassword === null || sealer.tryOpen(sealedPassword, contextOf(id)) !== null

type DialledColumns = Pick<ProxyServerTable, 'id' | 'teamId' | 'proxyType' | 'host' | 'port' | 'username' | 'sealedPassword'>

/** The columns of a body, without the password. */
export function columnsOf(body: ProxyChanges) {
  const { name, slug, is_default, proxy_type: proxyType, host, port, username } = body
  return {
    ...(name !== undefined && { name }),
    ...(slug !== undefined && { slug }),
    ...(is_default !== undefined && { isDefault: is_default ? 1 : 0 }),
    ...(proxyType !== undefined && { proxyType }),
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(username !== undefined && { username: username || null }),
  }
}

/** Unsets the current default proxy of a team or, with null, of the installation. */
export async function clearDefault(transaction: Transaction, teamId: string | null): Promise<void> {
  await transaction
    .updateTable('proxyServer')
    .set({ isDefault: 0 })
    .where('isDefault', '=', 1)
    .where('teamId', teamId === null ? 'is' : '=', teamId)
    .execute()
}

const contextOf = (id: string) => `proxy_server:${id}`
