import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { createApp } from '#gateway/app.ts'
import { createLog } from '#gateway/log.ts'
import { readConfig } from '#config/read-config.ts'
import { becomes } from '#tests/support/browser/becomes.ts'
import { startMailServer } from '#tests/support/stubs/mail-server.ts'
import { PREFIX, freePort, startPathProxy } from '#tests/support/stubs/path-proxy.ts'
import { startProduct } from '#tests/support/product.ts'
import { startSmallSite } from '#tests/support/sites/small-site.ts'
import { suite } from '#tests/support/suite.ts'
import { openBrowser } from './support.ts'
import type { OpenedPage } from './support.ts'

const ANA = { email: 'ana@example.org', password: 'Kettle-4?' }
const NEW_PASSWORD = 'Sieve-77!'
const publicDir = fileURLToPath(new URL('../../build/web', import.meta.url))

const mailServer = await startMailServer()
const site = await startSmallSite()

const below = suite('below a path')
let opened: Awaited<ReturnType<typeof open>> | undefined
below.after.each(async () => {
  await opened?.close()
  opened = undefined
})

const WAYS = [
  ['a proxy that keeps the path', { keepsPrefix: true, hasGateway: false }],
  // The other two pairs look the same to a browser; tests/gateway/base-path.ts has all four.
  ['a proxy that strips the path, and a gateway before the API', { keepsPrefix: false, hasGateway: true }],
] as const

for (const [name, way] of WAYS)
  below(`O12: ${name}: install, deep links, a crawl, its files, a mailed link and the logout stay below the path`, async () => {
    const { browser, direct, proxy } = (opened = await open(way))
    const { url } = proxy
    const page = await browser.newPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('response', (response) => response.status() >= 400 && asked.push(`${response.status()} ${response.url()}`))
    const place = () => page.url().slice(proxy.origin.length)

    // Install, from the path without its slash.
    await page.goto(url)
    await page.getByLabel('Email').fill(ANA.email)
    await page.getByLabel('Password', { exact: true }).fill(ANA.password)
    await page.getByLabel('Confirm password').fill(ANA.password)
    await page.getByLabel('I accept the license agreement').check()
    await page.getByRole('button', { name: 'Install', exact: true }).click()
    await page.getByRole('button', { name: /^Log in and start using/ }).click()
    await signIn(page, ANA.password)
    await page.waitForURL(`${url}/dashboard`)

    // Links, lazily loaded screens, a reload on a deep place.
    await section(page, 'Usage').click()
    await page.waitForURL(`${url}/dashboard/usage`)
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.is(place(), `${PREFIX}/dashboard/usage`)
    await becomes(() => page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link').allTextContents(), ['Dashboard'])
    await becomes(() => section(page, 'Usage').getAttribute('aria-current'), 'page')
    await section(page, 'API Reference').click()
    await page.getByText(`${url}/api/v1/`).first().waitFor()

    // The font was loaded, so the URLs in the style sheet are right too.
    assert.ok(await page.evaluate(async () => (await document.fonts.ready, document.fonts.check('16px Inter'))))

    // A crawl, its results, and their files by signed links.
    await section(page, 'Crawl').click()
    await page.getByLabel('URL to crawl').fill(site.url)
    await page.getByLabel('Max depth').fill('2')
    await page.getByLabel('Page limit').fill('50')
    await page.getByRole('button', { name: 'Start Crawling' }).click()
    await page.getByRole('main').getByText('Finished', { exact: true }).first().waitFor()
    assert.match(place(), new RegExp(`^${PREFIX}/dashboard/crawl\\?run=`))
    const run = new URL(page.url()).searchParams.get('run') ?? ''
    await page.goto(`${url}/dashboard/logs/crawls/${run}`)
    await page.getByRole('main').getByText('Finished', { exact: true }).first().waitFor()
    await becomes(
      () => page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link').allTextContents(),
      ['Dashboard', 'Activity Logs', 'Crawl Logs'],
    )
    await page.getByText('Guide 3').first().click()
    await page.getByText('Boiling water scorches delicate leaves.').first().waitFor()

    const token = await page.evaluate((prefix) => localStorage.getItem(`${prefix}:access_token`), PREFIX)
    const results = await json(`${url}/api/v1/core/crawl-requests/${run}/results/?page_size=2`, { authorization: `Bearer ${token}` })
    assert.ok(results.next.startsWith(`${url}/api/v1/core/crawl-requests/${run}/results/?`), results.next)
    assert.is((await fetch(results.next, { headers: { authorization: `Bearer ${token}` } })).status, 200, 'the next page')
    const [{ result }] = results.results
    assert.ok(result.startsWith(`${url}/api/v1/files/`), result)
    assert.is(await page.evaluate(async (link) => (await fetch(link)).status, result), 200, 'a signed link')
    const { servers } = await json(`${url}/api/schema/`)
    assert.equal(servers, [{ url }])

    // What the browser keeps is this installation's own.
    await page.getByRole('button', { name: /^Switch to/ }).click()
    const keys = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])
    assert.ok(keys.length > 2)
    assert.equal(
      keys.filter((key) => !key.startsWith(`${PREFIX}:`)),
      [],
    )
    const cookies = await page.context().cookies()
    assert.equal(
      cookies.map((cookie) => [cookie.name, cookie.path]),
      [['theme', PREFIX]],
    )

    // Sign out; a deep link then asks to sign in and leads on, also after a password reset by mail.
    await logOut(page)
    await page.waitForURL(`${url}/`)
    await page.goto(`${url}/dashboard/settings#proxy`)
    await page.waitForURL(`${url}/`)
    await signIn(page, ANA.password)
    await page.waitForURL(`${url}/dashboard/settings#proxy`)
    await logOut(page)
    await page.waitForURL(`${url}/`)
    await page.getByRole('link', { name: /forgot/i }).click()
    await page.waitForURL(`${url}/forgot-password`)
    await page.getByLabel('Email').fill(ANA.email)
    await page.getByRole('button', { name: 'Send reset instructions' }).click()
    const { link } = await mailServer.next()
    assert.ok(link.startsWith(`${url}/reset-password/`), link)
    await page.goto(link)
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabel('Confirm new password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Set new password' }).click()
    await page.waitForURL(`${url}/`)

    const strange = asked.filter(
      (one) => !one.startsWith(`${url}/`) && one !== url && !/^(?:blob|data):|^https:\/\/api\.github\.com\//.test(one),
    )
    assert.equal(strange, [], 'all requests are below the path and answered')
    assert.equal(proxy.outside, [])
    assert.equal(page.complaints, [])

    // Past the proxy the page is found too, at the same path.
    const beside = await browser.newPage()
    await beside.goto(`${direct}/forgot-password?x=1#y`)
    await beside.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
    assert.is(beside.url(), `${direct}${PREFIX}/forgot-password?x=1#y`)
  })

