/** Writes what runs have done: one transaction for a group of them, each part fenced by its token and the number of its commit. */
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import { isTrouble } from '#backend/platform/database/trouble.ts'
import { NOT_FETCHED } from '#backend/crawler/outcomes.ts'
import type { RunStatus } from '#contract/runs.ts'
import { endRun } from '../end-run.ts'
import { writeFeed } from '../feed-steps.ts'
import type { RunHooks } from '../run-hooks.ts'
import type { AddedUrl, CommitResult, HostChanges, LostWhy, RunChanges, RunCommit, RunEnding, TaskResults } from '../run-store.ts'
import { partOf, wholeRun } from '../run-parts.ts'
import type { PartState, RunPart } from '../run-parts.ts'
import type { HostNumbers, HostRows } from './host-rows.ts'
import { closePart, openPart, storedChanges } from './part-commits.ts'
import type { FreePart } from './run-part-rows.ts'
import { asRows } from './session.ts'
import type { Session, Sessions } from './session.ts'

type Written =
  { kind: 'done'; status: RunStatus; commitNo: number; kept: number; eventSeq: number; part?: PartState } | { kind: 'lost'; why: LostWhy }
type Fence = { teamId: string; kind: string }

/** A body is a value of its own, and a statement takes 65,535 of them. */
const BODIES_PER_STATEMENT = 200
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
    await insertPages(session, part, at)
    await session.steps(writeFeed(runNo, part.eventSeq + pages, changes.feed))
    if (task?.results !== undefined) await writeResults(session, runNo, task.results)
    const used = task?.used ?? null
    if (added > 0 || used !== null) await session.steps(hooks.onCommit({ runNo, ...fence, added, used }))
    const done = { kind: 'done' as const, commitNo: part.commitNo + 1, kept }
    if (part.ending === null) return { ...done, status: 'running', eventSeq }
    const ending = await endingOf(session, part.ending, runNo, kept)
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
      changes.settled.length + listedIn(changes) - changes.reopened,
      eventSeq,
      at,
      runNo,
    )
    await insertUrls(session, runNo, changes.added, nos)
    await updateUrls(session, runNo, changes, nos)
    await insertPages(session, part, at)
    await session.steps(writeFeed(runNo, opened.eventSeq + added, changes.feed))
    if (added > 0) await session.steps(hooks.onCommit({ runNo, teamId: opened.teamId, kind: opened.kind, added, used: null }))
    const done = { kind: 'done' as const, commitNo, kept: opened.partKept }
    if (part.ending === null)
      return { ...done, status: 'running', eventSeq, part: await closePart(session, cut, opened, kept, commit, needs) }
    const ending = await endingOf(session, part.ending, runNo, kept)
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
      changes.settled.length + listedIn(changes) - changes.reopened,
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

  /** The part was committed before and its answer was lost, or the run is no longer its owner's. */
  async function whyRefused({ get }: Session, { commitNo, runNo, token }: RunCommit): Promise<Written> {
    const run = await get<{ status: RunStatus; token: number; commitNo: number; kept: number; eventSeq: number }>(
      'SELECT status, token, commit_no AS "commitNo", kept, event_seq AS "eventSeq" FROM run WHERE no = ?',
      runNo,
    )
    if (run?.token !== token) return { kind: 'lost', why: 'taken' }
    if (run.commitNo === commitNo + 1) {
      const { eventSeq, kept, status } = run
      return { kind: 'done', status: status === 'canceling' ? 'running' : status, commitNo: run.commitNo, kept, eventSeq }
    }
    return { kind: 'lost', why: run.status === 'canceling' ? 'canceling' : 'taken' }
  }

  async function insertPages({ run }: Session, { changes, eventSeq, kept, runNo }: RunCommit, at: number): Promise<void> {
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
    await run(
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
      await run(
        `INSERT INTO page_body (page_no, encoding, raw_bytes, body) VALUES ${some.map(() => '(?, ?, ?, ?)').join(', ')}`,
        ...some.flatMap(({ body, encoding, rawBytes }, index) => [first + from + index, encoding, rawBytes, asBuffer(body)]),
      )
    }
    const files = changes.pages.flatMap(({ attachments = [] }, index) => attachments.map((file) => ({ ...file, no: first + index })))
    if (files.length > 0)
      await run(
        `INSERT INTO run_blob (id, run_no, page_no, type, filename, bytes, created_at)
          SELECT id, ?::bigint, no, type, filename, bytes, ?::bigint
          FROM json_to_recordset(?) AS x(id text, no bigint, type text, filename text, bytes bigint)`,
        runNo,
        at,
        asRows(files),
      )
  }

  /** A crawl that has kept nothing, since none of its start URLs could be fetched, has failed. */
  async function endingOf(
    { all }: Session,
    { ifNothingFetched, ...ending }: NonNullable<RunCommit['ending']>,
    runNo: number,
    kept: number,
  ): Promise<RunEnding> {
    if (ifNothingFetched === undefined || kept > 0) return ending
    const seeds = await all<{ outcome: string | null }>('SELECT outcome FROM run_url WHERE run_no = ? AND is_seed = 1', runNo)
    const isNothing = seeds.every(({ outcome }) => outcome === 'redirected' || (outcome !== null && NOT_FETCHED.has(outcome)))
    return isNothing ? ifNothingFetched : ending
  }
}

