import * as assert from 'uvu/assert'
import { getProfile, signInWithProvider, startOidcSignIn } from '#contract/accounts.ts'
import { getSettings } from '#contract/settings.ts'
import { ADMINISTRATOR, startApp } from '#tests/support/app.ts'
import type { App } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import { OIDC_CLIENT, startOpenIdProvider } from '#tests/support/stubs/openid-provider.ts'
import { suite } from '#tests/support/suite.ts'

const oidc = suite('sign-in with OpenID')

const MAIL = 'mia@example.org'
const REDIRECT = 'https://crawl.example/'
const STATE = 'sign-in.oidc.0123456789'
const INVALID = { code: 400, errors: { token: ['Invalid token'] }, message: 'Invalid input data.' }
const UNAVAILABLE = { code: 503, errors: null, message: 'The sign-in provider does not answer. Please try again.' }

type Provider = Omit<Parameters<typeof startOpenIdProvider>[0], 'redirectUris'>

async function start({ config, provider: setup, ...options }: NonNullable<Parameters<typeof startApp>[0]> & { provider?: Provider } = {}) {
  const provider = await startOpenIdProvider({ ...setup, redirectUris: [REDIRECT] })
  const app = await startApp({ ...options, config: { ...provider.config, ...config } })
  await app.signIn()
  return { app, provider }
}

const begin = (app: App) => app.call(startOidcSignIn, { body: { state: STATE, redirect_uri: REDIRECT } })

/** The page's part: what it sends after the person has signed in at the provider. */
async function grantOf({ app, provider }: Awaited<ReturnType<typeof start>>, name: string) {
  const { body } = await begin(app)
  const returned = (await provider.signInAs(name, body.authorization_url)).searchParams
  assert.is(returned.get('state'), STATE)
  return { provider: 'oidc' as const, token: returned.get('code') ?? '', iss: returned.get('iss') ?? '', ticket: body.ticket }
}

const send = (app: App, body: object) => app.request('POST', signInWithProvider.path, { body })

async function profileOf(app: App, reply: { body: unknown }) {
  const { access } = reply.body as { access: string }
  return (await app.call(getProfile, { headers: { authorization: `Bearer ${access}` } })).body
}

const countUsers = async ({ backend: { database } }: App) => (await database.selectFrom('user').select('id').execute()).length

for (const setup of [
  { isEmailInToken: false },
  { isEmailInToken: true },
  { authentication: 'client_secret_post' },
  { authentication: 'none' },
] as const)
  oidc(`a person signs in and gets an account: ${JSON.stringify(setup)}`, async () => {
    const stage = await start({ provider: setup })
    const { app, provider } = stage
    provider.accounts.set('mia', { email: MAIL, email_verified: true, name: 'Mia Maria Ruiz' })
    const reply = await send(app, await grantOf(stage, 'mia'))
    assert.is(reply.status, 200, JSON.stringify(reply.body))
    const profile = await profileOf(app, reply)
    assert.equal([profile.email, profile.first_name, profile.last_name, profile.email_verified], [MAIL, 'Mia', 'Maria Ruiz', true])
    assert.is((await send(app, await grantOf(stage, 'mia'))).status, 200, 'the second time it is the same account')
    assert.is(await countUsers(app), 2)
  })

oidc('the provider receives our client, a challenge and a nonce, and no secret', async () => {
  const { app } = await start()
  const { body } = await begin(app)
  const sent = Object.fromEntries(new URL(body.authorization_url).searchParams)
  const { code_challenge: challenge, nonce, ...others } = sent
  assert.match(challenge ?? '', /^[\w-]{43}$/)
  assert.match(nonce ?? '', /^[\w-]{43}$/)
  assert.equal(others, {
    client_id: OIDC_CLIENT.oidcClientId,
    code_challenge_method: 'S256',
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'openid email profile',
    state: STATE,
  })
  assert.not.match(JSON.stringify(body), new RegExp(OIDC_CLIENT.oidcClientSecret))
})

oidc('a redirect URI that the token request would spell otherwise is refused at the start', async () => {
  const { app } = await start()
  for (const redirect_uri of ['https://crawl.example', `${REDIRECT}?a=b`, `${REDIRECT}#a`, 'https://CRAWL.example/', 'crawl.example']) {
    const reply = await app.request('POST', startOidcSignIn.path, { body: { state: STATE, redirect_uri } })
    assert.is(reply.status, 400, redirect_uri)
    assert.equal(Object.keys((reply.body as { errors: object }).errors), ['redirect_uri'])
  }
})

oidc('given names are used as the provider sends them', async () => {
  const stage = await start()
  stage.provider.accounts.set('li', { email: MAIL, email_verified: 'true', name: 'Zhang Li', given_name: 'Li', family_name: 'Zhang' })
  const profile = await profileOf(stage.app, await send(stage.app, await grantOf(stage, 'li')))
  assert.equal([profile.first_name, profile.last_name], ['Li', 'Zhang'])
})

