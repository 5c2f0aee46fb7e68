/**
 * Fits the weights of `piece-weights.ts` and evaluates the extraction on pages that the weights have not seen.
 *
 *   node scripts/fit-extraction.ts FOLDER [--manuals FOLDER] [--write]
 *
 * FOLDER has two sets of real pages with human labels: `truth.json` with `pages/ID.html.gz` (the text of each article), and
 * `segments/truth.json` with `segments/pages/FILE.gz` (texts that must stay, and texts that must not). Pages of `--manuals` (HTML files at
 * any depth) teach the model to keep manuals as the rules do. Five folds: each page is scored by weights that were fitted without it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { decodeMarkup } from '#backend/crawler/html/charset.ts'
import { writeMarkdown } from '../backend/crawler/formats/markdown.ts'
import type { PieceModel } from '#backend/crawler/main-content/judge-pieces.ts'
import { keepMainContent } from '#backend/crawler/main-content/main-content.ts'
import { measurePage, measurePiece, measureTopics, MEASURES, piecesOf, type Piece } from '#backend/crawler/main-content/page-pieces.ts'
import { parsePage } from '#backend/crawler/page/page.ts'
import { shingleScore, segmentScore } from './extraction/scores.ts'
import type { Segments } from './extraction/scores.ts'

const FOLDS = 5
/** An article page has twenty times as many labels as a page with segments. */
const ARTICLE_WEIGHT = 0.15
const MANUAL_WEIGHT = 0.02
const RIDGE = 2

type Sample = {
  id: string
  set: 'article' | 'segments' | 'manual' | 'made'
  html: string
  url: string
  article?: string
  segments?: Segments
  rows: { numbers: Float64Array; label: number }[]
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { manuals: { type: 'string' }, write: { type: 'boolean', default: false } },
})
const [folder] = positionals
if (folder === undefined) throw new Error('Name the folder with the labelled pages: node scripts/fit-extraction.ts FOLDER')

const samples = [
  ...articles(folder),
  ...segmentPages(folder),
  ...madePages(),
  ...(values.manuals === undefined ? [] : manuals(values.manuals)),
]
for (const sample of samples) sample.rows = labelled(sample)
console.log(`${samples.length} pages, ${samples.reduce((sum, { rows }) => sum + rows.length, 0)} labelled pieces`)

report('the rules alone', () => null)
const folds = Array.from({ length: FOLDS }, (_, fold) => fit(samples.filter((_sample, at) => foldOf(at) !== fold)))
report(`weights fitted without the page, ${FOLDS} folds`, (at) => folds[foldOf(at)]!)
report('… with headline and captions', (at) => folds[foldOf(at)]!, true)
const final = fit(samples)
report('weights fitted on all pages', () => final)
MEASURES.forEach((name, at) => console.log(`  ${final.weights[at]!.toFixed(3).padStart(8)}  ${name}`))
if (values.write) write(final)

/** Pages are in the order of their files, so a stride mixes each fold. */
function foldOf(at: number): number {
  return at % FOLDS
}

function articles(from: string): Sample[] {
  const truth = JSON.parse(readFileSync(join(from, 'truth.json'), 'utf8')) as Record<string, { url: string; articleBody: string }>
  return Object.entries(truth).map(([id, { url, articleBody }]) => ({
    id,
    set: 'article',
    html: htmlOf(join(from, 'pages', `${id}.html.gz`)),
    url,
    article: articleBody,
    rows: [],
  }))
}

function segmentPages(from: string): Sample[] {
  const truth = JSON.parse(readFileSync(join(from, 'segments', 'truth.json'), 'utf8')) as Record<string, Segments & { url?: string }>
  return Object.entries(truth).map(([id, { url, ...segments }]) => ({
    id,
    set: 'segments',
    html: htmlOf(join(from, 'segments', 'pages', `${id}.gz`)),
    url: url ?? 'https://example.org/',
    segments,
    rows: [],
  }))
}

/** Pages written for the tests: KEEP marks text that must stay, FURNITURE text that must be removed. */
function madePages(): Sample[] {
  const from = fileURLToPath(new URL('../tests/crawler/fixtures/pages', import.meta.url))
  return readdirSync(from)
    .filter((file) => file.endsWith('.html'))
    .map((file) => ({ id: file, set: 'made', html: readFileSync(join(from, file), 'utf8'), url: 'https://example.org/', rows: [] }))
}

