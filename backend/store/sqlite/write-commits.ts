/** Writes what runs have done: one transaction for a group of them, each part fenced by its token and the number of its commit. */
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import { isTrouble } from '#backend/platform/database/trouble.ts'
import { NOT_FETCHED } from '#backend/crawler/outcomes.ts'
import type { RunStatus } from '#contract/runs.ts'
import { endRun } from '../end-run.ts'
import { writeFeed } from '../feed-steps.ts'
import type { RunHooks } from '../run-hooks.ts'
import type { AddedUrl, CommitResult, HostChanges, LostWhy, RunChanges, RunCommit, RunEnding, TaskResults } from '../run-store.ts'
import type { HostRows } from './host-rows.ts'
import type { Statements } from './statements.ts'

type Written = { kind: 'done'; status: RunStatus; commitNo: number; kept: number; eventSeq: number } | { kind: 'lost'; why: LostWhy }
type Fence = { teamId: string; kind: string }

export function createCommitWriter(needs: {
  statements: Statements
  hosts: HostRows
  hooks: RunHooks
  leaseMs: number
  now: () => number
  newId: () => string
}) {
  const { hooks, hosts, leaseMs, newId, now, statements } = needs
  const write = prepare(statements)
  return { commit }

  function commit(group: readonly RunCommit[], changes: HostChanges = { hosts: [], robots: [] }): CommitResult[] {
    try {
      return inTransaction(group, changes)
    } catch (fault) {
      if (isTrouble(fault)) throw fault
    }
    // One run's part cannot be written: each gets a transaction of its own, so that a broken one does not harm the others.
    inTransaction([], changes)
    return group.map((part): CommitResult => {
      const startedAt = performance.now()
      try {
        return inTransaction([part], { hosts: [], robots: [] })[0]!
      } catch (fault) {
        if (isTrouble(fault)) throw fault
        return { kind: 'broken', fault, runNo: part.runNo, tookMs: performance.now() - startedAt }
      }
    })
  }

  function inTransaction(group: readonly RunCommit[], changes: HostChanges): CommitResult[] {
    try {
      const results = statements.transaction(() => {
        const at = now()
        const parts = group.map((part): CommitResult => {
          const startedAt = performance.now()
          const written = writeRun(part, at)
          return { ...written, runNo: part.runNo, tookMs: performance.now() - startedAt }
        })
        hosts.write(changes)
        return parts
      })
      hosts.keepNumbers()
      return results
    } catch (fault) {
      hosts.forgetNumbers()
      throw fault
    }
  }

  function writeRun(part: RunCommit, at: number): Written {
    const { changes, runNo, task } = part
    const pages = changes.pages.length
    const added = pages + (task?.kept ?? 0)
    const kept = part.kept + added
    const eventSeq = part.eventSeq + pages + changes.feed.length
    const fence = fenceOff(part, added, eventSeq, at)
    if (fence === null) return whyRefused(part)
    for (const url of changes.added) insertUrl(runNo, url)
    updateUrls(runNo, changes)
    insertPages(part, at)
    statements.steps(writeFeed(runNo, part.eventSeq + pages, changes.feed))
    if (task?.results !== undefined) writeResults(runNo, task.results)
    const used = task?.used ?? null
    if (added > 0 || used !== null) statements.steps(hooks.onCommit({ runNo, ...fence, added, used }))
    const done = { kind: 'done' as const, commitNo: part.commitNo + 1, kept }
    if (part.ending === null) return { ...done, status: 'running', eventSeq }
    const ending = endingOf(part.ending, runNo, kept)
    const ended = statements.steps(endRun({ runNo, ending, at, isOwner: true, used }, hooks))!
    return { ...done, ...ended }
  }

  /** Updates the counters for this commit, which proves that the run still belongs to its owner. */
  function fenceOff(
    { changes, commitNo, ending, runNo, token, workedMs }: RunCommit,
    added: number,
    eventSeq: number,
    at: number,
  ): Fence | null {
    const listed = countListed(changes.added)
    // A run that makes progress is no longer suspected of having crashed the engine.
    const isProgress = added + changes.settled.length > 0 ? 1 : 0
    return (write.fence.get(
      added,
      changes.failed,
      changes.added.length,
      changes.settled.length + listed - changes.reopened,
      eventSeq,
      at,
      at + leaseMs,
      workedMs,
      isProgress,
      runNo,
      token,
      commitNo,
      ending?.status === 'canceled' ? 'canceling' : 'running',
      added,
    ) ?? null) as Fence | null
  }

  /** The part was committed before and its answer was lost, or the run is no longer its owner's. */
  function whyRefused({ commitNo, runNo, token }: RunCommit): Written {
    const run = write.read.get(runNo) as { status: RunStatus; token: number; commitNo: number; kept: number; eventSeq: number } | undefined
    if (run?.token !== token) return { kind: 'lost', why: 'taken' }
    if (run.commitNo === commitNo + 1) {
      const { eventSeq, kept, status } = run
      return { kind: 'done', status: status === 'canceling' ? 'running' : status, commitNo: run.commitNo, kept, eventSeq }
    }
    return { kind: 'lost', why: run.status === 'canceling' ? 'canceling' : 'taken' }
  }

  function insertUrl(runNo: number, url: AddedUrl) {
    write.url.run(
      runNo,
      url.seq,
      url.hi,
      url.lo,
      url.hostKey === null ? 0 : hosts.number(url.hostKey),
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

  function updateUrls(runNo: number, changes: RunChanges) {
    for (const [seq, title] of changes.retitled) write.retitle.run(title, runNo, seq)
    for (const [seq, { depth, hops, hostKey, isSeed }] of changes.closer) {
      if (hostKey === null) write.closer.run(depth, runNo, seq)
      else write.reopen.run(depth, hosts.number(hostKey), hops, isSeed ? 1 : 0, runNo, seq)
    }
    // Retries first: a retry that was due at once may have ended by now.
    for (const { dueAt, seq, tries } of changes.retries) write.retry.run(tries, Math.round(dueAt), runNo, seq)
    for (const url of changes.settled)
      write.settle.run(url.outcome, url.detail, url.httpStatus, url.bytes, url.tookMs, url.tries, runNo, url.seq)
  }

  function insertPages({ changes, eventSeq, kept, runNo }: RunCommit, at: number) {
    for (const [index, page] of changes.pages.entries()) {
      const no = runNo * PAGES_PER_RUN + kept + 1 + index
      write.page.run(
        no,
        newId(),
        runNo,
        page.hi,
        page.lo,
        page.url,
        page.title,
        page.httpStatus,
        page.contentType,
        page.language,
        page.contentHash,
        eventSeq + 1 + index,
        at,
      )
      write.body.run(no, page.encoding, page.rawBytes, page.body)
      for (const { bytes, filename, id, type } of page.attachments ?? []) write.attachment.run(id, runNo, no, type, filename, bytes, at)
    }
  }

  function writeResults(runNo: number, { document, replacesUrls = false, urls = [] }: TaskResults) {
    if (document !== undefined) write.document.run(runNo, JSON.stringify(document))
    if (replacesUrls) write.dropUrls.run(runNo)
    for (const { lastmod, seq, url } of urls) write.taskUrl.run(runNo, seq, url, lastmod)
  }

  /** A crawl that has kept nothing, since none of its start URLs could be fetched, has failed. */
  function endingOf({ ifNothingFetched, ...ending }: NonNullable<RunCommit['ending']>, runNo: number, kept: number): RunEnding {
    if (ifNothingFetched === undefined || kept > 0) return ending
    const seeds = write.seeds.all(runNo) as { outcome: string | null }[]
    const isNothing = seeds.every(({ outcome }) => outcome === 'redirected' || (outcome !== null && NOT_FETCHED.has(outcome)))
    return isNothing ? ifNothingFetched : ending
  }
}

const countListed = (urls: readonly AddedUrl[]) => urls.reduce((sum, { outcome }) => sum + (outcome === null ? 0 : 1), 0)

function prepare({ of }: Statements) {
  return {
    fence: of(`UPDATE run SET kept = kept + ?, failed = failed + ?, known = known + ?, settled = settled + ?, event_seq = ?, updated_at = ?,
      lease_until = ?, worked_ms = ?, commit_no = commit_no + 1, crashes = CASE WHEN ? > 0 THEN 0 ELSE crashes END
      WHERE no = ? AND token = ? AND commit_no = ? AND status = ? AND ended_at IS NULL AND (kind <> 'crawl' OR kept + ? <= page_limit)
      RETURNING team_id AS "teamId", kind`),
    read: of('SELECT status, token, commit_no AS "commitNo", kept, event_seq AS "eventSeq" FROM run WHERE no = ?'),
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
    attachment: of('INSERT INTO run_blob (id, run_no, page_no, type, filename, bytes, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)'),
    seeds: of('SELECT outcome FROM run_url WHERE run_no = ? AND is_seed = 1'),
    document: of('INSERT INTO search_result (run_no, items) VALUES (?, ?) ON CONFLICT (run_no) DO UPDATE SET items = excluded.items'),
    taskUrl: of('INSERT INTO sitemap_url (run_no, seq, url, lastmod) VALUES (?, ?, ?, ?)'),
    dropUrls: of('DELETE FROM sitemap_url WHERE run_no = ?'),
  }
}
