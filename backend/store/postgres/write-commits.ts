/** Writes what runs have done: one transaction for a group of them, each part fenced by its token and the number of its commit. */
import { isTrouble } from '#backend/platform/database/trouble.ts'
import { endingOf, newOutcomes, refusalOf } from '../commit-rules.ts'
import type { RunOfRefused, Written as WrittenRun } from '../commit-rules.ts'
import { endRun } from '../end-run.ts'
import { writeFeed } from '../feed-steps.ts'
import type { RunHooks } from '../run-hooks.ts'
import type { CommitResult, HostChanges, RunCommit, RunEnding } from '../run-store.ts'
import { partOf, wholeRun } from '../run-parts.ts'
import type { PartState, RunPart } from '../run-parts.ts'
import { insertPages, insertUrls, updateUrls, writeResults } from './commit-rows.ts'
import type { HostNumbers, HostRows } from './host-rows.ts'
import { closePart, openPart, storedChanges } from './part-commits.ts'
import type { FreePart } from './run-part-rows.ts'
import type { Session, Sessions } from './session.ts'

type Written = WrittenRun & { part?: PartState }
type Fence = { teamId: string; kind: string }

const NO_CHANGES: HostChanges = { hosts: [], robots: [] }

export function createCommitWriter(needs: {
  sessions: Sessions
  hosts: HostRows
  hooks: RunHooks
  leaseMs: number
  now: () => number
  newId: () => string
  makeJob: (session: Session, part: FreePart) => Promise<number>
}) {
  const { hooks, hosts, leaseMs, newId, now, sessions } = needs
  return { commit }

  async function commit(group: readonly RunCommit[], changes: HostChanges = NO_CHANGES): Promise<CommitResult[]> {
    try {
      return await inTransaction(group, changes)
    } catch (fault) {
      if (isTrouble(fault)) throw fault
    }
    // One run's part cannot be written: each gets a transaction of its own, so that a broken one does not harm the others.
    await inTransaction([], changes)
    const results: CommitResult[] = []
    for (const part of group) {
      const startedAt = performance.now()
      try {
        results.push((await inTransaction([part], NO_CHANGES))[0]!)
      } catch (fault) {
        if (isTrouble(fault)) throw fault
        results.push({ kind: 'broken', fault, runNo: part.runNo, tookMs: performance.now() - startedAt })
      }
    }
    return results
  }

  async function inTransaction(group: readonly RunCommit[], changes: HostChanges): Promise<CommitResult[]> {
    if (group.length === 0 && changes.hosts.length + changes.robots.length === 0) return []
    const nos = await hosts.numbers(keysIn(group, changes))
    const write = async (session: Session) => {
      const at = now()
      const results: CommitResult[] = []
      // Engines that work on the same runs lock them in one order, and never wait for each other in a circle.
      const order = [...group.keys()].toSorted((one, other) => wholeRun(group[one]!.runNo) - wholeRun(group[other]!.runNo))
      for (const index of order) {
        const part = group[index]!
        const startedAt = performance.now()
        const cut = partOf(part.runNo)
        const written = await (cut === null ? writeRun(session, part, nos, at) : writePart(session, cut, part, nos, at))
        results[index] = { ...written, runNo: part.runNo, tookMs: performance.now() - startedAt }
      }
      await hosts.write(session, changes, nos)
      return results
    }
    return sessions.transaction(write, { endsRuns: group.some(({ ending }) => ending !== null) })
  }

  async function writeRun(session: Session, part: RunCommit, nos: HostNumbers, at: number): Promise<Written> {
    const { changes, runNo, task } = part
    const pages = changes.pages.length
    const added = pages + (task?.kept ?? 0)
    const kept = part.kept + added
    const eventSeq = part.eventSeq + pages + changes.feed.length
    const fence = await fenceOff(session, part, added, eventSeq, at)
    if (fence === null) return whyRefused(session, part)
    await insertUrls(session, runNo, changes.added, nos)
    await updateUrls(session, runNo, changes, nos)
    await insertPages(session, part, { at, newId })
    await session.steps(writeFeed(runNo, part.eventSeq + pages, changes.feed))
    if (task?.results !== undefined) await writeResults(session, runNo, task.results)
    const used = task?.used ?? null
    if (added > 0 || used !== null) await session.steps(hooks.onCommit({ runNo, ...fence, added, used }))
    const done = { kind: 'done' as const, commitNo: part.commitNo + 1, kept }
    if (part.ending === null) return { ...done, status: 'running', eventSeq }
    const ending = await endingOfRun(session, part.ending, runNo, kept)
    const ended = (await session.steps(endRun({ runNo, ending, at, isOwner: true, used }, hooks)))!
    return { ...done, ...ended }
  }

  /** Like `writeRun`, for a part: the numbers of pages and events continue those of the other parts. */
  async function writePart(session: Session, cut: RunPart, commit: RunCommit, nos: HostNumbers, at: number): Promise<Written> {
    const { runNo } = cut
    const added = commit.changes.pages.length
    const opening = await openPart(session, cut, commit, added, at + leaseMs)
    const commitNo = commit.commitNo + 1
    if (opening.kind === 'lost') return opening
    if (opening.kind === 'again') return { ...opening, kind: 'done', status: 'running', commitNo }
    const { opened } = opening
    const part: RunCommit = { ...commit, runNo, kept: opened.kept, eventSeq: opened.eventSeq, changes: storedChanges(cut, commit.changes) }
    const { changes } = part
    const kept = opened.kept + added
    const eventSeq = opened.eventSeq + added + changes.feed.length
    await session.run(
      `UPDATE run SET kept = ?, failed = failed + ?, known = known + ?, settled = settled + ?, event_seq = ?, updated_at = ? WHERE no = ?`,
      kept,
      changes.failed,
      changes.added.length,
      newOutcomes(changes),
      eventSeq,
      at,
      runNo,
    )
    await insertUrls(session, runNo, changes.added, nos)
    await updateUrls(session, runNo, changes, nos)
    await insertPages(session, part, { at, newId })
    await session.steps(writeFeed(runNo, opened.eventSeq + added, changes.feed))
    if (added > 0) await session.steps(hooks.onCommit({ runNo, teamId: opened.teamId, kind: opened.kind, added, used: null }))
    const done = { kind: 'done' as const, commitNo, kept: opened.partKept }
    if (part.ending === null)
      return { ...done, status: 'running', eventSeq, part: await closePart(session, cut, opened, kept, commit, needs) }
    const ending = await endingOfRun(session, part.ending, runNo, kept)
    return { ...done, ...(await session.steps(endRun({ runNo, ending, at, isOwner: true }, hooks)))! }
  }

  /** Updates the counters for this commit, which proves that the run still belongs to its owner. */
  async function fenceOff(
    { get }: Session,
    { changes, commitNo, ending, runNo, token, workedMs }: RunCommit,
    added: number,
    eventSeq: number,
    at: number,
  ): Promise<Fence | null> {
    // A run that makes progress is no longer suspected of having crashed the engine.
    const isProgress = added + changes.settled.length > 0
    const fence = await get<Fence>(
      `UPDATE run SET kept = kept + ?, failed = failed + ?, known = known + ?, settled = settled + ?, event_seq = ?, updated_at = ?,
        lease_until = ?, worked_ms = ?, commit_no = commit_no + 1, crashes = CASE WHEN ?::boolean THEN 0 ELSE crashes END
        WHERE no = ? AND token = ? AND commit_no = ? AND status = ? AND ended_at IS NULL AND (kind <> 'crawl' OR kept + ? <= page_limit)
        RETURNING team_id AS "teamId", kind`,
      added,
      changes.failed,
      changes.added.length,
      newOutcomes(changes),
      eventSeq,
      at,
      at + leaseMs,
      Math.round(workedMs),
      isProgress,
      runNo,
      token,
      commitNo,
      ending?.status === 'canceled' ? 'canceling' : 'running',
      added,
    )
    return fence ?? null
  }

  async function whyRefused({ get }: Session, part: RunCommit): Promise<Written> {
    const run = await get<RunOfRefused>(
      'SELECT status, token, commit_no AS "commitNo", kept, event_seq AS "eventSeq" FROM run WHERE no = ?',
      part.runNo,
    )
    return refusalOf(run, part)
  }

  /** @param kept  pages of the run, with those of this commit */
  async function endingOfRun({ all }: Session, ending: NonNullable<RunCommit['ending']>, runNo: number, kept: number): Promise<RunEnding> {
    const mayFail = ending.ifNothingFetched !== undefined && kept === 0
    const seeds = mayFail
      ? await all<{ outcome: string | null }>('SELECT outcome FROM run_url WHERE run_no = ? AND is_seed = 1', runNo)
      : null
    return endingOf(ending, seeds)
  }
}

/** Every host that the rows of a group will name. */
function* keysIn(group: readonly RunCommit[], { hosts, robots }: HostChanges): Generator<string> {
  for (const { changes } of group) {
    for (const { hostKey } of changes.added) if (hostKey !== null) yield hostKey
    for (const { hostKey } of changes.closer.values()) if (hostKey !== null) yield hostKey
  }
  for (const { hostKey } of hosts) yield hostKey
  for (const { hostKey } of robots) yield hostKey
}
