/** What the owner of a run reads back. Statements rename the columns; states become words. */
import { readRunSpec } from '#backend/crawler/run-spec.ts'
import type { UpgradeSpec } from '#backend/crawler/run-spec.ts'
import type { KnownUrl, PendingOfHost, PendingPlace, PendingUrl, RunDescription, TaskUrl, UrlKey, WaitingUrl } from '../run-store.ts'
import { URL_STATES } from '../url-states.ts'
import { partOf, wholeRun } from '../run-parts.ts'
import { partSeq, storedSeq } from './run-part-rows.ts'
import type { HostRows } from './host-rows.ts'
import type { Sessions } from './session.ts'

const PENDING_COLUMNS = 'seq, url, depth AS rank, tries, hops, is_seed AS "isSeed"'

export function readsOfOwner({ read }: Sessions, hosts: HostRows, upgradeSpec: UpgradeSpec) {
  return { describe, knownUrls, pageKeys, pendingByHost, pendingUrls, waitingUrls, taskDocument, taskUrls }

  function all<Row>(sql: string, ...values: unknown[]): Promise<Row[]> {
    return read((session) => session.all<Row>(sql, ...values))
  }

  async function describe(no: number): Promise<RunDescription> {
    const runNo = wholeRun(no)
    const [row] = await all<{ kind: string; spec: string | null; options: string; seeds: string; secrets: string | null }>(
      'SELECT kind, spec, options, run_options.seeds, secrets FROM run_options JOIN run ON run.no = run_no WHERE run_no = ?',
      runNo,
    )
    if (row === undefined) throw new Error(`nothing is stored of run ${runNo}`)
    return {
      spec: row.spec === null ? upgradeSpec(row.kind, JSON.parse(row.options) as Record<string, unknown>) : readRunSpec(row.spec),
      seeds: JSON.parse(row.seeds) as string[],
      sealedSecrets: row.secrets,
      seedUrls: await all('SELECT url, hops FROM run_url WHERE run_no = ? AND is_seed = 1 ORDER BY seq', runNo),
    }
  }

  async function knownUrls(no: number, after: number, limit: number): Promise<KnownUrl[]> {
    const { isOurs, runNo, seqOf, toStored } = numbersOf(no)
    const rows = await all<Omit<KnownUrl, 'state'> & { state: number }>(
      `SELECT seq, key_hi AS hi, key_lo AS lo, state, depth AS rank, outcome, length(title) AS "titleLength", url
        FROM run_url WHERE run_no = ? AND seq > ? ${isOurs} ORDER BY seq LIMIT ?`,
      runNo,
      toStored(after),
      limit,
    )
    return rows.map((row) => Object.assign(row, { seq: seqOf(row.seq), state: URL_STATES[row.state]! }))
  }

  function pageKeys(runNo: number): Promise<UrlKey[]> {
    return all('SELECT key_hi AS hi, key_lo AS lo FROM page WHERE run_no = ?', wholeRun(runNo))
  }

  async function pendingByHost(no: number): Promise<PendingOfHost[]> {
    const { isOurs, runNo, seqOf } = numbersOf(no)
    const rows = await all<{ hostKey: string; pending: number; rank: number; seq: number }>(
      `SELECT host_key AS "hostKey", pending, first_place >> 32 AS rank, first_place & 4294967295 AS seq FROM
        (SELECT host_no, count(*) AS pending, min((depth::bigint << 32) + seq) AS first_place FROM run_url
          WHERE run_no = ? AND state = 0 ${isOurs} GROUP BY host_no) AS waiting
        JOIN host ON host.no = host_no`,
      runNo,
    )
    return rows.map(({ hostKey, pending, rank, seq }) => ({ hostKey, pending, first: { rank, seq: seqOf(seq) } }))
  }

  async function pendingUrls(no: number, hostKey: string, after: PendingPlace | null, limit: number): Promise<PendingUrl[]> {
    const { isOurs, runNo, seqOf, toStored } = numbersOf(no)
    const hostNo = await hosts.find(hostKey)
    if (hostNo === null) return []
    const rows = await all<PendingRow>(
      `SELECT ${PENDING_COLUMNS} FROM run_url
        WHERE run_no = ? AND host_no = ? AND state = 0 AND (depth, seq) > (?, ?) ${isOurs} ORDER BY depth, seq LIMIT ?`,
      runNo,
      hostNo,
      after?.rank ?? -1,
      after === null ? -1 : toStored(after.seq),
      limit,
    )
    return rows.map((row) => urlOf({ ...row, seq: seqOf(row.seq) }))
  }

  async function waitingUrls(no: number): Promise<WaitingUrl[]> {
    const { isOurs, runNo, seqOf } = numbersOf(no)
    const rows = await all<PendingRow & { dueAt: number; hostKey: string }>(
      `SELECT ${PENDING_COLUMNS}, due_at AS "dueAt", host_key AS "hostKey" FROM run_url JOIN host ON host.no = host_no
        WHERE run_no = ? AND state = 1 ${isOurs} ORDER BY due_at`,
      runNo,
    )
    return rows.map((row) => urlOf({ ...row, seq: seqOf(row.seq) }))
  }

  async function taskDocument(runNo: number): Promise<unknown> {
    const [row] = await all<{ items: string }>('SELECT items FROM search_result WHERE run_no = ?', runNo)
    return row === undefined ? null : JSON.parse(row.items)
  }

  function taskUrls(runNo: number, from: number, limit: number): Promise<TaskUrl[]> {
    return all('SELECT seq, url, lastmod FROM sitemap_url WHERE run_no = ? AND seq >= ? ORDER BY seq LIMIT ?', runNo, from, limit)
  }
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

const urlOf = <Row extends PendingRow>(row: Row) => Object.assign(row, { isSeed: row.isSeed === 1 })
