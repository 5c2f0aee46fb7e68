import { createHmac } from 'node:crypto'
import * as assert from 'uvu/assert'
import { exportSPKI, generateKeyPair, importJWK, SignJWT } from 'jose'
import type { JWTPayload } from 'jose'
import { getProfile, login, refreshToken, register, signInWithProvider, verifyEmail } from '#contract/accounts.ts'
import { getSettings } from '#contract/settings.ts'
import { ADMINISTRATOR, startApp } from '#tests/support/app.ts'
import type { App } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import { startMailServer, tokenOf } from '#tests/support/stubs/mail-server.ts'
import { GITHUB_CLIENT, GOOGLE_CLIENT, startProviders } from '#tests/support/stubs/sign-in-providers.ts'
import { suite } from '#tests/support/suite.ts'

const oauth = suite('sign in by a provider')

const INVALID = { code: 400, errors: { token: ['Invalid token'] }, message: 'Invalid input data.' }
const FORBIDDEN = { code: 403, errors: null, message: 'You do not have permission to perform this action.' }
const MAIL = 'gia@example.org'

async function start(config: Parameters<typeof startApp>[0] = {}) {
  const providers = await startProviders()
  const app = await startApp({ ...config, config: { ...providers.config, ...config.config } })
  await app.signIn()
  return { app, providers }
}

const signIn = (app: App, provider: 'github' | 'google' | 'google-signin', token: string) =>
  app.call(signInWithProvider, { body: { provider, token } })
const profileOf = async (app: App, reply: { body: { access: string } }) =>
  (await app.call(getProfile, { headers: { authorization: `Bearer ${reply.body.access}` } })).body
const countUsers = async ({ backend: { database } }: App) => (await database.selectFrom('user').select('id').execute()).length

const github = (email: string, name: string | null = 'Gia Maria Rossi') => ({
  emails: [
    { email: 'other@example.org', primary: false, verified: true },
    { email, primary: true, verified: true },
  ],
  name,
})
const google = (email: string) => ({
  aud: GOOGLE_CLIENT.googleClientId,
  sub: '42',
  email,
  email_verified: true,
  given_name: 'Gia',
  family_name: 'Rossi',
})

oauth('GitHub: a code signs in the owner of the primary address, and creates an account without a password', async () => {
  const { app, providers } = await start()
  providers.codes.set('code-1', github('Gia@Example.ORG'))
  const reply = await signIn(app, 'github', 'code-1')
  assert.is(reply.status, 200)
  assert.equal(Object.keys(reply.body).toSorted(), ['access', 'refresh'])
  const profile = await profileOf(app, reply)
  assert.equal(
    [profile.email, profile.first_name, profile.last_name, profile.email_verified],
    ['Gia@Example.ORG', 'Gia', 'Maria Rossi', true],
  )
  assert.is((await app.call(login, { body: { email: MAIL, password: 'null' } })).status, 400)
  // A code works once at GitHub; the same person comes back to the same account.
  assert.equal((await signIn(app, 'github', 'code-1')).body as unknown, INVALID)
  providers.codes.set('code-2', github(MAIL))
  assert.is((await profileOf(app, await signIn(app, 'github', 'code-2'))).uuid, profile.uuid)
})

oauth('GitHub: an address that is not both primary and verified does not sign in', async () => {
  const { app, providers } = await start()
  providers.codes.set('unverified', { emails: [{ email: ADMINISTRATOR.email, primary: true, verified: false }], name: null })
  providers.codes.set('secondary', { emails: [{ email: ADMINISTRATOR.email, primary: false, verified: true }], name: null })
  providers.codes.set('none', { emails: [], name: null })
  providers.codes.set('odd', { emails: [{ email: 'not an address', primary: true, verified: true }], name: null })
  for (const code of ['unverified', 'secondary', 'none', 'odd', 'unknown'])
    assert.equal((await signIn(app, 'github', code)).body as unknown, INVALID, code)
  assert.is(await countUsers(app), 1)
})

oauth('Google: an access token that was issued for us signs in', async () => {
  const { app, providers } = await start()
  providers.googleTokens.set('token-1', google(MAIL))
  const profile = await profileOf(app, await signIn(app, 'google', 'token-1'))
  assert.equal([profile.email, profile.first_name, profile.last_name], [MAIL, 'Gia', 'Rossi'])
})

oauth('Google: a token of another application, or of an unverified address, does not sign in', async () => {
  const { app, providers } = await start()
  providers.googleTokens.set('foreign', { ...google(ADMINISTRATOR.email), aud: 'another-app.apps.googleusercontent.com' })
  providers.googleTokens.set('unverified', { ...google(ADMINISTRATOR.email), email_verified: false })
  for (const token of ['foreign', 'unverified', 'unknown'])
    assert.equal((await signIn(app, 'google', token)).body as unknown, INVALID, token)
  // For a foreign token the provider is not even asked for its user.
  assert.is(providers.asked.filter((call) => call.includes('userinfo')).length, 1)
})

