/** The passages of pages that the search over own pages shows. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { snippetOf } from '#backend/searches/own-index/highlight.ts'
import { readQuery } from '#backend/searches/own-index/read-query.ts'

const passages = suite('passages')

const QUERY = readQuery('the quiet lantern')
const WEIGHTS = new Map(QUERY.terms.map((term, at) => [term, [0.1, 1, 5][at]!]))
const passageOf = (text: string) =>
  snippetOf(text, QUERY, WEIGHTS)
    .map(([part]) => part)
    .join('')

passages('the passage with the rare word of a question is shown, also from the third part of a long page', () => {
  assert.match(passageOf(`A quiet harbour. ${'Ships come and go. '.repeat(8000)} A lantern burns.`), /A lantern burns/)
})

passages('on a page of millions of characters, a rare word far from the first match is not searched for: that would take seconds', () => {
  assert.match(passageOf(`A quiet harbour. ${'Ships come and go. '.repeat(80_000)} A lantern burns.`), /^A quiet harbour/)
})

passages.run()
