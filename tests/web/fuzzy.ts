import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fuzzyMatch, ranked } from '#web/frame/palette/fuzzy.ts'

const fuzzy = suite('fuzzy matching')

const FITS: readonly [query: string, text: string, marks: readonly number[] | null, why: string][] = [
  ['', 'Settings', [], 'an empty query matches everything'],
  ['  ', 'Settings', [], 'spaces match everything'],
  ['set', 'Settings', [0, 1, 2], 'the start of the text'],
  ['SET', 'settings', [0, 1, 2], 'letter case is ignored'],
  ['keys', 'API Keys', [4, 5, 6, 7], 'the start of a later word'],
  ['k', 'Blue Kettle', [5], 'the start of a word is preferred'],
  ['api keys', 'API Keys', [0, 1, 2, 4, 5, 6, 7], 'several words'],
  ['keys api', 'API Keys', [0, 1, 2, 4, 5, 6, 7], 'several words in another order'],
  ['ak', 'API Keys', [0, 4], 'scattered letters in order'],
  ['kz', 'API Keys', null, 'a missing letter'],
  ['ka', 'API Keys', null, 'letters in another order'],
  ['keys nope', 'API Keys', null, 'a missing word'],
  ['creme', 'Crème brûlée', [0, 1, 2, 3, 4], 'accents in the text are ignored'],
  ['brûlee', 'Creme brulee', [6, 7, 8, 9, 10, 11], 'accents in the query are ignored'],
  ['tea', '🍵 tea', [2, 3, 4], 'marks count code points'],
  ['a.b', 'https://a.b/c', [8, 9, 10], 'punctuation matches like letters'],
]

for (const [query, text, marks, why] of FITS)
  fuzzy(`“${query}” is matched in “${text}”: ${why}`, () => {
    const match = fuzzyMatch(query, text)
    assert.equal(match === null ? null : match.marks, marks)
  })

const ORDERS: readonly [query: string, texts: readonly string[], expected: readonly string[], why: string][] = [
  ['', ['b', 'a'], ['b', 'a'], 'an empty query keeps the order'],
  ['crawl', ['New crawl', 'Crawl', 'Scrawl'], ['Crawl', 'New crawl', 'Scrawl'], 'start of the text, start of a word, inside a word'],
  ['log', ['Logs of everything', 'Logs'], ['Logs', 'Logs of everything'], 'the shorter of two equal matches first'],
  ['st', ['s-e-t', 'list', 'Start'], ['Start', 'list', 's-e-t'], 'scattered letters last'],
  ['x', ['a', 'b'], [], 'texts without a match are left out'],
]

for (const [query, texts, expected, why] of ORDERS)
  fuzzy(`texts are ranked for “${query}”: ${why}`, () => {
    assert.equal(
      ranked(query, texts, (text) => text).map(({ thing }) => thing),
      expected,
    )
  })

fuzzy.run()
