/** What a search costs, by what was done for it. */
import type { SearchDepth } from '#contract/searches.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'

const BLOCK = 5

/** Credits of so many results at a depth: 1 or 2 for each started block of five, 1 for each that a browser has rendered. */
export function priceOf(depth: SearchDepth, results: number): number {
  const blocks = Math.ceil(results / BLOCK)
  return depth === 'ultimate' ? results : depth === 'advanced' ? 2 * blocks : blocks
}

/** Sets what a run has used so far; the day's total grows by the difference. Part of the transaction that keeps what was paid for. */
export function useCredits(connection: SqliteConnection, { runNo, teamId, at, used }: Use): void {
  const row = connection.prepare('SELECT used FROM credit_entry WHERE run_no = ?').get(runNo) as { used: number } | undefined
  const more = used - (row?.used ?? 0)
  if (more === 0) return
  connection.prepare('UPDATE credit_entry SET used = ? WHERE run_no = ?').run(used, runNo)
  connection
    .prepare(
      `INSERT INTO usage_day (team_id, day, pages, runs, credits) VALUES (?, ?, 0, 0, ?)
       ON CONFLICT (team_id, day) DO UPDATE SET credits = credits + excluded.credits`,
    )
    .run(teamId, new Date(at).toISOString().slice(0, 10), more)
}

type Use = { runNo: number; teamId: string; at: number; used: number }
