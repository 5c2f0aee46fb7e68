/** The difference of two texts: first by lines, then by words within changed lines. Pure. */
import { samePlaces } from '#contract/same-places.ts'

export type DiffPart = { kind: 'same' | 'removed' | 'added'; text: string }

/** The parts of both texts in order: `same` and `removed` make up the first text, `same` and `added` the second. */
export function wordDiff(before: string, after: string): DiffPart[] {
  const parts: DiffPart[] = []
  for (const { kind, text } of pairUp(diffTokens(linesOf(before), linesOf(after))))
    if (typeof text === 'string') push(parts, kind, text)
    else for (const part of changedWords(text)) push(parts, part.kind, part.text)
  return parts
}

/** The part of the shorter text that both must share to be compared by words: a few common words among others would only be hard to read. */
const LEAST_SHARED = 0.5
const sizeOf = (text: string) => text.replace(/\s+/g, '').length

/** The difference of a text and the one that replaced it; two whole parts if they have little in common. */
function changedWords({ before, after }: { before: string; after: string }): DiffPart[] {
  const parts = joinAcrossBlanks(diffTokens(wordsOf(before), wordsOf(after)))
  const shared = parts.reduce((sum, { kind, text }) => sum + (kind === 'same' ? sizeOf(text) : 0), 0)
  if (shared >= LEAST_SHARED * Math.min(sizeOf(before), sizeOf(after))) return parts
  return [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ]
}

/** Joins changes that only spaces separate: “red fox” became “blue dog”, not “red” “blue” and “fox” “dog”. */
function joinAcrossBlanks(parts: readonly DiffPart[]): DiffPart[] {
  const joined: DiffPart[] = []
  let [removed, added] = ['', '']
  for (const [at, { kind, text }] of parts.entries()) {
    const isBetween = kind === 'same' && at > 0 && at < parts.length - 1 && /^[^\S\n]+$/.test(text)
    if (kind === 'removed' || isBetween) removed += text
    if (kind === 'added' || isBetween) added += text
    if (kind !== 'same' || isBetween) continue
    push(joined, 'removed', removed)
    push(joined, 'added', added)
    push(joined, 'same', text)
    ;[removed, added] = ['', '']
  }
  push(joined, 'removed', removed)
  push(joined, 'added', added)
  return joined
}

const linesOf = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? []
const wordsOf = (text: string) => text.match(/[\p{L}\p{N}\p{M}_]+|\s+|[^\p{L}\p{N}\p{M}_\s]/gu) ?? []

type Plain = { kind: DiffPart['kind']; text: string } | { kind: 'same'; text: { before: string; after: string } }

/** Compares removed lines word by word with the added lines that replace them. */
function* pairUp(parts: readonly DiffPart[]): Generator<Plain> {
  for (let at = 0; at < parts.length; at++) {
    const [one, next] = [parts[at]!, parts[at + 1]]
    if (one.kind === 'removed' && next?.kind === 'added') {
      yield { kind: 'same', text: { before: one.text, after: next.text } }
      at++
    } else yield one
  }
}

function diffTokens(before: readonly string[], after: readonly string[]): DiffPart[] {
  const parts: DiffPart[] = []
  let [left, right] = [0, 0]
  for (const [one, other] of [...samePlaces(before, after), [before.length, after.length] as const]) {
    push(parts, 'removed', before.slice(left, one).join(''))
    push(parts, 'added', after.slice(right, other).join(''))
    push(parts, 'same', before[one] ?? '')
    left = one + 1
    right = other + 1
  }
  return parts
}

/** Adds a part, or extends the last one of its kind. */
function push(parts: DiffPart[], kind: DiffPart['kind'], text: string): void {
  if (text === '') return
  const last = parts.at(-1)
  if (last?.kind === kind) last.text += text
  else parts.push({ kind, text })
}
