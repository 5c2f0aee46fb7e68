/**
 * Writes what the runs of this engine have done: about thirty pages share one transaction, so that one wait for the disk serves
 * them all.
 *
 * A commit holds everything about its pages: rows, bodies, ends of URLs, new URLs, counters, credits, feed. Each run's part is fenced
 * by the run's token: whoever has lost a run changes no row, and is told so. After a commit, and only then, its numbers count.
 */
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import { isTrouble } from '#backend/platform/database/trouble.ts'
import type { FeedType, RunStatus } from '#contract/runs.ts'
import { noChanges } from './changes.ts'
import { divideRows, ROWS_PER_COMMIT } from './commit-space.ts'
import { createFairShares } from './fair-shares.ts'
import type { AddedUrl, RunChanges } from './changes.ts'
import { createFeedWriter } from './feed-writer.ts'
import type { Hosts } from './hosts.ts'
import { NOT_FETCHED, endOfWaiting } from './outcomes.ts'

const PAGES_PER_COMMIT = 30
const BYTES_PER_COMMIT = 4 * 1024 * 1024
const LONGEST_WAIT_MS = 20
const PAGES_PER_RUN = 2 ** 24
/** Space on a disk comes back at any moment, and a try costs next to nothing. */
const LONGEST_BACK_OFF_MS = 5000
/** Rows that still wait when a run ends get their outcome in its last commit up to here; the rest follows in batches. */
const SWEEP_AT_END = 20_000
const SWEEP_BITE = 5000
export const LEASE_MS = 15_000

/** How a run is to end. `failed` may still come of it: when nothing was kept and no start URL could be fetched. */
export type Ending = { status: 'finished' | 'canceled'; reason: string; type: FeedType; message: (kept: number) => string }
const NOT_STARTED = 'The crawl failed: none of its start URLs could be fetched'

/** What the committer knows of a run; the run's owner holds it and keeps `changes` up to date. */
export type OpenRun = {
  no: number
  teamId: string
  /** Opaque key: runs with the same one divide a part of the engine between them. */
  share: string
  token: number
  pageLimit: number
  /** As committed. */
  kept: number
  eventSeq: number
  /** Milliseconds that its owners have worked on it, this one included. */
  workedMs: () => number
  changes: RunChanges
  ending: Ending | null
  /** The commit has happened; `status` as it now stands. */
  committed(status: RunStatus): void
  /** The run is no longer ours, or its part cannot be written: its memory is worthless. */
  lost(why: 'canceling' | 'taken' | 'broken', fault?: unknown): void
}

/** What of a run waits for a commit. */
type Waiting = { pages: number; bytes: number; rows: number }
/** A run in a commit, with the new URLs that it may write: fewer than it has, and nothing else of it is written. */
type Part = { run: OpenRun; share: string; rows: number }

export type Hint = { runNo: number; eventSeq: number; status: RunStatus }

export type Committer = ReturnType<typeof createCommitter>