function manuals(from: string): Sample[] {
  const files = readdirSync(from, { recursive: true, encoding: 'utf8' }).filter((file) => /\.html?$/.test(file))
  const step = Math.max(1, Math.floor(files.length / 100))
  return files
    .filter((_, at) => at % step === 0)
    .map((file) => ({
      id: file,
      set: 'manual',
      html: readFileSync(join(from, file), 'utf8'),
      url: 'https://example.org/manual/',
      rows: [],
    }))
}

function htmlOf(file: string): string {
  return decodeMarkup(gunzipSync(readFileSync(file)), null)
}

/** The Markdown of a page, with or without headline and captions; without a model, by the rules alone. */
function markdownOf({ html, url }: Sample, model: PieceModel | null, withFrame: boolean): string {
  const page = parsePage(html, url)
  const { isArticle } = keepMainContent(page.root, {
    url,
    title: page.title ?? '',
    isPosting: page.isPosting,
    description: page.metadata['description'] ?? page.metadata['og:description'] ?? '',
    withFrame,
    model,
    generator: page.generator,
    linkedData: page.linkedData,
  })
  return writeMarkdown([page.root], page.resolver, { plainImages: isArticle && page.isPosting, title: page.title ?? '' })
}

function labelled(sample: Sample): Sample['rows'] {
  const page = parsePage(sample.html, sample.url)
  const { isArticle } = keepMainContent(page.root, {
    url: sample.url,
    title: page.title ?? '',
    isPosting: page.isPosting,
    model: null,
    linkedData: page.linkedData,
  })
  // The model does not score pieces of other pages.
  if (!isArticle) return []
  const pieces = piecesOf(page.root)
  const measures = measurePage(pieces, URL.parse(sample.url)?.host ?? '')
  const judge = judgeOf(sample)
  let before = 0
  return pieces.flatMap((piece, at) => {
    if (!piece.isKept) return []
    const numbers = new Float64Array(MEASURES.length)
    measurePiece(pieces, at, measures, before, numbers)
    measureTopics(piece, numbers)
    before += piece.length
    const label = judge(piece)
    return label === null ? [] : [{ numbers, label }]
  })
}

/** Labels a piece as wanted (1), unwanted (0), or unknown. */
function judgeOf({ article, segments, set }: Sample): (piece: Piece) => 0 | 1 | null {
  if (segments !== undefined) {
    const matches = (text: string, segment: string) => text.includes(segment) || (text.length >= 25 && segment.includes(text))
    return (piece) => {
      const text = textOf(piece)
      if (segments.with.some((segment) => matches(text, segment.replace(/\s+/g, ' ').trim()))) return 1
      return segments.without.some((segment) => matches(text, segment.replace(/\s+/g, ' ').trim())) ? 0 : null
    }
  }
  if (article !== undefined) {
    const known = new Set(triplesOf(article))
    const all = article.replace(/\s+/g, ' ').toLowerCase()
    return (piece) => {
      const text = textOf(piece)
      if (text.length < 25) return all.includes(text.toLowerCase()) ? (text.length > 8 ? 1 : null) : 0
      const triples = triplesOf(text)
      const share = triples.filter((triple) => known.has(triple)).length / triples.length
      return share >= 0.6 ? 1 : share <= 0.2 ? 0 : null
    }
  }
  if (set === 'made') return (piece) => (/KEEP/.test(textOf(piece)) ? 1 : /FURNITURE/.test(textOf(piece)) ? 0 : null)
  return ({ isKept }) => (isKept ? 1 : 0)
}

function textOf({ nodes }: Piece): string {
  let text = ''
  const read = (list: Piece['nodes']) => {
    for (const node of list) {
      if ('data' in node) text += node.data
      else if (!node.dropped && !node.tag.silent) read(node.children)
    }
  }
  read(nodes)
  return text.replace(/\s+/g, ' ').trim()
}

function triplesOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return Array.from({ length: Math.max(1, words.length - 2) }, (_, at) => words.slice(at, at + 3).join(' '))
}

