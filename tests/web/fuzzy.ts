import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fuzzyMatch, ranked } from '#web/frame/palette/fuzzy.ts'

const fuzzy = suite('fuzzy matching')

const FITS: readonly [query: string, text: string, marks: readonly number[] | null, why: string][] = [
  ['', 'Settings', [], 'nothing typed fits everything'],
  ['  ', 'Settings', [], 'spaces are nothing'],
  ['set', 'Settings', [0, 1, 2], 'as it stands'],
  ['SET', 'settings', [0, 1, 2], 'capitals make no difference'],
  ['keys', 'API Keys', [4, 5, 6, 7], 'inside, at the start of a word'],
  ['k', 'Blue Kettle', [5], 'the start of a word before the inside of one'],
  ['api keys', 'API Keys', [0, 1, 2, 4, 5, 6, 7], 'every word'],
  ['keys api', 'API Keys', [0, 1, 2, 4, 5, 6, 7], 'in any order'],
  ['ak', 'API Keys', [0, 4], 'letters one after the other'],
  ['kz', 'API Keys', null, 'a letter that is not there'],
  ['ka', 'API Keys', null, 'letters in another order'],
  ['keys nope', 'API Keys', null, 'a word that is not there'],
  ['creme', 'Crème brûlée', [0, 1, 2, 3, 4], 'accents make no difference'],
  ['brûlee', 'Creme brulee', [6, 7, 8, 9, 10, 11], 'on neither side'],
  ['tea', '🍵 tea', [2, 3, 4], 'marks count characters, not halves of them'],
  ['a.b', 'https://a.b/c', [8, 9, 10], 'signs are letters like others'],
]

for (const [query, text, marks, why] of FITS)
  fuzzy(`“${query}” in “${text}”: ${why}`, () => {
    const match = fuzzyMatch(query, text)
    assert.equal(match === null ? null : match.marks, marks)
  })

const ORDERS: readonly [query: string, texts: readonly string[], expected: readonly string[], why: string][] = [
  ['', ['b', 'a'], ['b', 'a'], 'nothing typed keeps the order'],
  ['crawl', ['New crawl', 'Crawl', 'Scrawl'], ['Crawl', 'New crawl', 'Scrawl'], 'start of the text, of a word, inside'],
  ['log', ['Logs of everything', 'Logs'], ['Logs', 'Logs of everything'], 'the shorter of two that fit alike'],
  ['st', ['s-e-t', 'list', 'Start'], ['Start', 'list', 's-e-t'], 'scattered letters last'],
  ['x', ['a', 'b'], [], 'what does not fit is left out'],
]

for (const [query, texts, expected, why] of ORDERS)
  fuzzy(`ranks for “${query}”: ${why}`, () => {
    assert.equal(
      ranked(query, texts, (text) => text).map(({ thing }) => thing),
      expected,
    )
  })

fuzzy.run()
