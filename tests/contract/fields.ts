import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type * as z from 'zod/mini'
import { isHttpUrl, isEmail } from '#contract/addresses.ts'
import { setModelEndpoint } from '#contract/models.ts'
import { clamped, count, email, flag, httpUrl, listOf, oneOf, queryFlag, text } from '#contract/fields.ts'
import { fieldErrors } from '#backend/http/field-errors.ts'

const fields = suite('fields of requests')

/** The parsed value of an input, or its first error. */
function outcome(shape: z.ZodMiniType, input: unknown): unknown {
  const result = shape.safeParse(input)
  return result.success ? result.data : { says: result.error.issues[0]?.message }
}

fields("fields accept the values of clients in other languages, and answer with the contract's messages", () => {
  const cases: [name: string, shape: z.ZodMiniType, input: unknown, expected: unknown][] = [
    ['flag', flag(), true, true],
    ['flag', flag(), 'True', true],
    ['flag', flag(), 0, false],
    ['flag', flag(), '1', true],
    ['flag', flag(), 'yes', { says: 'Must be a valid boolean.' }],
    ['flag', flag(), 2, { says: 'Must be a valid boolean.' }],
    ['flag', flag(), null, { says: 'This field may not be null.' }],
    ['flag', flag(), undefined, { says: 'This field is required.' }],
    ['count', count({ min: 1, max: 9 }), '7', 7],
    ['count', count({ min: 1, max: 9 }), 0, { says: 'Ensure this value is greater than or equal to 1.' }],
    ['count', count({ min: 1, max: 9 }), 10, { says: 'Ensure this value is less than or equal to 9.' }],
    ['count', count({ min: 1, max: 9 }), 1.5, { says: 'A valid integer is required.' }],
    ['count', count({ min: 1, max: 9 }), '1e1', { says: 'A valid integer is required.' }],
    ['count', count({ min: 1 }), true, { says: 'A valid integer is required.' }],
    ['clamped', clamped({ min: 0, max: 100 }), 500, 100],
    ['clamped', clamped({ min: 0, max: 100 }), '-5', 0],
    ['text', text(), '  x ', 'x'],
    ['text', text(), '   ', { says: 'This field may not be blank.' }],
    ['text', text({ blank: true }), '', ''],
    ['text', text({ max: 2 }), 'xyz', { says: 'Ensure this field has no more than 2 characters.' }],
    ['text', text(), 7, { says: 'Not a valid string.' }],
    ['word', oneOf(['a', 'b']), 'c', { says: '"c" is not a valid choice.' }],
    ['list', listOf(text()), 'x', { says: 'Expected a list of items but got type "str".' }],
    ['list', listOf(text(), { min: 1 }), [], { says: 'This list may not be empty.' }],
    ['URL', httpUrl(), 'https://example.org', 'https://example.org'],
    ['URL', httpUrl(), ' https://EXAMPLE.org/a ', 'https://EXAMPLE.org/a'],
    ['URL', httpUrl(), 'ftp://example.org', { says: 'Enter a valid URL.' }],
    ['e-mail', email(), ' Ana@EXAMPLE.org ', 'Ana@example.org'],
    ['e-mail', email(), 'ana@', { says: 'Enter a valid email address.' }],
  ]
  for (const [name, shape, input, expected] of cases) assert.equal(outcome(shape, input), expected, `${name} ${JSON.stringify(input)}`)
})

fields('checklist 7: a flag in a query is true for true, 1 and t in any letter case, and false for everything else', () => {
  for (const yes of ['true', 'True', 'TRUE', '1', 't', 'T']) assert.is(queryFlag().parse(yes), true, yes)
  for (const no of ['false', '0', 'yes', 'on', '', 'truee', undefined]) assert.is(queryFlag().parse(no), false, String(no))
})

fields('a URL is absolute, http or https, and has a host', () => {
  for (const good of ['http://a', 'https://a.b:8443/c?d#e', 'http://[::1]/', 'https://пример.рф/', 'http://user:word@a/'])
    assert.ok(isHttpUrl(good), good)
  for (const bad of [
    '',
    'a.b',
    '//a.b',
    'http:/a',
    'http://',
    'http:///a',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http://a b',
    'http://a\n',
    'http://[::1',
  ])
    assert.not.ok(isHttpUrl(bad), bad)
})

