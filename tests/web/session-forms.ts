import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { LOGIN_FAILED, loginErrors, loginFailure } from '#web/account/session/login-form.ts'
import { fieldError } from '#web/api/field-error.ts'
import { refusalMessage, waitText } from '#web/account/session/refusal.ts'
import { DEAD_RESET_LINK, isDeadResetLink, resetErrors } from '#web/account/session/reset-form.ts'
import { EMPTY_SIGN_UP, SIGN_UP_FIELDS, signUpBody, signUpErrors } from '#web/account/session/sign-up-form.ts'
import type { Settings } from '#contract/settings.ts'
import { readReturn } from '#web/account/session/provider-return.ts'
import { activeProviders, isReturn, providerUrl, providerRefusal, stateOf } from '#web/account/session/providers.ts'

const refusal = (status: number, body: { errors?: unknown; message?: string } = {}, retryAfter: number | null = null) => ({
  status,
  body,
  retryAfter,
  said: body.message ?? '',
})

const login = suite('login form')

login('the login form requires an email and a password, and applies no rules to an old password', () => {
  assert.equal(loginErrors({ email: '', password: '' }), { email: 'Email is required', password: 'Password is required' })
  assert.equal(loginErrors({ email: 'nobody', password: 'x' }), { email: 'Please enter a valid email' })
  assert.equal(loginErrors({ email: ' a@example.org ', password: 'x' }), {})
})

login('the login form shows the reason of a refusal in one sentence', () => {
  const rows: [Parameters<typeof refusal>, string, string][] = [
    [[400, { errors: { email: ['Wrong.', 'Other.'] }, message: 'm' }], 'Wrong.', 'the first error of the email'],
    [[400, { errors: { email: 'Wrong.' } }], 'Wrong.', 'an error that is not a list'],
    [[400, { errors: { password: ['p'] }, message: 'm' }], LOGIN_FAILED, 'errors of other fields are not shown'],
    [[400, { errors: null, message: 'm' }], LOGIN_FAILED, ''],
    [[500, { message: 'stack' }], LOGIN_FAILED, 'the message of a server error is not shown'],
    [[0, { message: 'Unreachable.' }], 'Unreachable.', 'the message of the client is shown'],
    [[429, {}, 30], 'Too many attempts. Please wait 30 seconds.', 'a wait in seconds'],
    [[429, {}, 600], 'Too many attempts. Please wait 10 minutes.', 'a wait in minutes'],
    [[429, {}], 'Too many attempts. Please wait a little.', 'a wait of unknown length'],
    [
      [403, { message: 'You do not have permission to perform this action.' }],
      'Signing in with a password is switched off.',
      'signing in with a password is switched off',
    ],
  ]
  for (const [given, words, why] of rows) assert.equal(loginFailure(refusal(...given)), { kind: 'words', words }, why || words)
})

login('the login form offers to send the mail again on any other 403', () => {
  for (const message of ['Please verify your email address first.', 'Bitte zuerst die Adresse bestätigen.', ''])
    assert.equal(loginFailure(refusal(403, { message })), { kind: 'verify' }, message)
})

const signUp = suite('sign-up form')
const GOOD = { firstName: 'Ana', lastName: 'Ruiz', email: 'ana@example.org', password: 'Kettle-4?' }

signUp('the sign-up form requires both names, an email, and a password by the five rules', () => {
  assert.equal(signUpErrors(GOOD), {})
  assert.equal(signUpErrors(EMPTY_SIGN_UP), {
    firstName: 'First name is required',
    lastName: 'Last name is required',
    email: 'Email is required',
    password: 'Password is required',
  })
  const rows: [Partial<typeof GOOD>, ReturnType<typeof signUpErrors>][] = [
    [{ firstName: '  ' }, { firstName: 'First name is required' }],
    [{ email: 'ana@' }, { email: 'Please enter a valid email' }],
    [{ password: 'aA1!aA1' }, { password: 'Password must be at least 8 characters' }],
    [{ password: 'Abcdefg!' }, { password: 'Password must contain at least one number' }],
    [{ password: 'abcdef1!' }, { password: 'Password must contain at least one uppercase letter' }],
    [{ password: 'ABCDEF1!' }, { password: 'Password must contain at least one lowercase letter' }],
    [{ password: 'Abcdefg1' }, { password: 'Password must contain at least one special character' }],
  ]
  for (const [change, errors] of rows) assert.equal(signUpErrors({ ...GOOD, ...change }), errors, JSON.stringify(change))
})

