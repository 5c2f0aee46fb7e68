import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { labels, strengths } from '#texts/passwords.ts'
import { labels as german } from '#web/texts/de/passwords.ts'
import { PASSWORD_RULES, SPECIAL_CHARACTERS } from '#contract/passwords.ts'
import { EMPTY_INSTALL, INSTALL_FAILED, installBody, installErrors, installFailure } from '#web/account/install/install-form.ts'
import type { InstallValues } from '#web/account/install/install-form.ts'

const GOOD: InstallValues = { ...EMPTY_INSTALL, email: 'a@example.org', password: 'Kettle-4?', confirmation: 'Kettle-4?', license: true }

const form = suite('install form')

form('the rule for special characters names some that count: others, such as hyphens, do not', () => {
  for (const { special } of [labels, german]) {
    const named = special.replace(/[\p{L} ]|, /gu, '')
    assert.ok(named.length >= 3, special)
    assert.ok(
      Array.from(named).every((character) => SPECIAL_CHARACTERS.includes(character)),
      special,
    )
  }
})

form('S-INS-04 each broken rule has its message, letter for letter', () => {
  const rows: [field: keyof ReturnType<typeof installErrors>, values: Partial<InstallValues>, message: string | undefined][] = [
    ['email', { email: '' }, 'Email is required'],
    ['email', { email: '   ' }, 'Email is required'],
    ['email', { email: 'amelie@' }, 'Please enter a valid email'],
    ['email', { email: 'amelie' }, 'Please enter a valid email'],
    ['email', { email: ' a@example.org ' }, undefined],
    ['password', { password: '' }, 'Password is required'],
    ['password', { password: 'aA1!aA1' }, 'Password must be at least 8 characters'],
    ['password', { password: 'Abcdefg!' }, 'Password must contain at least one number'],
    ['password', { password: 'abcdef1!' }, 'Password must contain at least one uppercase letter'],
    ['password', { password: 'ABCDEF1!' }, 'Password must contain at least one lowercase letter'],
    ['password', { password: 'Abcdefg1' }, 'Password must contain at least one special character'],
    ['password', { password: 'Abcdef1!' }, undefined],
    ['confirmation', { confirmation: '' }, 'Please confirm your password'],
    ['confirmation', { confirmation: 'Kettle-4' }, 'Passwords must match'],
    ['license', { license: false }, 'You must accept the license agreement'],
  ]
  for (const [field, values, message] of rows) assert.is(installErrors({ ...GOOD, ...values })[field], message, JSON.stringify(values))
  assert.equal(installErrors(GOOD), {}, 'nothing is wrong with a good form')
})

form('S-INS-05 exactly the named characters count as special', () => {
  assert.is(SPECIAL_CHARACTERS, '!@#$%^&*(),.?":{}|<>')
  const counts = (character: string) => installErrors({ ...GOOD, password: `Abcdefg1${character}` }).password === undefined
  for (const character of SPECIAL_CHARACTERS) assert.ok(counts(character), `${character} counts`)
  for (const character of "-_=+[]\\;'/`~ ä€") assert.not(counts(character), `${character} does not count`)
})

form('S-INS-03 every score has its label', () => {
  assert.is(PASSWORD_RULES.length, 5)
  assert.equal(strengths, ['Very weak', 'Weak', 'Fair', 'Good', 'Strong', 'Very strong'])
})

form('S-INS-06 newsletter and analytics are off until chosen', () => {
  assert.is(EMPTY_INSTALL.newsletter, false)
  assert.is(EMPTY_INSTALL.analytics, false)
  assert.is(EMPTY_INSTALL.license, false)
})

form('S-INS-12 the form sends four values and no others', () => {
  assert.equal(installBody({ ...GOOD, email: ' a@example.org ', newsletter: true }), {
    email: 'a@example.org',
    password: 'Kettle-4?',
    newsletter_confirmed: true,
    analytics_confirmed: false,
  })
})

form('S-INS-10 the error of the email is shown first, then the error of the password, then the first other error', () => {
  const rows: [errors: unknown, shown: string][] = [
    [{ password: ['p'], email: ['e', 'f'] }, 'e'],
    [{ email: 'e' }, 'e'],
    [{ other: ['o'], password: ['p'] }, 'p'],
    [{ other: ['o'], more: ['m'] }, 'o'],
    [{ other: 'o' }, 'o'],
    [{ email: [] }, INSTALL_FAILED],
    [{}, INSTALL_FAILED],
  ]
  for (const [errors, shown] of rows) assert.is(installFailure(400, { errors }), shown, JSON.stringify(errors))
  assert.is(installFailure(400, { errors: { email: ['e'] }, message: 'm' }), 'e', 'errors go before the message')
  assert.is(INSTALL_FAILED, 'An error occurred during installation. Please try again.')
})

form('S-INS-11 the message is shown if there are no errors of fields, and any other failure has a general text', () => {
  assert.is(installFailure(400, { errors: null, message: 'm' }), 'm')
  assert.is(installFailure(400, { message: 'm' }), 'm')
  assert.is(installFailure(400, { errors: [], message: 'm' }), 'm')
  for (const status of [0, 403, 404, 429, 500, 502])
    assert.is(installFailure(status, { errors: { email: ['e'] }, message: 'm' }), INSTALL_FAILED, String(status))
})

form.run()
