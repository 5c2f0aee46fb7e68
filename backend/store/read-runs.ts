/** What the owner of a run reads back. Statements rename the columns; states become words. */
import { readRunSpec } from '#backend/crawler/run-spec.ts'
import type { UpgradeSpec } from '#backend/crawler/run-spec.ts'
import { partOf, partSeq, storedSeq, wholeRun } from './run-parts.ts'
import type { KnownUrl, PendingOfHost, PendingPlace, PendingUrl, RunDescription, TaskUrl, UrlKey, WaitingUrl } from './run-store.ts'
import { all, one } from './steps.ts'
import type { Steps } from './steps.ts'

/** States of a URL, by their numbers in the tables: waiting until `dueAt`, settled with an outcome, listed (known, will not be fetched). */
export const URL_STATES = ['pending', 'waiting', 'settled', 'listed'] as const

const PENDING_COLUMNS = 'seq, url, depth AS rank, tries, hops, is_seed AS "isSeed"'

export function* describe(no: number, upgradeSpec: UpgradeSpec): Steps<RunDescription> {
  const runNo = wholeRun(no)
  const row = yield* one<{ kind: string; spec: string | null; options: string; seeds: string; secrets: string | null }>(
    'SELECT kind, spec, options, run_options.seeds, secrets FROM run_options JOIN run ON run.no = run_no WHERE run_no = ?',
    runNo,
  )
  if (row === undefined) throw new Error(`nothing is stored of run ${runNo}`)
  return {
    spec: row.spec === null ? upgradeSpec(row.kind, JSON.parse(row.options) as Record<string, unknown>) : readRunSpec(row.spec),
    seeds: JSON.parse(row.seeds) as string[],
    sealedSecrets: row.secrets,
    seedUrls: yield* all('SELECT url, hops FROM run_url WHERE run_no = ? AND is_seed = 1 ORDER BY seq', runNo),
  }
}

export function* knownUrls(no: number, after: number, limit: number): Steps<KnownUrl[]> {
  const { isOurs, runNo, seqOf, toStored } = numbersOf(no)
  const rows = yield* all<Omit<KnownUrl, 'state'> & { state: number }>(
    `SELECT seq, key_hi AS hi, key_lo AS lo, state, depth AS rank, outcome, length(title) AS "titleLength", url
      FROM run_url WHERE run_no = ? AND seq > ? ${isOurs} ORDER BY seq LIMIT ?`,
    runNo,
    toStored(after),
    limit,
  )
  return rows.map((row) => Object.assign(row, { seq: seqOf(row.seq), state: URL_STATES[row.state]! }))
}

export function pageKeys(runNo: number): Steps<UrlKey[]> {
  return all('SELECT key_hi AS hi, key_lo AS lo FROM page WHERE run_no = ?', wholeRun(runNo))
}

export function* pendingByHost(no: number): Steps<PendingOfHost[]> {
  const { isOurs, runNo, seqOf } = numbersOf(no)
  const rows = yield* all<{ hostKey: string; pending: number; rank: number; seq: number }>(
    `SELECT host_key AS "hostKey", pending, first_place >> 32 AS rank, first_place & 4294967295 AS seq FROM
      (SELECT host_no, count(*) AS pending, min((CAST(depth AS bigint) << 32) + seq) AS first_place FROM run_url
        WHERE run_no = ? AND state = 0 ${isOurs} GROUP BY host_no) AS waiting
      JOIN host ON host.no = host_no`,
    runNo,
  )
  return rows.map(({ hostKey, pending, rank, seq }) => ({ hostKey, pending, first: { rank, seq: seqOf(seq) } }))
}

export function* pendingUrls(no: number, hostKey: string, after: PendingPlace | null, limit: number): Steps<PendingUrl[]> {
  const { isOurs, runNo, seqOf, toStored } = numbersOf(no)
  const rows = yield* all<PendingRow>(
    `SELECT ${PENDING_COLUMNS} FROM run_url
      WHERE run_no = ? AND host_no = (SELECT no FROM host WHERE host_key = ?) AND state = 0 AND (depth, seq) > (?, ?) ${isOurs}
      ORDER BY depth, seq LIMIT ?`,
    runNo,
    hostKey,
    after?.rank ?? -1,
    after === null ? -1 : toStored(after.seq),
    limit,
  )
  return rows.map((row) => urlOf(row, seqOf))
}

export function* waitingUrls(no: number): Steps<WaitingUrl[]> {
  const { isOurs, runNo, seqOf } = numbersOf(no)
  const rows = yield* all<PendingRow & { dueAt: number; hostKey: string }>(
    `SELECT ${PENDING_COLUMNS}, due_at AS "dueAt", host_key AS "hostKey" FROM run_url JOIN host ON host.no = host_no
      WHERE run_no = ? AND state = 1 ${isOurs} ORDER BY due_at`,
    runNo,
  )
  return rows.map((row) => urlOf(row, seqOf))
}

export function* taskDocument(runNo: number): Steps<unknown> {
  const row = yield* one<{ items: string }>('SELECT items FROM search_result WHERE run_no = ?', runNo)
  return row === undefined ? null : JSON.parse(row.items)
}

export function taskUrls(runNo: number, from: number, limit: number): Steps<TaskUrl[]> {
  return all('SELECT seq, url, lastmod FROM sitemap_url WHERE run_no = ? AND seq >= ? ORDER BY seq LIMIT ?', runNo, from, limit)
}

/** The robots rules of a host, as they were stored. */
export function* robots(hostKey: string): Steps<unknown> {
  const row = yield* one<{ robots: Buffer | null }>('SELECT robots FROM host WHERE host_key = ?', hostKey)
  return row?.robots ? JSON.parse(row.robots.toString()) : null
}

const same = (seq: number) => seq

/** Which rows belong to a run, or to a part of one, and how they are numbered. */
function numbersOf(no: number) {
  const cut = partOf(no)
  if (cut === null) return { runNo: no, isOurs: '', seqOf: same, toStored: same }
  return {
    runNo: cut.runNo,
    isOurs: `AND seq % ${cut.parts} = ${cut.part}`,
    seqOf: (stored: number) => partSeq(cut, stored),
    toStored: (seq: number) => (seq < 0 ? -1 : storedSeq(cut, seq)),
  }
}

type PendingRow = Omit<PendingUrl, 'isSeed'> & { isSeed: number }

const urlOf = <Row extends PendingRow>(row: Row, seqOf: (stored: number) => number) =>
  Object.assign(row, { seq: seqOf(row.seq), isSeed: row.isSeed === 1 })
