/**
 * The page in a real browser: the gateway with the built page, a backend behind it, and a browser that never leaves the machine.
 * The backend is the mock written from the contract, so that a test can say what the API answers; tests of whole journeys start
 * the product itself instead and hand its address to `openBrowser`.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, BrowserContextOptions, BrowserType, Locator, Page } from 'playwright'
import * as assert from 'uvu/assert'
import { createApp } from '#gateway/app.ts'
import { createLog } from '#gateway/log.ts'
import { readConfig } from '#gateway/read-config.ts'
import { axeFindings } from '#tests/support/axe.ts'
import { MOCK_ACCOUNT, startMockBackend } from '#tests/support/mock-backend.ts'

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const PHONE = { width: 390, height: 844 }
export const DESKTOP = { width: 1440, height: 900 }

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
  return {
    url,
    backend,
    async close() {
      await app.close()
      await backend.close()
    },
  }
}

export type OpenedPage = Page & {
  /** What the page's console and its uncaught errors said, worst first read at the end of a test. */
  complaints: string[]
}

/** A browser whose pages reach `url`, the origins in `reaches`, and nothing else; the code host's star count is answered here. */
export async function openBrowser(
  chromium: BrowserType,
  url: string,
  { reaches = [], stars = 2481 }: { reaches?: readonly string[]; stars?: number | null } = {},
) {
  const browser = await chromium.launch({ executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium', args: ARGUMENTS })
  return { newPage, close: () => browser.close() }

  async function newPage(options: BrowserContextOptions = {}): Promise<OpenedPage> {
    const context = await browser.newContext({ baseURL: url, viewport: DESKTOP, locale: 'en-US', reducedMotion: 'reduce', ...options })
    await stayInside(context)
    const complaints: string[] = []
    const page = Object.assign(await context.newPage(), { complaints })
    page.setDefaultTimeout(10_000)
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    return page
  }

  async function stayInside(context: BrowserContext) {
    await context.route(/.*/, (route) => {
      const target = new URL(route.request().url())
      if ([url, ...reaches].some((one) => target.origin === new URL(one).origin)) return route.fallback()
      if (target.hostname === 'api.github.com' && stars !== null)
        return route.fulfill({ json: { stargazers_count: stars }, headers: { 'access-control-allow-origin': '*' } })
      return route.abort()
    })
  }
}

/** Signs in by the form and waits for the dashboard. */
export async function signIn(page: Page, account: { email: string; password: string } = MOCK_ACCOUNT) {
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
      // Behind a modal the room of the scroll bar is kept free, and counts as scrolled away.
      right: scrollWidth - (document.querySelector('dialog:modal') ? window.innerWidth : clientWidth),
      below: Math.floor(scrollHeight - Math.max(clientHeight, end)),
    }
  })

/** Looks for what keeps people out, in both themes on a desktop and a phone, and for what sticks out of the window or the page from 320 px up. */
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
      // The same elements in other colours: what has been judged is not judged twice.
      const found = await axeFindings(page, { onlyColours: colorScheme === 'dark' })
      assert.equal(found, [], `${place} at ${viewport.width}, ${colorScheme}: axe finds nothing`)
    }
  }
}
