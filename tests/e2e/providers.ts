import { chromium } from 'playwright'
import type { Page, Route } from 'playwright'
import * as assert from 'uvu/assert'
import { becomes } from '#tests/support/browser/becomes.ts'
import { GITHUB_CLIENT, GOOGLE_CLIENT, startProviders } from '#tests/support/stubs/sign-in-providers.ts'
import { OIDC_CLIENT, startOpenIdProvider } from '#tests/support/stubs/openid-provider.ts'
import { startProduct } from '#tests/support/product.ts'
import { suite } from '#tests/support/suite.ts'
import { assertAccessible, openBrowser } from './support.ts'

const stub = await startProviders()
const redirectUris: string[] = []
const openId = await startOpenIdProvider({ redirectUris })
const app = await startProduct({
  GITHUB_CLIENT_ID: GITHUB_CLIENT.githubClientId,
  GITHUB_CLIENT_SECRET: GITHUB_CLIENT.githubClientSecret,
  GOOGLE_CLIENT_ID: GOOGLE_CLIENT.googleClientId,
  GITHUB_OAUTH_URL: stub.config.githubOauthUrl,
  GITHUB_API_URL: stub.config.githubApiUrl,
  GOOGLE_OAUTH_URL: stub.config.googleOauthUrl,
  GOOGLE_API_URL: stub.config.googleApiUrl,
  OIDC_ISSUER: openId.url,
  OIDC_CLIENT_ID: OIDC_CLIENT.oidcClientId,
  OIDC_CLIENT_SECRET: OIDC_CLIENT.oidcClientSecret,
  OIDC_NAME: 'Example Inc',
})
redirectUris.push(`${app.url}/`)
const browser = await openBrowser(chromium, app.url)

const providers = suite('signing in with a provider')

/** The provider's page, a document of another origin, which sends the person back with what `back` makes of the state. */
async function openLogin(back: (state: string) => string, path = '/') {
  const page = await browser.newPage()
  const asked: URL[] = []
  const answer = async (route: Route) => {
    const url = new URL(route.request().url())
    asked.push(url)
    const next = JSON.stringify(app.url + back(url.searchParams.get('state') ?? ''))
    await route.fulfill({ contentType: 'text/html', body: `<!doctype html><script>location.replace(${next})</script>` })
  }
  await page.context().route(new RegExp(`^${stub.config.githubOauthUrl}/login/oauth/authorize`), answer)
  await page.context().route(/^https:\/\/accounts\.google\.com\/o\/oauth2\/v2\/auth/, answer)
  await page.goto(path)
  return { page, asked }
}

const tokens = (page: Page) => page.evaluate(() => localStorage.getItem('refresh_token'))

const isOfPolicy = (complaint: string) => /policy/i.test(complaint)

/** Presses the button and waits until the window that it opens has closed. */
async function press(page: Page, name: 'GitHub' | 'Google') {
  const [popup] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: `Continue with ${name}` }).click(),
  ])
  if (!popup.isClosed()) await popup.waitForEvent('close')
}

providers('S-PUB-02 a sign-in with GitHub opens a window, uses its code and leads to the dashboard', async () => {
  stub.codes.set('code-1', { emails: [{ email: 'gita@example.org', primary: true, verified: true }], name: 'Gita Kettle' })
  const { page, asked } = await openLogin((state) => `/?code=code-1&state=${state}`)
  await press(page, 'GitHub')
  await page.waitForURL('**/dashboard')
  await becomes(async () => Boolean(await tokens(page)), true)
  const query = asked[0]?.searchParams
  assert.is(query?.get('client_id'), GITHUB_CLIENT.githubClientId)
  assert.is(query?.get('redirect_uri'), `${app.url}/`)
  assert.match(query?.get('state') ?? '', /^sign-in\.github\.[0-9a-f]{48}$/)
  assert.equal(page.complaints.filter(isOfPolicy), [])
})

