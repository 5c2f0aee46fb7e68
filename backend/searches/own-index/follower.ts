/**
 * Makes the index follow the stored pages: the cursor of each run moves in the transaction that writes its rows, so that after a
 * crash at any line a page is in the index exactly once.
 *
 * Ordinals of a run's pages are dense and committed in order by one owner, so "behind ordinal n" misses none. Work comes in steps of
 * a few dozen pages; the caller decides about the pause between them. Owners of teams get equal parts of the time, however many crawls
 * each has waiting (`crawler/engine/time-shared-queue.ts`); the runs of one owner take turns.
 */
import { createTimeSharedQueue } from '#backend/crawler/engine/time-shared-queue.ts'
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import { shareOfTeam } from '#backend/platform/database/share-of-team.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import { dropTeam, foldPage, releaseFreeSpace, teamTables, wordRows } from './index-file.ts'
import type { FoldedText } from './index-file.ts'
import { pageText } from './page-text.ts'
import { languageOf, placeOf, storedPages } from './stored-pages.ts'
import type { StoredPage } from './stored-pages.ts'

const PAGES_PER_READ = 32
const BYTES_PER_STEP = 1_500_000
const REMOVED_PER_STEP = 100

type RunRow = { no: number; id: string; teamId: string; share: string; kept: number; endedAt: number | null; deletedAt: number | null }
type Followed = { no: number; id: string; teamNo: number; ordinal: number }
/** A run with pages to add, or whose pages are to be removed. */
type Work = { runNo: number; isRemoval: boolean }
type Version = { no: number; isNewest: number; createdAt: number }

export type Follower = ReturnType<typeof createFollower>

/**
 * @param pages  connection to the database; only read
 * @param index  connection to the index, as `openIndex` gives it
 * @param usedMs  the clock by which shares are charged: milliseconds of a core that this process has used
 */