fields('the key of a model server is one that a header can carry', () => {
  const said = (key: string) => outcome(setModelEndpoint.body!, { base_url: 'https://models.example/v1', api_key: key, models: ['small'] })
  for (const bad of ['sk-\u202e1', 'sk-ключ', 'sk-1\nx: y', 'sk 1'])
    assert.equal(said(bad), { says: 'A key has only letters, digits and punctuation of ASCII, and no spaces.' }, JSON.stringify(bad))
  for (const good of ['', 'sk-proj_A.1/b+c=', ' sk-1\n']) assert.is((said(good) as { api_key: string }).api_key, good.trim())
})

fields('A19 an email address has no character that nobody sees', () => {
  for (const hidden of ['\u200b', '\u202e', '\u00ad', '\u2060', '\ufeff', '\u0085', '\u009b', '\b', '\u001b', '\ud800', '\u{e0041}'])
    assert.not.ok(isEmail(`ana${hidden}@example.org`), JSON.stringify(hidden))
  // Fillers are letters to Unicode, and selectors are marks.
  for (const hidden of ['\u115f', '\u1160', '\u3164', '\uffa0', '\u034f', '\ufe0f', '\u{e0100}'])
    for (const address of [`ana${hidden}@example.org`, `ana@exam${hidden}ple.org`, `ana@example.or${hidden}`])
      assert.not.ok(isEmail(address), JSON.stringify(address))
})

fields('A27 an email address has no second form of a character, which would make it that of another person', () => {
  // A Kelvin sign is k in lower case, and full-width letters and ligatures are plain ones in the name of a host.
  for (const lookalike of ['\u212aate@example.org', 'a@ban\u212a.example', 'ｋate@example.org', 'a@ｅxample.org', 'o\ufb03ce@example.org'])
    assert.not.ok(isEmail(lookalike), lookalike)
  assert.not.ok(isEmail('cafe\u0301@example.org'))
  assert.ok(isEmail('caf\u00e9@example.org'))
})

fields('an email address is accepted if mail servers accept it', () => {
  for (const good of ['a@b.co', 'a.b+c@d-e.example.org', 'jörg@müller.example', "o'neil@example.org"]) assert.ok(isEmail(good), good)
  for (const bad of [
    '',
    'a',
    '@b.co',
    'a@',
    'a@b',
    'a b@c.de',
    'a@b..de',
    '.a@b.de',
    'a.@b.de',
    'a@-b.de',
    'a@b.de\n',
    `${'a'.repeat(65)}@b.de`,
    `a@${'b.'.repeat(130)}de`,
  ])
    assert.not.ok(isEmail(bad), bad)
})

fields('validation errors nest as the input does', () => {
  const cases: [complaints: { path: (string | number)[]; message: string }[], input: unknown, errors: unknown][] = [
    [[{ path: ['a'], message: 'x' }], { a: 1 }, { a: ['x'] }],
    [
      [
        { path: ['a'], message: 'x' },
        { path: ['a'], message: 'y' },
        { path: ['a'], message: 'x' },
      ],
      {},
      { a: ['x', 'y'] },
    ],
    [[{ path: ['a', 'b', 'c'], message: 'x' }], { a: { b: {} } }, { a: { b: { c: ['x'] } } }],
    [[{ path: ['a', 1], message: 'x' }], { a: ['', ''] }, { a: { 1: ['x'] } }],
    [[{ path: ['a', 1, 'b'], message: 'x' }], { a: [{}, {}, {}] }, { a: [{}, { b: ['x'] }, {}] }],
    [[{ path: [], message: 'x' }], {}, { non_field_errors: ['x'] }],
    [
      [
        { path: ['a'], message: 'x' },
        { path: ['a', 'b'], message: 'y' },
      ],
      { a: {} },
      { a: { b: ['y'], non_field_errors: ['x'] } },
    ],
  ]
  for (const [complaints, input, errors] of cases) assert.equal(fieldErrors(complaints, input), errors, JSON.stringify(complaints))
})

fields.run()
