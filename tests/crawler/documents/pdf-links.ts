import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { BoldMarks, withBoldElements, withoutBoldMarks } from '#backend/crawler/documents/pdf/bold-text.ts'
import type { Line } from '#backend/crawler/documents/pdf/lines.ts'
import { blockOf, joinLines } from '#backend/crawler/documents/pdf/pdf-layout.ts'
import { assertLinear } from '#tests/support/linear.ts'

const test = suite('links of PDFs')

/** Linked letters as a line has them that are bold: the link ends last. */
function bold(link: string): string {
  const marks = new BoldMarks()
  return `${marks.next(true)}${link.replace('</a>', '')}${marks.next(false)}</a>`
}

/** The HTML of a paragraph of several lines. */
const paragraph = (...lines: string[]): string => blockOf(printed(lines), false).html

function printed(lines: readonly string[]): Line[] {
  return lines.map((html, at): Line => ({
    text: withoutBoldMarks(html.replace(/<[^>]*>/g, '')),
    html,
    cells: [{ html, x: 72 }],
    parts: [{ html, x: 72, right: 72 }],
    size: 10,
    x: 72,
    y: 700 - at * 12,
    right: 300,
    isBold: false,
    code: null,
  }))
}

test('a link that goes on in the next line is one, and its words are whole', () => {
  const a = '<a href="https://x.example/a">'
  assert.is(paragraph(`See ${a}the boats</a>`, `${a}of the north</a>, and more.`), `See ${a}the boats of the north</a>, and more.`)
  assert.is(paragraph(`${a}the har-</a>`, `${a}bours</a>`), `${a}the harbours</a>`)
  assert.is(paragraph(`${a}one</a>`, `${a}two</a>`, `${a}three</a> four`), `${a}one two three</a> four`)
  const b = '<a href="https://x.example/b">'
  // The letters may be bold.
  assert.is(
    withBoldElements(
      paragraph(
        `See ${bold(`${a}the har-</a>`)}`,
        `${bold(`${a}bours</a>`)} of the north, a long way from here, where no letter is bold, and no word is a link.`,
      ),
    ),
    `See <b>${a}the harbours</b></a> of the north, a long way from here, where no letter is bold, and no word is a link.`,
  )
  assert.is(paragraph(`${a}one</a>`, `${b}two</a>`), `${a}one</a> ${b}two</a>`)
})

test('a URL over two lines is one word, with its hyphen', () => {
  const a = '<a href="https://x.example/north-boats">'
  assert.is(paragraph(`${a}https://x.example/north-</a>`, `${a}boats</a>`), `${a}https://x.example/north-boats</a>`)
})

test('text of thousands of lines without the end of a paragraph is several paragraphs, and no line is lost', () => {
  const lines = printed(Array.from({ length: 3000 }, (_, at) => `line ${at} of a text that does not end, and that has no other mark`))
  const blocks = joinLines(lines)
  assert.is(blocks.length, 2)
  assert.is(blocks.map(({ text }) => text).join(' '), lines.map(({ text }) => text).join(' '))
})

test('a paragraph of thousands of lines, as tags say, is one and whole', () => {
  const ends = ['that does not end', 'that is divi-', '<a href="https://x.example/">with a link</a>']
  const lines = printed(Array.from({ length: 3000 }, (_, at) => `line ${at} of a text ${ends[at % ends.length]}`))
  const { html, text, lines: count } = blockOf(lines, false)
  assert.is(count, 3000)
  assert.is(
    text,
    lines
      .map((line) => line.text)
      .join(' ')
      .replaceAll('divi- ', 'divi'),
  )
  assert.is(html.match(/<a /g)?.length, 1000)
  assert.is(blockOf(printed(Array<string>(3000).fill('漢字の行です')), false).text, '漢字の行です'.repeat(3000))
})

test('a paragraph of tags is read in linear time', () =>
  assertLinear('a paragraph', (size) => {
    const lines = printed(Array<string>(size / 16).fill('words that are divi-'))
    return () => blockOf(lines, false)
  }))

test.run()
