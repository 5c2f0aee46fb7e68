/**
 * Finds the tokens that two texts have in common, for the differences that the dashboard and the API show. Tokens that occur once in both
 * are anchors (patience diff, Bram Cohen). Between anchors the longest common subsequence is used if its table is small; otherwise the
 * stretch counts as replaced. So the work is not proportional to the product of the lengths. Pure.
 */

/** The largest table of a longest common subsequence: 2 ms. */
const MOST_CELLS = 400_000
/** The deepest nesting of anchors: texts of people need three or four. */
const MOST_LEVELS = 12

/** Pairs of positions of tokens that are equal in both, ascending. */
export type Pairs = [before: number, after: number][]

/** @param before, after  lines or words */
export function samePlaces(before: readonly string[], after: readonly string[]): Pairs {
  const pairs: Pairs = []
  pairUp(before, after, [0, before.length], [0, after.length], 0, pairs)
  return pairs
}

type Span = [from: number, to: number]

/** Matches the tokens of two stretches. */
function pairUp(before: readonly string[], after: readonly string[], mine: Span, theirs: Span, level: number, into: Pairs): void {
  let [[left, leftEnd], [right, rightEnd]] = [mine, theirs]
  while (left < leftEnd && right < rightEnd && before[left] === after[right]) into.push([left++, right++])
  const tail: Pairs = []
  while (left < leftEnd && right < rightEnd && before[leftEnd - 1] === after[rightEnd - 1]) tail.push([--leftEnd, --rightEnd])
  if (left < leftEnd && right < rightEnd) {
    const anchors = level < MOST_LEVELS ? anchorsOf(before, after, [left, leftEnd], [right, rightEnd]) : []
    for (const [one, other] of anchors) {
      pairUp(before, after, [left, one], [right, other], level + 1, into)
      into.push([one, other])
      left = one + 1
      right = other + 1
    }
    if (anchors.length > 0) pairUp(before, after, [left, leftEnd], [right, rightEnd], level + 1, into)
    else if ((leftEnd - left) * (rightEnd - right) <= MOST_CELLS) byTable(before, after, [left, leftEnd], [right, rightEnd], into)
  }
  for (const pair of tail.toReversed()) into.push(pair)
}

/** Tokens that occur once in both, in an order that is the same in both: the longest increasing sequence, by patience sorting. */
function anchorsOf(before: readonly string[], after: readonly string[], mine: Span, theirs: Span): Pairs {
  const places = once(after, theirs)
  const pairs: Pairs = []
  for (const [token, at] of once(before, mine)) {
    const other = places.get(token) ?? -1
    if (at !== -1 && other !== -1) pairs.push([at, other])
  }
  const tops: number[] = []
  const links: number[] = []
  for (const [index, [, place]] of pairs.entries()) {
    let [low, high] = [0, tops.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (pairs[tops[middle]!]![1] < place) low = middle + 1
      else high = middle
    }
    links[index] = low === 0 ? -1 : tops[low - 1]!
    tops[low] = index
  }
  const found: Pairs = []
  for (let at = tops.at(-1) ?? -1; at !== -1; at = links[at]!) found.push(pairs[at]!)
  return found.toReversed()
}

/** The position of each token of a stretch; -1 for one that occurs several times. */
function once(tokens: readonly string[], [from, to]: Span): Map<string, number> {
  const places = new Map<string, number>()
  for (let at = from; at < to; at++) places.set(tokens[at]!, places.has(tokens[at]!) ? -1 : at)
  return places
}

function byTable(before: readonly string[], after: readonly string[], [top, bottom]: Span, [left, right]: Span, into: Pairs): void {
  const width = right - left + 1
  const lengths = new Uint32Array((bottom - top + 1) * width)
  const cell = (one: number, other: number) => (one - top) * width + other - left
  for (let one = bottom - 1; one >= top; one--)
    for (let other = right - 1; other >= left; other--)
      lengths[cell(one, other)] =
        before[one] === after[other]
          ? lengths[cell(one + 1, other + 1)]! + 1
          : Math.max(lengths[cell(one + 1, other)]!, lengths[cell(one, other + 1)]!)
  let [one, other] = [top, left]
  while (one < bottom && other < right)
    if (before[one] === after[other]) into.push([one++, other++])
    else if (lengths[cell(one + 1, other)]! >= lengths[cell(one, other + 1)]!) one++
    else other++
}