/** Logistic regression with ridge penalty, by Newton's method on standardised measures. */
function fit(training: readonly Sample[]): PieceModel {
  const rows = training.flatMap(({ rows: list, set }) =>
    list.map((row) => ({ ...row, weight: set === 'segments' || set === 'made' ? 1 : set === 'article' ? ARTICLE_WEIGHT : MANUAL_WEIGHT })),
  )
  const size = MEASURES.length
  const total = rows.reduce((sum, { weight }) => sum + weight, 0)
  const mean = new Float64Array(size)
  const spread = new Float64Array(size)
  for (const { numbers, weight } of rows) for (let at = 0; at < size; at++) mean[at]! += (weight * numbers[at]!) / total
  for (const { numbers, weight } of rows)
    for (let at = 0; at < size; at++) spread[at]! += (weight * (numbers[at]! - mean[at]!) ** 2) / total
  for (let at = 0; at < size; at++) spread[at] = Math.sqrt(spread[at]!) || 1
  const scaled = rows.map(({ numbers }) => {
    const row = new Float64Array(size + 1).fill(1)
    for (let at = 0; at < size; at++) row[at] = (numbers[at]! - mean[at]!) / spread[at]!
    return row
  })
  let weights = new Float64Array(size + 1)
  for (let round = 0; round < 25; round++) {
    const gradient = new Float64Array(size + 1)
    const curvature = Array.from({ length: size + 1 }, () => new Float64Array(size + 1))
    rows.forEach(({ label, weight }, at) => {
      const row = scaled[at]!
      let score = 0
      for (let column = 0; column <= size; column++) score += weights[column]! * row[column]!
      const chance = 1 / (1 + Math.exp(-score))
      const bend = weight * chance * (1 - chance)
      for (let column = 0; column <= size; column++) {
        gradient[column]! += weight * (label - chance) * row[column]!
        const line = curvature[column]!
        for (let other = 0; other <= column; other++) line[other]! += bend * row[column]! * row[other]!
      }
    })
    for (let column = 0; column <= size; column++) {
      if (column < size) {
        gradient[column]! -= RIDGE * weights[column]!
        curvature[column]![column]! += RIDGE
      }
      for (let other = column + 1; other <= size; other++) curvature[column]![other] = curvature[other]![column]!
    }
    const step = solve(curvature, gradient)
    weights = weights.map((weight, at) => weight + step[at]!)
    if (Math.max(...step.map(Math.abs)) < 1e-6) break
  }
  const raw = Array.from({ length: size }, (_, at) => weights[at]! / spread[at]!)
  return { bias: weights[size]! - raw.reduce((sum, weight, at) => sum + weight * mean[at]!, 0), weights: raw }
}

/** Solves a small linear system by Gaussian elimination with pivoting. */
function solve(matrix: Float64Array[], right: Float64Array): Float64Array {
  const size = right.length
  const rows = matrix.map((row, at) => Float64Array.from([...row, right[at]!]))
  for (let column = 0; column < size; column++) {
    let pivot = column
    for (let row = column + 1; row < size; row++) if (Math.abs(rows[row]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = row
    ;[rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!]
    for (let row = column + 1; row < size; row++) {
      const factor = rows[row]![column]! / rows[column]![column]!
      for (let at = column; at <= size; at++) rows[row]![at]! -= factor * rows[column]![at]!
    }
  }
  const solution = new Float64Array(size)
  for (let row = size - 1; row >= 0; row--) {
    let value = rows[row]![size]!
    for (let at = row + 1; at < size; at++) value -= rows[row]![at]! * solution[at]!
    solution[row] = value / rows[row]![row]!
  }
  return solution
}

function report(name: string, modelOf: (at: number) => PieceModel | null, withFrame = false): void {
  const articleOutputs: { truth: string; output: string }[] = []
  const segmentOutputs: { truth: Segments; output: string }[] = []
  samples.forEach((sample, at) => {
    if (sample.set === 'manual' || sample.set === 'made') return
    const output = markdownOf(sample, modelOf(at), withFrame)
    if (sample.article !== undefined) articleOutputs.push({ truth: sample.article, output })
    if (sample.segments !== undefined) segmentOutputs.push({ truth: sample.segments, output })
  })
  console.log(`${name}\n  articles  ${shingleScore(articleOutputs)}\n  segments  ${segmentScore(segmentOutputs)}`)
}

function write({ bias, weights }: PieceModel): void {
  const lines = MEASURES.map((name, at) => `  ${weights[at]!.toFixed(3)}, // ${name}`)
  writeFileSync(
    fileURLToPath(new URL('../backend/crawler/main-content/piece-weights.ts', import.meta.url)),
    `// Written by scripts/fit-extraction.ts: what each measure of a piece adds to its score.\nexport const BIAS = ${bias.toFixed(3)}\nexport const WEIGHTS: readonly number[] = [\n${lines.join('\n')}\n]\n`,
  )
}