/** The product, the proxy before it and a browser that reaches both. */
async function open({ hasGateway, keepsPrefix }: { hasGateway: boolean; keepsPrefix: boolean }) {
  const proxy = await startPathProxy({ keepsPrefix })
  const port = await freePort()
  const backend = `http://127.0.0.1:${port}`
  const product = await startProduct({ PUBLIC_URL: `${proxy.url}/`, PORT: String(port), SMTP_URL: mailServer.url }, { installed: false })
  const gateway = hasGateway
    ? await createApp({
        config: readConfig({ BACKEND_URL: backend, PUBLIC_URL: proxy.url }),
        log: createLog({ level: 'silent' }),
        publicDir,
      })
    : null
  const direct = (await gateway?.listen({ host: '127.0.0.1', port: 0 })) ?? backend
  proxy.passTo(direct)
  const browser = await openBrowser(chromium, proxy.url, { reaches: [direct] })
  return {
    browser,
    direct,
    proxy,
    async close() {
      await browser.close()
      await gateway?.close()
      await product.close()
      await proxy.close()
    },
  }
}

const section = (page: OpenedPage, name: string) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name, exact: true })

async function signIn(page: OpenedPage, password: string) {
  await page.getByLabel('Email').fill(ANA.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function logOut(page: OpenedPage) {
  await section(page, 'Profile').click()
  await page.getByRole('button', { name: 'Logout', exact: true }).click()
}

// oxlint-disable-next-line typescript/no-explicit-any
async function json(url: string, headers: Record<string, string> = {}): Promise<any> {
  const reply = await fetch(url, { headers })
  assert.is(reply.status, 200, url)
  return reply.json()
}

below.run()
