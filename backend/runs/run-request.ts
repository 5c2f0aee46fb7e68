/** What was asked of a run, as it was sent: for asking it again. */
import { readRunSpec } from '#backend/crawler/run-spec.ts'
import type { RunSpec } from '#backend/crawler/run-spec.ts'
import type { Database } from '#backend/platform/database/database.ts'
import type { Sealer } from '#backend/platform/secrets.ts'
import { openSecrets, revealSecrets, withCredentials } from './run-secrets.ts'
import type { Run } from './run.ts'

export type RunRequest = {
  options: Record<string, unknown>
  /** What the engine was asked; null for runs that are older than specs, whose options say it. */
  spec: RunSpec | null
  /** The addresses as they were submitted, with their credentials. */
  seeds: string[]
  /** Another address of the run with the credentials that were submitted for its origin. */
  withCredentials: (url: string) => string
}

/** Reads what was asked of a run. Secrets that were sealed by another secret key keep their mask, which no start accepts. */
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
