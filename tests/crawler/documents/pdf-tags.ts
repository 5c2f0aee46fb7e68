import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Line, TextPiece } from '#backend/crawler/documents/pdf/lines.ts'
import { taggedHtml } from '#backend/crawler/documents/pdf/tagged-html.ts'
import { TaggedPages } from '#backend/crawler/documents/pdf/tags.ts'
import type { Part } from '#backend/crawler/documents/pdf/tags.ts'

const test = suite('tags of PDFs')

type StructNode = { role?: string; type?: string; id?: string; children?: StructNode[] }
type Tagged = [role: string, text: string]

/** A page whose elements have one text each; a role of `` is text without a tag, `Artifact` what belongs to the page alone. */
function page(tagged: readonly Tagged[], pages: TaggedPages) {
  const items = tagged.flatMap(([role, str], at) => [
    { type: 'beginMarkedContentProps', id: role === '' || role === 'Artifact' ? null : `mc${at}`, tag: role },
    { str, hasEOL: true, transform: [10, 0, 0, 10, 72, 700 - at * 20], width: 5 * str.length, height: 10, fontName: 'F1' },
    { type: 'endMarkedContent' },
  ])
  const children = tagged.flatMap(([role], at) =>
    role === '' || role === 'Artifact' ? [] : [{ role, children: [{ type: 'content', id: `mc${at}` }] }],
  )
  pages.add({ role: 'Root', children: [{ role: 'Document', children }] }, items, (pieces) => pieces.map((piece) => line(piece)))
}

function line({ str, transform }: TextPiece): Line {
  return {
    text: str,
    html: str,
    cells: [],
    parts: [],
    size: 10,
    x: 72,
    y: transform[5]!,
    right: 72 + 5 * str.length,
    isBold: false,
    code: null,
  }
}

function texts(pages: TaggedPages): string[] {
  return pages.parts.map((part) => `${part.kind}: ${'lines' in part ? part.lines.map(({ text }) => text).join('|') : ''}`)
}

test('a paragraph that goes on at the next page is one, and what belongs to pages alone is left out', () => {
  const pages = new TaggedPages()
  page(
    [
      ['H1', 'Boats'],
      ['P', 'A boat that is drawn'],
      ['Artifact', 'Page 1'],
    ],
    pages,
  )
  page(
    [
      ['Artifact', 'The harbour, 1999'],
      ['P', 'over sand.'],
      ['P', 'Another one.'],
    ],
    pages,
  )
  assert.ok(pages.areTrusted)
  assert.equal(texts(pages), ['text: Boats', 'text: A boat that is drawn|over sand.', 'text: Another one.'])
})

test('text without a paragraph is one over pages, as it looks', () => {
  const pages = new TaggedPages()
  page([['Span', 'A boat of Anna']], pages)
  page([['Span', 'Keel, drawn over sand.']], pages)
  assert.equal(texts(pages), ['loose: A boat of Anna|Keel, drawn over sand.'])
})

test('tags are not trusted where text has none, or where each line is a paragraph', () => {
  const partly = new TaggedPages()
  page(
    [
      ['P', 'Some words.'],
      ['', 'Some other words, which no tag has.'],
    ],
    partly,
  )
  assert.not.ok(partly.areTrusted)
  const lines = new TaggedPages()
  page(
    ['A boat that is', 'drawn over sand', 'and stones, and', 'comes home in', 'the evening', 'of the day.'].map((text): Tagged => [
      'P',
      text,
    ]),
    lines,
  )
  assert.not.ok(lines.areTrusted)
  const untagged = new TaggedPages()
  page([['P', 'Some words.']], untagged)
  untagged.add(null, [{ str: 'More', hasEOL: true, transform: [10, 0, 0, 10, 72, 700], width: 20, height: 10, fontName: 'F1' }], () => [])
  assert.not.ok(untagged.areTrusted)
})

