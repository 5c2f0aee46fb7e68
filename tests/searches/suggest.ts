/** Words that a misspelled word may stand for. */
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { readQuery } from '#backend/searches/own-index/read-query.ts'
import { corrections, editDistance, longBeginnings, wordsNear } from '#backend/searches/own-index/suggest.ts'
import { makeOwnPages } from '#tests/support/engine/own-index.ts'
import { suite } from '#tests/support/suite.ts'

const suggest = suite('suggested words')

const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'x', 'y', 'z'), minLength: 3, maxLength: 9 })

suggest('the words near a word are those with one mistake', () => {
  fc.assert(
    fc.property(letters, letters, (word, other) => {
      const near = wordsNear(word).flat()
      assert.is(near.includes(other), editDistance(word, other, 1) === 1)
      for (const one of near) assert.is(editDistance(word, one, 1), 1, one)
    }),
  )
  assert.equal(wordsNear('größe'), [], 'only of the letters of ASCII')
  assert.ok(wordsNear('pilto')[0]!.includes('pilot'))
  assert.ok(wordsNear('iplot')[1]!.includes('pilot'), 'those with another beginning come second')
})

suggest('words with two mistakes are searched for among few words first', () => {
  assert.equal(longBeginnings('harbourqx').slice(0, 3), ['harbour', 'harb', 'ha'])
  assert.equal(longBeginnings('harbur').slice(0, 2), ['harb', 'ha'])
})

suggest('no correction of a query is tried twice, however few words are near', () => {
  const text = 'the harbuor and the tidw'
  const [harbour, tide] = readQuery(text).terms.filter(({ words }) => ['harbuor', 'tidw'].includes(words[0]!))
  const tried = (...near: string[][]) => [
    ...corrections(text, [
      { term: harbour!, words: near[0]! },
      { term: tide!, words: near[1]! },
    ]),
  ]
  assert.equal(tried(['harbour'], ['tide']), ['the harbour and the tide'])
  assert.equal(tried(['harbour'], ['tide', 'tidy']), ['the harbour and the tide', 'the harbour and the tidy'])
  assert.equal(tried(['harbour'], []), [])
})

const CORRECTED: readonly [query: string, suggestion: string | null, why: string][] = [
  ['harbuor', 'harbour', 'two letters in the wrong order'],
  ['arbour', 'harbour', 'the first letter is missing'],
  ['harbourqx', 'harbour', 'two mistakes at the end'],
  ['hxrbqur', 'harbour', 'two mistakes in the middle'],
  ['habrqur', 'harbour', 'two mistakes'],
  ['tiqz', null, 'a short word with two mistakes'],
  ['гавнаь', 'гавань', 'a word of another script'],
]

suggest('a misspelled word is corrected wherever its mistakes are', () => {
  const own = makeOwnPages()
  const teamId = own.team()
  own.keep(own.run(teamId).no, [{ title: 'The harbour and the tide' }, { title: 'Гавань и прилив', language: 'ru' }])
  own.follow()
  for (const [query, suggestion, why] of CORRECTED) assert.is(own.search(teamId, query).suggestion, suggestion, `${query}: ${why}`)
})

suggest.run()