oauth('Google: an id token signs in, from either spelling of the issuer', async () => {
  const { app, providers } = await start()
  for (const iss of ['https://accounts.google.com', 'accounts.google.com']) {
    const reply = await signIn(app, 'google-signin', await providers.idToken({ iss, email: MAIL, given_name: 'Gia', family_name: 'Rossi' }))
    assert.equal((await profileOf(app, reply)).full_name, 'Gia Rossi')
  }
  assert.is(await countUsers(app), 2)
  assert.equal(providers.asked, ['GET /oauth2/v3/certs'], 'the keys are kept')
})

// After the cases of public test vectors for JSON Web Signatures: RFC 7515 (JWS), RFC 7519 (claims), RFC 8725 (best practices, 2.1 to 2.8, 3.1 to 3.12).
oauth('T26 forged, foreign and expired id tokens are refused', async () => {
  const clock = createClock()
  const { app, providers } = await start({ clock })
  const claims = { email: ADMINISTRATOR.email }
  const good = await providers.idToken(claims)
  const [header = '', payload = '', signature = ''] = good.split('.')
  const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const plain = JSON.parse(Buffer.from(payload, 'base64url').toString()) as JWTPayload
  const jwk = providers.publicJwk()
  const pem = await exportSPKI((await importJWK(jwk, 'RS256', { extractable: true })) as CryptoKey)
  const strangers = await generateKeyPair('RS256', { extractable: true })
  const strange = (head: object) =>
    new SignJWT(plain).setProtectedHeader({ alg: 'RS256', kid: 'key-1', ...head }).sign(strangers.privateKey)
  const hmac = (secret: string) => {
    const input = `${json({ alg: 'HS256', kid: 'key-1', typ: 'JWT' })}.${payload}`
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
  }
  const now = Math.floor(clock.now() / 1000)
  const tokens: [token: string, why: string][] = [
    [`${json({ alg: 'none' })}.${payload}.`, 'alg none'],
    [`${json({ alg: 'none', kid: 'key-1' })}.${payload}.${signature}`, 'alg none with a signature'],
    [`${json({ alg: 'NONE', kid: 'key-1' })}.${payload}.`, 'alg none in upper case'],
    [`${header}.${payload}.`, 'no signature'],
    [`${header}.${payload}`, 'two parts'],
    [hmac(pem), 'HMAC with the public key as PEM'],
    [hmac(JSON.stringify(jwk)), 'HMAC with the public key as JWK'],
    [hmac(''), 'HMAC with an empty key'],
    [await strange({}), 'a foreign key under our key id'],
    [await strange({ kid: 'unknown' }), 'an unknown key id'],
    [await strange({ jwk }), 'a key inside the token'],
    [await strange({ jku: 'http://127.0.0.1:1/keys', x5u: 'http://127.0.0.1:1/keys' }), 'a key URL inside the token'],
    [`${header}.${json({ ...plain, email: 'gia@example.org' })}.${signature}`, 'a changed payload'],
    [`${json({ alg: 'RS256', kid: 'key-1', typ: 'JWT', x: 1 })}.${payload}.${signature}`, 'a changed header'],
    [`${header}.${payload}.${signature.slice(0, -6)}AAAAAA`, 'a changed signature'],
    [`${header}.${payload}.${Buffer.alloc(256).toString('base64url')}`, 'a signature of zeros'],
    [`${json({ alg: 'RS256', kid: 'key-1', crit: ['b64'], b64: false })}.${payload}.${signature}`, 'a critical header'],
    [await providers.idToken({ ...claims, aud: 'another-app.apps.googleusercontent.com' }), 'the audience of another application'],
    [
      await providers.idToken({ ...claims, aud: [GOOGLE_CLIENT.googleClientId, 'another'], azp: 'another' }),
      'two audiences, issued to the other one',
    ],
    [await providers.idToken({ ...claims, aud: undefined }), 'no audience'],
    [await providers.idToken({ ...claims, iss: 'https://accounts.google.com.evil.test' }), 'another issuer'],
    [await providers.idToken({ ...claims, iss: undefined }), 'no issuer'],
    [await providers.idToken({ ...claims, exp: now - 61 }), 'expired'],
    [await providers.idToken({ ...claims, exp: undefined }), 'no expiry'],
    [await providers.idToken({ ...claims, nbf: now + 120 }), 'not yet valid'],
    [await providers.idToken({ ...claims, email_verified: false }), 'an unverified address'],
    [await providers.idToken({ ...claims, email_verified: undefined }), 'an address without email_verified'],
    [await providers.idToken({ email: undefined }), 'no address'],
    [await providers.idToken({ email: ['ana@example.org'] }), 'a list of addresses'],
    ['', 'an empty text'],
    ['..', 'only dots'],
    ['a.b.c.d.e', 'an encrypted token'],
  ]
  for (const [token, why] of tokens) {
    const reply = await signIn(app, 'google-signin', token)
    assert.is(reply.status, 400, why)
    assert.ok((reply.body as unknown as { errors: object }).errors, why)
  }
  assert.is(await countUsers(app), 1)
  assert.is((await signIn(app, 'google-signin', good)).status, 200, 'the genuine token of the same address is accepted')
})

