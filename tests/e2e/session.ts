import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { becomes } from '#tests/support/browser/becomes.ts'
import { MOCK_ACCOUNT } from '#tests/support/stubs/mock-backend.ts'
import { suite } from '#tests/support/suite.ts'
import { assertAccessible, openBrowser, signInByForm, startPage } from './support.ts'

const app = await startPage()
const browser = await openBrowser(chromium, app.url)

const session = suite('session')
session.after.each(() => {
  app.backend.set(`GET ${KEYS}`, undefined)
  app.backend.set(`POST ${REFRESH}`, undefined)
})

const PROFILE = '/api/v1/user/profile/'
const REFRESH = '/api/v1/user/auth/token/refresh/'
const KEYS = '/api/v1/user/api-keys/'
const asked = (path: string) => app.backend.requests.filter((request) => request.path === path)
const tokens = () => ({ access: localStorage.getItem('access_token'), refresh: localStorage.getItem('refresh_token') })

session('S-SES-01 S-SES-05 tokens are stored under two keys; logging out removes them and leads to the root page', async () => {
  const page = await browser.newPage()
  await page.goto('/')
  assert.is(asked(PROFILE).length, 0, 'no profile is asked for without a token')
  await signInByForm(page)
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  const kept = await page.evaluate(tokens)
  assert.ok(kept.access && kept.refresh)
  assert.ok(asked(PROFILE).length > 0)

  await page.goto('/dashboard/profile')
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('heading', { name: 'Sign in to Seine' }).waitFor()
  assert.is(new URL(page.url()).pathname, '/')
  await becomes(() => page.evaluate(tokens), { access: null, refresh: null })
  const ended = asked('/api/v1/user/auth/logout/').at(-1)
  assert.equal(JSON.parse(String(ended?.body)), { refresh: kept.refresh }, 'the server hears of it')
  assert.equal(page.complaints, [])
})

session('V8 a deep link opens after signing in, and the email field has the focus', async () => {
  const page = await browser.newPage()
  const wanted = '/dashboard/logs/crawls?status=failed#top'
  const enter = async () => {
    await page.getByRole('heading', { name: 'Sign in to Seine' }).waitFor()
    await becomes(() => page.evaluate(() => document.activeElement?.getAttribute('name')), 'email')
    await page.keyboard.type(MOCK_ACCOUNT.email)
    await page.getByLabel('Password', { exact: true }).fill(MOCK_ACCOUNT.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/dashboard/**')
  }
  await page.goto(wanted)
  await page.getByRole('heading', { name: 'Sign in to Seine' }).waitFor()
  assert.is(new URL(page.url()).pathname + new URL(page.url()).search, '/', 'nothing of it stands in the URL')
  await page.reload()
  await enter()
  assert.ok(page.url().endsWith(wanted), page.url())

  // After a logout the next user starts at the dashboard.
  await page.goto('/dashboard/profile')
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('heading', { name: 'Sign in to Seine' }).waitFor()
  await signInByForm(page)
  assert.is(new URL(page.url()).pathname, '/dashboard')
  assert.equal(page.complaints, [])
})

session('V8 sign-in leads only to URLs of this page', async () => {
  const page = await browser.newPage()
  for (const wanted of [
    'https://evil.test/dashboard',
    '//evil.test/dashboard',
    '/\\\\evil.test/dashboard',
    'javascript:alert(1)',
    '/no-such-place',
    7,
  ]) {
    await page.goto('/')
    await page.evaluate((state) => history.replaceState(state, '', '/'), { wanted })
    await page.reload()
    await page.getByLabel('Email').fill(MOCK_ACCOUNT.email)
    await page.getByLabel('Password', { exact: true }).fill(MOCK_ACCOUNT.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()
    assert.is(page.url(), `${app.url}/dashboard`, String(wanted))
    await page.evaluate(() => localStorage.clear())
  }
})

session('S-SES-07 S-SES-01 without a token the dashboard leads to / and leaves no trace in the history', async () => {
  const page = await browser.newPage()
  await page.goto('/no-such-place')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await page.goto('/dashboard/api-keys')
  await page.getByRole('heading', { name: 'Sign in to Seine' }).waitFor()
  assert.is(new URL(page.url()).pathname, '/')
  await page.goBack()
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  assert.is(new URL(page.url()).pathname, '/no-such-place')
  for (const [path, title] of [
    ['/forgot-password', 'Forgot your password?'],
    ['/reset-password/good', 'Set a new password'],
    ['/verify-email/unknown', 'Email not verified'],
    ['/register?invitation_code=good', 'Join your team'],
  ] as const) {
    await page.goto(path)
    await page.getByRole('heading', { name: title }).waitFor()
    assert.is(new URL(page.url()).pathname, new URL(path, app.url).pathname)
  }
})

session('S-SES-07 with a token the root leads to the dashboard', async () => {
  const page = await browser.newPage()
  await signInByForm(page)
  await page.goto('/')
  await page.waitForURL('**/dashboard')
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
})

session('S-SES-04 a session ends when its refresh token has expired', async () => {
  const page = await browser.newPage()
  await page.goto('/')
  await page.evaluate(() => {
    const token = (exp: number) => `x.${btoa(JSON.stringify({ exp, user_id: 'u' }))}.x`
    localStorage.setItem('access_token', token(Date.now() / 1000 + 300))
    localStorage.setItem('refresh_token', token(Date.now() / 1000 - 1))
  })
  await page.goto('/dashboard')
  await page.getByRole('heading', { name: 'Sign in to Seine' }).waitFor()
  await becomes(() => page.evaluate(tokens), { access: null, refresh: null })
})

session('S-SES-02 S-SES-03 if the token cannot be refreshed, the tokens are removed and the root page is shown', async () => {
  const page = await browser.newPage()
  await signInByForm(page)
  // The home screen requests the keys as well; from here on only the click does.
  await page.goto('/dashboard/profile')
  await page.getByLabel('First name').waitFor()
  const refused = { status: 401, json: { code: 401, errors: null, message: 'Token is invalid or expired' } }
  app.backend.set(`GET ${KEYS}`, refused)
  app.backend.set(`POST ${REFRESH}`, refused)
  const before = asked(REFRESH).length
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'API Keys' }).click()
  await page.getByRole('heading', { name: 'Sign in to Seine' }).waitFor()
  await becomes(() => page.evaluate(tokens), { access: null, refresh: null })
  assert.is(asked(REFRESH).length, before + 1, 'one refresh')
})

