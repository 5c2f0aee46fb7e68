/** Which proxy a run goes through, asked by the engine when it takes the run. Over the engine's own connection, since it cannot wait. */
import type { RunProxy } from '#backend/crawler/fetch/proxy.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import type { Sealer } from '#backend/platform/secrets.ts'
import { openProxy } from './proxy-rows.ts'

type Row = {
  id: string
  name: string
  proxy_type: string
  host: string
  port: number
  username: string | null
  sealed_password: string | null
}

const COLUMNS = 'SELECT id, name, proxy_type, host, port, username, sealed_password FROM proxy_server'

/**
 * The proxy that a run names, or, when it names none, the default; each time the team's before the installation's; else none
 * (contract, core.md 8.8). Null when the named one does not exist: requests that were to go through it must not go another way.
 *
 * Throws when a password does not open: then nothing is sent, least of all directly.
 */
export function runProxies({ connection, sealer }: { connection: SqliteConnection; sealer: Sealer }) {
  const OWN_FIRST = 'AND (team_id = :teamId OR team_id IS NULL) ORDER BY team_id IS NULL LIMIT 1'
  const named = connection.prepare(`${COLUMNS} WHERE slug = :slug ${OWN_FIRST}`)
  const standard = connection.prepare(`${COLUMNS} WHERE is_default = 1 ${OWN_FIRST}`)
  return function proxyFor(teamId: string, slug: string | null): RunProxy | null {
    const row = (slug === null ? standard.get({ teamId }) : named.get({ teamId, slug })) as Row | undefined
    if (row !== undefined)
      return {
        proxy: openProxy(dialled(row), sealer),
        notice: { type: 'info', message: `Requests go through the proxy server “${row.name}”` },
      }
    return slug === null ? { proxy: null, notice: null } : null
  }
}

const dialled = ({ proxy_type: proxyType, sealed_password: sealedPassword, ...row }: Row) => ({ ...row, proxyType, sealedPassword })
