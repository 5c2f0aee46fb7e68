/** Texts that a page's main content must contain, and texts that it must not. */
export type Segments = { with: string[]; without: string[] }

const round = (value: number) => value.toFixed(4)
const say = (precision: number, recall: number) =>
  `F1 ${round((2 * precision * recall) / (precision + recall))} precision ${round(precision)} recall ${round(recall)}`

/** Compares outputs with the whole text by shingles of four words; precision and recall are averaged over pages. */
export function shingleScore(pages: readonly { truth: string; output: string }[]): string {
  let precision = 0
  let recall = 0
  for (const { truth, output } of pages) {
    const wanted = runsOf(truth)
    const found = runsOf(output)
    let hits = 0
    for (const [run, count] of found) hits += Math.min(count, wanted.get(run) ?? 0)
    precision += found.size > 0 ? hits / sum(found) : wanted.size > 0 ? 0 : 1
    recall += wanted.size > 0 ? hits / sum(wanted) : 1
  }
  return say(precision / pages.length, recall / pages.length)
}

/** Counts, over all pages, the wanted and the unwanted texts in the outputs. */
export function segmentScore(pages: readonly { truth: Segments; output: string }[]): string {
  let kept = 0
  let lost = 0
  let extra = 0
  let empty = 0
  for (const { truth, output } of pages) {
    const text = spaced(plainOf(output))
    if (text === '') empty++
    for (const segment of truth.with) {
      if (text.includes(spaced(segment))) kept++
      else lost++
    }
    for (const segment of truth.without) if (text.includes(spaced(segment))) extra++
  }
  return `${say(kept / (kept + extra), kept / (kept + lost))}, ${empty} empty`
}

const sum = (counts: Map<string, number>) => [...counts.values()].reduce((total, count) => total + count, 0)
const spaced = (text: string) => text.replace(/\s+/g, ' ').trim()

function runsOf(markdown: string): Map<string, number> {
  const plain = markdown.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[*_`#>|~]+/g, ' ')
  const words = plain.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const counts = new Map<string, number>()
  for (let at = 0; at + 4 <= Math.max(words.length, 4); at++) {
    const run = words.slice(at, at + 4).join(' ')
    if (run !== '') counts.set(run, (counts.get(run) ?? 0) + 1)
  }
  return counts
}

/** Markdown without its markup. */
function plainOf(markdown: string): string {
  return markdown
    .replace(/!\[(?:[^\]\\]|\\.)*\]\([^)]*\)/g, ' ')
    .replace(/\[((?:[^\]\\]|\\.)*)\]\([^)]*\)/g, '$1')
    .replace(/\\\n/g, '\n')
    .replace(/(?<!\\)(\*+|~~|`+)/g, '')
    .replace(/^\s*((>|#+|-)\s+)+/gm, '')
    .replace(/(?<!\\)\|/g, ' ')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll('<br>', ' ')
    .replace(/&(amp|lt|gt|quot|nbsp);/g, (_, name: keyof typeof ENTITIES) => ENTITIES[name])
}
const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }
