/** Which proxy a run uses; the engine asks when it takes the run. */
import type { RunProxy } from '#backend/crawler/fetch/proxy.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import type { Sealer } from '#backend/platform/secrets.ts'
import { openProxy } from './proxy-rows.ts'

export type RunProxyRow = {
  id: string
  team_id: string | null
  name: string
  proxy_type: string
  host: string
  port: number
  username: string | null
  sealed_password: string | null
}

const COLUMNS = 'SELECT id, team_id, name, proxy_type, host, port, username, sealed_password FROM proxy_server'

/**
 * The proxy that a run names or, if it names none, the default one; in both cases the team's before the installation's.
 *
 * @param slug  the placeholder of the name; null selects the default proxy
 * @param team  the placeholder of the team
 */
export const proxyQuery = (slug: string | null, team: string) =>
  `${COLUMNS} WHERE ${slug === null ? 'is_default = 1' : `slug = ${slug}`} AND (team_id = ${team} OR team_id IS NULL) ORDER BY team_id IS NULL LIMIT 1`

/**
 * Looks up a run's proxy over the engine's own connection; none when no default is set (contract, core.md 8.8). Null when the named proxy
 * does not exist: its requests must not go another way.
 *
 * Throws when a password cannot be decrypted: then nothing is sent, least of all directly.
 */
export function runProxies({ connection, sealer }: { connection: SqliteConnection; sealer: Sealer }) {
  const named = connection.prepare(proxyQuery(':slug', ':teamId'))
  const standard = connection.prepare(proxyQuery(null, ':teamId'))
  return (teamId: string, slug: string | null): RunProxy | null =>
    presentRunProxy((slug === null ? standard.get({ teamId }) : named.get({ teamId, slug })) as RunProxyRow | undefined, slug, sealer)
}

export function presentRunProxy(row: RunProxyRow | undefined, slug: string | null, sealer: Sealer): RunProxy | null {
  if (row !== undefined)
    return {
      proxy: openProxy(dialled(row), sealer),
      notice: { type: 'info', message: `Requests go through the proxy server “${row.name}”` },
    }
  return slug === null ? { proxy: null, notice: null } : null
}

const dialled = ({ proxy_type: proxyType, sealed_password: sealedPassword, team_id: teamId, ...row }: RunProxyRow) => ({
  ...row,
  proxyType,
  sealedPassword,
  teamId,
})
