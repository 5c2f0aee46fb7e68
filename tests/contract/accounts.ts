import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { messages, strengths } from '#texts/passwords.ts'
import { PASSWORD_RULES, SPECIAL_CHARACTERS } from '#contract/passwords.ts'
import { createPasswordWords } from '#backend/accounts/password-words.ts'
import { passwordFaults } from '#backend/accounts/passwords.ts'

const accounts = suite('passwords')

accounts('S-INS-03 the score counts the fulfilled rules', () => {
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
  for (const [password, score] of cases) assert.is(PASSWORD_RULES.filter(({ holds }) => holds(password)).length, score, password)
  assert.is(strengths.length, PASSWORD_RULES.length + 1)
})

accounts('S-INS-05 the special characters are exactly those of the list', () => {
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

accounts('S-INS-04 each password rule has its text, word for word', () => {
  assert.equal(
    PASSWORD_RULES.map(({ id }) => messages[id]),
    [
      'Password must be at least 8 characters',
      'Password must contain at least one number',
      'Password must contain at least one uppercase letter',
      'Password must contain at least one lowercase letter',
      'Password must contain at least one special character',
    ],
  )
})

accounts('the server refuses short, common and numeric passwords, and no others', () => {
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

accounts('A14 the list has at least 3,000 common passwords of sufficient length, and all of them are refused', () => {
  const listed = readFileSync('backend/accounts/common-passwords.txt', 'utf8').split('\n').filter(Boolean)
  const long = [...new Set(listed)].filter((password) => password.length >= 8 && !/^\d+$/.test(password))
  assert.ok(long.length >= 3000, String(long.length))
  const taken = long.filter((password) => !passwordFaults(password).includes('This password is too common.'))
  assert.equal(taken, [])
  for (const password of [' Baseball ', 'TRUSTNO1', 'Steelers', 'corvette', '1qaz2wsx'])
    assert.ok(passwordFaults(password).includes('This password is too common.'), password)
  for (const password of ['correct horse battery', 'base\nball-77', 'password\npassword1'])
    assert.equal(passwordFaults(password), [], password)
})

const GUESSED = ['This password is too easy to guess: it is made of your name, email address or team, or of the product’s name.']
accounts('A14 a password that consists of words of its owner or the product is refused; one that merely contains them is not', () => {
  const words = createPasswordWords({ productName: 'Crawl House' }).of({
    email: 'ana.ruiz@example.org',
    firstName: 'Ánna',
    lastName: 'de la Vega',
    teamNames: ['Docs & Search'],
  })
  const cases: [password: string, faults: string[], why: string][] = [
    ['seine123', GUESSED, 'the product name with digits'],
    ['Seine-2026!', GUESSED, 'the product name with digits and signs'],
    ['s3!n3-1234', GUESSED, 'the product name with digits for letters'],
    ['CrawlHouse1', GUESSED, 'the configured product name'],
    ['Ana.Ruiz.99', GUESSED, 'the email address'],
    ['ruizruiz', GUESSED, 'a part of the email address, twice'],
    ['anna2026', GUESSED, 'the first name without its accent'],
    ['xxDocs2026', GUESSED, 'a team name after two letters'],
    ['DocsSearchRuiz1', GUESSED, 'several words'],
    ['Docs-2026!', [], 'a team name with signs: strangers do not know it'],
    ['Seine-Horse-7!', [], 'the product name and another word'],
    ['Correct-Horse-7!', [], 'none of the words'],
    ['!2026-07-13!', [], 'no word'],
  ]
  for (const [password, faults, why] of cases) assert.equal(passwordFaults(password, words), faults, why)
})

accounts.run()
