/**
 * Adds the words of stored pages to PostgreSQL's full text, a few pages of one run in each step; owners of teams take turns by the time
 * that they have used. Any number of processes may do this at once: a step locks its run, and takes another run if that one is locked.
 */
import { BEGIN } from '#backend/platform/database/postgres/postgres.ts'
import type { PostgresPool } from '#backend/platform/database/postgres/postgres.ts'
import { shareOfTeam } from '#backend/platform/database/share-of-team.ts'
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import { pageText } from '../own-index/page-text.ts'
import { languageOf, pagesOfRows, placeOf } from '../own-index/stored-pages.ts'
import type { PageRow } from '../own-index/stored-pages.ts'
import { holdersOf } from './page-holders.ts'
import { pageWords } from './page-words.ts'

/** A lock on the run's number says whether another process indexes it. */
const FOLLOWERS = 95
const PAGES_PER_STEP = 40
/** Increased when what counts as a word changes: a step of the schema then empties the tables and accepts only the new version. */
const VERSION = 1
/** Between two statements of a step: the server ends a session that is idle in a transaction for ten seconds. */
const LONGEST_MS = 2000
const MOST_CANDIDATES = 200
/** Of one share, in one answer. */
const MOST_OF_SHARE = 20
/** Candidates are found again after ten times as long as that took (a fifth of a second for 100,000 runs), or earlier when none is left. */
const SEARCHES_EVERY = 10
/** After this time all runs are read again, in case one was added below the first run that is read. */
const LOOK_BACK_MS = 10 * 60_000
const TWO_31 = 2 ** 31

type Candidate = { no: number; teamId: string; share: string }

const SHARE = shareOfTeam('run.team_id')

/** Runs with pages that are not indexed yet, beginning with a number: first the oldest of each share. */
const CANDIDATES = `SELECT no, team_id AS "teamId", share FROM (
    SELECT run.no, run.team_id, ${SHARE} AS share, row_number() OVER (PARTITION BY ${SHARE} ORDER BY run.no) AS place
    FROM run LEFT JOIN run_words ON run_words.run_no = run.no
    WHERE run.no >= $1 AND run.deleted_at IS NULL AND run.kept > coalesce(run_words.ordinal, 0)
      AND EXISTS (SELECT 1 FROM page WHERE page.no = run.no * ${PAGES_PER_RUN} + coalesce(run_words.ordinal, 0) + 1)
  ) AS waiting
  WHERE place <= ${MOST_OF_SHARE} ORDER BY place, no LIMIT ${MOST_CANDIDATES}`

/** The first run that may get further pages; the next new one if there is none. */
const FIRST_OPEN = `SELECT coalesce((SELECT min(no) FROM run WHERE ended_at IS NULL), (SELECT max(no) + 1 FROM run), 0) AS no`

