/** The beginning of a run, and its deletion, as steps inside a transaction of the API. */
import type { RunSpec } from '#backend/crawler/run-spec.ts'
import { cancelRun } from './end-run.ts'
import type { RunHooks } from './run-hooks.ts'
import { all, change, one } from './steps.ts'
import type { Steps } from './steps.ts'

/** A URL that a run starts from, as its frontier keeps it. */
export type SeedUrl = { url: string; hostKey: string; keyHi: number; keyLo: number }

/** The values of a new run. Its secrets are sealed already. */
export type CreatedRun = {
  id: string
  teamId: string
  kind: string
  variant: string
  /** What people call it. */
  label: string
  pageLimit: number
  /** As the API shows them again. */
  options: Record<string, unknown>
  spec: RunSpec
  /** The addresses as they were submitted, without their credentials. */
  seeds: readonly string[]
  sealedSecrets: string | null
  /** Distinct, in the order in which they are asked. */
  urls: readonly SeedUrl[]
  /** Of the keys of its URLs. */
  urlSalt: Buffer
  idempotencyKey: string | null
  idempotencyDigest: string | null
}

const ROWS_PER_STATEMENT = 500

/** Writes the row of a run that waits, and gives its number. `fillRun` and its job follow in the same transaction. */
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

/** Writes the options of a run and its start URLs. */
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

/** Rows of the frontier for the seeds, numbered from 0 in their order; unknown hosts are added. */
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
 * Marks a run as deleted: it cannot be read from this commit on, and what it holds is removed later. One that waits ends; one that runs is
 * told to stop.
 *
 * @returns  the status that it has from then on, and how many results it had kept; null when it had been deleted, or never was
 */
export function* purgeRun(runNo: number, at: number, hooks: RunHooks): Steps<{ kept: number; status: string } | null> {
  const run = yield* one<{ kept: number }>('SELECT kept FROM run WHERE no = ? AND deleted_at IS NULL', runNo)
  if (run === undefined) return null
  const told = yield* cancelRun(runNo, at, hooks, 'Deleted before it started.')
  // The key may name another run from now on.
  yield* change('UPDATE run SET deleted_at = ?, idempotency_key = NULL WHERE no = ?', at, runNo)
  return { kept: run.kept, status: told!.status }
}

function* chunks<T>(rows: readonly T[]): Generator<T[]> {
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) yield rows.slice(at, at + ROWS_PER_STATEMENT)
}
