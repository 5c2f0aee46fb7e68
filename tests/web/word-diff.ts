/** The difference of two texts by words. */
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { wordDiff } from '#web/runs/crawl/word-diff.ts'
import type { DiffPart } from '#web/runs/crawl/word-diff.ts'

const diff = suite('word diff')
const textOf = (parts: readonly DiffPart[], kind: 'removed' | 'added') =>
  parts
    .filter((part) => part.kind === 'same' || part.kind === kind)
    .map(({ text }) => text)
    .join('')

diff('the diff names the removed and added words, and no others', () => {
  assert.equal(wordDiff('# Tea\n\nSteep for two minutes.\n', '# Tea\n\nSteep for three minutes.\n'), [
    { kind: 'same', text: '# Tea\n\nSteep for ' },
    { kind: 'removed', text: 'two' },
    { kind: 'added', text: 'three' },
    { kind: 'same', text: ' minutes.\n' },
  ])
  assert.equal(wordDiff('a\nb\nc\n', 'a\nc\n'), [
    { kind: 'same', text: 'a\n' },
    { kind: 'removed', text: 'b\n' },
    { kind: 'same', text: 'c\n' },
  ])
  assert.equal(wordDiff('', 'new'), [{ kind: 'added', text: 'new' }])
  assert.equal(wordDiff('same', 'same'), [{ kind: 'same', text: 'same' }])
  assert.equal(wordDiff('', ''), [])
})

diff('neighbouring changed words are one change, and a text that was replaced as a whole is not mixed with the new one', () => {
  assert.equal(wordDiff('the red fox ran\n', 'the blue dog ran\n'), [
    { kind: 'same', text: 'the ' },
    { kind: 'removed', text: 'red fox' },
    { kind: 'added', text: 'blue dog' },
    { kind: 'same', text: ' ran\n' },
  ])
  const [before, after] = ['The start of everything about tea.\n', 'Boiling water scorches the leaves at once.\n']
  assert.equal(wordDiff(before, after), [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ])
  assert.equal(
    wordDiff('Short.\n', 'Short. A longer sentence follows it now.\n')[0],
    { kind: 'same', text: 'Short.' },
    'added text is no replacement',
  )
})

diff('both texts can be rebuilt from the diff', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b ', 'ä', '\n', '. ', '漢', '😀', 'word ', '\r\n'), { maxLength: 60 })
    .map((all) => all.join(''))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = wordDiff(before, after)
      assert.is(textOf(parts, 'removed'), before)
      assert.is(textOf(parts, 'added'), after)
    }),
    { numRuns: 400 },
  )
})

diff('a diff of two texts of 60,000 lines is computed in time', () => {
  const steps = (lines: number) => {
    const before = Array.from({ length: lines }, (_, at) => `line ${at % 7} the same words\n`).join('')
    const after = Array.from({ length: lines }, (_, at) => `line ${at % 5} other words here\n`).join('')
    const parts = wordDiff(before, after)
    assert.is(textOf(parts, 'removed'), before)
    assert.is(textOf(parts, 'added'), after)
  }
  // A table of all words would have 10^11 cells.
  steps(60_000)
})

diff.run()
