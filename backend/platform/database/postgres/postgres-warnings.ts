/** Warnings at the start about a PostgreSQL that can be used, but is set up for less than a process needs. */
import type { PostgresPool } from './postgres.ts'

/** Webhooks and mails are sent twice when the clocks of two processes differ by a minute. */
const MOST_CLOCK_MS = 30_000

/** What the server says about itself. `null` is no limit. */
export type PostgresServer = { now: number; connections: number; roleConnections: number | null; databaseConnections: number | null }

export async function readServer(pool: PostgresPool): Promise<PostgresServer> {
  const { rows } = await pool.query<PostgresServer>(`SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS connections,
    (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user) AS "roleConnections",
    (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database()) AS "databaseConnections"`)
  return rows[0]!
}

/**
 * @param now     of this machine, at the same moment
 * @param needed  the connections that this process may open
 */
export function postgresWarnings(
  { connections, databaseConnections, now: serverNow, roleConnections }: PostgresServer,
  { now, needed }: { now: number; needed: number },
): string[] {
  const limits: [limit: number | null, name: string][] = [
    [connections, 'max_connections of the PostgreSQL of DATABASE_URL allows'],
    [roleConnections, 'the PostgreSQL user of DATABASE_URL may open'],
    [databaseConnections, 'the database of DATABASE_URL allows'],
  ]
  const warnings = limits.flatMap(([limit, name]) =>
    limit !== null && limit < needed
      ? [`${name} ${limit} connections, but this process alone opens up to ${needed}: raise the limit, or calls fail when it is reached`]
      : [],
  )
  const seconds = Math.round((now - serverNow) / 1000)
  if (Math.abs(now - serverNow) > MOST_CLOCK_MS)
    warnings.push(
      `the clock of this machine is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} that of the database server: correct the wrong one, or webhooks and mails may be sent twice`,
    )
  return warnings
}
