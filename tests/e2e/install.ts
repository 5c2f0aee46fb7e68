import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { becomes } from '#tests/support/browser/becomes.ts'
import { suite } from '#tests/support/suite.ts'
import { assertAccessible, openBrowser, startPage } from './support.ts'
import type { OpenedPage } from './support.ts'

const INSTALL = 'POST /api/v1/user/install/'
const app = await startPage({ installed: false })
const browser = await openBrowser(chromium, app.url)

const install = suite('install screen')

const GOOD = 'Kettle-4?'

async function fill(page: OpenedPage) {
  await page.getByLabel('Email').fill('amelie@example.org')
  await page.getByLabel('Password', { exact: true }).fill(GOOD)
  await page.getByLabel('Confirm password').fill(GOOD)
  await page.getByLabel('I accept the license agreement').check()
}

const submit = (page: OpenedPage) => page.getByRole('button', { name: 'Install', exact: true }).click()

const posts = () => app.backend.requests.filter(({ method, path }) => method === 'POST' && path === '/api/v1/user/install/')

install(
  'S-INS-01 S-INS-07 S-SET-04 the install screen replaces the app at every path, with its title, sections and the list of collected data',
  async () => {
    const page = await browser.newPage()
    for (const path of ['/', '/dashboard/crawl', '/no-such-place']) {
      await page.goto(path)
      await page.getByRole('heading', { name: 'Install the product' }).waitFor()
    }
    const account = page.getByRole('group', { name: 'Administrator Account' })
    for (const label of ['Email', 'Password', 'Confirm password'])
      await becomes(() => account.getByLabel(label, { exact: true }).isVisible(), true, label)
    const legal = page.getByRole('group', { name: 'Legal and Preferences' })
    await becomes(() => legal.getByRole('checkbox').count(), 3)
    for (const name of ['I accept the license agreement', 'Join the newsletter', 'Send anonymous analytics']) {
      await becomes(() => legal.getByRole('checkbox', { name }).isVisible(), true, name)
      await becomes(() => legal.getByRole('checkbox', { name }).isChecked(), false, name)
    }
    const collected = page.getByRole('region', { name: 'System information collected' }).getByRole('listitem')
    await becomes(
      () => collected.allInnerTexts(),
      ['OS name', 'OS version and release', 'Architecture', 'Kernel version', 'CPU model', 'Unique installation ID'],
    )
    assert.equal(page.complaints, [])
  },
)

install('S-INS-02 each password can be shown and hidden on its own', async () => {
  const page = await browser.newPage()
  await page.goto('/')
  const [password, confirmation] = [page.getByLabel('Password', { exact: true }), page.getByLabel('Confirm password')]
  await becomes(() => password.getAttribute('type'), 'password')
  await page.getByRole('button', { name: 'Show password' }).first().click()
  await becomes(() => password.getAttribute('type'), 'text')
  await becomes(() => confirmation.getAttribute('type'), 'password', 'the other stays hidden')
  await page.getByRole('button', { name: 'Show password' }).click()
  await becomes(() => confirmation.getAttribute('type'), 'text')
  await page.getByRole('button', { name: 'Hide password' }).first().click()
  await becomes(() => password.getAttribute('type'), 'password')
})

install('S-INS-03 the strength bar and the checklist follow the input', async () => {
  const page = await browser.newPage()
  await page.goto('/')
  const bar = page.getByRole('meter', { name: 'Password strength' })
  const rows: [password: string, score: string, word: string][] = [
    ['', '0', 'Very weak'],
    ['a', '1', 'Weak'],
    ['aA', '2', 'Fair'],
    ['aA1', '3', 'Good'],
    ['aA1!', '4', 'Strong'],
    [GOOD, '5', 'Very strong'],
  ]
  for (const [password, score, word] of rows) {
    await page.getByLabel('Password', { exact: true }).fill(password)
    await becomes(() => bar.getAttribute('aria-valuenow'), score, password)
    await becomes(() => page.getByText(word, { exact: true }).isVisible(), true, word)
  }
  await page.getByLabel('Password', { exact: true }).fill('aA1')
  const rules = page.getByRole('group', { name: 'Administrator Account' }).getByRole('listitem')
  await becomes(
    () => rules.allTextContents(),
    [
      'At least 8 characters: missing',
      'At least one number: done',
      'At least one uppercase letter: done',
      'At least one lowercase letter: done',
      'At least one special character, such as ! ? # or %: missing',
    ],
  )
})

