/** What the owner of a run reads back. Statements rename the columns; states become words. */
import { readRunSpec } from '#backend/crawler/run-spec.ts'
import type { UpgradeSpec } from '#backend/crawler/run-spec.ts'
import type { KnownUrl, PendingOfHost, PendingPlace, PendingUrl, RunDescription, TaskUrl, UrlKey, WaitingUrl } from '../run-store.ts'
import { URL_STATES } from '../url-states.ts'
import type { HostRows } from './host-rows.ts'
import type { Statements } from './statements.ts'

const PENDING_COLUMNS = 'seq, url, depth AS rank, tries, hops, is_seed AS "isSeed"'

export function readsOfOwner({ of }: Statements, hosts: HostRows, upgradeSpec: UpgradeSpec) {
  const asked = of('SELECT kind, spec, options, run_options.seeds, secrets FROM run_options JOIN run ON run.no = run_no WHERE run_no = ?')
  const seedUrls = of('SELECT url, hops FROM run_url WHERE run_no = ? AND is_seed = 1')
  const known = of(`SELECT seq, key_hi AS hi, key_lo AS lo, state, depth AS rank, outcome, length(title) AS "titleLength", url
    FROM run_url WHERE run_no = ? AND seq > ? ORDER BY seq LIMIT ?`)
  const keysOfPages = of('SELECT key_hi AS hi, key_lo AS lo FROM page WHERE run_no = ?')
  const perHost = of(`SELECT host_key AS "hostKey", pending, least >> 32 AS rank, least & 4294967295 AS seq FROM
    (SELECT host_no, count(*) AS pending, min((depth << 32) + seq) AS least FROM run_url WHERE run_no = ? AND state = 0 GROUP BY host_no)
    JOIN host ON host.no = host_no`)
  const pending = of(`SELECT ${PENDING_COLUMNS} FROM run_url
    WHERE run_no = ? AND host_no = ? AND state = 0 AND (depth, seq) > (?, ?) ORDER BY depth, seq LIMIT ?`)
  const waiting = of(`SELECT ${PENDING_COLUMNS}, due_at AS "dueAt", host_key AS "hostKey" FROM run_url JOIN host ON host.no = host_no
    WHERE run_no = ? AND state = 1 ORDER BY due_at`)
  const document = of('SELECT items FROM search_result WHERE run_no = ?').pluck()
  const urls = of('SELECT seq, url, lastmod FROM sitemap_url WHERE run_no = ? AND seq >= ? ORDER BY seq LIMIT ?')
  return { describe, knownUrls, pageKeys, pendingByHost, pendingUrls, waitingUrls, taskDocument, taskUrls }

  function describe(runNo: number): RunDescription {
    const row = asked.get(runNo) as { kind: string; spec: string | null; options: string; seeds: string; secrets: string | null }
    return {
      spec: row.spec === null ? upgradeSpec(row.kind, JSON.parse(row.options) as Record<string, unknown>) : readRunSpec(row.spec),
      seeds: JSON.parse(row.seeds) as string[],
      sealedSecrets: row.secrets,
      seedUrls: seedUrls.all(runNo) as RunDescription['seedUrls'],
    }
  }

  function knownUrls(runNo: number, after: number, limit: number): KnownUrl[] {
    const rows = known.all(runNo, after, limit) as (Omit<KnownUrl, 'state'> & { state: number })[]
    return rows.map((row) => Object.assign(row, { state: URL_STATES[row.state]! }))
  }

  function pageKeys(runNo: number): UrlKey[] {
    return keysOfPages.all(runNo) as UrlKey[]
  }

  function pendingByHost(runNo: number): PendingOfHost[] {
    const rows = perHost.all(runNo) as { hostKey: string; pending: number; rank: number; seq: number }[]
    return rows.map(({ hostKey, pending: count, ...first }) => ({ hostKey, pending: count, first }))
  }

  function pendingUrls(runNo: number, hostKey: string, after: PendingPlace | null, limit: number): PendingUrl[] {
    const hostNo = hosts.find(hostKey)
    return hostNo === null ? [] : (pending.all(runNo, hostNo, after?.rank ?? -1, after?.seq ?? -1, limit) as PendingRow[]).map(urlOf)
  }

  function waitingUrls(runNo: number): WaitingUrl[] {
    return (waiting.all(runNo) as (PendingRow & { dueAt: number; hostKey: string })[]).map(urlOf)
  }

  function taskDocument(runNo: number): unknown {
    const stored = document.get(runNo) as string | undefined
    return stored === undefined ? null : JSON.parse(stored)
  }

  function taskUrls(runNo: number, from: number, limit: number): TaskUrl[] {
    return urls.all(runNo, from, limit) as TaskUrl[]
  }
}

type PendingRow = Omit<PendingUrl, 'isSeed'> & { isSeed: number }

const urlOf = <Row extends PendingRow>(row: Row) => Object.assign(row, { isSeed: row.isSeed === 1 })
