/** How frequent the words of a team's pages are. */
import * as assert from 'uvu/assert'
import { openIndex } from '#backend/searches/own-index/index-file.ts'
import { readQuery } from '#backend/searches/own-index/read-query.ts'
import { openVocabulary } from '#backend/searches/own-index/words/vocabulary.ts'
import { makeOwnPages } from '#tests/support/engine/own-index.ts'
import { suite } from '#tests/support/suite.ts'

const vocabulary = suite('the vocabulary')

vocabulary('a word on few pages does not push out the counts of frequent words', () => {
  const own = makeOwnPages()
  own.keep(own.run(own.team()).no, [{ title: 'The harbour' }])
  own.follow()
  const index = openIndex(own.file)
  const counts = Array.from({ length: 1000 }, (_, at): [string, { pages: number; until: number }] => [
    `1 word${at}`,
    { pages: 3000, until: 9 },
  ])
  const frequent = new Map(counts)
  const { pagesOf } = openVocabulary(index, { frequent, language: null, now: () => 1, teamNo: 1 })
  const pages = pagesOf(readQuery('harbour word7'))
  assert.equal([pages.get('harbour'), pages.get('word7'), frequent.size], [1, 3000, 1000])
  index.close()
})

vocabulary.run()
