import { chromium } from 'playwright'
import type { Locator } from 'playwright'
import * as assert from 'uvu/assert'
import { becomes } from '#tests/support/browser/becomes.ts'
import { ZOOMS, isFocused, isInSight, tabTo } from '#tests/support/browser/keyboard.ts'
import { startLiveCrawl } from '#tests/support/browser/live-crawl.ts'
import { MOCK_ACCOUNT, MOCK_CRAWL } from '#tests/support/stubs/mock-backend.ts'
import { suite } from '#tests/support/suite.ts'
import { DESKTOP, excessOf, openBrowser, openSignedIn, signInByForm, startPage } from './support.ts'

const product = await startPage()
const browser = await openBrowser(chromium, product.url)

const access = suite('keyboard alone, zoom and reduced motion')

for (const [zoom, viewport] of ZOOMS)
  access(`signing in, starting a crawl and reading its pages need the keyboard alone, at ${zoom} %`, async () => {
    const crawl = startLiveCrawl(product.backend)
    const page = await browser.newPage({ viewport })
    const fits = async (place: string) => assert.ok((await excessOf(page)).right <= 0, `${place} scrolls in one direction`)
    await page.goto('/')
    await tabTo(page, page.getByLabel('Email'))
    await page.keyboard.type(MOCK_ACCOUNT.email)
    await tabTo(page, page.getByLabel('Password', { exact: true }))
    await page.keyboard.type(MOCK_ACCOUNT.password)
    await fits('the login')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/dashboard')
    await page.getByRole('heading', { level: 1 }).waitFor()

    await page.goto('/dashboard/crawl')
    await tabTo(page, page.getByRole('link', { name: 'Skip to content' }))
    await page.keyboard.press('Enter')
    await becomes(() => page.evaluate(() => document.activeElement?.id), 'content')
    await tabTo(page, page.getByLabel('URL to crawl'))
    await page.keyboard.type('https://shop.example/')
    await tabTo(page, page.getByRole('button', { name: 'Start Crawling' }))
    await fits('the form')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Cancel Crawling' }).first().waitFor()
    crawl.store(3)
    await page.getByRole('tab', { name: 'Results 3' }).waitFor()
    await fits('the crawl')
    crawl.finish()

    await page.goto(`/dashboard/logs/crawls/${MOCK_CRAWL}`)
    await tabTo(page, page.getByRole('list', { name: 'Pages' }).getByRole('button').first())
    await page.keyboard.press('Enter')
    await fits('the details')
    assert.equal(page.complaints, [])
  })

access('a screen that appears late does not take the focus from a user who has skipped to the content', async () => {
  const page = await browser.newPage({ viewport: DESKTOP })
  await openSignedIn(page, '/dashboard')
  const gate = Promise.withResolvers<void>()
  await page.route(/\/sitemap-screen-[^/]*\.js/, async (route) => {
    await gate.promise
    await route.continue()
  })
  await page.goto('/dashboard/sitemap')
  await tabTo(page, page.getByRole('link', { name: 'Skip to content' }))
  await page.keyboard.press('Enter')
  await becomes(() => page.evaluate(() => document.activeElement?.id), 'content')
  gate.resolve()
  await page.getByLabel('URL of the site').waitFor()
  assert.is(await page.evaluate(() => document.activeElement?.id), 'content')
  await page.close()
})

