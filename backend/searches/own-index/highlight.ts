/** Finds the passage of a text that matches a query best, and the matches in it. Plain pieces of text, no markup. */
import type { OwnQuery, Term } from './read-query.ts'
import { wordsOf } from './words/words.ts'
import type { Word } from './words/words.ts'

/** A piece of a text; whether it matches the query. */
export type Part = [text: string, isMatch: boolean]

type Span = { start: number; end: number; term: number }

const SNIPPET_LENGTH = 240
/** The size of the parts of a text that are searched for a passage. Each begins before the end of the one before, so that no phrase is cut. */
const LOOKED_AT = 60_000
const OVERLAP = 1000
/** After a part with any match, so many more are searched for a telling term: a part takes milliseconds, and a page may have hundreds. */
const MOST_FURTHER = 4
const LONGEST_TITLE = 300
/** Terms that weigh at least this part of the heaviest one say what a page is about. */
const TELLING = 0.5

/** A short text as a whole, with its matches marked. */
export function markText(text: string, query: OwnQuery): Part[] {
  const shown = clip(text, LONGEST_TITLE)
  return shown === '' ? [] : partsOf(shown, 0, shown.length, spansOf(shown, wanted(query)))
}

/**
 * The passage of a text with the most matches; its beginning when it has none.
 *
 * @param weights  of the terms, so that a passage with the rare words of a question is preferred; terms that are not in it weigh 1
 */
export function snippetOf(text: string, query: OwnQuery, weights: ReadonlyMap<Term, number> = new Map()): Part[] {
  const terms = wanted(query)
  const weighed = terms.map((term) => weights.get(term) ?? 1)
  const { start, body, spans } = partWithMatch(text, terms, weighed)
  if (body === '') return []
  const { from, to } = passage(body, spans, weighed)
  const parts = partsOf(body, from, to, spans)
  const first = parts[0]!
  const last = parts.at(-1)!
  const isCutBefore = start + from > 0
  if (isCutBefore) parts[0] = first[1] ? first : [`… ${first[0].trimStart()}`, false]
  if (isCutBefore && first[1]) parts.unshift(['… ', false])
  if (to < body.length || text.length > start + LOOKED_AT) {
    if (last[1]) parts.push([' …', false])
    else parts[parts.length - 1] = [`${parts.at(-1)![0].trimEnd()} …`, false]
  }
  return parts
}

/**
 * The first part of a text with a match of a telling term, tidied, and where it starts; the first with any match when no part soon after it
 * has one; the first part of all when no part has a match.
 */
function partWithMatch(text: string, terms: Term[], weights: readonly number[]): { start: number; body: string; spans: Span[] } {
  const least = TELLING * Math.max(...weights)
  let first: { start: number; body: string; spans: Span[] } | null = null
  let further = 0
  for (let start = 0; start < text.length; start = wordStart(text, start + LOOKED_AT - OVERLAP)) {
    const body = tidy(text.slice(start, start + LOOKED_AT))
    const spans = spansOf(body, terms)
    if (spans.some(({ term }) => weights[term]! >= least)) return { start, body, spans }
    if (spans.length > 0) first ??= { start, body, spans }
    if (first !== null && further === MOST_FURTHER) break
    if (first !== null) further += 1
  }
  return first ?? { start: 0, body: tidy(text.slice(0, LOOKED_AT)), spans: [] }
}

const tidy = (text: string) =>
  text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim()

const wanted = ({ terms }: OwnQuery) => terms.filter(({ isExcluded }) => !isExcluded)