test('the labels of a chart are one text', () => {
  const pages = new TaggedPages()
  const labels = ['Herons', '0', '1', '2'].map((str, at) => [
    { type: 'beginMarkedContentProps', id: `mc${at}`, tag: 'P' },
    { str, hasEOL: true, transform: [10, 0, 0, 10, 72, 700 - at * 20], width: 5 * str.length, height: 10, fontName: 'F1' },
    { type: 'endMarkedContent' },
  ])
  const children = labels.map((_, at) => ({ role: 'P', children: [{ type: 'content', id: `mc${at}` }] }))
  pages.add({ role: 'Root', children: [{ role: 'P', children: [{ role: 'Figure', children }] }] }, labels.flat(), (pieces) =>
    pieces.map(line),
  )
  assert.equal(texts(pages), ['text: Herons|0|1|2'])
})

/** A list item with its text, which is none when the item is on another page, and the list in it. */
type Item = { text?: string; inner?: Item[] }

function listPage(list: Item[], pages: TaggedPages) {
  const listOf = (inner: Item[]): StructNode => ({ role: 'L', children: inner.map(itemOf) })
  const itemOf = ({ text, inner }: Item): StructNode => ({
    role: 'LI',
    children: [element('Lbl', text), ...(inner === undefined ? [] : [listOf(inner)])],
  })
  addTree(listOf(list), pages)
}

/** An element with a text, which is none when it is on another page. */
function element(role: string, text: string | undefined): StructNode {
  return { role, children: text === undefined ? [] : [{ type: 'content', id: text }] }
}

/** Adds a page, whose marked contents are named by their texts. */
function addTree(tree: StructNode, pages: TaggedPages) {
  const textsOf = ({ id, children = [] }: StructNode): string[] => (id === undefined ? children.flatMap(textsOf) : [id])
  const items = textsOf(tree).flatMap((str) => [
    { type: 'beginMarkedContentProps', id: str, tag: 'Span' },
    { str, hasEOL: true, transform: [10, 0, 0, 10, 72, 700], width: 50, height: 10, fontName: 'F1' },
    { type: 'endMarkedContent' },
  ])
  pages.add({ role: 'Root', children: [tree] }, items, (pieces) => pieces.map(line))
}

test('a list over several pages has each item once, in the list that it belongs to', () => {
  const pages = new TaggedPages()
  listPage([{ text: '1. Boats' }, { text: '2. Birds', inner: [{ text: 'Heron' }, {}] }, {}, {}], pages)
  listPage([{}, { inner: [{}, { text: 'Rail' }] }, { text: '3. Fish that are' }, {}], pages)
  listPage([{}, { inner: [{}, {}] }, { text: 'eaten.', inner: [{ text: 'Cod' }] }, { text: '4. Crabs' }], pages)
  assert.is(
    taggedHtml(pages.parts, []),
    '<ol><li>Boats</li><li>Birds<ul><li>Heron</li><li>Rail</li></ul></li><li>Fish that are eaten.<ul><li>Cod</li></ul></li><li>Crabs</li></ol>',
  )
})

test('a table has its caption, each row once, and its heads only at its beginning', () => {
  const pages = new TaggedPages()
  const row = (role: string, some: (string | undefined)[]): StructNode => ({
    role: 'TR',
    children: some.map((text) => element(role, text)),
  })
  const heads = row('TH', ['Boat', 'Length'])
  const other = row('TD', [undefined, undefined])
  const body = (rows: StructNode[]): StructNode => ({ role: 'TBody', children: rows })
  addTree({ role: 'Table', children: [element('Caption', 'Boats of the north'), heads, body([row('TD', ['Coble', '6 m']), other])] }, pages)
  addTree({ role: 'Table', children: [element('Caption', undefined), heads, body([other, row('TD', ['Yole', '5 m'])])] }, pages)
  const rows = '<tr><th>Boat</th><th>Length</th></tr><tr><td>Coble</td><td>6 m</td></tr><tr><td>Yole</td><td>5 m</td></tr>'
  assert.is(taggedHtml(pages.parts, []), `<p>Boats of the north</p><table>${rows}</table>`)
})

