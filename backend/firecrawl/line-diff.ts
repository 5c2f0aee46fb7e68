/**
 * What has changed between two texts, line by line, as `git diff` shows it. Lines that stand once in both texts are anchors (patience diff);
 * between them the longest common subsequence is taken where its table is small, else the stretch counts as replaced. Pure.
 */

export type LineDiff = { text: string; json: { files: { from: null; to: null; chunks: Chunk[] }[] } }
type Chunk = { content: string; changes: Change[] }
type Change =
  | { type: 'normal'; normal: true; ln1: number; ln2: number; content: string }
  | { type: 'del'; del: true; ln: number; content: string }
  | { type: 'add'; add: true; ln: number; content: string }

/** Lines around a change that are shown with it. */
const CONTEXT = 3
/** Cells of the table of a longest common subsequence: 2 ms. */
const MOST_CELLS = 400_000
/** Of anchors inside anchors. */
const MOST_LEVELS = 12

/** Pairs of places of lines that are the same in both, ascending. */
type Pairs = [before: number, after: number][]

/** @returns  `text` is empty when nothing has changed. Changes have the shape of `parse-diff`. */
export function lineDiff(before: string, after: string): LineDiff {
  const chunks = chunksOf(changesOf(before.split('\n'), after.split('\n')))
  const text = chunks.flatMap(({ changes, content }) => [content, ...changes.map((change) => change.content)]).join('\n')
  return { text: text === '' ? '' : `${text}\n`, json: { files: chunks.length === 0 ? [] : [{ from: null, to: null, chunks }] } }
}

function changesOf(before: readonly string[], after: readonly string[]): Change[] {
  const pairs: Pairs = []
  pairUp(before, after, [0, before.length], [0, after.length], 0, pairs)
  pairs.push([before.length, after.length])
  const changes: Change[] = []
  let [left, right] = [0, 0]
  for (const [one, other] of pairs) {
    for (; left < one; left++) changes.push({ type: 'del', del: true, ln: left + 1, content: `-${before[left]}` })
    for (; right < other; right++) changes.push({ type: 'add', add: true, ln: right + 1, content: `+${after[right]}` })
    if (one === before.length) break
    changes.push({ type: 'normal', normal: true, ln1: ++left, ln2: ++right, content: ` ${before[one]}` })
  }
  return changes
}

type Span = [from: number, to: number]

/** Finds the lines of two stretches that belong together. */
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

/** Lines that stand once in both, in an order that holds in both: the longest increasing run, by patience sorting. */
function anchorsOf(before: readonly string[], after: readonly string[], mine: Span, theirs: Span): Pairs {
  const places = once(after, theirs)
  const pairs: Pairs = []
  for (const [line, at] of once(before, mine)) {
    const other = places.get(line) ?? -1
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

/** The place of each line of a stretch; -1 for one that stands several times. */
function once(lines: readonly string[], [from, to]: Span): Map<string, number> {
  const places = new Map<string, number>()
  for (let at = from; at < to; at++) places.set(lines[at]!, places.has(lines[at]!) ? -1 : at)
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

/** Changes with the lines around them; two that are close stand in one chunk. */
function chunksOf(changes: readonly Change[]): Chunk[] {
  const chunks: Chunk[] = []
  let [start, end] = [-1, -1]
  const flush = () => {
    if (start !== -1) chunks.push(chunkOf(changes, start, Math.min(changes.length, end)))
  }
  for (const [at, { type }] of changes.entries()) {
    if (type === 'normal') continue
    if (start === -1 || at - CONTEXT > end) {
      flush()
      start = Math.max(0, at - CONTEXT)
    }
    end = at + 1 + CONTEXT
  }
  flush()
  return chunks
}

function chunkOf(all: readonly Change[], start: number, end: number): Chunk {
  let [before, after] = [0, 0]
  for (const { type } of all.slice(0, start)) {
    if (type !== 'add') before += 1
    if (type !== 'del') after += 1
  }
  const changes = all.slice(start, end)
  const olds = changes.filter(({ type }) => type !== 'add').length
  const news = changes.filter(({ type }) => type !== 'del').length
  // As in a unified diff, an empty side names the line before it.
  const content = `@@ -${olds === 0 ? before : before + 1},${olds} +${news === 0 ? after : after + 1},${news} @@`
  return { content, changes }
}
