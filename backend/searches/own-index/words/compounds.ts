/**
 * Compounds: two neighbouring words of a query that the pages write as one word. "Datenbank Sicherung" finds "Datenbanksicherung", and "web
 * server" finds "webserver". The compound is a form of both words, so it counts less than the words as they were written.
 */
import type { OwnQuery, Term } from '../read-query.ts'
import { mayHaveForms } from './word-forms.ts'

/** Letters between the parts: German has "Arbeitsplatz" of "Arbeit" and "Platz". */
const BETWEEN = ['', 's']

/** The words that neighbouring words of a query may make, whether they exist or not. */
export const possibleCompounds = ({ terms }: OwnQuery): string[] => terms.slice(1).flatMap((term, at) => joined(terms[at]!, term))

/**
 * The query with its compounds as forms of their parts.
 *
 * @param isKnown  whether a word is on a page
 */
export function withCompounds(query: OwnQuery, isKnown: (word: string) => boolean): OwnQuery {
  const terms = [...query.terms]
  for (let at = 1; at < terms.length; at += 1) {
    const known = joined(terms[at - 1]!, terms[at]!).filter(isKnown)
    if (known.length === 0) continue
    for (const place of [at - 1, at]) terms[place] = { ...terms[place]!, forms: [...new Set([...terms[place]!.forms, ...known])] }
  }
  return { ...query, terms }
}

const joined = (one: Term, two: Term): string[] =>
  mayHaveForms(one) && mayHaveForms(two) ? BETWEEN.map((letter) => `${one.words[0]!}${letter}${two.words[0]!}`) : []