signUp('the sign-up form sends names and email trimmed, and the password unchanged', () => {
  assert.equal(signUpBody({ firstName: ' Ana ', lastName: 'Ruiz ', email: ' ana@example.org ', password: ' Kettle-4? ' }), {
    email: 'ana@example.org',
    password: ' Kettle-4? ',
    first_name: 'Ana',
    last_name: 'Ruiz',
  })
})

signUp('the sign-up form shows errors of the server at their fields', () => {
  const about = refusal(400, { errors: { email: ['An account with this address exists.'] }, message: 'Invalid input data.' })
  assert.is(fieldError(about, 'email'), 'An account with this address exists.')
  assert.is(fieldError(about, 'password'), undefined)
  assert.is(refusalMessage(about, 'f', SIGN_UP_FIELDS), undefined, 'a field speaks for itself')
  const rows: [ReturnType<typeof refusal>, string, string][] = [
    [refusal(400, { errors: { non_field_errors: ['No.'] }, message: 'm' }), 'No.', 'an error of no field'],
    [refusal(400, { errors: [], message: 'Sent to another address.' }), 'Sent to another address.', 'only a message'],
    [refusal(400, { errors: { captcha: ['c'] }, message: 'm' }), 'm', 'a field that the form does not have'],
    [refusal(400, { errors: {}, message: '' }), 'f', 'no message'],
    [refusal(502, { message: 'm' }), 'f', 'a server error'],
    [refusal(429, { message: 'm' }, 61), 'Too many attempts. Please wait 61 seconds.', 'too many attempts'],
  ]
  for (const [given, words, why] of rows) assert.is(refusalMessage(given, 'f', SIGN_UP_FIELDS), words, why)
})

signUp('a waiting time is rounded up, since a try that is too early makes it longer', () => {
  const rows: [number, string][] = [
    [0, '1 second'],
    [0.2, '1 second'],
    [1, '1 second'],
    [90, '90 seconds'],
    [91, '2 minutes'],
    [3600, '60 minutes'],
    [5401, '2 hours'],
  ]
  for (const [seconds, words] of rows) assert.is(waitText(seconds), words)
})

const reset = suite('form for a new password')

reset('the form requires a valid password twice', () => {
  assert.equal(resetErrors({ password: 'Kettle-4?', confirmation: 'Kettle-4?' }), {})
  assert.equal(resetErrors({ password: 'Kettle-4?', confirmation: 'Kettle-4' }), { confirmation: 'Passwords must match' })
  assert.equal(resetErrors({ password: '', confirmation: '' }), {
    password: 'Password is required',
    confirmation: 'Please confirm your password',
  })
})

reset('an invalid link is recognised only by its own error', () => {
  assert.ok(isDeadResetLink(DEAD_RESET_LINK))
  for (const state of [null, undefined, 'x', {}, { deadResetLink: 'yes' }]) assert.not(isDeadResetLink(state))
})

const providers = suite('providers')
const ORIGIN = 'https://crawl.example'

providers('O12: providers return to the base path', () => {
  for (const provider of ['github', 'google'] as const) {
    const base = `${ORIGIN}/crawl`
    const url = providerUrl(provider, { base, clientId: 'id', githubUrl: 'https://git.example', state: 's' })
    assert.is(new URL(url).searchParams.get('redirect_uri'), `${base}/`)
  }
})

