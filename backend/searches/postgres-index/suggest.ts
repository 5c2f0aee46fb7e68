/** "Did you mean", over the words of a team in PostgreSQL: by the rules of `own-index/suggest.ts`. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PostgresPool } from '#backend/platform/database/postgres/postgres.ts'
import type { OwnQuery, Term } from '../own-index/read-query.ts'
import {
  TWO_MISTAKES,
  beginnings,
  best,
  corrections,
  editDistance,
  isEnough,
  isCorrectable,
  longBeginnings,
  wordsNear,
} from '../own-index/suggest.ts'

const MOST_WORDS = 20_000
/** Words that are compared before other calls get a turn. */
const WORDS_AT_ONCE = 2000

/** @param finds  whether a query finds anything with the same filters */
export async function suggestOf(needs: {
  pool: PostgresPool
  teamId: string
  query: OwnQuery
  text: string
  finds: (text: string) => Promise<boolean>
}): Promise<string | null> {
  const { finds, pool, query, teamId, text } = needs
  const asked = query.terms.filter(isCorrectable)
  const known = await knownOf(asked.map(({ words }) => words[0]!))
  const unknown = asked.filter(({ words }) => !known.includes(words[0]!))
  if (unknown.length === 0) return null
  const near: { term: Term; words: string[] }[] = []
  for (const term of unknown) near.push({ term, words: await nearest(term.words[0]!) })
  for (const corrected of corrections(text, near)) if (await finds(corrected)) return corrected
  return null

  /** Those of the words that are on pages, in the order of the alphabet. */
  async function knownOf(words: string[]): Promise<string[]> {
    const { rows } = await pool.query<{ word: string }>(
      'SELECT word FROM team_word WHERE team_id = $1 AND word = ANY($2::text[]) ORDER BY word',
      [teamId, words],
    )
    return rows.map(({ word }) => word)
  }

  async function nearest(word: string): Promise<string[]> {
    const oneMistake = wordsNear(word)
    for (const words of oneMistake) {
      const found = await knownOf(words)
      if (found.length > 0) return best(new Map(found.map((one) => [one, { distance: 1, pages: 0 }])))
    }
    const most = word.length >= TWO_MISTAKES ? 2 : 1
    if (oneMistake.length > 0 && most === 1) return []
    const found = new Map<string, { distance: number; pages: number }>()
    for (const start of oneMistake.length > 0 ? longBeginnings(word) : beginnings(word)) {
      const { rows } = await pool.query<{ word: string }>(
        `SELECT word FROM team_word WHERE team_id = $1 AND word >= $2 AND word < $3 AND length(word) BETWEEN $4 AND $5
          ORDER BY word LIMIT ${MOST_WORDS}`,
        [teamId, start, `${start}\u{10ffff}`, word.length - most, word.length + most],
      )
      for (const [at, { word: candidate }] of rows.entries()) {
        if (at % WORDS_AT_ONCE === WORDS_AT_ONCE - 1) await nextTurn()
        const distance = editDistance(word, candidate, most)
        if (distance <= most) found.set(candidate, { distance, pages: 0 })
      }
      if (isEnough(found, start, word)) break
    }
    return best(found)
  }
}
