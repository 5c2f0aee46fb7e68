/** The words of one team's pages in PostgreSQL: how frequent they are, and which of them are forms of a query's words. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PostgresPool } from '#backend/platform/database/postgres/postgres.ts'
import { isLong, singleWords } from '../own-index/words/choose-words.ts'
import { possibleCompounds, withCompounds } from '../own-index/words/compounds.ts'
import type { OwnQuery } from '../own-index/read-query.ts'
import {
  MANY_PAGES,
  formTest,
  languagesOfSample,
  mayHaveForms,
  mostFrequent,
  rangeOfForms,
  withForms,
} from '../own-index/words/word-forms.ts'
import type { KnownWord } from '../own-index/words/word-forms.ts'

/** Pages are counted up to here, since counting and weighing take longer than in an index file. */
export const MOST_COUNTED = MANY_PAGES
const PAGES_OF_TEAM = 200
/** Of all ranges of a query, which have equal parts. */
const MOST_WORDS = 5000
/** Words that are compared before other calls get a turn: some stemmers take 20 µs for a word. */
const WORDS_AT_ONCE = 100
/** Forms of a word are counted up to here: it only matters which of them are the most frequent, and whether they are rarer than the word. */
const FORMS_COUNTED = 100

type Sample = Map<string | null, number>

/** @param language  the language that the search is restricted to */
export function openVocabulary(pool: PostgresPool, { teamId, language }: { teamId: string; language: string | null }) {
  const known = new Map<string, number>()
  const samples = new Map<string, Sample>()
  const formsOf = new Map<string, KnownWord[]>()
  return { addForms, areFrequent, pagesOf }

  /** On how many pages the single words of a query and their forms are, at most `MOST_COUNTED`. */
  async function pagesOf(query: OwnQuery): Promise<ReadonlyMap<string, number>> {
    await count(singleWords(query).map(({ words }) => words[0]!))
    return known
  }

  /** Whether each word of a query is on at least `MOST_COUNTED` pages, as far as is known. */
  async function areFrequent(query: OwnQuery): Promise<boolean> {
    const words = singleWords(query).flatMap((term) => (term.isPrefix ? [] : term.words))
    await count(words)
    return words.length > 0 && words.every((word) => known.get(word)! >= MOST_COUNTED)
  }

  /** The query with the forms of its words. A word that is still being written has forms once it is a word of the pages. */
  async function addForms(query: OwnQuery): Promise<OwnQuery> {
    const terms = query.terms.filter((term) => mayHaveForms(term) && !formsOf.has(term.words[0]!))
    await count(terms.map(({ words }) => words[0]!))
    const most = isLong(query) ? MANY_PAGES : Infinity
    const asked = terms.flatMap(({ isUnfinished, words: [word] }) => {
      const pages = known.get(word!)!
      return (isUnfinished && pages === 0) || pages >= most ? [] : [word!]
    })
    if (asked.length > 0) await findForms([...new Set(asked)])
    await count(possibleCompounds(query), FORMS_COUNTED)
    return withCompounds(withForms(query, formsOf), (word) => known.get(word)! > 0)
  }

  async function findForms(words: string[]): Promise<void> {
    const ofTeam = words.some((word) => known.get(word) === 0) ? languagesOfSample(await sampleOfTeam()) : []
    const languagesOf = new Map(words.map((word) => [word, languages(word, ofTeam)]))
    const ranges = words.flatMap((word) => {
      const range = rangeOfForms(word, languagesOf.get(word)!)
      return range === null ? [] : [[word, ...range] as const]
    })
    const column = (at: 0 | 1 | 2) => ranges.map((range) => range[at])
    const { rows } = await pool.query<{ word: string; near: string }>(
      `SELECT x.word, near FROM unnest($2::text[], $3::text[], $4::text[]) AS x(word, start, "end"),
          LATERAL (SELECT known.word AS near FROM team_word AS known
            WHERE team_id = $1 AND known.word >= x.start AND known.word < x."end" AND known.word !~ '[0-9]' ORDER BY known.word LIMIT $5) AS known`,
      [teamId, column(0), column(1), column(2), Math.ceil(MOST_WORDS / Math.max(1, ranges.length))],
    )
    const isForm = new Map(words.map((word) => [word, formTest(word, languagesOf.get(word)!)]))
    const found: typeof rows = []
    for (let at = 0; at < rows.length; at += WORDS_AT_ONCE) {
      if (at > 0) await nextTurn()
      found.push(...rows.slice(at, at + WORDS_AT_ONCE).filter(({ near, word }) => isForm.get(word)!(near)))
    }
    await count(
      found.map(({ near }) => near),
      FORMS_COUNTED,
    )
    const isFrequent = ({ near, word }: (typeof rows)[number]) => known.get(near) === FORMS_COUNTED && known.get(word)! < FORMS_COUNTED
    const frequent = found.filter(isFrequent).map(({ near }) => near)
    for (const near of frequent) known.delete(near)
    await count(frequent)
    for (const word of words) {
      const forms = found.flatMap(({ near, word: of }) => (of === word ? [{ word: near, pages: known.get(near)! }] : []))
      // Words stay in the vocabulary after their pages were deleted.
      formsOf.set(word, mostFrequent(forms.filter(({ pages }) => pages > 0)))
    }
  }

  function languages(word: string, ofTeam: string[]): string[] {
    if (language !== null) return languagesOfSample(new Map([[language, 1]]))
    return known.get(word) === 0 ? ofTeam : languagesOfSample(samples.get(word)!)
  }

  /** Counts the pages with each word, by their language. */
  async function count(words: string[], most = MOST_COUNTED): Promise<void> {
    const unknown = [...new Set(words)].filter((word) => !known.has(word))
    if (unknown.length === 0) return
    const { rows } = await pool.query<{ word: string; language: string | null; pages: number }>(
      `SELECT word, language, count(*) AS pages FROM unnest($2::text[]) AS word,
          LATERAL (SELECT language FROM page_words WHERE team_id = $1 AND words @@ ('''' || word || '''')::tsquery LIMIT $3) AS few
        GROUP BY word, language`,
      [teamId, unknown, most],
    )
    for (const word of unknown) {
      const sample = new Map(rows.filter((row) => row.word === word).map((row) => [row.language, row.pages]))
      samples.set(word, sample)
      known.set(
        word,
        [...sample.values()].reduce((sum, pages) => sum + pages, 0),
      )
    }
  }

  /** The keys of URLs are hashes, so the first of them are a random sample. */
  async function sampleOfTeam(): Promise<Sample> {
    const { rows } = await pool.query<{ language: string | null; pages: number }>(
      `SELECT language, count(*) AS pages FROM (SELECT language FROM page_words WHERE team_id = $1 ORDER BY address LIMIT ${PAGES_OF_TEAM}) AS few
        GROUP BY language`,
      [teamId],
    )
    return new Map(rows.map(({ language: code, pages }) => [code, pages]))
  }
}
