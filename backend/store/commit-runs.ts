/** Writes what runs have done, each run fenced by its token and the number of its commit. The adapter writes the rows. */
import { isTrouble } from '#backend/platform/database/trouble.ts'
import { endingOf, newOutcomes, refusalOf } from './commit-rules.ts'
import type { RunOfRefused, Written } from './commit-rules.ts'
import { endRun } from './end-run.ts'
import { writeFeed } from './feed-steps.ts'
import type { RunHooks } from './run-hooks.ts'
import { LEASE_MS } from './run-store.ts'
import type { AddedUrl, CommitResult, HostChanges, RunChanges, RunCommit, RunEnding, TaskResults, TaskUrl } from './run-store.ts'
import { all, change, one } from './steps.ts'
import type { Steps } from './steps.ts'

/** How a database writes the rows of a commit, of which there may be thousands. */
export type RowWriter = {
  insertUrls(runNo: number, added: readonly AddedUrl[]): Steps<void>
  updateUrls(runNo: number, changes: RunChanges): Steps<void>
  /** Pages are numbered from `kept` of the commit on, their events from its `eventSeq` on. */
  insertPages(commit: RunCommit, at: number): Steps<void>
  insertTaskUrls(runNo: number, urls: readonly TaskUrl[]): Steps<void>
}

const NO_HOSTS: HostChanges = { hosts: [], robots: [] }

/**
 * Commits a group of runs in one transaction, if possible.
 *
 * @param inTransaction  writes runs and hosts, all or nothing
 */
export async function commitGroup(
  group: readonly RunCommit[],
  hosts: HostChanges = NO_HOSTS,
  inTransaction: (group: readonly RunCommit[], hosts: HostChanges) => CommitResult[] | Promise<CommitResult[]>,
): Promise<CommitResult[]> {
  try {
    return await inTransaction(group, hosts)
  } catch (fault) {
    if (isTrouble(fault)) throw fault
  }
  // One run's part cannot be written: each gets a transaction of its own, so that a broken one does not harm the others.
  await inTransaction([], hosts)
  const results: CommitResult[] = []
  for (const part of group) {
    const startedAt = performance.now()
    try {
      results.push((await inTransaction([part], NO_HOSTS))[0]!)
    } catch (fault) {
      if (isTrouble(fault)) throw fault
      results.push({ kind: 'broken', fault, runNo: part.runNo, tookMs: performance.now() - startedAt })
    }
  }
  return results
}

/** Writes the part of one run. */
export function* writeRun(commit: RunCommit, at: number, { hooks, rows }: { hooks: RunHooks; rows: RowWriter }): Steps<Written> {
  const { changes, runNo, task } = commit
  const added = changes.pages.length + (task?.kept ?? 0)
  const kept = commit.kept + added
  const eventSeq = commit.eventSeq + changes.pages.length + changes.feed.length
  const run = yield* fenceOff(commit, added, eventSeq, at)
  if (run === undefined) return yield* whyRefused(commit)
  yield* writeRows(rows, commit, at)
  if (task?.results !== undefined) yield* writeResults(rows, runNo, task.results)
  const used = task?.used ?? null
  if (added > 0 || used !== null) yield* hooks.onCommit({ runNo, ...run, added, used })
  const done = { kind: 'done' as const, commitNo: commit.commitNo + 1, kept }
  if (commit.ending === null) return { ...done, status: 'running', eventSeq }
  const ending = yield* endingOfRun(commit.ending, runNo, kept)
  return { ...done, ...(yield* endRun({ runNo, ending, at, isOwner: true, used }, hooks))! }
}

/** Writes URLs, pages and feed lines. */
export function* writeRows(rows: RowWriter, commit: RunCommit, at: number): Steps<void> {
  const { changes, eventSeq, runNo } = commit
  yield* rows.insertUrls(runNo, changes.added)
  yield* rows.updateUrls(runNo, changes)
  yield* rows.insertPages(commit, at)
  yield* writeFeed(runNo, eventSeq + changes.pages.length, changes.feed)
}

/** Updates the counters for this commit, which proves that the run still belongs to its owner. */
function fenceOff(
  { changes, commitNo, ending, runNo, token, workedMs }: RunCommit,
  added: number,
  eventSeq: number,
  at: number,
): Steps<{ teamId: string; kind: string } | undefined> {
  // A run that makes progress is no longer suspected of having crashed the engine.
  const crashes = added + changes.settled.length > 0 ? ', crashes = 0' : ''
  return one(
    `UPDATE run SET kept = kept + ?, failed = failed + ?, known = known + ?, settled = settled + ?, event_seq = ?, updated_at = ?,
      lease_until = ?, worked_ms = ?, commit_no = commit_no + 1${crashes}
      WHERE no = ? AND token = ? AND commit_no = ? AND status = ? AND ended_at IS NULL AND (kind <> 'crawl' OR kept + ? <= page_limit)
      RETURNING team_id AS "teamId", kind`,
    added,
    changes.failed,
    changes.added.length,
    newOutcomes(changes),
    eventSeq,
    at,
    at + LEASE_MS,
    Math.round(workedMs),
    runNo,
    token,
    commitNo,
    ending?.status === 'canceled' ? 'canceling' : 'running',
    added,
  )
}

function* whyRefused(commit: RunCommit): Steps<Written> {
  const run = yield* one<RunOfRefused>(
    'SELECT status, token, commit_no AS "commitNo", kept, event_seq AS "eventSeq" FROM run WHERE no = ?',
    commit.runNo,
  )
  return refusalOf(run, commit)
}

function* writeResults(rows: RowWriter, runNo: number, { document, replacesUrls = false, urls = [] }: TaskResults): Steps<void> {
  if (document !== undefined)
    yield* change(
      'INSERT INTO search_result (run_no, items) VALUES (?, ?) ON CONFLICT (run_no) DO UPDATE SET items = excluded.items',
      runNo,
      JSON.stringify(document),
    )
  if (replacesUrls) yield* change('DELETE FROM sitemap_url WHERE run_no = ?', runNo)
  yield* rows.insertTaskUrls(runNo, urls)
}

/** @param kept  pages of the run, with those of this commit */
export function* endingOfRun(ending: NonNullable<RunCommit['ending']>, runNo: number, kept: number): Steps<RunEnding> {
  const mayFail = ending.ifNothingFetched !== undefined && kept === 0
  const seeds = mayFail
    ? yield* all<{ outcome: string | null }>('SELECT outcome FROM run_url WHERE run_no = ? AND is_seed = 1', runNo)
    : null
  return endingOf(ending, seeds)
}