/** The positions of the terms, in order, without overlaps. */
function spansOf(text: string, terms: Term[]): Span[] {
  const words = wordsOf(text)
  const first = new Map<string, number[]>()
  const prefixes: number[] = []
  for (const [number, term] of terms.entries()) {
    if (term.isPrefix && term.words.length === 1) prefixes.push(number)
    else first.set(term.words[0]!, [...(first.get(term.words[0]!) ?? []), number])
    for (const form of term.forms) first.set(form, [...(first.get(form) ?? []), number])
  }
  const spans: Span[] = []
  let end = -1
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!
    if (word.start < end) continue
    const candidates = [...(first.get(word.text) ?? []), ...prefixes]
    let longest: Span | null = null
    for (const term of candidates) {
      const last = lastOf(words, at, terms[term]!)
      if (last !== null && (longest === null || last.end > longest.end)) longest = { start: word.start, end: last.end, term }
    }
    if (longest === null) continue
    spans.push(longest)
    end = longest.end
  }
  return spans
}

function lastOf(words: Word[], at: number, { forms, words: phrase, isPrefix }: Term): Word | null {
  if (forms.includes(words[at]!.text)) return words[at]!
  for (const [offset, wantedWord] of phrase.entries()) {
    const word = words[at + offset]
    if (word === undefined) return null
    const isLast = offset === phrase.length - 1
    if (isLast && isPrefix ? !word.text.startsWith(wantedWord) : word.text !== wantedWord) return null
  }
  return words[at + phrase.length - 1]!
}

/** The window with the heaviest different terms, then the most matches; it begins a little before its first match, at a word. */
function passage(text: string, spans: Span[], weights: readonly number[]): { from: number; to: number } {
  let best = { from: 0, to: Math.min(text.length, SNIPPET_LENGTH) }
  let bestValue = -1
  const counts = new Map<number, number>()
  let right = 0
  for (let left = 0; left < spans.length; left += 1) {
    const from = spans[left]!.start
    while (right < spans.length && spans[right]!.end <= from + SNIPPET_LENGTH - 40) {
      counts.set(spans[right]!.term, (counts.get(spans[right]!.term) ?? 0) + 1)
      right += 1
    }
    const heavy = [...counts.keys()].reduce((sum, term) => sum + weights[term]!, 0)
    const value = heavy * 1000 + Math.max(0, right - left)
    if (value > bestValue) {
      bestValue = value
      best = { from: Math.max(0, from - 40), to: Math.min(text.length, Math.max(from - 40 + SNIPPET_LENGTH, spans[left]!.end)) }
    }
    const term = spans[left]!.term
    const count = (counts.get(term) ?? 1) - 1
    if (count <= 0) counts.delete(term)
    else counts.set(term, count)
    right = Math.max(right, left + 1)
  }
  return { from: wordStart(text, best.from), to: wordEnd(text, best.to) }
}

function wordStart(text: string, at: number): number {
  if (at === 0) return 0
  const blank = text.slice(at, at + 30).search(/\s/)
  return blank < 0 ? letterStart(text, at) : at + blank + 1
}

function wordEnd(text: string, at: number): number {
  if (at >= text.length) return text.length
  const blank = at < 30 ? -1 : text.slice(at - 30, at).search(/\s\S*$/)
  return blank < 0 ? letterStart(text, at) : at - 30 + blank
}

/** The same position, or the next one if it is in the middle of a surrogate pair. */
const letterStart = (text: string, at: number) => (/[\udc00-\udfff]/.test(text[at] ?? '') ? at + 1 : at)

function partsOf(text: string, from: number, to: number, spans: Span[]): Part[] {
  const parts: Part[] = []
  const add = (piece: string, isMatch: boolean) => {
    const shown = piece.replace(/\s+/g, ' ')
    if (shown !== '') parts.push([shown, isMatch])
  }
  let at = from
  for (const { start, end } of spans) {
    if (end <= from || start >= to) continue
    add(text.slice(at, Math.max(at, start)), false)
    add(text.slice(Math.max(at, start), Math.min(end, to)), true)
    at = Math.min(end, to)
  }
  add(text.slice(at, to), false)
  return parts.length > 0 ? parts : [['', false]]
}

function clip(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, wordEnd(text, length))} …` : text
}