providers('S-PUB-02 a sign-in with Google opens a window, uses the access token in its fragment and leads to the dashboard', async () => {
  const account = { aud: GOOGLE_CLIENT.googleClientId, sub: '7', email: 'gus@example.org', email_verified: true, given_name: 'Gus' }
  stub.googleTokens.set('token-1', account)
  const { page } = await openLogin((state) => `/#access_token=token-1&token_type=Bearer&state=${state}`, '/register')
  await press(page, 'Google')
  await page.waitForURL('**/dashboard')
  await becomes(async () => Boolean(await tokens(page)), true)
  assert.equal(page.complaints.filter(isOfPolicy), [], 'nothing was needed that the page forbids')
})

providers('a person signs in at the page of an OpenID provider and gets to the dashboard', async () => {
  openId.accounts.set('olga', { email: 'olga@example.org', email_verified: true, name: 'Olga Petrova' })
  const page = await browser.newPage()
  await page.goto('/')
  const [popup] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: 'Continue with Example Inc' }).click(),
  ])
  await popup.locator('[name=login]').fill('olga')
  await popup.locator('[name=password]').fill('any')
  await popup.getByRole('button', { name: 'Sign-in' }).click()
  await page.waitForURL('**/dashboard')
  await becomes(async () => Boolean(await tokens(page)), true)
  assert.ok(popup.isClosed())
  assert.equal(page.complaints.filter(isOfPolicy), [], 'nothing was needed that the page forbids')
})

providers('while the OpenID provider is down, its window closes and the login page says so', async () => {
  const page = await browser.newPage()
  await page.route('**/api/v1/user/auth/oidc/start/', (route) =>
    route.fulfill({
      status: 503,
      json: { code: 503, errors: null, message: 'The sign-in provider does not answer. Please try again.' },
    }),
  )
  await page.goto('/')
  await page.getByRole('button', { name: 'Continue with Example Inc' }).click()
  await page.getByRole('alert').getByText('The sign-in provider does not answer. Please try again.').waitFor()
  await becomes(() => Promise.resolve(page.context().pages().length), 1)
})

providers('a token of another application does not sign in', async () => {
  stub.googleTokens.set('token-2', { aud: 'another-app', sub: '8', email: 'ana@example.org', email_verified: true })
  const { page } = await openLogin((state) => `/#access_token=token-2&state=${state}`)
  await press(page, 'Google')
  await page.getByRole('alert').getByText('The sign-in could not be confirmed. Please try again.').waitFor()
  await becomes(() => tokens(page), null)
  await assertAccessible(page, 'login with providers')
})

providers('a canceled sign-in is reported, and can be tried again', async () => {
  stub.codes.set('code-2', { emails: [{ email: 'gita@example.org', primary: true, verified: true }], name: null })
  let turn = 0
  const { page } = await openLogin((state) => (turn++ === 0 ? `/?error=access_denied&state=${state}` : `/?code=code-2&state=${state}`))
  await press(page, 'GitHub')
  await page.getByRole('alert').getByText('Signing in with GitHub was canceled.').waitFor()
  await becomes(() => tokens(page), null)
  await press(page, 'GitHub')
  await page.waitForURL('**/dashboard')
})

providers('a return with a wrong state is refused', async () => {
  const asked = () => stub.asked.length
  const before = asked()
  const { page } = await openLogin((state) => `/?code=stolen&state=${state}0`)
  await press(page, 'GitHub')
  // A page of the same origin, opened by hand, shows the same.
  const other = await page.context().newPage()
  await other.goto('/?code=stolen&state=sign-in.github.forged')
  await other.getByRole('heading', { name: 'You can close this window' }).waitFor()
  await page.getByRole('button', { name: 'Continue with GitHub' }).waitFor()
  await becomes(() => tokens(page), null)
  assert.is(asked(), before, 'no provider was asked about it')
})

providers('a sign-in window that stays open has no code in its URL, and has a link back', async () => {
  const { page } = await openLogin((state) => `/?state=${state}`)
  await page.goto('/?code=left-over&state=sign-in.github.x')
  await page.getByRole('heading', { name: 'You can close this window' }).waitFor()
  assert.is(page.url(), `${app.url}/`)
  await assertAccessible(page, 'window of a provider')
  await page.getByRole('button', { name: 'Back to sign in' }).click()
  await page.getByRole('heading', { name: 'Sign in to Seine' }).waitFor()
})

providers.run()