for (const [zoom, viewport] of ZOOMS)
  access(`search, sitemap, team, keys and profile need the keyboard alone, at ${zoom} %`, async () => {
    const page = await browser.newPage({ viewport })
    await page.route('**/api/v1/common/settings', async (route) => {
      const settings = (await (await route.fetch()).json()) as object
      await route.fulfill({ json: { ...settings, is_search_configured: true } })
    })
    await signInByForm(page)
    const asked = async (method: string, path: RegExp) =>
      product.backend.requests.filter((request) => request.method === method && path.test(request.path)).length
    const fits = async (place: string) => assert.ok((await excessOf(page)).right <= 0, `${place} scrolls in one direction`)
    const enter = async (target: Locator) => {
      await tabTo(page, target)
      await page.keyboard.press('Enter')
    }
    const type = async (target: Locator, text: string) => {
      await tabTo(page, target)
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(text)
    }

    for (const [path, label, text, button, started] of [
      ['/dashboard/search', 'Search query', 'kettles', 'Start Search', /\/core\/search/],
      ['/dashboard/sitemap', 'URL of the site', 'https://shop.example/', 'Generate Sitemap', /\/core\/sitemaps/],
    ] as const) {
      const before = await asked('POST', started)
      await page.goto(path)
      await becomes(() => isFocused(page.getByLabel(label)), true)
      await becomes(() => isInSight(page.getByLabel(label)), true, 'the field that a screen gives the focus is in sight')
      await page.keyboard.type(text)
      await tabTo(page, page.getByLabel(label))
      await fits(path)
      await enter(page.getByRole('button', { name: button }).first())
      await becomes(() => asked('POST', started), before + 1)
      await fits(`${path}, started`)
    }

    await page.goto('/dashboard/api-keys')
    await enter(page.getByRole('button', { name: 'Create New API Key' }))
    const dialog = page.getByRole('dialog')
    await type(dialog.getByLabel('Key name'), 'Nightly')
    await fits('the new key')
    const keys = await asked('POST', /\/api-keys/)
    await enter(dialog.getByRole('button', { name: 'Create', exact: true }))
    await becomes(() => asked('POST', /\/api-keys/), keys + 1)

    await page.goto('/dashboard/settings')
    await enter(page.getByRole('button', { name: 'Rename' }))
    await fits('the settings of the team')

    await page.goto('/dashboard/profile')
    await type(page.getByLabel('First name'), `Ana ${zoom}`)
    await type(page.getByLabel('Last name'), 'Ruiz')
    await fits('the profile')
    const profiles = await asked('PATCH', /\/profile/)
    await enter(page.getByRole('button', { name: 'Save' }).first())
    await becomes(() => asked('PATCH', /\/profile/), profiles + 1)

    await page.goto('/dashboard')
    await enter(page.getByRole('button', { name: /^Team: / }))
    await fits('the choice of the team')
    assert.equal(page.complaints, [])
  })

access('a live crawl announces its progress every ten seconds at most', async () => {
  const crawl = startLiveCrawl(product.backend)
  const page = await browser.newPage({ viewport: DESKTOP })
  await openSignedIn(page, '/dashboard/crawl')
  await page.getByLabel('URL to crawl').fill('https://shop.example/')
  await page.getByRole('button', { name: 'Start Crawling' }).click()
  const region = page.locator('main p.sr-only[aria-live=polite]', { hasText: 'stored' })
  await region.waitFor({ state: 'attached' })
  await region.evaluate((element) => {
    const told = { since: performance.now(), times: 0 }
    Object.assign(window, { told })
    new MutationObserver(() => (told.times += 1)).observe(element, { childList: true, characterData: true, subtree: true })
  })
  for (let stored = 20; stored <= 200; stored += 20) {
    crawl.store(20)
    await page.getByRole('tab', { name: `Results ${stored}`, exact: true }).waitFor()
  }
  const { times, spans } = await page.evaluate(() => {
    const { told } = window as unknown as { told: { since: number; times: number } }
    return { times: told.times, spans: Math.ceil((performance.now() - told.since) / 10_000) }
  })
  assert.ok(times <= spans, `told ${times} times in ${spans} spans of ten seconds`)
  crawl.finish()
})

access('with reduced motion nothing on a live crawl moves by itself', async () => {
  const crawl = startLiveCrawl(product.backend)
  const page = await browser.newPage({ viewport: DESKTOP })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openSignedIn(page, '/dashboard/crawl')
  await page.getByLabel('URL to crawl').fill('https://shop.example/')
  await page.getByRole('button', { name: 'Start Crawling' }).click()
  crawl.store(5)
  await page.getByRole('tab', { name: 'Results 5' }).waitFor()
  await becomes(
    () =>
      page.evaluate(() =>
        document
          .getAnimations()
          .filter(({ playState }) => playState === 'running')
          .map((animation) => (animation as CSSAnimation).animationName ?? 'a transition'),
      ),
    [],
  )
  crawl.finish()
})

access.run()
