/** Joins the parts of a divided crawl again, when a backup is restored into an installation with a single engine. */
import { hostKey } from '#backend/crawler/url/canonical-url.ts'
import { jobKeysOf } from '#backend/platform/queue/queue.ts'
import type { Statements } from './statements.ts'

type Mailed = {
  hi: number
  lo: number
  url: string
  title: string
  depth: number
  hops: number
  isSeed: number
  outcome: string | null
  detail: string | null
}

/** Converts URLs that one part had sent to another into URLs of the run. Call inside a transaction. */
export function joinParts({ all, get, run }: Pick<Statements, 'all' | 'get' | 'run'>): void {
  const cut = all<{ no: number }>('SELECT no FROM run WHERE parts > 1 AND ended_at IS NULL')
  for (const { no } of cut) {
    const keys = all<{ hi: number; lo: number }>('SELECT key_hi AS hi, key_lo AS lo FROM run_url WHERE run_no = ?', no)
    const known = new Set(keys.map(({ hi, lo }) => `${hi} ${lo}`))
    const before = known.size
    let seq = get<{ next: number }>('SELECT coalesce(max(seq) + 1, 0) AS next FROM run_url WHERE run_no = ?', no)!.next
    let listed = 0
    const mail = all<Mailed>(
      'SELECT key_hi AS hi, key_lo AS lo, url, title, depth, hops, is_seed AS "isSeed", outcome, detail FROM run_mail WHERE run_no = ? ORDER BY no',
      no,
    )
    for (const { depth, detail, hi, hops, isSeed, lo, outcome, title, url } of mail) {
      const key = `${hi} ${lo}`
      if (known.has(key)) continue
      known.add(key)
      if (outcome !== null) listed += 1
      run('INSERT INTO host (host_key) VALUES (?) ON CONFLICT (host_key) DO NOTHING', hostKey(url))
      run(
        `INSERT INTO run_url (run_no, seq, key_hi, key_lo, host_no, depth, hops, state, outcome, detail, is_seed, url, title)
          VALUES (?, ?, ?, ?, (SELECT no FROM host WHERE host_key = ?), ?, ?, ?, ?, ?, ?, ?, ?)`,
        no,
        seq,
        hi,
        lo,
        hostKey(url),
        depth,
        hops,
        outcome === null ? 0 : 3,
        outcome,
        detail,
        isSeed,
        url,
        title,
      )
      seq += 1
    }
    run('UPDATE run SET parts = 1, known = known + ?, settled = settled + ? WHERE no = ?', known.size - before, listed, no)
    for (const table of ['run_part', 'run_mail']) run(`DELETE FROM ${table} WHERE run_no = ?`, no)
    // Removes the jobs of the parts; the reconciler creates one for the run.
    run('DELETE FROM job WHERE key >= ? AND key < ?', ...jobKeysOf(no))
  }
}
