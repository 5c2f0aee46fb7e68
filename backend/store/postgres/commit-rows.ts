/** The rows of a commit: URLs, pages and the results of tasks, each kind in few statements. */
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import type { RowWriter } from '../commit-runs.ts'
import type { AddedUrl, RunChanges, RunCommit, TaskUrl } from '../run-store.ts'
import { change } from '../steps.ts'
import type { Steps } from '../steps.ts'
import type { HostNumbers } from './host-rows.ts'
import { asRows } from './session.ts'

/** A body is a value of its own, and a statement takes 65,535 of them. */
const BODIES_PER_STATEMENT = 200

/** @param nos  the numbers of all hosts in the commits */
export const rowWriter = (nos: HostNumbers, newId: () => string): RowWriter => ({
  insertUrls: (runNo, added) => insertUrls(runNo, added, nos),
  updateUrls: (runNo, changes) => updateUrls(runNo, changes, nos),
  insertPages: (commit, at) => insertPages(commit, at, newId),
  insertTaskUrls,
})

function* insertUrls(runNo: number, added: readonly AddedUrl[], nos: HostNumbers): Steps<void> {
  if (added.length === 0) return
  const rows = added.map(({ detail, hi, hops, hostKey, isSeed, lo, outcome, rank, seq, title, url }) => ({
    seq,
    hi,
    lo,
    host: hostKey === null ? 0 : nos.get(hostKey),
    rank,
    hops,
    state: outcome === null ? 0 : 3,
    outcome,
    detail,
    seed: isSeed ? 1 : 0,
    url,
    title,
  }))
  yield* change(
    `INSERT INTO run_url (run_no, seq, key_hi, key_lo, host_no, depth, hops, state, outcome, detail, is_seed, url, title)
      SELECT ?::bigint, seq, hi, lo, host, rank, hops, state, outcome, detail, seed, url, title FROM json_to_recordset(?)
      AS x(seq bigint, hi integer, lo integer, host bigint, rank integer, hops integer, state integer, outcome text, detail text,
        seed integer, url text, title text)`,
    runNo,
    asRows(rows),
  )
}

function* updateUrls(runNo: number, changes: RunChanges, nos: HostNumbers): Steps<void> {
  function* update(set: string, columns: string, rows: readonly object[], condition = ''): Steps<void> {
    if (rows.length === 0) return
    yield* change(
      `UPDATE run_url SET ${set} FROM json_to_recordset(?) AS x(${columns}) WHERE run_url.run_no = ? AND run_url.seq = x.seq ${condition}`,
      asRows(rows),
      runNo,
    )
  }
  yield* update(
    'title = x.title',
    'seq bigint, title text',
    [...changes.retitled].map(([seq, title]) => ({ seq, title })),
  )
  const closer = [...changes.closer].map(([seq, { depth, hops, hostKey, isSeed }]) => ({
    seq,
    depth,
    hops,
    host: hostKey === null ? null : nos.get(hostKey),
    seed: isSeed ? 1 : 0,
  }))
  yield* update(
    'depth = x.depth',
    'seq bigint, depth integer',
    closer.filter(({ host }) => host === null),
    'AND state < 2',
  )
  yield* update(
    'depth = x.depth, host_no = x.host, hops = x.hops, is_seed = greatest(is_seed, x.seed), state = 0, outcome = NULL, detail = NULL',
    'seq bigint, depth integer, host bigint, hops integer, seed integer',
    closer.filter(({ host }) => host !== null),
  )
  // Retries first: a retry that was due at once may have ended by now. Of several retries of one URL the last counts.
  const retries = new Map(changes.retries.map(({ dueAt, seq, tries }) => [seq, { seq, tries, due: Math.round(dueAt) }]))
  yield* update('state = 1, tries = x.tries, due_at = x.due', 'seq bigint, tries integer, due bigint', [...retries.values()])
  const settled = new Map(
    changes.settled.map(({ bytes, detail, httpStatus, outcome, seq, tookMs, tries }) => [
      seq,
      { seq, outcome, detail, status: httpStatus, bytes, took: tookMs === null ? null : Math.round(tookMs), tries },
    ]),
  )
  yield* update(
    'state = 2, due_at = NULL, outcome = x.outcome, detail = x.detail, http_status = x.status, bytes = x.bytes, took_ms = x.took, tries = x.tries',
    'seq bigint, outcome text, detail text, status integer, bytes integer, took integer, tries integer',
    [...settled.values()],
  )
}

function* insertTaskUrls(runNo: number, urls: readonly TaskUrl[]): Steps<void> {
  if (urls.length === 0) return
  yield* change(
    `INSERT INTO sitemap_url (run_no, seq, url, lastmod)
      SELECT ?::bigint, seq, url, lastmod FROM json_to_recordset(?) AS x(seq bigint, url text, lastmod text)`,
    runNo,
    asRows(urls),
  )
}

function* insertPages({ changes, eventSeq, kept, runNo }: RunCommit, at: number, newId: () => string): Steps<void> {
  if (changes.pages.length === 0) return
  const first = runNo * PAGES_PER_RUN + kept + 1
  const pages = changes.pages.map((page, index) => ({
    hi: page.hi,
    lo: page.lo,
    url: page.url,
    title: page.title,
    httpStatus: page.httpStatus,
    contentType: page.contentType,
    language: page.language,
    contentHash: page.contentHash,
    no: first + index,
    id: newId(),
    seq: eventSeq + 1 + index,
  }))
  yield* change(
    `INSERT INTO page (no, id, run_no, key_hi, key_lo, url, title, http_status, content_type, language, content_hash, event_seq, created_at)
      SELECT no, id, ?::bigint, hi, lo, url, title, "httpStatus", "contentType", language, "contentHash", seq, ?::bigint
      FROM json_to_recordset(?) AS x(no bigint, id text, hi integer, lo integer, url text, title text, "httpStatus" integer,
        "contentType" text, language text, "contentHash" text, seq bigint)`,
    runNo,
    at,
    asRows(pages),
  )
  for (let from = 0; from < changes.pages.length; from += BODIES_PER_STATEMENT) {
    const some = changes.pages.slice(from, from + BODIES_PER_STATEMENT)
    yield* change(
      `INSERT INTO page_body (page_no, encoding, raw_bytes, body) VALUES ${some.map(() => '(?, ?, ?, ?)').join(', ')}`,
      ...some.flatMap(({ body, encoding, rawBytes }, index) => [first + from + index, encoding, rawBytes, asBuffer(body)]),
    )
  }
  const files = changes.pages.flatMap(({ attachments = [] }, index) => attachments.map((file) => ({ ...file, no: first + index })))
  if (files.length > 0)
    yield* change(
      `INSERT INTO run_blob (id, run_no, page_no, type, filename, bytes, created_at)
        SELECT id, ?::bigint, no, type, filename, bytes, ?::bigint
        FROM json_to_recordset(?) AS x(id text, no bigint, type text, filename text, bytes bigint)`,
      runNo,
      at,
      asRows(files),
    )
}

/** The driver sends buffers as they are; a plain array of bytes it would write out as JSON. */
const asBuffer = (bytes: Uint8Array) => (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
