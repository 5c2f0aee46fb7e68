/** Which words of a query a page must have. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { chooseWords } from '#backend/searches/own-index/words/choose-words.ts'
import { readQuery } from '#backend/searches/own-index/read-query.ts'

const choice = suite('chosen words')

choice('of the words that only raise the rank the rarest come first, because PostgreSQL ranks pages by a few of them', () => {
  const pagesOf = new Map([
    ['lantern', 1],
    ['keeper', 300],
    ['night', 200],
    ['harbour', 100],
    ['the', 900],
  ])
  const { oneOf, others } = chooseWords(readQuery('the keeper night harbour lantern'), pagesOf, 1000, 1000)
  const texts = [...oneOf, ...others].map(({ words }) => words.join(' '))
  assert.equal(texts, ['lantern', 'harbour', 'night', 'keeper'])
})

choice.run()
