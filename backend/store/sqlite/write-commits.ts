/** Writes commits into SQLite: one transaction for a group of runs, and a statement for each row. */
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import { commitGroup, writeRun } from '../commit-runs.ts'
import type { RowWriter } from '../commit-runs.ts'
import type { RunHooks } from '../run-hooks.ts'
import type { CommitResult, HostChanges, RunCommit } from '../run-store.ts'
import type { HostRows } from './host-rows.ts'
import type { Statements } from './statements.ts'

export function createCommitWriter(needs: {
  statements: Statements
  hosts: HostRows
  hooks: RunHooks
  now: () => number
  newId: () => string
}) {
  const { hooks, hosts, now, statements } = needs
  const rows = rowWriter(needs)
  return { commit }

  function commit(group: readonly RunCommit[], changes?: HostChanges): Promise<CommitResult[]> {
    return commitGroup(group, changes, inTransaction)
  }

  function inTransaction(group: readonly RunCommit[], changes: HostChanges): CommitResult[] {
    try {
      const results = statements.transaction(() => {
        const at = now()
        const parts = group.map((part): CommitResult => {
          const startedAt = performance.now()
          const written = statements.steps(writeRun(part, at, { hooks, rows }))
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
}

/* oxlint-disable require-yield -- it executes its statements itself instead of yielding them, because there may be thousands */
function rowWriter({ hosts, newId, statements }: { statements: Statements; hosts: HostRows; newId: () => string }): RowWriter {
  const write = prepare(statements)
  return {
    *insertUrls(runNo, added) {
      for (const { detail, hi, hops, hostKey, isSeed, lo, outcome, rank, seq, title, url } of added) {
        const hostNo = hostKey === null ? 0 : hosts.number(hostKey)
        write.url.run(runNo, seq, hi, lo, hostNo, rank, hops, outcome === null ? 0 : 3, outcome, detail, isSeed ? 1 : 0, url, title)
      }
    },

    *updateUrls(runNo, changes) {
      for (const [seq, title] of changes.retitled) write.retitle.run(title, runNo, seq)
      for (const [seq, { depth, hops, hostKey, isSeed }] of changes.closer) {
        if (hostKey === null) write.closer.run(depth, runNo, seq)
        else write.reopen.run(depth, hosts.number(hostKey), hops, isSeed ? 1 : 0, runNo, seq)
      }
      // Retries first: a retry that was due at once may have ended by now.
      for (const { dueAt, seq, tries } of changes.retries) write.retry.run(tries, Math.round(dueAt), runNo, seq)
      for (const { bytes, detail, httpStatus, outcome, seq, tookMs, tries } of changes.settled)
        write.settle.run(outcome, detail, httpStatus, bytes, tookMs, tries, runNo, seq)
    },

    *insertPages({ changes, eventSeq, kept, runNo }, at) {
      for (const [index, page] of changes.pages.entries()) {
        const no = runNo * PAGES_PER_RUN + kept + 1 + index
        const { contentHash, contentType, hi, httpStatus, language, lo, title, url } = page
        write.page.run(no, newId(), runNo, hi, lo, url, title, httpStatus, contentType, language, contentHash, eventSeq + 1 + index, at)
        write.body.run(no, page.encoding, page.rawBytes, page.body)
        for (const { bytes, filename, id, type } of page.attachments ?? []) write.attachment.run(id, runNo, no, type, filename, bytes, at)
      }
    },

    *insertTaskUrls(runNo, urls) {
      for (const { lastmod, seq, url } of urls) write.taskUrl.run(runNo, seq, url, lastmod)
    },
  }
}

function prepare({ of }: Statements) {
  return {
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
    taskUrl: of('INSERT INTO sitemap_url (run_no, seq, url, lastmod) VALUES (?, ?, ?, ?)'),
  }
}
