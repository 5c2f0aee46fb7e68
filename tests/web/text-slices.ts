import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { beginningOf, textSlices } from '#web/ui/code/text-slices.ts'

const slices = suite('long texts in slices')

slices('lines stay whole, and only a line that is longer than a slice is cut', () => {
  const rows: [text: string, expected: [text: string, isWhole: boolean, lines: number][]][] = [
    ['', []],
    ['one', [['one', true, 1]]],
    ['a\nb\nc\n', [['a\nb\nc\n', true, 3]]],
    [
      'aaaa\nbbbb\ncc',
      [
        ['aaaa\n', true, 1],
        ['bbbb\ncc', true, 2],
      ],
    ],
    [
      'abcdefghijkl\nm',
      [
        ['abcdefgh', false, 1],
        ['ijkl\nm', false, 2],
      ],
    ],
    [
      'a\nbcdefghijkl',
      [
        ['a\n', true, 1],
        ['bcdefghi', false, 1],
        ['jkl', false, 1],
      ],
    ],
  ]
  for (const [text, expected] of rows)
    assert.equal(
      textSlices(text, 8).map((one) => [one.text, one.isWhole, one.lines]),
      expected,
      JSON.stringify(text),
    )
})

slices('no text is lost, no slice is much too long, and no character is cut in two', () => {
  const text = fc.array(fc.constantFrom('a', 'bb', '\n', '\n\n', '😀', 'é'), { maxLength: 200 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 40 }), (given, size) => {
      const found = textSlices(given, size)
      assert.is(found.map((one) => one.text).join(''), given)
      for (const one of found) assert.ok(one.text.length > 0 && one.text.length <= size + 1 && one.text.isWellFormed())
      const beginning = beginningOf(given, size)
      assert.ok(given.startsWith(beginning) && beginning.length <= size && beginning.isWellFormed())
      assert.ok(given.length > size || beginning === given)
    }),
  )
})

slices('a beginning ends after a paragraph, else after a line, else at the limit', () => {
  assert.is(beginningOf('one two\n\nthree\nfour', 12), 'one two\n\n')
  assert.is(beginningOf('one two\nthree four', 12), 'one two\n')
  assert.is(beginningOf('one\n\ntwo three four', 12), 'one\n\ntwo thr')
})

slices.run()