test('text from right to left is taken in the order in which it is drawn, other text in that of the tags', () => {
  const orderOf = (left: string, right: string) => {
    const items = [left, right].flatMap((str, at) => [
      { type: 'beginMarkedContentProps', id: `mc${at}`, tag: 'Span' },
      { str, hasEOL: false, transform: [10, 0, 0, 10, 72 + at * 50, 700], width: 50, height: 10, fontName: 'F1' },
      { type: 'endMarkedContent' },
    ])
    const paragraph = { role: 'P', children: ['mc1', 'mc0'].map((id) => ({ type: 'content', id })) }
    const pages = new TaggedPages()
    pages.add({ role: 'Root', children: [paragraph] }, items, (pieces) => pieces.map(line))
    return texts(pages)
  }
  assert.equal(orderOf('שלום', 'עולם'), ['text: שלום|עולם'])
  assert.equal(orderOf('boats', 'Some'), ['text: Some|boats'])
})

test('code is one block where each of its lines is a paragraph, and over pages', () => {
  const codeLine = (text: string, x: number, y: number): Line => ({
    ...line({ str: text, transform: [10, 0, 0, 10, x, y] } as TextPiece),
    x,
    code: { text, letter: 6 },
  })
  const part = (kind: 'text' | 'loose', some: Line[]): Part =>
    kind === 'text' ? { kind, lines: some, level: null } : { kind, lines: some }
  const words = line({ str: 'Some words, and more words.', transform: [10, 0, 0, 10, 72, 800] } as TextPiece)
  const lines = [codeLine('sail() {', 72, 100), codeLine('wait()', 84, 88), codeLine('}', 72, 700)]
  const html = taggedHtml(
    [
      part('text', [words]),
      ...lines.map((some) => part('text', [some])),
      part('text', [words]),
      part('loose', [lines[0]!]),
      part('loose', [lines[1]!]),
    ],
    [words, words, words, ...lines],
  )
  const text = '<p>Some words, and more words.</p>'
  assert.is(html, `${text}<pre>sail() {\n  wait()\n}</pre>${text}<pre>sail() {\n  wait()</pre>`)
})

test('tags are not used where those of each page name thousands of elements of other pages', () => {
  const pages = new TaggedPages()
  const rows = Array.from({ length: 10_000 }, () => element('LI', undefined))
  for (let number = 0; number < 10 && pages.areOnAllPages; number++)
    addTree({ role: 'L', children: [element('LI', `Boat ${number}`), ...rows] }, pages)
  assert.not.ok(pages.areOnAllPages)
  const few = new TaggedPages()
  for (let number = 0; number < 100; number++)
    addTree({ role: 'L', children: [element('LI', `Boat ${number}`), ...rows.slice(0, 100)] }, few)
  assert.ok(few.areTrusted)
})

test('an empty page without tags does not matter', () => {
  const pages = new TaggedPages()
  page([['P', 'Some words.']], pages)
  pages.add(null, [], () => [])
  assert.ok(pages.areTrusted)
})

test('a paragraph above the first heading that is larger than all headings is the title', () => {
  const text = (words: string, size: number, level: number | null = null): Part => ({
    kind: 'text',
    lines: [{ text: words, html: words, cells: [], parts: [], size, x: 72, y: 700, right: 200, isBold: false, code: null }],
    level,
  })
  const html = (parts: Part[]) =>
    taggedHtml(
      parts,
      parts.flatMap((part) => (part.kind === 'text' ? part.lines : [])),
    )
  const rest = [text('Some words, which are most of this text.', 10), text('An outcry', 30)]
  assert.is(
    html([text('Boats', 20), text('By A. Keel', 12), text('Of the north', 14, 1), ...rest]),
    '<h1>Boats</h1><p>By A. Keel</p><h2>Of the north</h2><p>Some words, which are most of this text.</p><p>An outcry</p>',
  )
  assert.is(html([text('By A. Keel', 12), text('Of the north', 14, 1), ...rest]).slice(0, 38), '<p>By A. Keel</p><h1>Of the north</h1>')
  const quoted: Part = { kind: 'quote', parts: [text('Of the south', 14, 2)] }
  assert.is(html([quoted]), '<blockquote><h2>Of the south</h2></blockquote>')
})

test.run()