session('S-SES-02 two tabs with expired tokens share one refresh', async () => {
  const { one, other } = await twoTabs()
  const before = asked(REFRESH).length
  // Both are refused before the refresh is answered.
  const bothRefused = Promise.withResolvers<void>()
  let refusals = 0
  const usual = { json: { count: 0, next: null, previous: null, results: [] } }
  const refused = { json: { code: 401, errors: null, message: 'Given token not valid for any token type' }, status: 401 }
  app.backend.set(`GET ${KEYS}`, (received, response) => {
    const isOld = received.headers.authorization === 'Bearer x.e30.old'
    if (isOld && ++refusals === 2) bothRefused.resolve()
    const { json, status } = isOld ? refused : { ...usual, status: 200 }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  })
  const fresh = `x.${Buffer.from(JSON.stringify({ exp: Date.now() / 1000 + 300 })).toString('base64url')}.fresh`
  app.backend.set(`POST ${REFRESH}`, async (_received, response) => {
    await bothRefused.promise
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ access: fresh }))
  })
  const { refresh } = await one.evaluate(tokens)
  // If the other tab heard of the token at once, it would refresh by itself before it is reloaded.
  await other.goto('about:blank')
  await one.evaluate(() => localStorage.setItem('access_token', 'x.e30.old'))
  await one.goto('about:blank')
  const seen: string[] = []
  for (const [name, tab] of [
    ['one', one],
    ['other', other],
  ] as const) {
    tab.on('response', (reply) => void (reply.url().includes('/api/') && seen.push(`${name} ${reply.status()} ${reply.url()}`)))
    tab.on('requestfailed', (request) => void (request.url().includes('/api/') && seen.push(`${name} failed ${request.url()}`)))
  }
  await Promise.all(
    [one, other].map(async (tab) => {
      const served = tab.waitForResponse((reply) => reply.url().includes('/user/api-keys/') && reply.ok(), { timeout: 30_000 })
      await Promise.all([tab.goto('/dashboard'), served])
    }),
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${refusals} refusals; ${asked(REFRESH).length - before} refreshes; answers:\n${seen.join('\n')}`)
  })
  assert.is(asked(REFRESH).length, before + 1, 'one refresh for both')
  for (const tab of [one, other]) await becomes(() => tab.evaluate(tokens), { access: fresh, refresh })
})

session('S-SES-02 a page that is reloaded in the middle of a refresh stays signed in', async () => {
  const page = await browser.newPage()
  await signInByForm(page)
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await page.goto('/dashboard/profile')
  await page.getByLabel('First name').waitFor()
  const before = asked(REFRESH).length
  const refused = { status: 401, json: { code: 401, errors: null, message: 'Given token not valid for any token type' } }
  app.backend.set(`GET ${KEYS}`, refused)
  // The first refresh is never answered.
  app.backend.set(`POST ${REFRESH}`, () => undefined)
  const begun = page.waitForRequest((request) => request.url().endsWith(REFRESH))
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'API Keys' }).click()
  await begun
  const { refresh } = await page.evaluate(tokens)
  app.backend.set(`GET ${KEYS}`, undefined)
  app.backend.set(`POST ${REFRESH}`, undefined)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'API Keys' }).waitFor()
  await becomes(async () => (await page.evaluate(tokens)).refresh, refresh)
  assert.is(asked(REFRESH).length, before + 1)
  assert.equal(
    page.complaints.filter((line) => !line.includes('401')),
    [],
  )
})

session('S-SES-05 a logout and a login in one tab apply to the other tab', async () => {
  const { one, other } = await twoTabs()
  await one.goto('/dashboard/profile')
  await one.getByRole('button', { name: 'Logout' }).click()
  await other.getByRole('heading', { name: 'Sign in to Seine' }).waitFor()
  assert.is(new URL(other.url()).pathname, '/')
  await becomes(() => other.evaluate(tokens), { access: null, refresh: null })
  await signInByForm(other)
  await one.getByRole('heading', { name: 'Welcome' }).waitFor()
  assert.is(new URL(one.url()).pathname, '/dashboard')
})

session('S-SES-03 a session that cannot be renewed ends in both tabs', async () => {
  const { one, other } = await twoTabs()
  const refused = { status: 401, json: { code: 401, errors: null, message: 'Token is invalid or expired' } }
  app.backend.set(`GET ${KEYS}`, refused)
  app.backend.set(`POST ${REFRESH}`, refused)
  const before = asked(REFRESH).length
  // The refusal of the first request counts for both tabs.
  await one.goto('/dashboard/api-keys')
  for (const tab of [one, other]) await tab.getByRole('heading', { name: 'Sign in to Seine' }).waitFor()
  assert.is(asked(REFRESH).length, before + 1)
})

/** Two tabs of one browser, signed in and on the dashboard. */
async function twoTabs() {
  const one = await browser.newPage()
  await signInByForm(one)
  const other = await one.context().newPage()
  other.setDefaultTimeout(30_000)
  await other.goto('/dashboard')
  for (const tab of [one, other]) await tab.getByRole('heading', { name: 'Welcome' }).waitFor()
  return { one, other }
}

session('a refused login shows the reason at the form', async () => {
  const page = await browser.newPage()
  await page.goto('/')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Email is required', { exact: true }).waitFor()
  await page.getByText('Password is required', { exact: true }).waitFor()
  await page.getByLabel('Email').fill(MOCK_ACCOUNT.email)
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('No active account with this e-mail address and password.').waitFor()
  app.backend.set('POST /api/v1/user/auth/login/', {
    status: 429,
    headers: { 'content-type': 'application/json', 'retry-after': '30' },
    body: '{"code":429,"errors":null,"message":"Too many."}',
  })
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Too many attempts. Please wait 30 seconds.').waitFor()
  app.backend.set('POST /api/v1/user/auth/login/', undefined)
})

session('while sign-up is off its link is hidden, and its URL leads to the login', async () => {
  const page = await browser.newPage()
  await page.goto('/')
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await becomes(() => page.getByRole('link', { name: 'Create an account' }).count(), 0)
  await page.getByRole('link', { name: 'Forgot your password?' }).waitFor()
  await page.goto('/register')
  await page.getByRole('heading', { name: 'Sign in to Seine' }).waitFor()
  assert.is(new URL(page.url()).pathname, '/')
})

session('the login is accessible', async () => {
  const page = await browser.newPage()
  await page.goto('/')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Email is required').waitFor()
  await assertAccessible(page, 'login')
})

session('a page that the browser kept while another tab logged out leads to the login when it is shown again', async () => {
  const page = await browser.newPage()
  await signInByForm(page)
  await page.getByRole('heading', { level: 1 }).waitFor()
  // A kept page gets no event of the storage.
  await page.evaluate(() => {
    localStorage.clear()
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })
  await page.getByRole('heading', { name: 'Sign in to Seine' }).waitFor()
})

for (const [name, refuse] of [
  [
    'that stores nothing new, such as one whose storage is full,',
    () => {
      Storage.prototype.setItem = () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
      }
      // As over plain HTTP in a local network.
      Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })
    },
  ],
  [
    'that refuses site data, as Firefox does when it blocks all cookies,',
    () => {
      const refusal = () => new DOMException('The operation is insecure.', 'SecurityError')
      const get = () => {
        throw refusal()
      }
      Object.defineProperties(window, { localStorage: { get }, sessionStorage: { get }, BroadcastChannel: { value: get } })
      LockManager.prototype.request = () => Promise.reject(refusal())
    },
  ],
] as const)
  session(`a browser ${name} shows the login, and stays signed in when the token is refreshed`, async () => {
    const page = await browser.newPage()
    await page.addInitScript(refuse)
    await signInByForm(page)
    await page.getByRole('heading', { level: 1 }).waitFor()
    app.backend.set(`GET ${KEYS}`, (received, response) => {
      const list = { count: 0, next: null, previous: null, results: [] }
      const refused = { code: 401, errors: null, message: 'Given token not valid for any token type' }
      const fresh = received.headers.authorization === 'Bearer x.e30.fresh'
      response.writeHead(fresh ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(fresh ? list : refused))
    })
    app.backend.set(`POST ${REFRESH}`, (_received, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ access: 'x.e30.fresh' }))
    })
    await page.getByRole('navigation').getByRole('link', { name: 'API Keys' }).click()
    await page.getByText('No API keys found').waitFor()
    assert.is(new URL(page.url()).pathname, '/dashboard/api-keys')
  })

session.run()