oauth('Google: a token with a new key makes the product fetch the keys, but at most once a minute', async () => {
  const clock = createClock()
  const { app, providers } = await start({ clock })
  assert.is((await signIn(app, 'google-signin', await providers.idToken({ email: MAIL }))).status, 200)
  await providers.rotateKeys()
  const rotated = await providers.idToken({ email: MAIL })
  for (let no = 0; no < 5; no += 1) assert.is((await signIn(app, 'google-signin', rotated)).status, 400)
  assert.is(providers.asked.length, 1)
  clock.advance(61_000)
  assert.is((await signIn(app, 'google-signin', rotated)).status, 200)
  assert.is(providers.asked.length, 2)
})

oauth('an unverified account passes to the owner of the address, and the stranger who created it loses access', async () => {
  const mailServer = await startMailServer()
  const { app, providers } = await start({ config: { smtpUrl: mailServer.url } })
  const stranger = { email: MAIL, password: 'Stranger-Horse-7!' }
  await app.call(register, { body: stranger })
  const link = tokenOf(await mailServer.next())
  providers.codes.set('code', github(MAIL))
  const reply = await signIn(app, 'github', 'code')
  assert.is((await profileOf(app, reply)).email_verified, true)
  assert.is((await app.call(login, { body: stranger })).status, 400)
  assert.is((await app.call(verifyEmail, { params: { token: link } })).status, 404)
})

oauth('a verified account keeps its password and its sessions', async () => {
  const { app, providers } = await start()
  const me = await app.signIn()
  providers.codes.set('code', github(ADMINISTRATOR.email))
  const profile = await profileOf(app, await signIn(app, 'github', 'code'))
  assert.equal([profile.uuid, profile.first_name], [me.userId, ''])
  assert.is((await app.call(refreshToken, { body: { refresh: me.refresh } })).status, 200)
  assert.is((await app.call(login, { body: ADMINISTRATOR })).status, 200)
})

oauth('a disabled account cannot sign in', async () => {
  const { app, providers } = await start()
  await app.backend.database.updateTable('user').set({ isActive: 0 }).execute()
  providers.codes.set('code', github(ADMINISTRATOR.email))
  assert.equal((await signIn(app, 'github', 'code')).body as unknown, INVALID)
  assert.is(await countUsers(app), 1)
})

oauth('while sign-up is closed, existing accounts sign in and no new one is created', async () => {
  const { app, providers } = await start({ config: { signupEnabled: false } })
  providers.codes.set('new', github(MAIL))
  providers.codes.set('known', github(ADMINISTRATOR.email))
  assert.equal((await signIn(app, 'github', 'new')).body as unknown, FORBIDDEN)
  assert.is((await signIn(app, 'github', 'known')).status, 200)
  assert.is(await countUsers(app), 1)
})

oauth('a disabled provider gets 403, an unknown one 400, and the settings list the enabled ones', async () => {
  const app = await startApp({ config: GITHUB_CLIENT })
  for (const provider of ['google', 'google-signin'] as const) assert.equal((await signIn(app, provider, 'x')).body as unknown, FORBIDDEN)
  const unknown = await app.request('POST', signInWithProvider.path, { body: { provider: 'x', token: 'x' } })
  assert.equal(unknown.body, { code: 400, errors: { provider: ['"x" is not a valid choice.'] }, message: 'Invalid input data.' })
  const { body: settings } = await app.call(getSettings)
  assert.equal([settings.is_github_login_active, settings.github_client_id], [true, GITHUB_CLIENT.githubClientId])
  assert.equal([settings.is_google_login_active, settings.google_client_id], [false, ''])
  assert.not.match(JSON.stringify(settings), GITHUB_CLIENT.githubClientSecret)
})

oauth('a sign-in gets 503 without a reason while the provider is down', async () => {
  const { app, providers } = await start()
  providers.breakDown()
  for (const provider of ['github', 'google', 'google-signin'] as const) {
    const reply = await signIn(app, provider, provider === 'google-signin' ? 'a.b.c' : 'x')
    assert.equal(reply.body as unknown, { code: 503, errors: null, message: 'The sign-in provider does not answer. Please try again.' })
  }
  await providers.close()
  assert.is((await signIn(app, 'github', 'x')).status, 503)
})

oauth.run()