export function createCommitter(needs: {
  connection: SqliteConnection
  hosts: Hosts
  now: () => number
  newId: () => string
  /** True when nothing is in hand that could join the next commit: then it need not wait. */
  isQuiet: () => boolean
  publish: (hints: Hint[]) => void
  /** These runs are at work until the returned function is called. */
  atWork?: (runNos: number[]) => () => void
  /** A commit has ended, well or not. */
  after: () => void
  report: (message: string, fault: unknown) => void
  /** The database refuses to be written, or takes what is written again. */
  onStuck?: (isStuck: boolean) => void
  /** Told how many milliseconds of a commit were spent on a share. */
  spent?: (share: string, ms: number) => void
}) {
  const {
    connection,
    hosts,
    now,
    newId,
    isQuiet,
    publish,
    after,
    report,
    atWork = () => () => undefined,
    onStuck = () => undefined,
    spent = () => undefined,
  } = needs
  const write = statements(connection)
  const writeFeed = createFeedWriter(connection)
  const dirty = new Map<OpenRun, Waiting>()
  const waiting = { pages: createFairShares(), bytes: createFairShares(), rows: createFairShares() }
  let timer: NodeJS.Timeout | undefined
  let immediate: NodeJS.Immediate | undefined
  let firstAt = 0
  let averageMs = 0
  let lastEndedAt = -Infinity
  let faultsInRow = 0
  /** Runs whose changes could not be written, with the instant and the reason of the first failure: their feed will tell. */
  const held = new Map<OpenRun, { since: number; because: string }>()
  // The last commit had no space for all.
  let hasRest = false
  return {
    touch,
    flush,
    sweep,
    close,
    /** Pages, bytes of their bodies, and new URLs that wait to be written: of all shares, and of each. */
    waiting,
    /** The database refuses to be written; nothing is lost, and nothing more should be fetched. */
    get isStuck() {
      return faultsInRow > 0
    },
  }

  /** Something of the run waits to be written. */
  function touch(run: OpenRun, pages = 0, bytes = 0) {
    if (dirty.size === 0) firstAt = performance.now()
    let waits = dirty.get(run)
    if (waits === undefined) dirty.set(run, (waits = { pages: 0, bytes: 0, rows: 0 }))
    count(run.share, waits, { pages: waits.pages + pages, bytes: waits.bytes + bytes, rows: run.changes.added.length })
    schedule(run.ending !== null)
  }

  function count(share: string, waits: Waiting, to: Waiting) {
    for (const kind of ['pages', 'bytes', 'rows'] as const) {
      if (to[kind] === waits[kind]) continue
      waiting[kind].change(share, to[kind] - waits[kind])
      waits[kind] = to[kind]
    }
  }

  function schedule(isUrgent: boolean) {
    if (immediate !== undefined || faultsInRow > 0) return
    const sinceEnd = performance.now() - lastEndedAt
    // A pause as long as a commit takes leaves the lock to the API for half of the time on any disk.
    const isFull =
      waiting.pages.total >= PAGES_PER_COMMIT || waiting.bytes.total >= BYTES_PER_COMMIT || waiting.rows.total >= ROWS_PER_COMMIT
    if ((isUrgent || isFull || isQuiet()) && sinceEnd >= averageMs) {
      clearTimeout(timer)
      timer = undefined
      immediate = setImmediate(flushGroup)
      return
    }
    timer ??= setTimeout(
      flushGroup,
      Math.max(averageMs - sinceEnd, isFull || isUrgent ? 0 : LONGEST_WAIT_MS - (performance.now() - firstAt), 0),
    )
  }

  /** Writes everything that waits, now. */
  function flush() {
    writeParts([...dirty.keys()].map((run) => ({ run, share: run.share, rows: Infinity })))
  }

  /** Writes what waits, of new URLs no more than one commit has space for. */
  function flushGroup() {
    const runs = [...dirty].map(([run, { rows }]) => ({ run, share: run.share, rows }))
    if (waiting.rows.total <= ROWS_PER_COMMIT) return flush()
    const given = divideRows(runs)
    writeParts(runs.map((each) => ({ ...each, rows: given.get(each)! })))
  }

  function writeParts(parts: Part[]) {
    clearTimeout(timer)
    if (immediate !== undefined) clearImmediate(immediate)
    timer = immediate = undefined
    if (parts.length === 0 && !hosts.hasChanges()) return
    const startedAt = performance.now()
    const trouble = writeAll(parts)
    lastEndedAt = performance.now()
    if (trouble === null) {
      if (faultsInRow > 0) onStuck(false)
      faultsInRow = 0
      averageMs = averageMs * 0.8 + (lastEndedAt - startedAt) * 0.2
      if (hasRest) schedule(true)
    } else {
      for (const { run } of parts) if (!held.has(run)) held.set(run, { since: now(), because: reasonOf(trouble) })
      backOff(trouble)
    }
    after()
  }

  /** Nothing of the run waits any more, written or not. */
  function leave(run: OpenRun) {
    const waits = dirty.get(run)
    if (waits === undefined) return
    count(run.share, waits, { pages: 0, bytes: 0, rows: 0 })
    dirty.delete(run)
  }

  /** Null when all is written or given up; the fault when the machine is in trouble and it must be tried again. */
  function writeAll(parts: Part[]): unknown {
    try {
      commit(parts)
      return null
    } catch (fault) {
      if (isTrouble(fault)) return fault
    }
    // One run's part cannot be written: each gets a transaction of its own, so that a sick one cannot harm the others.
    for (const part of parts) {
      try {
        commit([part])
      } catch (fault) {
        if (isTrouble(fault)) return fault
        leave(part.run)
        part.run.lost('broken', fault)
      }
    }
    return null
  }

  function backOff(fault: unknown) {
    faultsInRow += 1
    if (faultsInRow === 1) {
      onStuck(true)
      report('the database cannot be written; nothing is lost, and it is tried again every few seconds', fault)
    }
    timer = setTimeout(flushGroup, Math.min(1000 * 2 ** (faultsInRow - 1), LONGEST_BACK_OFF_MS))
  }

  function commit(parts: Part[]) {
    const at = now()
    const results: { run: OpenRun; status: RunStatus; eventSeq: number; kept: number }[] = []
    const begun: Part[] = []
    const refused: { run: OpenRun; why: 'canceling' | 'taken' }[] = []
    let isRolledBack = true
    const ended = atWork(parts.map(({ run }) => run.no))
    try {
      write.begin.run()
      for (const part of parts) {
        const { run, rows } = part
        const startedAt = performance.now()
        const isPart = rows < run.changes.added.length
        const written = isPart ? writeUrls(run, rows, at) : writeRun(run, at)
        spent(run.share, performance.now() - startedAt)
        if (typeof written === 'string') refused.push({ run, why: written })
        else if (written === null) begun.push(part)
        else results.push({ run, ...written })
      }
      hosts.write()
      write.commit.run()
      isRolledBack = false
    } finally {
      if (isRolledBack && connection.inTransaction) write.rollback.run()
      hosts.rollBack(isRolledBack)
      ended()
    }
    for (const { run, kept, eventSeq } of results) {
      leave(run)
      run.kept = kept
      run.eventSeq = eventSeq
      run.changes = noChanges()
      held.delete(run)
    }
    hasRest = begun.length > 0
    for (const { run, rows } of begun) {
      const waits = dirty.get(run)!
      run.changes.added = run.changes.added.slice(rows)
      count(run.share, waits, { ...waits, rows: run.changes.added.length })
      // Behind the others of its share.
      dirty.delete(run)
      dirty.set(run, waits)
    }
    for (const { run } of refused) {
      leave(run)
      held.delete(run)
    }
    publish(results.map(({ run, status, eventSeq }) => ({ runNo: run.no, eventSeq, status })))
    for (const { run, status } of results) run.committed(status)
    for (const { run, why } of refused) run.lost(why)
  }

  /**
   * Writes the first new URLs of a run and nothing else. Its pages follow when all URLs are written: after a crash in between a page is
   * fetched again, and its links are known already. Null: written.
   */
  function writeUrls(run: OpenRun, rows: number, at: number): null | 'canceling' | 'taken' {
    if (rows === 0) return null
    const some = run.changes.added.slice(0, rows)
    const refusal = fenceOff(run, at, { kept: 0, failed: 0, added: rows, settled: countListed(some), eventSeq: run.eventSeq, progress: 0 })
    if (refusal !== null) return refusal
    for (const url of some) insertUrl(run.no, url)
    return null
  }

  function writeRun(run: OpenRun, at: number): { status: RunStatus; eventSeq: number; kept: number } | 'canceling' | 'taken' {
    const { changes, ending } = run
    const listed = countListed(changes.added)
    const kept = run.kept + changes.pages.length
    const feed = [...changes.feed, ...waitLine(run, at)]
    // An ending has a feed line of its own, and the terminal event has the last number.
    const eventSeq = run.eventSeq + changes.pages.length + feed.length + (ending === null ? 0 : 2)
    const refusal = fenceOff(run, at, {
      kept: changes.pages.length,
      failed: changes.failed,
      added: changes.added.length,
      settled: changes.settled.length + listed - changes.reopened,
      eventSeq,
      // Whoever gets on is no longer suspected of having brought an engine down.
      progress: changes.pages.length + changes.settled.length,
    })
    if (refusal !== null) return refusal

    for (const url of changes.added) insertUrl(run.no, url)
    for (const [seq, title] of changes.retitled) write.retitle.run(title, run.no, seq)
    for (const [seq, { depth, host, hops, isSeed }] of changes.closer) {
      if (host === null) write.closer.run(depth, run.no, seq)
      else write.reopen.run(depth, hosts.number(host), hops, isSeed ? 1 : 0, run.no, seq)
    }
    // Retries first: one that was due at once may have ended by now.
    for (const { seq, tries, dueAt } of changes.retries) write.retry.run(tries, Math.round(dueAt), run.no, seq)
    for (const url of changes.settled)
      write.settle.run(url.outcome, url.detail, url.httpStatus, url.bytes, url.tookMs, url.tries, run.no, url.seq)
    let seq = run.eventSeq
    let ordinal = run.kept
    for (const page of changes.pages) {
      seq += 1
      ordinal += 1
      const no = run.no * PAGES_PER_RUN + ordinal
      write.page.run(
        no,
        newId(),
        run.no,
        page.hi,
        page.lo,
        page.url,
        page.title,
        page.httpStatus,
        page.contentType,
        page.language,
        page.contentHash,
        seq,
        at,
      )
      write.body.run(no, page.encoding, page.rawBytes, page.body)
    }
    const isFailed = ending?.status === 'finished' && kept === 0 && nothingWasFetched(run.no)
    if (ending !== null) {
      const line = isFailed ? { type: 'error' as const, message: NOT_STARTED } : { type: ending.type, message: ending.message(kept) }
      feed.push({ ...line, at, metadata: {} })
    }
    writeFeed(run.no, seq, feed)
    if (changes.pages.length > 0) {
      write.credit.run(changes.pages.length, run.no)
      write.usage.run(run.teamId, new Date(at).toISOString().slice(0, 10), changes.pages.length, changes.pages.length)
    }
    const status = ending === null ? 'running' : end(run, ending, isFailed, at)
    return { status, eventSeq, kept }
  }

  /** What the feed of a run says, once its changes could be written after all. */
  function waitLine(run: OpenRun, at: number): RunChanges['feed'] {
    const waited = held.get(run)
    if (waited === undefined) return []
    const seconds = Math.max(1, Math.round((at - waited.since) / 1000))
    return [{ type: 'warning', message: `${waited.because}: the crawl waited ${seconds} s and goes on`, at, metadata: {} }]
  }

  /** Counts what is about to be written, unless the run is not ours any more. */
  function fenceOff(
    run: OpenRun,
    at: number,
    { added, eventSeq, failed, kept, progress, settled }: Record<'added' | 'eventSeq' | 'failed' | 'kept' | 'progress' | 'settled', number>,
  ): null | 'canceling' | 'taken' {
    const expected = run.ending?.status === 'canceled' ? 'canceling' : 'running'
    const fence = write.fence.run(
      kept,
      failed,
      added,
      settled,
      eventSeq,
      at,
      at + LEASE_MS,
      run.workedMs(),
      progress,
      run.no,
      run.token,
      expected,
      kept,
    )
    if (fence.changes > 0) return null
    return (write.status.get(run.no) as { status: string } | undefined)?.status === 'canceling' ? 'canceling' : 'taken'
  }

  function insertUrl(runNo: number, url: AddedUrl) {
    const hostNo = url.host === null ? 0 : hosts.number(url.host)
    write.url.run(
      runNo,
      url.seq,
      url.hi,
      url.lo,
      hostNo,
      url.rank,
      url.hops,
      url.outcome === null ? 0 : 3,
      url.outcome,
      url.detail,
      url.isSeed ? 1 : 0,
      url.url,
      url.title,
    )
  }

  /** The last statements of a run: waiting URLs, status, credits, job. */
  function end(run: OpenRun, ending: Ending, isFailed: boolean, at: number): RunStatus {
    const status = isFailed ? 'failed' : ending.status
    const swept = sweepOnce(run.no, endOfWaiting(status), SWEEP_AT_END)
    write.end.run(status, isFailed ? 'no_start_url' : ending.reason, at, swept, run.no)
    write.settleCredit.run(isFailed ? 1 : 0, run.no)
    write.dropJobs.run(`run:${run.no}:`, `run:${run.no};`)
    return status
  }

  function nothingWasFetched(runNo: number): boolean {
    const seeds = write.seeds.all(runNo) as { outcome: string | null }[]
    return seeds.every(({ outcome }) => outcome === 'redirected' || (outcome !== null && NOT_FETCHED.has(outcome)))
  }

  function sweepOnce(runNo: number, outcome: string, limit: number): number {
    return write.sweepPending.run(outcome, runNo, runNo, limit).changes + write.sweepWaiting.run(outcome, runNo, runNo, limit).changes
  }

  /** Gives an outcome to rows that still wait although their run has ended: one batch. False: nothing was left. */
  function sweep(): boolean {
    const run = write.unswept.get() as { no: number; status: string } | undefined
    if (run === undefined) return false
    return connection
      .transaction(() => {
        const changed = sweepOnce(run.no, endOfWaiting(run.status), SWEEP_BITE)
        // Nothing left to sweep: whatever the count said, all its URLs have ended.
        write.swept.run(changed, changed, run.no)
        return true
      })
      .immediate()
  }

  function close() {
    clearTimeout(timer)
    if (immediate !== undefined) clearImmediate(immediate)
  }
}

