/**
 * The page in a real browser: the gateway with the built page, a backend behind it, and a browser that never leaves the machine.
 * The backend is the mock written from the contract, so that a test can say what the API answers; tests of whole journeys start
 * the product itself instead and hand its URL to `openBrowser`.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, BrowserContextOptions, BrowserType, Locator, Page } from 'playwright'
import * as assert from 'uvu/assert'
import { login } from '#contract/accounts.ts'
import { createApp } from '#gateway/app.ts'
import { createLog } from '#gateway/log.ts'
import { readConfig } from '#config/read-config.ts'
import { axeFindings } from '#tests/support/browser/axe.ts'
import { MOCK_ACCOUNT, startMockBackend } from '#tests/support/stubs/mock-backend.ts'
import { addEvidence, atEnd, closedAtEnd, within } from '#tests/support/suite.ts'

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Only localhost resolves, so no request reaches the internet.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost',
]

/** A busy machine may take this long to start a browser or open a page. */
const START_SECONDS = 45
const CLOSE_SECONDS = 20
const FRAMES_SECONDS = 5
/** Requests shown of a page or a backend when a test fails. */
const LAST_REQUESTS = 12

export const PHONE = { width: 390, height: 844 }
export const DESKTOP = { width: 1440, height: 900 }

const BLANK = '/blank-page-of-tests'

const publicDir = fileURLToPath(new URL('../../build/web', import.meta.url))

