/**
 * The difference of two texts by words. Lines that stand once in both texts are anchors (patience diff, Bram Cohen); between them, and then
 * inside of lines that changed, the longest common subsequence is taken where it is small enough. So the work grows with the texts, not
 * with their product. Pure.
 */

export type DiffPart = { kind: 'same' | 'removed' | 'added'; text: string }

/** Cells of the table of a longest common subsequence; beyond it a stretch counts as replaced. */
const MOST_CELLS = 400_000
/** Anchors inside anchors: texts of people need three or four. */
const MOST_LEVELS = 12

/** The parts of both texts in order: `same` and `removed` together are the first, `same` and `added` the second. */
export function wordDiff(before: string, after: string): DiffPart[] {
  const parts: DiffPart[] = []
  for (const { kind, text } of pairUp(diffTokens(linesOf(before), linesOf(after), 0)))
    if (typeof text === 'string') push(parts, kind, text)
    else for (const part of diffTokens(wordsOf(text.before), wordsOf(text.after), 0)) push(parts, part.kind, part.text)
  return parts
}

const linesOf = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? []
const wordsOf = (text: string) => text.match(/[\p{L}\p{N}\p{M}_]+|\s+|[^\p{L}\p{N}\p{M}_\s]/gu) ?? []

type Plain = { kind: DiffPart['kind']; text: string } | { kind: 'same'; text: { before: string; after: string } }

/** Lines that went and lines that came in their place are looked at once more, word by word. */
function* pairUp(parts: readonly DiffPart[]): Generator<Plain> {
  for (let at = 0; at < parts.length; at++) {
    const [one, next] = [parts[at]!, parts[at + 1]]
    if (one.kind === 'removed' && next?.kind === 'added') {
      yield { kind: 'same', text: { before: one.text, after: next.text } }
      at++
    } else yield one
  }
}

function diffTokens(before: readonly string[], after: readonly string[], level: number): DiffPart[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const parts: DiffPart[] = []
  push(parts, 'same', before.slice(0, start).join(''))
  const [left, right] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  for (const part of diffMiddle(left, right, level)) push(parts, part.kind, part.text)
  push(parts, 'same', before.slice(before.length - end).join(''))
  return parts
}

function diffMiddle(before: readonly string[], after: readonly string[], level: number): DiffPart[] {
  if (before.length === 0 || after.length === 0) return replaced(before, after)
  const anchors = level < MOST_LEVELS ? anchorsOf(before, after) : []
  if (anchors.length === 0) return before.length * after.length <= MOST_CELLS ? byTable(before, after) : replaced(before, after)
  const parts: DiffPart[] = []
  let [left, right] = [0, 0]
  for (const [one, other] of anchors) {
    for (const part of diffTokens(before.slice(left, one), after.slice(right, other), level + 1)) push(parts, part.kind, part.text)
    push(parts, 'same', before[one]!)
    left = one + 1
    right = other + 1
  }
  for (const part of diffTokens(before.slice(left), after.slice(right), level + 1)) push(parts, part.kind, part.text)
  return parts
}

function replaced(before: readonly string[], after: readonly string[]): DiffPart[] {
  const parts: DiffPart[] = []
  push(parts, 'removed', before.join(''))
  push(parts, 'added', after.join(''))
  return parts
}

/** Places of tokens that stand once in both, in an order that holds in both: the longest increasing run of their places. */
function anchorsOf(before: readonly string[], after: readonly string[]): [number, number][] {
  const places = once(after)
  const pairs: [number, number][] = []
  for (const [token, at] of once(before)) {
    const other = at === null ? null : (places.get(token) ?? null)
    if (at !== null && other !== null) pairs.push([at, other])
  }
  return longestIncreasing(pairs)
}

/** The place of each token; null for one that stands several times. Insertion order is the order of first places. */
function once(tokens: readonly string[]): Map<string, number | null> {
  const places = new Map<string, number | null>()
  for (const [at, token] of tokens.entries()) places.set(token, places.has(token) ? null : at)
  return places
}

/** Patience sorting, O(n log n). `pairs` ascend in their first number. */
function longestIncreasing(pairs: readonly [number, number][]): [number, number][] {
  const tops: number[] = []
  const before: number[] = []
  for (const [index, [, place]] of pairs.entries()) {
    let [low, high] = [0, tops.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (pairs[tops[middle]!]![1] < place) low = middle + 1
      else high = middle
    }
    before[index] = low === 0 ? -1 : tops[low - 1]!
    tops[low] = index
  }
  const found: [number, number][] = []
  for (let at = tops.at(-1) ?? -1; at !== -1; at = before[at]!) found.push(pairs[at]!)
  return found.toReversed()
}

/** The longest common subsequence by its table. */
function byTable(before: readonly string[], after: readonly string[]): DiffPart[] {
  const width = after.length + 1
  const lengths = new Uint32Array((before.length + 1) * width)
  for (let one = before.length - 1; one >= 0; one--)
    for (let other = after.length - 1; other >= 0; other--)
      lengths[one * width + other] =
        before[one] === after[other]
          ? lengths[(one + 1) * width + other + 1]! + 1
          : Math.max(lengths[(one + 1) * width + other]!, lengths[one * width + other + 1]!)
  const parts: DiffPart[] = []
  let removed: string[] = []
  let added: string[] = []
  const flush = () => {
    for (const part of replaced(removed, added)) push(parts, part.kind, part.text)
    removed = []
    added = []
  }
  let [one, other] = [0, 0]
  while (one < before.length || other < after.length) {
    if (one < before.length && other < after.length && before[one] === after[other]) {
      flush()
      push(parts, 'same', before[one]!)
      one++
      other++
    } else if (other >= after.length || (one < before.length && lengths[(one + 1) * width + other]! >= lengths[one * width + other + 1]!))
      removed.push(before[one++]!)
    else added.push(after[other++]!)
  }
  flush()
  return parts
}

/** Adds a part, or lengthens the last one of its kind. */
function push(parts: DiffPart[], kind: DiffPart['kind'], text: string): void {
  if (text === '') return
  const last = parts.at(-1)
  if (last?.kind === kind) last.text += text
  else parts.push({ kind, text })
}
