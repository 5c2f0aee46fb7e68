import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { TextPiece } from '#backend/crawler/documents/pdf/lines.ts'
import { inReadingOrder } from '#backend/crawler/documents/pdf/right-to-left.ts'

const test = suite('text of PDFs from right to left')

/** Pieces of one line, each to the right of the one before. */
function drawn(...texts: string[]): TextPiece[] {
  let x = 72
  return texts.map((str, at) => {
    const width = 5 * str.length
    const piece = { str, hasEOL: at === texts.length - 1, transform: [10, 0, 0, 10, x, 700], width, height: 10, fontName: 'F1' }
    x += width
    return piece
  })
}

const read = (pieces: readonly TextPiece[]) =>
  inReadingOrder(pieces)
    .map(({ str }) => str)
    .join('')

test('letters drawn from left to right are read from right to left, in their plain shapes', () => {
  assert.is(read(drawn('ﺮ', 'ﺤ', 'ﺑ', ' ', 'ﻢ', 'ﻳ', 'ﺪ', 'ﻗ')), 'قديم بحر')
  assert.is(read(drawn('םלוע', ' ', 'םולש')), 'םולש םלוע')
})

test('words and numbers of other scripts keep their order, and brackets their meaning', () => {
  assert.is(read(drawn('עולם', ' ', 'two', ' ', 'words', ' ', 'שלום')), 'שלום two words עולם')
  assert.is(read(drawn('(', 'ב', ' ', '12', ')', ' ', 'א')), 'א (12 ב)')
  assert.is(read(drawn('.English', ' ', 'שלום עולם')), 'שלום עולם English.')
  assert.is(read(drawn('1', '2', ' ', 'א', ' ', 'ב', ' ', 'ג')), 'ג ב א 12')
})

test('words from right to left within a line of another direction are turned alone', () => {
  assert.is(read(drawn('The words ', 'ב', ' ', 'א', ' stand in ', 'an English line')), 'The words א ב stand in an English line')
})

test('the number of a list item, drawn from left to right at the right of its text, has its full stop after it', () => {
  const [text, ...number] = drawn('ראשון', '.', '1')
  const [stop, other] = drawn('.', '12')
  assert.is(read([...number.map((piece) => ({ ...piece, hasEOL: false })), text!]), '1.ראשון')
  assert.is(read([stop!, other!]), '.12')
})

test('lines that are drawn in the order of reading, and other scripts, stay as they are', () => {
  const read2 = drawn('ראשון', ' ', 'שני').map((piece, at) => ({ ...piece, transform: [10, 0, 0, 10, 500 - at * 40, 700] }))
  assert.is(read(read2), 'ראשון שני')
  const latin = drawn('One', ' (', 'two', ')')
  assert.is(inReadingOrder(latin), latin)
})

test('each line is turned for itself, and ends where it ended', () => {
  const lines = [...drawn('ב', ' ', 'א'), ...drawn('ד', ' ', 'ג').map((piece) => ({ ...piece, transform: piece.transform.with(5, 680) }))]
  const ordered = inReadingOrder(lines)
  assert.is(ordered.map(({ str, hasEOL }) => str + (hasEOL ? '|' : '')).join(''), 'א ב|ג ד|')
})

test('a line of many pieces and a piece of many signs take linear time', () => {
  assert.is(read(drawn(...Array.from({ length: 50_000 }, (_, at) => 'אב. '[at % 4]!))).length, 50_000)
  assert.is(read(drawn('א', `x${' '.repeat(200_000)}y`, 'ב')).length, 200_004)
})

test.run()
