import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { PASSWORD_RULES, SPECIAL_CHARACTERS, STRENGTH_LABELS, passwordScore } from '#contract/passwords.ts'
import { passwordFaults } from '#backend/accounts/passwords.ts'

const accounts = suite('passwords')

accounts('S-INS-03 the score counts the rules that hold', () => {
  const cases: [password: string, score: number][] = [
    ['', 0],
    ['a', 1],
    ['A', 1],
    ['7', 1],
    ['!', 1],
    ['aA', 2],
    ['aA7', 3],
    ['aA7!', 4],
    ['aaaaaaaa', 2],
    ['aA7!aaaa', 5],
    ['ÄÖÜäöüß§', 1],
  ]
  for (const [password, score] of cases) assert.is(passwordScore(password), score, password)
  assert.is(STRENGTH_LABELS.length, PASSWORD_RULES.length + 1)
})

accounts('S-INS-05 special characters are exactly these', () => {
  const special = PASSWORD_RULES.find(({ id }) => id === 'special')
  assert.equal(Array.from(SPECIAL_CHARACTERS), [
    '!',
    '@',
    '#',
    '$',
    '%',
    '^',
    '&',
    '*',
    '(',
    ')',
    ',',
    '.',
    '?',
    '"',
    ':',
    '{',
    '}',
    '|',
    '<',
    '>',
  ])
  for (let code = 0x20; code < 0x7f; code += 1) {
    const character = String.fromCharCode(code)
    assert.is(special?.holds(character), SPECIAL_CHARACTERS.includes(character), character)
  }
})

accounts('S-INS-04 each rule has its text, word for word', () => {
  assert.equal(
    PASSWORD_RULES.map(({ message }) => message),
    [
      'Password must be at least 8 characters',
      'Password must contain at least one number',
      'Password must contain at least one uppercase letter',
      'Password must contain at least one lowercase letter',
      'Password must contain at least one special character',
    ],
  )
})

accounts('the server refuses the short, the common and the numeric, and nothing else', () => {
  const [short, common, numeric] = [
    'This password is too short. It must contain at least 8 characters.',
    'This password is too common.',
    'This password is entirely numeric.',
  ]
  const cases: [password: string, faults: string[]][] = [
    ['Correct-Horse-7!', []],
    ['correct horse', []],
    ['x7$', [short]],
    ['password', [common]],
    ['PASSWORD1', [common]],
    [' password ', [common]],
    ['9182736450', [numeric]],
    ['12345678', [common, numeric]],
    ['123456', [short, common, numeric]],
    ['٣٤٥٦٧٨٩٠١٢', [numeric]],
    ['пароль-лошади', []],
  ]
  for (const [password, faults] of cases) assert.equal(passwordFaults(password), faults, password)
})

accounts.run()