providers('each provider is opened at its own URL, with our client id, our root as the return URL and our state', () => {
  const github = new URL(
    providerUrl('github', { clientId: 'id 1', githubUrl: 'https://git.example/', base: ORIGIN, state: stateOf('github', 's1') }),
  )
  assert.is(github.origin + github.pathname, 'https://git.example/login/oauth/authorize')
  assert.equal(Object.fromEntries(github.searchParams), {
    client_id: 'id 1',
    redirect_uri: `${ORIGIN}/`,
    scope: 'read:user user:email',
    state: 'sign-in.github.s1',
  })
  const google = new URL(
    providerUrl('google', { clientId: 'g', githubUrl: 'https://git.example', base: ORIGIN, state: stateOf('google', 's2') }),
  )
  assert.is(google.origin + google.pathname, 'https://accounts.google.com/o/oauth2/v2/auth')
  assert.is(google.searchParams.get('response_type'), 'token')
  assert.is(google.searchParams.get('redirect_uri'), `${ORIGIN}/`)
  assert.is(google.searchParams.get('state'), 'sign-in.google.s2')
})

providers('the answer of a provider is read from the query or the fragment, and other URLs are ignored', () => {
  const rows: [string, unknown][] = [
    ['/?code=c1&state=sign-in.github.s1', { state: 'sign-in.github.s1', token: 'c1' }],
    ['/?error=access_denied&error_description=x&state=sign-in.github.s1', { state: 'sign-in.github.s1', error: 'access_denied' }],
    ['/#access_token=t%2B1&token_type=Bearer&state=sign-in.google.s2', { state: 'sign-in.google.s2', token: 't+1' }],
    ['/#error=access_denied&state=sign-in.google.s2', { state: 'sign-in.google.s2', error: 'access_denied' }],
    ['/?code=c1&state=sign-in.oidc.s1&iss=https%3A%2F%2Fid.example', { state: 'sign-in.oidc.s1', token: 'c1', iss: 'https://id.example' }],
    ['/?state=sign-in.github.s1', { state: 'sign-in.github.s1', error: 'no_answer' }],
    ['/', null],
    ['/?code=c1', null],
    ['/?code=c1&state=other', null],
    ['/?state=payment-success', null],
  ]
  for (const [url, found] of rows) assert.equal(readReturn(ORIGIN + url), found, url)
})

providers('the sign-in buttons are those that the settings name', () => {
  const settings = { is_github_login_active: true, github_client_id: 'gh', is_google_login_active: true, google_client_id: '' }
  const named = { ...settings, is_oidc_login_active: true, oidc_name: 'Example Inc' } as Settings
  assert.equal(activeProviders(named), [
    { kind: 'oidc', name: 'Example Inc' },
    { kind: 'github', name: 'GitHub', clientId: 'gh' },
  ])
  assert.equal(activeProviders({ ...named, is_github_login_active: false, oidc_name: '' }), [{ kind: 'oidc', name: 'single sign-on' }])
  // A server that does not know of OpenID sends no such fields.
  assert.equal(activeProviders(settings as Settings), [{ kind: 'github', name: 'GitHub', clientId: 'gh' }])
  assert.equal(activeProviders(undefined), [])
})

providers('messages between the windows are validated', () => {
  assert.ok(isReturn({ state: 's', token: 't' }))
  assert.ok(isReturn({ state: 's', error: 'e' }))
  assert.ok(isReturn({ state: 's', token: 't', iss: 'i' }))
  assert.not(isReturn({ state: 's', token: 't', iss: 1 }))
  for (const value of [null, 7, 's', {}, { state: 's' }, { token: 't' }, { state: 1, token: 't' }, { state: 's', token: 1 }])
    assert.not(isReturn(value), JSON.stringify(value))
})

providers('a refusal of the provider is shown with our own message', () => {
  assert.is(providerRefusal('GitHub', 'access_denied'), 'Signing in with GitHub was canceled.')
  assert.is(providerRefusal('Google', '<b>boo</b>'), 'The sign-in with Google failed. Please try again.')
})

login.run()
signUp.run()
reset.run()
providers.run()
