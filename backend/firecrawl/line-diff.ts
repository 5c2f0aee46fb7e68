/** The difference of two texts, line by line, like `git diff`. Pure. */
import { samePlaces } from '#contract/same-places.ts'

export type LineDiff = { text: string; json: { files: { from: null; to: null; chunks: Chunk[] }[] } }
type Chunk = { content: string; changes: Change[] }
type Change =
  | { type: 'normal'; normal: true; ln1: number; ln2: number; content: string }
  | { type: 'del'; del: true; ln: number; content: string }
  | { type: 'add'; add: true; ln: number; content: string }

/** Unchanged lines around a change. */
const CONTEXT = 3
/** @returns  `text` is empty without changes. The changes have the shape of `parse-diff`. */
export function lineDiff(before: string, after: string): LineDiff {
  const chunks = chunksOf(changesOf(before.split('\n'), after.split('\n')))
  const text = chunks.flatMap(({ changes, content }) => [content, ...changes.map((change) => change.content)]).join('\n')
  return { text: text === '' ? '' : `${text}\n`, json: { files: chunks.length === 0 ? [] : [{ from: null, to: null, chunks }] } }
}

function changesOf(before: readonly string[], after: readonly string[]): Change[] {
  const changes: Change[] = []
  let [left, right] = [0, 0]
  for (const [one, other] of [...samePlaces(before, after), [before.length, after.length] as const]) {
    for (; left < one; left++) changes.push({ type: 'del', del: true, ln: left + 1, content: `-${before[left]}` })
    for (; right < other; right++) changes.push({ type: 'add', add: true, ln: right + 1, content: `+${after[right]}` })
    if (one === before.length) break
    changes.push({ type: 'normal', normal: true, ln1: ++left, ln2: ++right, content: ` ${before[one]}` })
  }
  return changes
}

/** Groups changes with their context; changes that are close share a chunk. */
function chunksOf(changes: readonly Change[]): Chunk[] {
  const chunks: Chunk[] = []
  let [start, end] = [-1, -1]
  // Lines before the chunk, counted once for all chunks.
  let [counted, before, after] = [0, 0, 0]
  const flush = () => {
    if (start === -1) return
    for (; counted < start; counted += 1) {
      if (changes[counted]!.type !== 'add') before += 1
      if (changes[counted]!.type !== 'del') after += 1
    }
    chunks.push(chunkOf(changes.slice(start, end), before, after))
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

/** @param before, after  how many lines of each text come before the chunk */
function chunkOf(changes: Change[], before: number, after: number): Chunk {
  const olds = changes.filter(({ type }) => type !== 'add').length
  const news = changes.filter(({ type }) => type !== 'del').length
  // As in a unified diff, an empty side refers to the line before it.
  const content = `@@ -${olds === 0 ? before : before + 1},${olds} +${news === 0 ? after : after + 1},${news} @@`
  return { content, changes }
}
