/**
 * How well the title or the URL of a page names what a query asks for. A page named "subprocess" is about it, while one that mentions the
 * word often may be about anything: BM25, which counts words, cannot tell these apart.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { OwnQuery, Term } from './read-query.ts'
import { foldText } from './words/words.ts'

/** What is between the parts of a title: "subprocess — Subprocess management | Python". */
const BETWEEN_PARTS = /\s[-–—|·»:/]+\s|:\s/
/** Files that stand for their folder. */
const FOLDER_FILE = /^(?:index|default|home|readme)$/
/** Only so many of the best pages are ranked by their names: their titles are read from the database. */
export const RANKED_BY_NAME = 100
const NAMES_AT_ONCE = 10
/** A page that the query names has the double score. */
const NAME_WEIGHT = 1
/** A form of a word names it a little less than the word. */
const FORM = 0.9
/** A title does not have to consist of the words of the query: a half of it already says what the page is about. */
const HALF = 0.5

type Named = { title: string | null; url: string }
export type Scored = [no: number, score: number]
type NameOf = (no: number) => Named | undefined

/**
 * The same pages; the best ones in a new order, those first whose name says that they are about the query.
 *
 * @param rows    the best first; a larger score is better
 * @param nameOf  undefined for a page that was deleted meanwhile
 */
export function rankByName(rows: readonly Scored[], nameOf: NameOf, query: OwnQuery, weights: ReadonlyMap<Term, number>): Scored[] {
  return reordered(
    rows,
    rows.slice(0, RANKED_BY_NAME).map((row) => scoredByName(row, nameOf, query, weights)),
  )
}

/** The same for an event loop that has other work: it gets a turn after a few pages. */
export async function rankByNameInTurns(
  rows: readonly Scored[],
  nameOf: NameOf,
  query: OwnQuery,
  weights: ReadonlyMap<Term, number>,
): Promise<Scored[]> {
  const best: Scored[] = []
  for (const row of rows.slice(0, RANKED_BY_NAME)) {
    if (best.length > 0 && best.length % NAMES_AT_ONCE === 0) await nextTurn()
    best.push(scoredByName(row, nameOf, query, weights))
  }
  return reordered(rows, best)
}

function scoredByName([no, score]: Scored, nameOf: NameOf, query: OwnQuery, weights: ReadonlyMap<Term, number>): Scored {
  const name = nameOf(no)
  return [no, name === undefined ? score : score * (1 + NAME_WEIGHT * namesQuery(name, query, weights))]
}

const reordered = (rows: readonly Scored[], best: readonly Scored[]): Scored[] => [
  ...best.toSorted(([, one], [, other]) => other - one),
  ...rows.slice(best.length),
]

/**
 * From 0 to 1, which means that a part of the title, or the last part of the URL, consists of the words of the query.
 *
 * @param weights  of the terms; terms that are not in it weigh 1
 */
export function namesQuery(page: Named, { terms }: OwnQuery, weights: ReadonlyMap<Term, number> = new Map()): number {
  const wanted = terms.filter(({ isExcluded }) => !isExcluded)
  const names = [...(page.title ?? '').split(BETWEEN_PARTS), page.title ?? '', lastPart(page.url)]
  return Math.max(0, ...names.map((name) => fit(foldText(name).split(' ').filter(Boolean), wanted, weights)))
}

/** The last part of a path that is a name, without the extension of a file. */
function lastPart(href: string): string {
  const parts = (URL.parse(href)?.pathname ?? '').split('/').map((part) => decoded(part).replace(/\.[a-z]{1,5}$/i, ''))
  return parts.findLast((part) => part !== '' && !FOLDER_FILE.test(part.toLowerCase())) ?? ''
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The part of the query that is in a name, times the part of the name that is in the query. */
function fit(name: readonly string[], wanted: readonly Term[], weights: ReadonlyMap<Term, number>): number {
  if (name.length === 0) return 0
  const covered = new Set<number>()
  let found = 0
  let all = 0
  for (const term of wanted) {
    const weight = weights.get(term) ?? 1
    const value = find(name, term, covered)
    found += weight * value
    all += weight
  }
  return all === 0 ? 0 : (found / all) * (HALF + (1 - HALF) * (covered.size / name.length))
}

/** 1 if a name has the words of a term, less if it has another form; adds their places. */
function find(name: readonly string[], { forms, isPrefix, words }: Term, covered: Set<number>): number {
  let best = 0
  for (let at = 0; at < name.length; at += 1) {
    const isWritten = words.every((word, offset) => {
      const own = name[at + offset]
      return isPrefix && offset === words.length - 1 ? own?.startsWith(word) : own === word
    })
    if (isWritten) for (let offset = 0; offset < words.length; offset += 1) covered.add(at + offset)
    else if (forms.includes(name[at]!)) covered.add(at)
    else continue
    best = Math.max(best, isWritten ? 1 : FORM)
  }
  return best
}