export function createFollower({
  pages,
  index,
  usedMs = coreMs,
}: {
  pages: SqliteConnection
  index: SqliteConnection
  usedMs?: () => number
}) {
  const stored = storedPages(pages)
  const read = {
    runsAfter: pages.prepare(runsWhere('no > ?')),
    run: pages.prepare(runsWhere('no = ?')),
    share: pages.prepare(`SELECT ${shareOfTeam('given.id')} AS share FROM (SELECT ? AS id) AS given`),
    deleted: pages.prepare('SELECT no FROM run WHERE deleted_at IS NOT NULL'),
  }
  const write = statements(index)
  const tables = new Map<number, ReturnType<typeof wordRows>>()
  /** Runs that may have pages which are not in the index yet. */
  const active = new Map<number, RunRow>()
  /** Runs whose pages are to be removed from the index. */
  const leaving = new Set<number>()
  /** Pending work by share. Each run is in it at most once to be added and once to be removed. */
  const waiting = createTimeSharedQueue<Work>()
  /** Runs that are in `waiting` to be added. */
  const toAdd = new Set<number>()
  let newestRun = 0
  let isFirstLook = true
  /** Pages were removed, so the file may have free space. */
  let hasRemoved = false
  return { look, hint, step, releaseSpace }

  /** Looks for new and deleted runs. The first call compares everything. */
  function look(): void {
    if (isFirstLook) compareAll()
    isFirstLook = false
    for (const run of read.runsAfter.all(newestRun) as RunRow[]) note(run)
    for (const no of active.keys()) hint(no)
    for (const { no } of read.deleted.all() as { no: number }[]) leave(no)
  }

  /** Called when a commit of this run was reported. */
  function hint(runNo: number): void {
    const run = read.run.get(runNo) as RunRow | undefined
    if (run === undefined) leave(runNo)
    else note(run)
  }

  function compareAll(): void {
    for (const { no, id, ordinal } of write.followed.all() as Followed[]) {
      const run = read.run.get(no) as RunRow | undefined
      // After a restored backup the number may belong to another run, or to an earlier state of the run.
      if (run === undefined || run.id !== id || run.kept < ordinal) leave(no)
    }
  }

  function note(run: RunRow): void {
    newestRun = Math.max(newestRun, run.no)
    if (run.deletedAt !== null) return leave(run.no)
    active.set(run.no, run)
    if (toAdd.has(run.no)) return
    toAdd.add(run.no)
    waiting.push(run.share, { runNo: run.no, isRemoval: false })
  }

  function leave(runNo: number): void {
    active.delete(runNo)
    if (leaving.has(runNo)) return
    const followed = write.followedRun.get(runNo) as Followed | undefined
    if (followed === undefined) return
    leaving.add(runNo)
    // Removals go before additions of the same share. The run's row may be deleted already, so the index says which team it belonged to.
    const { id: teamId } = write.team.get(followed.teamNo) as { id: string }
    const { share } = read.share.get(teamId) as { share: string }
    waiting.putBack(share, { runNo, isRemoval: true })
  }

  /** Does one step of the work: returns how many pages it added and removed, null when everything is done. */
  function step(): { added: number; removed: number } | null {
    for (let turn = waiting.next(); turn !== null; turn = waiting.next()) {
      const done = doTurn(turn.share, turn.item)
      if (done !== null) return done
    }
    return null
  }

  /** Releases a part of the free space to the disk; false when no free space is left. */
  function releaseSpace(): boolean {
    if (hasRemoved) hasRemoved = releaseFreeSpace(index)
    return hasRemoved
  }

  /** Indexes one batch of a run and charges its share for the time; null when the run had nothing to index. */
  function doTurn(share: string, work: Work): { added: number; removed: number } | null {
    const from = usedMs()
    // Also after an error: the work that failed is still to be done.
    let isLeft = true
    try {
      const done = work.isRemoval ? { added: 0, removed: removeSome(work.runNo) } : addTurn(work.runNo)
      isLeft = work.isRemoval ? leaving.has(work.runNo) : done !== null
      return done
    } finally {
      waiting.charge(share, usedMs() - from)
      if (!isLeft && !work.isRemoval) toAdd.delete(work.runNo)
      // A run with more pages goes behind the others of its share; a removal is finished first.
      if (isLeft && work.isRemoval) waiting.putBack(share, work)
      else if (isLeft) waiting.push(share, work)
      waiting.done(share)
    }
  }

  function addTurn(runNo: number): { added: number; removed: number } | null {
    const run = active.get(runNo)
    // Waits while the former pages of this number are removed; the end of the removal queues the run again.
    if (run === undefined || leaving.has(runNo)) return null
    const added = addSome(run)
    if (added > 0) return { added, removed: 0 }
    // A run that is still in progress is checked again with the next hint or comparison.
    if (run.endedAt !== null) active.delete(runNo)
    return null
  }

  function addSome(run: RunRow): number {
    const from = (write.followedRun.get(run.no) as Followed | undefined)?.ordinal ?? 0
    const batch: { page: StoredPage; folded: FoldedText }[] = []
    let bytes = 0
    while (bytes < BYTES_PER_STEP) {
      const some = stored.after(run.no, from + batch.length, PAGES_PER_READ)
      for (const page of some) {
        bytes += page.rawBytes
        batch.push({ page, folded: foldPage(pageText(page, page.document)) })
      }
      if (some.length < PAGES_PER_READ) break
    }
    if (batch.length === 0) return 0
    return index
      .transaction(() => {
        const followed = write.followedRun.get(run.no) as Followed | undefined
        // Another process has added pages meanwhile. It is being replaced and does not know it yet.
        if ((followed?.ordinal ?? 0) !== from) return 1
        // The run was deleted while its pages were read. Checked inside the transaction, so that `still-followed.ts` cannot be told "no"
        // before this is committed.
        if (!isThere(run.no)) return 0
        const teamNo = teamTables(index, run.teamId)
        for (const { page, folded } of batch) add(teamNo, page, folded)
        write.follow.run(run.no, run.id, teamNo, batch.at(-1)!.page.no - run.no * PAGES_PER_RUN)
        return batch.length
      })
      .immediate()
  }

  function isThere(runNo: number): boolean {
    const run = read.run.get(runNo) as RunRow | undefined
    return run !== undefined && run.deletedAt === null
  }

  function add(teamNo: number, page: StoredPage, folded: FoldedText): void {
    const { host, path, key } = placeOf(page.url)
    const before = write.newest.get(teamNo, key) as Version | undefined
    const isNewest =
      before === undefined || before.createdAt < page.createdAt || (before.createdAt === page.createdAt && before.no < page.no)
    if (before !== undefined && isNewest) changePlace(teamNo, before.no, false)
    rowsOf(teamNo).insert({ no: page.no, isNewest }, folded)
    write.add.run(page.no, teamNo, key, host, path, languageOf(page.language), page.createdAt, isNewest ? 1 : 0)
  }

  /** Moves a version of a page from the newest to the replaced ones, or back. The index stores no text, so the text is read again. */
  function changePlace(teamNo: number, no: number, isNewest: boolean): void {
    rowsOf(teamNo).remove({ no, isNewest: !isNewest })
    const page = stored.one(no)
    if (page === null) return void write.remove.run(no)
    rowsOf(teamNo).insert({ no, isNewest }, foldPage(pageText(page, page.document)))
    write.setNewest.run(isNewest ? 1 : 0, no)
  }

  function removeSome(runNo: number): number {
    hasRemoved = true
    return index
      .transaction(() => {
        const first = runNo * PAGES_PER_RUN
        const some = write.pagesOf.all(first, first + PAGES_PER_RUN, REMOVED_PER_STEP) as (Version & { teamNo: number; key: number })[]
        for (const { no, teamNo, key, isNewest } of some) {
          rowsOf(teamNo).remove({ no, isNewest: isNewest === 1 })
          write.remove.run(no)
          if (isNewest === 1) promote(teamNo, key)
        }
        if (some.length < REMOVED_PER_STEP) endOf(runNo)
        return some.length
      })
      .immediate()
  }

  /** The version before the removed one is the newest again, unless its run is removed too. */
  function promote(teamNo: number, key: number): void {
    for (const { no } of write.versions.all(teamNo, key) as Version[]) {
      if (leaving.has(Math.floor(no / PAGES_PER_RUN))) continue
      return changePlace(teamNo, no, true)
    }
  }

  function endOf(runNo: number): void {
    const { teamNo } = write.followedRun.get(runNo) as Followed
    write.unfollow.run(runNo)
    leaving.delete(runNo)
    if (write.runOfTeam.get(teamNo) === undefined) {
      tables.delete(teamNo)
      dropTeam(index, teamNo)
    }
    // The number may belong to another run by now.
    hint(runNo)
  }

  function rowsOf(teamNo: number) {
    let rows = tables.get(teamNo)
    if (rows === undefined) tables.set(teamNo, (rows = wordRows(index, teamNo)))
    return rows
  }
}

function coreMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const runsWhere = (condition: string) =>
  `SELECT no, id, team_id AS teamId, ${shareOfTeam('run.team_id')} AS share, kept, ended_at AS endedAt, deleted_at AS deletedAt FROM run WHERE ${condition} ORDER BY no`

function statements(index: SqliteConnection) {
  const of = (sql: string) => index.prepare(sql)
  const version = 'SELECT no, is_newest AS isNewest, created_at AS createdAt FROM page WHERE team_no = ? AND address_key = ?'
  return {
    followed: of('SELECT no, id, team_no AS teamNo, ordinal FROM run'),
    followedRun: of('SELECT no, id, team_no AS teamNo, ordinal FROM run WHERE no = ?'),
    follow: of('INSERT INTO run (no, id, team_no, ordinal) VALUES (?, ?, ?, ?) ON CONFLICT (no) DO UPDATE SET ordinal = excluded.ordinal'),
    unfollow: of('DELETE FROM run WHERE no = ?'),
    team: of('SELECT id FROM team WHERE no = ?'),
    runOfTeam: of('SELECT 1 FROM run WHERE team_no = ? LIMIT 1'),
    newest: of(`${version} AND is_newest = 1 ORDER BY created_at DESC, no DESC LIMIT 1`),
    versions: of(`${version} ORDER BY created_at DESC, no DESC`),
    add: of('INSERT INTO page (no, team_no, address_key, host, path, language, created_at, is_newest) VALUES (?, ?, ?, ?, ?, ?, ?, ?)'),
    setNewest: of('UPDATE page SET is_newest = ? WHERE no = ?'),
    remove: of('DELETE FROM page WHERE no = ?'),
    pagesOf: of(
      'SELECT no, team_no AS teamNo, address_key AS key, is_newest AS isNewest, created_at AS createdAt FROM page WHERE no > ? AND no < ? ORDER BY no LIMIT ?',
    ),
  }
}
