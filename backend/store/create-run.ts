/** Creates and deletes runs, as steps inside a transaction of the API. */
import type { RunSpec } from '#backend/crawler/run-spec.ts'
import { cancelRun } from './end-run.ts'
import type { RunHooks } from './run-hooks.ts'
import { all, change, one } from './steps.ts'
import type { Steps } from './steps.ts'

/** A start URL in the form of the frontier. */
export type SeedUrl = { url: string; hostKey: string; keyHi: number; keyLo: number }

/** The values of a new run, with sealed secrets. */
type CreatedRun = {
  id: string
  teamId: string
  kind: string
  variant: string
  /** The name for people. */
  label: string
  pageLimit: number
  /** In the form of the API. */
  options: Record<string, unknown>
  spec: RunSpec
  /** The submitted URLs, without their credentials. */
  seeds: readonly string[]
  sealedSecrets: string | null
  /** Distinct, in the order of fetching. */
  urls: readonly SeedUrl[]
  /** For the keys of its URLs. */
  urlSalt: Buffer
  idempotencyKey: string | null
  idempotencyDigest: string | null
}

const ROWS_PER_STATEMENT = 500

/** Inserts a waiting run and returns its number. `fillRun` and its job must follow in the same transaction. */
export function* createRun(run: CreatedRun, at: number): Steps<number> {
  const row = yield* one<{ no: number }>(
    `INSERT INTO run (id, team_id, kind, variant, status, label, page_limit, seeds, known, url_salt, idempotency_key, idempotency_digest, created_at, updated_at)
      VALUES (?, ?, ?, ?, 'new', ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING no`,
    run.id,
    run.teamId,
    run.kind,
    run.variant,
    run.label,
    run.pageLimit,
    run.urls.length,
    run.urls.length,
    run.urlSalt,
    run.idempotencyKey,
    run.idempotencyDigest,
    at,
    at,
  )
  return row!.no
}

/** Inserts the options of a run and its start URLs. */
export function* fillRun(runNo: number, run: CreatedRun): Steps<void> {
  yield* change(
    'INSERT INTO run_options (run_no, options, spec, seeds, secrets) VALUES (?, ?, ?, ?, ?)',
    runNo,
    JSON.stringify(run.options),
    JSON.stringify(run.spec),
    JSON.stringify(run.seeds),
    run.sealedSecrets,
  )
  yield* insertSeedUrls(runNo, run.urls)
}

/** Inserts frontier rows for the seeds, numbered from 0 in order; adds unknown hosts. */
function* insertSeedUrls(runNo: number, urls: readonly SeedUrl[]): Steps<void> {
  const hostNos = new Map<string, number>()
  for (const some of chunks([...new Set(urls.map(({ hostKey }) => hostKey))])) {
    yield* change(`INSERT INTO host (host_key) VALUES ${some.map(() => '(?)').join(', ')} ON CONFLICT (host_key) DO NOTHING`, ...some)
    const marks = some.map(() => '?').join(', ')
    const hosts = yield* all<{ no: number; hostKey: string }>(
      `SELECT no, host_key AS "hostKey" FROM host WHERE host_key IN (${marks})`,
      ...some,
    )
    for (const { hostKey, no } of hosts) hostNos.set(hostKey, no)
  }
  const rows = urls.map(({ hostKey, keyHi, keyLo, url }, seq) => [runNo, seq, keyHi, keyLo, hostNos.get(hostKey), url])
  for (const some of chunks(rows))
    yield* change(
      `INSERT INTO run_url (run_no, seq, key_hi, key_lo, host_no, url, depth, state, is_seed) VALUES ${some.map(() => '(?, ?, ?, ?, ?, ?, 0, 0, 1)').join(', ')}`,
      ...some.flat(),
    )
}

/**
 * Marks a run as deleted: it cannot be read from this commit on, and its data is removed later. A waiting run ends; a running one is told
 * to stop.
 *
 * @returns  its new status, and the number of its results; null when it was deleted already, or does not exist
 */
export function* purgeRun(runNo: number, at: number, hooks: RunHooks): Steps<{ kept: number; status: string } | null> {
  const run = yield* one<{ kept: number }>('SELECT kept FROM run WHERE no = ? AND deleted_at IS NULL', runNo)
  if (run === undefined) return null
  const told = yield* cancelRun(runNo, at, hooks, 'Deleted before it started.')
  // The idempotency key may be used for another run from now on.
  yield* change('UPDATE run SET deleted_at = ?, idempotency_key = NULL WHERE no = ?', at, runNo)
  return { kept: run.kept, status: told!.status }
}

function* chunks<T>(rows: readonly T[]): Generator<T[]> {
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) yield rows.slice(at, at + ROWS_PER_STATEMENT)
}
