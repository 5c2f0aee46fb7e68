/** What the commit of a part does beyond that of a whole run: its fence, URLs for the other parts, and its share of the page limit. */
import type { FreePart } from './run-part-rows.ts'
import { grant, wakeParts } from './run-part-rows.ts'
import { storedSeq } from '../run-parts.ts'
import type { LostWhy, RunChanges, RunCommit } from '../run-store.ts'
import type { PartState, Rest, RunPart } from '../run-parts.ts'
import { asRows } from './session.ts'
import type { Session } from './session.ts'

/** The run, whose row the commit of a part locks until it ends. */
type OpenedPart = { teamId: string; kind: string; kept: number; eventSeq: number; pageLimit: number; partKept: number }
type Opened = { kind: 'open'; opened: OpenedPart } | { kind: 'again'; kept: number; eventSeq: number } | { kind: 'lost'; why: LostWhy }

const LOST: Opened = { kind: 'lost', why: 'taken' }

/** Renumbers the changes of a part's URLs to their numbers in the run. */
export function storedChanges(cut: RunPart, changes: RunChanges): RunChanges {
  const at = (seq: number) => storedSeq(cut, seq)
  const moved = <Row extends { seq: number }>(rows: readonly Row[]) => rows.map((row) => ({ ...row, seq: at(row.seq) }))
  return {
    ...changes,
    added: moved(changes.added),
    settled: moved(changes.settled),
    retries: moved(changes.retries),
    retitled: new Map([...changes.retitled].map(([seq, title]) => [at(seq), title])),
    closer: new Map([...changes.closer].map(([seq, closer]) => [at(seq), closer])),
  }
}

/** Locks the run, and checks that the part still belongs to its owner. */
export async function openPart(
  { get }: Session,
  { part, runNo }: RunPart,
  { changes, commitNo, ending, token, workedMs }: RunCommit,
  added: number,
  leaseUntil: number,
): Promise<Opened> {
  const run = await get<OpenedPart & { endedAt: number | null; status: string }>(
    `SELECT team_id AS "teamId", kind, kept, event_seq AS "eventSeq", page_limit AS "pageLimit", status, ended_at AS "endedAt"
      FROM run WHERE no = ? FOR UPDATE`,
    runNo,
  )
  const own = await get<{ commitNo: number; kept: number; token: number }>(
    'SELECT token, commit_no AS "commitNo", kept FROM run_part WHERE run_no = ? AND part = ?',
    runNo,
    part,
  )
  if (run === undefined || own?.token !== token) return LOST
  if (own.commitNo === commitNo + 1 && run.endedAt === null) return { kind: 'again', kept: own.kept, eventSeq: run.eventSeq }
  if (own.commitNo !== commitNo || run.endedAt !== null) return LOST
  if (run.status !== (ending?.status === 'canceled' ? 'canceling' : 'running')) return { kind: 'lost', why: 'canceling' }
  // Cannot happen: a part only keeps pages that were granted to it.
  if (run.kept + added > run.pageLimit) return LOST
  await get(
    `UPDATE run_part SET commit_no = commit_no + 1, kept = kept + ?, lease_until = ?, worked_ms = ?, rest = 0,
      crashes = CASE WHEN ?::boolean THEN 0 ELSE crashes END WHERE run_no = ? AND part = ?`,
    added,
    leaseUntil,
    Math.round(workedMs),
    added + changes.settled.length > 0,
    runNo,
    part,
  )
  return { kind: 'open', opened: { ...run, partKept: own.kept + added } }
}

/** Sends URLs to other parts, removes those that were read, and returns the state of the part. */
export async function closePart(
  session: Session,
  cut: RunPart,
  run: OpenedPart,
  runKept: number,
  { changes: { mail }, rest = null }: RunCommit,
  rows: { makeJob: (session: Session, part: FreePart) => Promise<number> },
): Promise<PartState> {
  const { part, runNo } = cut
  const free = { ...cut, kind: run.kind, teamId: run.teamId }
  if (mail !== undefined && mail.readTo > 0)
    await session.run('DELETE FROM run_mail WHERE run_no = ? AND part = ? AND no <= ?', runNo, part, mail.readTo)
  if (mail !== undefined && mail.sent.length > 0) {
    await session.run(
      `INSERT INTO run_mail (run_no, part, key_hi, key_lo, url, title, depth, hops, is_seed, outcome, detail)
        SELECT ?::bigint, part, hi, lo, url, title, depth, hops, "isSeed"::integer, outcome, detail FROM json_to_recordset(?)
        AS x(part integer, hi integer, lo integer, url text, title text, depth integer, hops integer, "isSeed" boolean, outcome text, detail text)`,
      runNo,
      asRows(mail.sent),
    )
    const to = [...new Set(mail.sent.map((sent) => sent.part))].toSorted((one, other) => one - other)
    await wakeParts(session, rows, free, 'rest = 1 AND part = ANY(?::integer[])', to)
  }
  const hasMail = (await session.get('SELECT 1 FROM run_mail WHERE run_no = ? AND part = ? LIMIT 1', runNo, part)) !== undefined
  const stands = hasMail ? { allowed: await grant(session, cut, run.pageLimit), rests: false } : await settleRest(rest)
  const isLast = runKept >= run.pageLimit || (stands.rests && !(await isAnyAtWork(session, runNo)))
  return { allowed: stands.allowed, runKept, hasMail, isLast }

  async function settleRest(wanted: Rest | null): Promise<{ allowed: number; rests: boolean }> {
    if (wanted !== 'drained') {
      const allowed = await grant(session, cut, run.pageLimit)
      const rests = wanted === 'limit' && allowed <= run.partKept
      if (rests) await session.run('UPDATE run_part SET rest = 2 WHERE run_no = ? AND part = ?', runNo, part)
      return { allowed, rests }
    }
    // Return the unused part of its grant.
    await session.run('UPDATE run_part SET rest = 1, allowed = kept WHERE run_no = ? AND part = ?', runNo, part)
    if (runKept < run.pageLimit) await wakeParts(session, rows, free, 'rest = 2')
    return { allowed: run.partKept, rests: true }
  }
}

async function isAnyAtWork({ get }: Session, runNo: number): Promise<boolean> {
  const row = await get(
    `SELECT 1 WHERE EXISTS (SELECT 1 FROM run_part WHERE run_no = ? AND rest = 0) OR EXISTS (SELECT 1 FROM run_mail WHERE run_no = ?)`,
    runNo,
    runNo,
  )
  return row !== undefined
}