oidc(
  'an address that is not verified signs in nobody, unless the operator trusts addresses of which the provider says nothing',
  async () => {
    const accounts = {
      no: { email: MAIL, email_verified: false },
      silent: { email: MAIL },
      none: { email_verified: true },
      wrong: { email: 'mia', email_verified: true },
    }
    for (const oidcTrustEmail of [false, true]) {
      const stage = await start({ config: { oidcTrustEmail } })
      for (const [name, account] of Object.entries(accounts)) {
        stage.provider.accounts.set(name, account)
        const reply = await send(stage.app, await grantOf(stage, name))
        assert.is(reply.status, oidcTrustEmail && name === 'silent' ? 200 : 400, `${name}, trusted: ${oidcTrustEmail}`)
        if (reply.status === 400) assert.equal(reply.body, INVALID)
      }
      assert.is(await countUsers(stage.app), oidcTrustEmail ? 2 : 1)
    }
  },
)

oidc('a code is good once, with its own ticket, for half an hour', async () => {
  const clock = createClock()
  const stage = await start({ clock })
  const { app, provider } = stage
  provider.accounts.set('mia', { email: MAIL, email_verified: true })
  const good = await grantOf(stage, 'mia')
  const other = await grantOf(stage, 'mia')
  const wrong: [object, string][] = [
    [{ ...good, ticket: undefined }, 'no ticket'],
    [{ ...good, ticket: other.ticket }, 'the ticket of another start'],
    [{ ...good, ticket: `${good.ticket.slice(0, -2)}AA` }, 'a changed ticket'],
    [{ ...other, iss: 'https://other.example' }, 'the name of another provider'],
    [{ ...other, iss: undefined }, 'no name, although the provider tells it'],
    [{ ...other, token: 'x' }, 'an unknown code'],
  ]
  for (const [body, why] of wrong) {
    const reply = await send(app, body)
    assert.equal(reply.body, INVALID, why)
  }
  const fresh = await grantOf(stage, 'mia')
  assert.is((await send(app, fresh)).status, 200)
  assert.equal((await send(app, fresh)).body, INVALID, 'used before')
  const late = await grantOf(stage, 'mia')
  clock.advance(31 * 60_000)
  assert.equal((await send(app, late)).body, INVALID, 'late')
})

oidc('while sign-up is closed, existing accounts sign in and no new one is created', async () => {
  const stage = await start({ config: { signupEnabled: false } })
  stage.provider.accounts.set('mia', { email: MAIL, email_verified: true })
  stage.provider.accounts.set('admin', { email: ADMINISTRATOR.email.toUpperCase(), email_verified: true })
  assert.is((await send(stage.app, await grantOf(stage, 'mia'))).status, 403)
  assert.is((await send(stage.app, await grantOf(stage, 'admin'))).status, 200)
  assert.is(await countUsers(stage.app), 1)
})

oidc('without an OpenID provider both calls get 403, and the settings say so', async () => {
  const app = await startApp()
  assert.is((await begin(app)).status, 403)
  assert.is((await send(app, { provider: 'oidc', token: 'x', ticket: 'y' })).status, 403)
  const { body } = await app.call(getSettings)
  assert.equal([body.is_oidc_login_active, body.oidc_name], [false, ''])
})

oidc('the settings have the name for the button, and no secret', async () => {
  const { app } = await start({ config: { oidcName: 'Example Inc' } })
  const { body } = await app.call(getSettings)
  assert.equal([body.is_oidc_login_active, body.oidc_name], [true, 'Example Inc'])
  assert.not.match(JSON.stringify(body), new RegExp(OIDC_CLIENT.oidcClientSecret))
})

oidc('a provider that fails gets another try with the next call, and its configuration is read once an hour', async () => {
  const clock = createClock()
  const stage = await start({ clock })
  const { app, provider } = stage
  const readings = () => provider.asked.filter((line) => line.includes('/.well-known/')).length
  for (const status of [500, 429, 404, 302]) {
    provider.answerBy(() => status)
    assert.equal((await begin(app)).body as unknown, UNAVAILABLE, String(status))
  }
  provider.answerBy(null)
  assert.is((await begin(app)).status, 200)
  const before = readings()
  assert.is((await begin(app)).status, 200)
  assert.is(readings(), before)
  clock.advance(61 * 60_000)
  assert.is((await begin(app)).status, 200)
  assert.is(readings(), before + 1)

  provider.accounts.set('mia', { email: MAIL, email_verified: true })
  const grant = await grantOf(stage, 'mia')
  provider.answerBy((path) => (path.startsWith('/token') ? 502 : null))
  assert.equal((await send(app, grant)).body, UNAVAILABLE)
  provider.answerBy(null)
  assert.is((await send(app, grant)).status, 200, 'the code is still good')
})

oidc('a wrong client secret and a wrong issuer are errors of the server, not of the person', async () => {
  const stage = await start({ config: { oidcClientSecret: 'another secret' } })
  stage.provider.accounts.set('mia', { email: MAIL, email_verified: true })
  assert.equal((await send(stage.app, await grantOf(stage, 'mia'))).body, UNAVAILABLE)
  const other = await startOpenIdProvider({ redirectUris: [REDIRECT] })
  const app = await startApp({ config: { ...OIDC_CLIENT, oidcIssuer: other.url.replace('127.0.0.1', 'localhost') } })
  assert.equal((await begin(app)).body as unknown, UNAVAILABLE)
})

oidc.run()
