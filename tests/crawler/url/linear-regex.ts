import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileRegex, RegexFault } from '#backend/crawler/url/linear-regex.ts'

const regex = suite('regular expressions in linear time')

const PATTERNS = [
  '^/blog/.*$',
  'blog/\\d{4}/\\d{2}',
  '^(?:/en|/de)?/docs(?:/|$)',
  '/(?<year>\\d+)-[a-z_-]+\\.html?$',
  '\\bapi\\b',
  'a|b|',
  '(a|b)*?c{2,3}d',
  '[^/]+/[\\w.~%-]*/?$',
  '.*\\.(jpg|png)',
  '\\/x\\x2fy\\u0041',
  '^$',
  'a{2}b{0,1}c{1,}',
  '[\\d-]x',
  '[]a]?|z',
  '\\Bw\\B',
  'a{,2}',
]
const TEXTS = [
  '',
  '/',
  '/blog/2024/05/a-b.html',
  '/docs',
  '/de/docs/',
  '/documents',
  '/1-a_b.htm',
  'my api here',
  'apis',
  'ccd',
  'abccd',
  'cccd',
  '/x/yA',
  'aabccc',
  '-x',
  'swows',
  'a{,2}',
  '/a/photo.JPG',
]

regex("matches are those of JavaScript's engine", () => {
  for (const pattern of PATTERNS) {
    const matches = compileRegex(pattern)
    const right = new RegExp(pattern)
    for (const text of TEXTS) assert.is(matches(text), right.test(text), `/${pattern}/ on ${JSON.stringify(text)}`)
  }
})

regex("matches of generated patterns are those of JavaScript's engine too", () => {
  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '^', '$', '\\b', '(?:a|)')
  const piece = fc
    .tuple(atom, fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}', '*?'))
    .map(([one, times]) => (/^[\^$]$|^\\b$/.test(one) ? one : one + times))
  const sequence = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''))
  const pattern = fc
    .tuple(sequence, sequence, fc.boolean())
    .map(([one, other, nests]) => (nests ? `(${one}|${other})*${one}` : `${one}|${other}`))
  const text = fc.array(fc.constantFrom('a', 'b', '/', ' '), { maxLength: 8 }).map((letters) => letters.join(''))
  fc.assert(
    fc.property(pattern, text, (written, sample) => compileRegex(written)(sample) === new RegExp(written).test(sample)),
    { numRuns: 2000 },
  )
})

regex('matching takes time in proportion to the text, whatever the pattern', () => {
  // Either takes a backtracking engine longer than the age of the universe.
  assert.is(compileRegex('^(a+)+$')(`${'a'.repeat(2000)}!`), false)
  assert.is(compileRegex('(.*a){20}$')(`${'a'.repeat(2000)}!`), false)
})

regex('an error names the unsupported syntax', () => {
  for (const [pattern, fault] of [
    ['(?=a)', /look-around/],
    ['(?!a)b', /look-around/],
    ['(?<=a)b', /look-around/],
    ['(a)\\1', /back-references/],
    ['\\p{L}', /Unicode properties/],
    ['(a', /not closed/],
    ['a)', /no opening/],
    ['[a', /not closed/],
    ['*a', /nothing to repeat/],
    ['a**', /nothing to repeat/],
    ['[z-a]', /out of order/],
    ['a{3,2}', /out of order/],
    ['a\\', /backslash/],
    ['((a{100}){100})', /too many/],
    ['a'.repeat(1025), /characters/],
  ] as const)
    assert.throws(
      () => compileRegex(pattern),
      (error: unknown) => error instanceof RegexFault && fault.test(error.message),
      pattern.slice(0, 30),
    )
})

regex.run()