/** The reason as the feed of a run tells it. */
function reasonOf(fault: unknown): string {
  return (fault as { code?: string }).code === 'SQLITE_FULL' ? 'The disk of the server was full' : 'The database could not be written'
}

const countListed = (urls: AddedUrl[]) => urls.reduce((sum, { outcome }) => sum + (outcome === null ? 0 : 1), 0)

function statements(connection: SqliteConnection) {
  const of = (sql: string) => connection.prepare(sql)
  return {
    begin: of('BEGIN IMMEDIATE'),
    commit: of('COMMIT'),
    rollback: of('ROLLBACK'),
    fence:
      of(`UPDATE run SET kept = kept + ?, failed = failed + ?, known = known + ?, settled = settled + ?, event_seq = ?, updated_at = ?, lease_until = ?, worked_ms = ?,
      crashes = CASE WHEN ? > 0 THEN 0 ELSE crashes END
      WHERE no = ? AND token = ? AND status = ? AND kept + ? <= page_limit`),
    status: of('SELECT status FROM run WHERE no = ?'),
    url: of(
      'INSERT INTO run_url (run_no, seq, key_hi, key_lo, host_no, depth, hops, state, outcome, detail, is_seed, url, title) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    retitle: of('UPDATE run_url SET title = ? WHERE run_no = ? AND seq = ?'),
    closer: of('UPDATE run_url SET depth = ? WHERE run_no = ? AND seq = ? AND state < 2'),
    reopen: of(
      'UPDATE run_url SET depth = ?, host_no = ?, hops = ?, is_seed = max(is_seed, ?), state = 0, outcome = NULL, detail = NULL WHERE run_no = ? AND seq = ?',
    ),
    settle: of(
      'UPDATE run_url SET state = 2, due_at = NULL, outcome = ?, detail = ?, http_status = ?, bytes = ?, took_ms = ?, tries = ? WHERE run_no = ? AND seq = ?',
    ),
    retry: of('UPDATE run_url SET state = 1, tries = ?, due_at = ? WHERE run_no = ? AND seq = ?'),
    page: of(
      'INSERT INTO page (no, id, run_no, key_hi, key_lo, url, title, http_status, content_type, language, content_hash, event_seq, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    body: of('INSERT INTO page_body (page_no, encoding, raw_bytes, body) VALUES (?, ?, ?, ?)'),
    credit: of('UPDATE credit_entry SET used = used + ? WHERE run_no = ?'),
    usage: of(
      'INSERT INTO usage_day (team_id, day, pages, runs, credits) VALUES (?, ?, ?, 0, ?) ON CONFLICT (team_id, day) DO UPDATE SET pages = pages + excluded.pages, credits = credits + excluded.credits',
    ),
    end: of('UPDATE run SET status = ?, reason = ?, ended_at = ?, settled = settled + ?, owner = NULL, lease_until = NULL WHERE no = ?'),
    settleCredit: of(
      "UPDATE credit_entry SET state = 'settled', used = CASE WHEN ? = 1 THEN 0 ELSE used END WHERE run_no = ? AND state = 'held'",
    ),
    dropJobs: of('DELETE FROM job WHERE key >= ? AND key < ?'),
    seeds: of('SELECT outcome FROM run_url WHERE run_no = ? AND is_seed = 1'),
    sweepPending: of(
      'UPDATE run_url SET state = 3, outcome = ? WHERE run_no = ? AND seq IN (SELECT seq FROM run_url WHERE run_no = ? AND state = 0 LIMIT ?)',
    ),
    sweepWaiting: of(
      'UPDATE run_url SET state = 3, due_at = NULL, outcome = ? WHERE run_no = ? AND seq IN (SELECT seq FROM run_url WHERE run_no = ? AND state = 1 LIMIT ?)',
    ),
    unswept: of('SELECT no, status FROM run WHERE ended_at IS NOT NULL AND settled < known AND deleted_at IS NULL LIMIT 1'),
    swept: of('UPDATE run SET settled = CASE WHEN ? = 0 THEN known ELSE settled + ? END WHERE no = ?'),
  }
}