export function createPostgresFollower(pool: PostgresPool, { longestMs = LONGEST_MS }: { longestMs?: number } = {}) {
  /** Milliseconds that each share has used; a new share starts at the lowest value of the others. */
  const spent = new Map<string, number>()
  /** Of the step in progress: the time in which it did not wait for the database. */
  let ownMs = 0
  let candidates: Candidate[] = []
  let candidatesUntil = -Infinity
  /** All runs before this one have ended, and their pages are indexed. */
  let first = 0
  let lookedBackAt = performance.now()
  return { look: () => undefined, hint: () => undefined, step, releaseSpace: () => false }

  /** One step, and how long it waited for the database; null when everything that is left is being indexed by other processes. */
  async function step(): Promise<{ added: number; waitedMs: number } | null> {
    const begunAt = performance.now()
    ownMs = 0
    const isFresh = candidates.length === 0 || begunAt >= candidatesUntil
    if (isFresh) await findCandidates()
    const rows = candidates
    const least = Math.min(...rows.map(({ share }) => spent.get(share) ?? Infinity))
    const costOf = ({ share }: Candidate) => spent.get(share) ?? (Number.isFinite(least) ? least : 0)
    for (const run of rows.toSorted((one, other) => costOf(one) - costOf(other))) {
      const startedAt = performance.now()
      const added = await follow(run)
      // Nothing may be left of this run, or another process indexes it.
      if (added === null || added < PAGES_PER_STEP) candidates = candidates.filter((one) => one !== run)
      spent.set(run.share, costOf(run) + performance.now() - startedAt)
      if (added !== null) return { added, waitedMs: performance.now() - begunAt - ownMs }
    }
    if (!isFresh) return step()
    for (const share of spent.keys()) if (!rows.some((row) => row.share === share)) spent.delete(share)
    return null
  }

  async function findCandidates(): Promise<void> {
    const startedAt = performance.now()
    if (startedAt - lookedBackAt > LOOK_BACK_MS) [first, lookedBackAt] = [0, startedAt]
    // Asked before: a run that ends between the two queries counts as open.
    const { rows: open } = await pool.query<{ no: number }>(FIRST_OPEN)
    const { rows } = await pool.query<Candidate>(CANDIDATES, [first])
    first = Math.min(open[0]!.no, rows[0]?.no ?? Infinity)
    candidates = rows
    candidatesUntil = performance.now() + SEARCHES_EVERY * (performance.now() - startedAt)
  }

  /** Returns how many pages were added; null when another process indexes the run. */
  async function follow({ no, teamId }: Candidate): Promise<number | null> {
    const client = await pool.connect()
    let isUsable = false
    try {
      await client.query(BEGIN)
      const { rows: locks } = await client.query<{ mine: number }>('SELECT pg_try_advisory_xact_lock($1, $2) AS mine', [
        FOLLOWERS,
        no % TWO_31,
      ])
      // The lock keeps the run's row until this transaction ends, so that its words are removed together with it.
      const { rows: runs } = await client.query('SELECT 1 FROM run WHERE no = $1 AND deleted_at IS NULL FOR KEY SHARE', [no])
      const added = locks[0]?.mine === 1 && runs.length === 1 ? await followLocked(no, teamId) : null
      await client.query('COMMIT')
      isUsable = true
      return added
    } finally {
      client.release(!isUsable)
    }

    async function followLocked(runNo: number, team: string): Promise<number> {
      const { rows: known } = await client.query<{ ordinal: number }>('SELECT ordinal FROM run_words WHERE run_no = $1', [runNo])
      const ordinal = known[0]?.ordinal ?? 0
      const { rows: pages } = await client.query<PageRow>(
        `SELECT page.no, page.id, page.url, page.title, page.language, page.created_at AS "createdAt", page_body.encoding, page_body.raw_bytes AS "rawBytes", page_body.body
          FROM page LEFT JOIN page_body ON page_body.page_no = page.no
          WHERE page.no > $1 AND page.no < $2 ORDER BY page.no LIMIT $3`,
        [runNo * PAGES_PER_RUN + ordinal, (runNo + 1) * PAGES_PER_RUN, PAGES_PER_STEP],
      )
      if (pages.length === 0) return 0
      const vocabulary = new Set<string>()
      const rows: (readonly [no: number, ...unknown[]])[] = []
      const holders = await holdersOf(client, pages)
      const startedAt = performance.now()
      for (const page of pagesOfRows(pages, holders)) {
        const { vector, words } = pageWords(pageText(page, page.document))
        for (const word of words) vocabulary.add(word)
        const { host, key, path } = placeOf(page.url)
        rows.push([page.no, key, host, path, languageOf(page.language), page.createdAt, vector])
        ownMs = performance.now() - startedAt
        if (ownMs >= longestMs) break
      }
      const column = (at: number) => rows.map((row) => row[at])
      await client.query(
        `INSERT INTO page_words (page_no, run_no, team_id, address, host, path, language, created_at, words)
          SELECT no, $1, $2, address, host, path, language, at, words::tsvector
          FROM unnest($3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::text[])
            AS x(no, address, host, path, language, at, words)
          ON CONFLICT (page_no) DO NOTHING`,
        [runNo, team, column(0), column(1), column(2), column(3), column(4), column(5), column(6)],
      )
      // Always in the same order, so that two processes cannot deadlock.
      await client.query('INSERT INTO team_word (team_id, word) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING', [
        team,
        [...vocabulary].toSorted(),
      ])
      await client.query(
        `INSERT INTO run_words (run_no, team_id, ordinal, version) VALUES ($1, $2, $3, ${VERSION})
          ON CONFLICT (run_no) DO UPDATE SET ordinal = excluded.ordinal`,
        [runNo, team, rows.at(-1)![0] - runNo * PAGES_PER_RUN],
      )
      return rows.length
    }
  }
}