const listedIn = ({ added }: RunChanges) => added.reduce((sum, { outcome }) => sum + (outcome === null ? 0 : 1), 0)

/** Every host that the rows of a group will name. */
function* keysIn(group: readonly RunCommit[], { hosts, robots }: HostChanges): Generator<string> {
  for (const { changes } of group) {
    for (const { hostKey } of changes.added) if (hostKey !== null) yield hostKey
    for (const { hostKey } of changes.closer.values()) if (hostKey !== null) yield hostKey
  }
  for (const { hostKey } of hosts) yield hostKey
  for (const { hostKey } of robots) yield hostKey
}

async function insertUrls({ run }: Session, runNo: number, added: readonly AddedUrl[], nos: HostNumbers): Promise<void> {
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
  await run(
    `INSERT INTO run_url (run_no, seq, key_hi, key_lo, host_no, depth, hops, state, outcome, detail, is_seed, url, title)
      SELECT ?::bigint, seq, hi, lo, host, rank, hops, state, outcome, detail, seed, url, title FROM json_to_recordset(?)
      AS x(seq bigint, hi integer, lo integer, host bigint, rank integer, hops integer, state integer, outcome text, detail text,
        seed integer, url text, title text)`,
    runNo,
    asRows(rows),
  )
}

async function updateUrls({ run }: Session, runNo: number, changes: RunChanges, nos: HostNumbers): Promise<void> {
  const update = async (set: string, columns: string, rows: readonly object[], condition = '') => {
    if (rows.length === 0) return
    await run(
      `UPDATE run_url SET ${set} FROM json_to_recordset(?) AS x(${columns}) WHERE run_url.run_no = ? AND run_url.seq = x.seq ${condition}`,
      asRows(rows),
      runNo,
    )
  }
  await update(
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
  await update(
    'depth = x.depth',
    'seq bigint, depth integer',
    closer.filter(({ host }) => host === null),
    'AND state < 2',
  )
  await update(
    'depth = x.depth, host_no = x.host, hops = x.hops, is_seed = greatest(is_seed, x.seed), state = 0, outcome = NULL, detail = NULL',
    'seq bigint, depth integer, host bigint, hops integer, seed integer',
    closer.filter(({ host }) => host !== null),
  )
  // Retries first: a retry that was due at once may have ended by now. Of several retries of one URL the last counts.
  const retries = new Map(changes.retries.map(({ dueAt, seq, tries }) => [seq, { seq, tries, due: Math.round(dueAt) }]))
  await update('state = 1, tries = x.tries, due_at = x.due', 'seq bigint, tries integer, due bigint', [...retries.values()])
  const settled = new Map(
    changes.settled.map(({ bytes, detail, httpStatus, outcome, seq, tookMs, tries }) => [
      seq,
      { seq, outcome, detail, status: httpStatus, bytes, took: tookMs === null ? null : Math.round(tookMs), tries },
    ]),
  )
  await update(
    'state = 2, due_at = NULL, outcome = x.outcome, detail = x.detail, http_status = x.status, bytes = x.bytes, took_ms = x.took, tries = x.tries',
    'seq bigint, outcome text, detail text, status integer, bytes integer, took integer, tries integer',
    [...settled.values()],
  )
}

async function writeResults({ run }: Session, runNo: number, { document, replacesUrls = false, urls = [] }: TaskResults): Promise<void> {
  if (document !== undefined)
    await run(
      'INSERT INTO search_result (run_no, items) VALUES (?, ?) ON CONFLICT (run_no) DO UPDATE SET items = excluded.items',
      runNo,
      JSON.stringify(document),
    )
  if (replacesUrls) await run('DELETE FROM sitemap_url WHERE run_no = ?', runNo)
  if (urls.length > 0)
    await run(
      `INSERT INTO sitemap_url (run_no, seq, url, lastmod)
        SELECT ?::bigint, seq, url, lastmod FROM json_to_recordset(?) AS x(seq bigint, url text, lastmod text)`,
      runNo,
      asRows(urls),
    )
}

/** The driver sends buffers as they are; a plain array of bytes it would write out as JSON. */
const asBuffer = (bytes: Uint8Array) => (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
