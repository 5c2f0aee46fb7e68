/** How many new URLs each run may write in one commit, so that a run with many does not delay the pages of others. */

/** New URLs in one commit of several runs: about 40 ms on one core (measured). */
export const ROWS_PER_COMMIT = 4000
/** A share may always write this many. */
const LEAST_ROWS = 500

/**
 * Divides the rows of a commit between shares, and the part of each share between its runs, in their order. What a share does not need goes
 * to the others.
 *
 * @param runs  each with its share and its number of waiting rows
 * @returns the number of rows that each may write now
 */
export function divideRows<Run extends { share: string; rows: number }>(runs: Run[]): Map<Run, number> {
  const wanted = new Map<string, number>()
  for (const { rows, share } of runs) wanted.set(share, (wanted.get(share) ?? 0) + rows)
  const parts = new Map<string, number>()
  let left = ROWS_PER_COMMIT
  // Those with fewest rows first: what they leave is divided among the rest.
  const shares = [...wanted].sort((one, other) => one[1] - other[1])
  for (const [at, [share, rows]] of shares.entries()) {
    const part = Math.min(rows, Math.max(LEAST_ROWS, Math.floor(left / (shares.length - at))))
    parts.set(share, part)
    left = Math.max(0, left - part)
  }
  const given = new Map<Run, number>()
  for (const run of runs) {
    const rows = Math.min(run.rows, parts.get(run.share)!)
    parts.set(run.share, parts.get(run.share)! - rows)
    given.set(run, rows)
  }
  return given
}