/** The built page before a mock backend. `environment` sets options of the gateway. */
export async function startPage({
  installed = true,
  environment = {},
}: { installed?: boolean; environment?: Record<string, string> } = {}) {
  if (!existsSync(publicDir)) await (await import('../../scripts/build.ts')).buildPage()
  const backend = await startMockBackend({ installed })
  const app = await createApp({
    config: readConfig({ BACKEND_URL: backend.url, LOG_LEVEL: 'silent', ...environment }),
    log: createLog({ level: 'silent' }),
    publicDir,
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const forget = addEvidence(() => [
    `the mock backend was asked ${backend.requests.length} times, at last:`,
    ...backend.requests.slice(-LAST_REQUESTS).map(({ method, path }) => `  ${method} ${path}`),
  ])
  return {
    url,
    backend,
    close: closedAtEnd(async () => {
      forget()
      await within(CLOSE_SECONDS, 'closing the gateway', () => app.close())
      await within(CLOSE_SECONDS, 'closing the mock backend', () => backend.close())
    }),
  }
}

export type OpenedPage = Page & {
  /** Console messages and uncaught errors of the page, read at the end of a test. */
  complaints: string[]
}

/**
 * A browser whose pages reach `url`, the origins in `reaches`, and nothing else; the code host's star count is answered here.
 * A page that a test opens is closed when the test ends, and the browser with the file.
 */
export async function openBrowser(
  chromium: BrowserType,
  url: string,
  { reaches = [], stars = 2481 }: { reaches?: readonly string[]; stars?: number | null } = {},
) {
  const browser = await launch(chromium)
  return { newPage, close: closedAtEnd(() => within(CLOSE_SECONDS, 'closing the browser', () => browser.close())) }

  async function newPage(options: BrowserContextOptions = {}): Promise<OpenedPage> {
    const wanted = { baseURL: url, viewport: DESKTOP, locale: 'en-US', reducedMotion: 'reduce', ...options } as const
    const { context, page: opened } = await within(START_SECONDS, 'opening a page', async () => {
      const made = await browser.newContext(wanted)
      const first = await made.newPage()
      await answerStars(made, first)
      return { context: made, page: first }
    })
    const complaints: string[] = []
    const page = Object.assign(opened, { complaints })
    page.setDefaultTimeout(30_000)
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    context.on('request', (request) => {
      if (isLoopback(request.url()) && !isReached(request.url())) complaints.push(`reached ${request.url()}, which is not its own`)
    })
    const forget = watch(page)
    atEnd(async () => {
      forget()
      await within(CLOSE_SECONDS, 'closing a page', () => context.close())
    })
    return page
  }

  function isReached(target: string): boolean {
    return [url, ...reaches].some((one) => new URL(target).origin === new URL(one).origin)
  }

  /**
   * Answers the star count. The browser stops at that request alone: `context.route` would stop at each one, and forbid the browser to
   * remember what it has loaded, which is a quarter of the processor time of opening a screen.
   */
  async function answerStars(context: BrowserContext, page: Page) {
    if (stars === null) return
    const devTools = await context.newCDPSession(page)
    devTools.on('Fetch.requestPaused', ({ requestId }) => {
      const answer = {
        requestId,
        responseCode: 200,
        responseHeaders: [
          { name: 'access-control-allow-origin', value: '*' },
          { name: 'content-type', value: 'application/json' },
        ],
        body: Buffer.from(JSON.stringify({ stargazers_count: stars })).toString('base64'),
      }
      // The page may be closed by now.
      devTools.send('Fetch.fulfillRequest', answer).catch(() => undefined)
    })
    await devTools.send('Fetch.enable', { patterns: [{ urlPattern: 'https://api.github.com/*' }] })
  }
}

const isLoopback = (url: string) => /^https?:\/\/(127\.0\.0\.1|localhost)[:/]/.test(url)

/**
 * Starts the browser, and has it draw a page before any test uses it. A browser that does not start is started a second time: no code
 * of the product runs by then, so it is the machine that failed, and the log says so.
 */
async function launch(chromium: BrowserType): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
  const start = async () => {
    const browser = await chromium.launch({ executablePath, args: ARGUMENTS, timeout: START_SECONDS * 1000 })
    try {
      await within(START_SECONDS, 'the first page of the browser', async () => {
        const context = await browser.newContext()
        await drawn(await context.newPage())
        await context.close()
      })
    } catch (error) {
      await within(CLOSE_SECONDS, 'closing the browser', () => browser.close()).catch(() => undefined)
      throw error
    }
    return browser
  }
  try {
    return await start()
  } catch (error) {
    process.stderr.write(`The browser did not come up, which is a fault of this machine; it is started once more. ${String(error)}\n`)
    return start()
  }
}

/** Records the requests of the page for the report of a failing test. Returns how to stop that. */
function watch(page: OpenedPage): () => void {
  const requests: string[] = []
  const note = (line: string) => {
    requests.push(line)
    if (requests.length > LAST_REQUESTS) requests.shift()
  }
  page.on('response', (response) => note(`${response.status()} ${response.request().method()} ${response.url()}`))
  page.on('requestfailed', (request) => note(`failed ${request.method()} ${request.url()}: ${request.failure()?.errorText}`))
  return addEvidence(() => [
    `a page at ${page.isClosed() ? 'no URL any more: it is closed' : page.url()}`,
    ...page.complaints.map((complaint) => `  said ${complaint}`),
    ...requests.map((line) => `  ${line}`),
  ])
}

/**
 * Waits until the page has drawn frames. On busy machines Chromium sometimes stops drawing when the URL changes during a scroll. So the
 * wait has a limit; then a screenshot makes Chromium draw again, once, and the log says so.
 *
 * @param frames  how many
 */
export async function drawn(page: Page, frames = 2): Promise<void> {
  const fault = await missingFrames(page, frames)
  if (fault === '') return
  process.stderr.write(`${fault}; a screenshot is taken to wake the browser\n`)
  await page.screenshot({ timeout: FRAMES_SECONDS * 1000 })
  const again = await missingFrames(page, frames)
  if (again !== '') throw new Error(again)
}

/** '' if the frames were drawn in time, else the reason. */
async function missingFrames(page: Page, frames: number): Promise<string> {
  return await within(2 * FRAMES_SECONDS, 'an answer of the page', () =>
    page.evaluate(
      async ([count, seconds]) => {
        let left = count
        const all = async () => {
          for (; left > 0; left--) await new Promise((next) => requestAnimationFrame(next))
          return ''
        }
        const late = new Promise<string>((resolve) => {
          setTimeout(() => resolve(`${left} of ${count} frames were not drawn; the page is ${document.visibilityState}`), seconds * 1000)
        })
        return Promise.race([all(), late])
      },
      [frames, FRAMES_SECONDS] as const,
    ),
  )
}

/**
 * Signs in without drawing a screen: the tokens are in the storage before the page opens. The form takes as
 * long as two screens; tests that are about signing in use it (`signInByForm`).
 */
export async function enter(page: Page, account: { email: string; password: string } = MOCK_ACCOUNT) {
  // An empty page of the same origin, without the content security policy of the server's pages.
  await page.route(`**${BLANK}`, (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  await page.goto(BLANK)
  await page.unroute(`**${BLANK}`)
  await page.evaluate(
    async ([endpoint, body]) => {
      const reply = await fetch(endpoint, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      if (!reply.ok) throw new Error(`signing in was answered ${reply.status}`)
      const { access, refresh } = (await reply.json()) as { access: string; refresh: string }
      localStorage.setItem('access_token', access)
      localStorage.setItem('refresh_token', refresh)
    },
    [login.path, JSON.stringify({ email: account.email, password: account.password })] as const,
  )
}

/** Opens a place of the dashboard for a user who has signed in. */
export async function openSignedIn(page: Page, path: string, account?: { email: string; password: string }) {
  await enter(page, account)
  await page.goto(path)
}

/** Opens the dashboard for a user who has signed in. */
export async function signIn(page: Page, account?: { email: string; password: string }) {
  await openSignedIn(page, '/dashboard', account)
}

/** Signs in by the form and waits for the dashboard. */
export async function signInByForm(page: Page, account: { email: string; password: string } = MOCK_ACCOUNT) {
  await page.goto('/')
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/dashboard')
}

/** Waits until there are exactly so many; fails with what it found instead. */
export async function waitForCount(locator: Locator, count: number) {
  if (count > 0) await locator.nth(count - 1).waitFor()
  await locator.nth(count).waitFor({ state: 'detached' })
}

/**
 * How far the document scrolls beyond its content, in pixels: to the right of the window, and below the end of the page. The second
 * is the empty tail that an absolute element makes when its scroll box does not hold it.
 */
export const excessOf = (page: Page) =>
  page.evaluate(() => {
    const { clientHeight, clientWidth, scrollHeight, scrollWidth } = document.documentElement
    const end = document.body.getBoundingClientRect().bottom + window.scrollY
    return {
      // Behind a modal the space of the scroll bar stays reserved, and counts as overflow.
      right: scrollWidth - (document.querySelector('dialog:modal') ? window.innerWidth : clientWidth),
      below: Math.floor(scrollHeight - Math.max(clientHeight, end)),
    }
  })

/** Checks accessibility in both themes on a desktop and a phone, and that nothing overflows the window or the page from 320 px up. */
export async function assertAccessible(page: Page, place: string) {
  for (const viewport of [{ width: 320, height: 640 }, { width: 1024, height: 768 }, DESKTOP, PHONE]) {
    await page.setViewportSize(viewport)
    const { below, right } = await excessOf(page)
    assert.ok(right <= 0, `${place} at ${viewport.width}: ${right} px stick out of the window`)
    assert.ok(below <= 0, `${place} at ${viewport.width}: ${below} px of nothing below the page`)
    if (viewport !== DESKTOP && viewport !== PHONE) continue
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.waitForFunction((theme) => document.documentElement.dataset['theme'] === theme, colorScheme)
      await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
      // The same elements in other colours: check colours only.
      const found = await axeFindings(page, { onlyColours: colorScheme === 'dark' })
      assert.equal(found, [], `${place} at ${viewport.width}, ${colorScheme}: axe finds nothing`)
    }
  }
}
