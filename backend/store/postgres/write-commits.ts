/** Writes commits into PostgreSQL: one transaction for a group of runs, and few statements for the rows of each. */
import { newOutcomes } from '../commit-rules.ts'
import type { Written as WrittenRun } from '../commit-rules.ts'
import { commitGroup, endingOfRun, writeRows, writeRun } from '../commit-runs.ts'
import type { RowWriter } from '../commit-runs.ts'
import { endRun } from '../end-run.ts'
import type { RunHooks } from '../run-hooks.ts'
import { LEASE_MS } from '../run-store.ts'
import type { CommitResult, HostChanges, RunCommit } from '../run-store.ts'
import { partOf, wholeRun } from '../run-parts.ts'
import type { PartState, RunPart } from '../run-parts.ts'
import { rowWriter } from './commit-rows.ts'
import type { HostRows } from './host-rows.ts'
import { closePart, openPart, storedChanges } from './part-commits.ts'
import type { FreePart } from './run-part-rows.ts'
import type { Session, Sessions } from './session.ts'

type Written = WrittenRun & { part?: PartState }

export function createCommitWriter(needs: {
  sessions: Sessions
  hosts: HostRows
  hooks: RunHooks
  now: () => number
  newId: () => string
  makeJob: (session: Session, part: FreePart) => Promise<number>
}) {
  const { hooks, hosts, newId, now, sessions } = needs
  return { commit }

  function commit(group: readonly RunCommit[], changes?: HostChanges): Promise<CommitResult[]> {
    return commitGroup(group, changes, inTransaction)
  }

  async function inTransaction(group: readonly RunCommit[], changes: HostChanges): Promise<CommitResult[]> {
    if (group.length === 0 && changes.hosts.length + changes.robots.length === 0) return []
    const nos = await hosts.numbers(keysIn(group, changes))
    const rows = rowWriter(nos, newId)
    const write = async (session: Session) => {
      const at = now()
      const results: CommitResult[] = []
      // Engines that work on the same runs lock them in one order, and never wait for each other in a circle.
      const order = [...group.keys()].toSorted((one, other) => wholeRun(group[one]!.runNo) - wholeRun(group[other]!.runNo))
      for (const index of order) {
        const part = group[index]!
        const startedAt = performance.now()
        const cut = partOf(part.runNo)
        const written = await (cut === null ? session.steps(writeRun(part, at, { hooks, rows })) : writePart(session, cut, part, rows, at))
        results[index] = { ...written, runNo: part.runNo, tookMs: performance.now() - startedAt }
      }
      await hosts.write(session, changes, nos)
      return results
    }
    return sessions.transaction(write, { endsRuns: group.some(({ ending }) => ending !== null) })
  }

  /** Like `writeRun`, for a part: the numbers of pages and events continue those of the other parts. */
  async function writePart(session: Session, cut: RunPart, commit: RunCommit, rows: RowWriter, at: number): Promise<Written> {
    const { runNo } = cut
    const added = commit.changes.pages.length
    const opening = await openPart(session, cut, commit, added, at + LEASE_MS)
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
    await session.steps(writeRows(rows, part, at))
    if (added > 0) await session.steps(hooks.onCommit({ runNo, teamId: opened.teamId, kind: opened.kind, added, used: null }))
    const done = { kind: 'done' as const, commitNo, kept: opened.partKept }
    if (part.ending === null)
      return { ...done, status: 'running', eventSeq, part: await closePart(session, cut, opened, kept, commit, needs) }
    const ending = await session.steps(endingOfRun(part.ending, runNo, kept))
    return { ...done, ...(await session.steps(endRun({ runNo, ending, at, isOwner: true }, hooks)))! }
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
