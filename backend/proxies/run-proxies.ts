/** Which proxy a run uses; the engine asks when it takes the run. */
import type { RunProxy } from '#backend/crawler/fetch/proxy.ts'
import type { AskRow } from '#backend/platform/database/ask-row.ts'
import type { Sealer } from '#backend/platform/secrets.ts'
import { openProxy } from './proxy-rows.ts'

type RunProxyRow = {
  id: string
  team_id: string | null
  name: string
  proxy_type: string
  host: string
  port: number
  username: string | null
  sealed_password: string | null
}

/**
 * Looks up the proxy that a run names or, if it names none, the default one; in both cases the team's before the installation's. A run that
 * names none has no proxy if no default is set. Null when the named proxy does not exist: the run must not send requests without it.
 *
 * Throws when a password cannot be decrypted: then nothing is sent, least of all directly.
 */
export function runProxies({ ask, sealer }: { ask: AskRow; sealer: Sealer }) {
  return async (teamId: string, slug: string | null): Promise<RunProxy | null> => {
    const row = await ask<RunProxyRow>(
      `SELECT id, team_id, name, proxy_type, host, port, username, sealed_password FROM proxy_server
        WHERE ${slug === null ? 'is_default = 1' : 'slug = ?'} AND (team_id = ? OR team_id IS NULL) ORDER BY team_id IS NULL LIMIT 1`,
      ...(slug === null ? [teamId] : [slug, teamId]),
    )
    if (row === undefined) return slug === null ? { proxy: null, notice: null } : null
    return {
      proxy: openProxy(dialled(row), sealer),
      notice: { type: 'info', message: `Requests go through the proxy server “${row.name}”` },
    }
  }
}

const dialled = ({ proxy_type: proxyType, sealed_password: sealedPassword, team_id: teamId, ...row }: RunProxyRow) => ({
  ...row,
  proxyType,
  sealedPassword,
  teamId,
})
