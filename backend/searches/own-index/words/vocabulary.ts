/** The words of one team's pages: how frequent they are, and which of them are forms of a query's words. */
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import { isLong, singleWords } from './choose-words.ts'
import { withCompounds } from './compounds.ts'
import { vocabularyTable, wordsTable } from '../index-file.ts'
import type { OwnQuery, Term } from '../read-query.ts'
import { MANY_PAGES, formTest, languagesOfSample, mayHaveForms, mostFrequent, rangeOfForms, withForms } from './word-forms.ts'
import type { KnownWord } from './word-forms.ts'

/** Pages that are read to learn in which languages a word, or a team's pages, are. */
const PAGES_OF_WORD = 32
const PAGES_OF_TEAM = 200
/** For the ranges of all words, which share the time: one with very frequent words takes long. The forms that are found until then count. */
const LONGEST_MS = 150
/** To count the pages of a frequent word takes long, and changes little in a minute. */
const COUNTED_MS = 60_000
const FREQUENT = 2000
/** Of all teams, so that the numbers take little memory. */
const MOST_FREQUENT_WORDS = 1000
/** FTS5 merges the lists of all words with a beginning: 60 ns for each page of a word. */
const MOST_OF_BEGINNING = 50_000

/** The numbers of pages with frequent words, by table and word. */
export type FrequentWords = Map<string, { pages: number; until: number }>

/**
 * @param frequent  what earlier queries have counted
 * @param language  the language that the search is restricted to
 * @param now       a clock in milliseconds
 */
export function openVocabulary(
  index: SqliteConnection,
  { frequent = new Map(), language, now, teamNo }: { frequent?: FrequentWords; language: string | null; now: () => number; teamNo: number },
) {
  const vocabulary = vocabularyTable(teamNo)
  const pagesWith = index.prepare(`SELECT doc FROM ${vocabulary} WHERE term = ?`).pluck()
  const between = index.prepare(`SELECT term AS word, doc AS pages FROM ${vocabulary} WHERE term >= ? AND term < ?`)
  const known = new Map<string, number>()
  const formsOf = new Map<string, KnownWord[]>()
  const frequentBeginnings = new Map<string, boolean>()
  let languagesOfTeam: string[] | undefined
  return { pagesOf, addForms, isFrequentBeginning }

  /** On how many pages the single words of a query and their forms are. */
  function pagesOf(query: OwnQuery): ReadonlyMap<string, number> {
    for (const { words } of singleWords(query)) pagesOfWord(words[0]!)
    return known
  }

  /** The query with the forms of its words. A word that is still being written has forms once it is a word of the pages. */
  function addForms(query: OwnQuery): OwnQuery {
    const until = now() + LONGEST_MS
    const most = isLong(query) ? MANY_PAGES : Infinity
    const terms = query.terms.filter((term) => mayHaveForms(term) && !formsOf.has(term.words[0]!))
    const words = terms.flatMap(({ isUnfinished, words: [word] }) => {
      const pages = pagesOfWord(word!)
      return (isUnfinished && pages === 0) || pages >= most ? [] : [word!]
    })
    const asked = [...new Set(words)]
    for (const [place, word] of asked.entries()) formsOf.set(word, findForms(word, now() + (until - now()) / (asked.length - place)))
    return withCompounds(withForms(query, formsOf), (word) => pagesOfWord(word) > 0)
  }

  function findForms(word: string, until: number): KnownWord[] {
    const languages = languagesOf(word)
    const range = rangeOfForms(word, languages)
    if (range === null) return []
    const isForm = formTest(word, languages)
    const forms: KnownWord[] = []
    for (const near of between.iterate(...range) as Iterable<KnownWord>) {
      if (isForm(near.word)) forms.push(near)
      if (now() > until) break
    }
    for (const form of forms) known.set(form.word, form.pages)
    return mostFrequent(forms)
  }

  /** The languages of the pages with a word; those of the team's pages for a word that is on none. */
  function languagesOf(word: string): string[] {
    if (language !== null) return languagesOfSample(new Map([[language, 1]]))
    if (pagesOfWord(word) === 0) return (languagesOfTeam ??= languagesOfSample(sampleOfTeam()))
    return languagesOfSample(sampleOfWord(word))
  }

  function pagesOfWord(word: string): number {
    let pages = known.get(word)
    if (pages === undefined) known.set(word, (pages = countPages(word)))
    return pages
  }

  function countPages(word: string): number {
    const key = `${teamNo} ${word}`
    const before = frequent.get(key)
    if (before !== undefined && before.until > now()) return before.pages
    const pages = (pagesWith.get(word) as number | undefined) ?? 0
    if (pages < FREQUENT) return pages
    if (frequent.size >= MOST_FREQUENT_WORDS) frequent.clear()
    frequent.set(key, { pages, until: now() + COUNTED_MS })
    return pages
  }

  /** Whether so many pages have words with the beginning that to find them takes long. */
  function isFrequentBeginning({ isPrefix, words }: Term): boolean {
    const [beginning] = words
    if (!isPrefix || words.length > 1) return false
    let isFrequent = frequentBeginnings.get(beginning!)
    if (isFrequent === undefined) {
      let pages = 0
      for (const near of between.iterate(beginning, `${beginning}\u{10ffff}`) as Iterable<KnownWord>)
        if ((pages += near.pages) > MOST_OF_BEGINNING) break
      frequentBeginnings.set(beginning!, (isFrequent = pages > MOST_OF_BEGINNING))
    }
    return isFrequent
  }

  /** Of the oldest and of the newest pages with a word. */
  function sampleOfWord(word: string): Map<string | null, number> {
    const table = wordsTable(teamNo)
    const some = (order: string) =>
      `SELECT * FROM (SELECT rowid AS no FROM ${table} WHERE ${table} MATCH ? ORDER BY rowid ${order} LIMIT ${PAGES_OF_WORD})`
    return languagesOfRows(
      index
        .prepare(
          `SELECT language, count(*) FROM (${some('ASC')} UNION ${some('DESC')}) AS some JOIN page ON page.no = abs(some.no) GROUP BY language`,
        )
        .raw()
        .all(`"${word}"`, `"${word}"`),
    )
  }

  /** The keys of URLs are hashes, so the first of them are a random sample. */
  function sampleOfTeam(): Map<string | null, number> {
    return languagesOfRows(
      index
        .prepare(
          `SELECT language, count(*) FROM (SELECT language FROM page WHERE team_no = ? ORDER BY address_key LIMIT ${PAGES_OF_TEAM}) GROUP BY language`,
        )
        .raw()
        .all(teamNo),
    )
  }
}

const languagesOfRows = (rows: unknown[]) => new Map(rows as [string | null, number][])