install('S-INS-04 messages appear while typing, and an empty form names every missing field', async () => {
  const page = await browser.newPage()
  await page.goto('/')
  await page.getByLabel('Email').fill('amelie@')
  await page.getByText('Please enter a valid email', { exact: true }).waitFor()
  await page.getByLabel('Email').fill('amelie@example.org')
  await page.getByText('Please enter a valid email', { exact: true }).waitFor({ state: 'detached' })
  await page.getByLabel('Password', { exact: true }).fill('abcdef1!')
  await page.getByText('Password must contain at least one uppercase letter', { exact: true }).waitFor()
  await page.getByLabel('Confirm password').fill('abcdef')
  await page.getByText('Passwords must match', { exact: true }).waitFor()

  await page.reload()
  const before = posts().length
  await submit(page)
  for (const message of [
    'Email is required',
    'Password is required',
    'Please confirm your password',
    'You must accept the license agreement',
  ])
    await page.getByText(message, { exact: true }).waitFor()
  assert.is(posts().length, before, 'nothing was sent')
  await becomes(() => page.evaluate(() => document.activeElement?.getAttribute('name')), 'email', 'the first wrong field has the focus')
})

install('S-INS-10 S-INS-11 an error of the server is shown with the right message', async () => {
  const page = await browser.newPage()
  await page.goto('/')
  await fill(page)
  const generic = 'An error occurred during installation. Please try again.'
  const rows: [status: number, json: unknown, shown: string][] = [
    [400, { code: 400, errors: { password: ['Too common.'], email: ['Taken.'] }, message: 'Invalid.' }, 'Taken.'],
    [400, { code: 400, errors: { license: ['Old.'], password: ['Too common.'] }, message: 'Invalid.' }, 'Too common.'],
    [400, { code: 400, errors: { license: ['Old.'] }, message: 'Invalid.' }, 'Old.'],
    [400, { code: 400, errors: null, message: 'Not today.' }, 'Not today.'],
    [400, { message: 'Only words.' }, 'Only words.'],
    [400, { errors: { email: 'One text.' } }, 'One text.'],
    [400, {}, generic],
    [403, { code: 403, errors: null, message: 'Installed already.' }, generic],
    [500, { code: 500, errors: null, message: 'Oops.' }, generic],
  ]
  for (const [status, json, shown] of rows) {
    app.backend.set(INSTALL, { status, json })
    await submit(page)
    await page.getByRole('alert').getByText(shown, { exact: true }).waitFor()
  }
  app.backend.set(INSTALL, undefined)
})

install('the form is accessible, in both themes and from 320 px up', async () => {
  const page = await browser.newPage()
  await page.goto('/')
  await submit(page)
  await page.getByText('Email is required').waitFor()
  await assertAccessible(page, 'install')
})

install('S-INS-08 S-INS-09 S-INS-12 the form shows that it is sending, then reports success and leads to the login', async () => {
  const page = await browser.newPage()
  await page.goto('/dashboard')
  await fill(page)
  await page.getByLabel('Join the newsletter').check()
  let letThrough = () => {}
  const held = new Promise<void>((go) => (letThrough = go))
  await page.route('**/api/v1/user/install/', async (route) => {
    await held
    await route.fallback()
  })
  const before = posts().length
  await submit(page)
  const busy = page.getByRole('button', { name: 'Installing...' })
  await busy.waitFor()
  await busy.click({ force: true })
  letThrough()
  await page.getByText('System installed successfully!', { exact: true }).waitFor()
  const sent = posts().slice(before)
  assert.is(sent.length, 1, 'a second click sends nothing')
  assert.equal(JSON.parse(String(sent[0]?.body)), {
    email: 'amelie@example.org',
    password: GOOD,
    newsletter_confirmed: true,
    analytics_confirmed: false,
  })

  const settings = () => app.backend.requests.filter(({ path }) => path === '/api/v1/common/settings').length
  const asked = settings()
  await page.getByRole('button', { name: 'Log in and start using Seine' }).click()
  await page.getByRole('heading', { name: 'Sign in to Seine' }).waitFor()
  assert.ok(settings() > asked, 'the settings were asked for again')
  assert.is(new URL(page.url()).pathname, '/')
  assert.equal(page.complaints, [])
})

install.run()
