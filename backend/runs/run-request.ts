/** The original request of a run, for repeating it. */
import { readRunSpec } from '#backend/crawler/run-spec.ts'
import type { RunSpec } from '#backend/crawler/run-spec.ts'
import type { Database } from '#backend/platform/database/database.ts'
import type { Sealer } from '#backend/platform/secrets.ts'
import { openSecrets, revealSecrets, withCredentials } from './run-secrets.ts'
import type { Run } from './run.ts'

export type RunRequest = {
  options: Record<string, unknown>
  /** The spec; null for older runs without one, whose options contain it. */
  spec: RunSpec | null
  /** The submitted URLs, with their credentials. */
  seeds: string[]
  /** Adds the submitted credentials of its origin to another URL of the run. */
  withCredentials: (url: string) => string
}

/** Reads the request of a run. Secrets that another secret key sealed stay masked, and no start accepts them. */
export function createRunRequests({ database, sealer }: { database: Database; sealer: Sealer }) {
  return async function requestOf(run: Run): Promise<RunRequest> {
    const row = await database.selectFrom('runOptions').where('runNo', '=', run.no).select(['spec', 'secrets']).executeTakeFirst()
    const sealed = row?.secrets ?? null
    const secrets = sealed === null ? null : openSecrets(sealer, run.id, sealed)
    const shown = { options: run.options, seeds: run.seeds }
    return {
      ...(secrets === null ? shown : revealSecrets(shown, secrets)),
      spec: row?.spec ? readRunSpec(row.spec) : null,
      withCredentials: (url) => (secrets === null ? url : withCredentials(url, secrets)),
    }
  }
}
