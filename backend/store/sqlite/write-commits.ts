/** Writes what runs have done: one transaction for a group of them, each part fenced by its token and the number of its commit. */
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import { isTrouble } from '#backend/platform/database/trouble.ts'
import { endingOf, newOutcomes, refusalOf } from '../commit-rules.ts'
import type { RunOfRefused, Written } from '../commit-rules.ts'
import { endRun } from '../end-run.ts'
import { writeFeed } from '../feed-steps.ts'
import type { RunHooks } from '../run-hooks.ts'
import type { AddedUrl, CommitResult, HostChanges, RunChanges, RunCommit, RunEnding, TaskResults } from '../run-store.ts'
import type { HostRows } from './host-rows.ts'
import type { Statements } from './statements.ts'

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
    const ending = endingOfRun(part.ending, runNo, kept)
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
    // A run that makes progress is no longer suspected of having crashed the engine.
    const isProgress = added + changes.settled.length > 0 ? 1 : 0
    return (write.fence.get(
      added,
      changes.failed,
      changes.added.length,
      newOutcomes(changes),
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

  function whyRefused(part: RunCommit): Written {
    return refusalOf(write.read.get(part.runNo) as RunOfRefused | undefined, part)
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

  /** @param kept  pages of the run, with those of this commit */
  function endingOfRun(ending: NonNullable<RunCommit['ending']>, runNo: number, kept: number): RunEnding {
    const mayFail = ending.ifNothingFetched !== undefined && kept === 0
    return endingOf(ending, mayFail ? (write.seeds.all(runNo) as { outcome: string | null }[]) : null)
  }
}

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
