import { chromium } from 'playwright'
import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import { becomes } from '#tests/support/browser/becomes.ts'
import { decideCookies, newTeam } from '#tests/support/browser/enterprise-page.ts'
import { ZOOMS, tabTo } from '#tests/support/browser/keyboard.ts'
import { startLiveCrawl } from '#tests/support/browser/live-crawl.ts'
import { startEnterprise } from '#tests/support/enterprise.ts'
import { OWNER } from '#tests/support/product.ts'
import { MOCK_ACCOUNT, MOCK_CRAWL } from '#tests/support/stubs/mock-backend.ts'
import { suite } from '#tests/support/suite.ts'
import { DESKTOP, PHONE, enter, excessOf, openBrowser, startPage } from './support.ts'

const product = await startPage()
const browser = await openBrowser(chromium, product.url)
const enterprise = await startEnterprise()
const customers = await openBrowser(chromium, enterprise.url, { reaches: [enterprise.stripe.url] })

const flows = suite('each flow with reduced motion and in forced colours')

/** Walks through a flow, and calls back at each screen to check. */
type Flow = (page: Page, look: (stop: string) => Promise<void>) => Promise<unknown>

async function startRun(
  page: Page,
  look: (stop: string) => Promise<void>,
  run: { path: string; field: string; text: string; button: string },
) {
  await page.goto(run.path)
  await page.getByLabel(run.field, { exact: true }).fill(run.text)
  await look('the form')
  await page.getByRole('button', { name: run.button }).first().click()
}

const FLOWS: Record<string, Flow> = {
  'signing in': async (page, look) => {
    await page.evaluate(() => localStorage.clear())
    await page.goto('/')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByLabel('Email').and(page.locator('[aria-invalid=true]')).waitFor()
    await look('the fields that are missing')
    await page.getByLabel('Email').fill(MOCK_ACCOUNT.email)
    await page.getByLabel('Password', { exact: true }).fill(MOCK_ACCOUNT.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
    await look('the dashboard')
  },
  'crawling a site': async (page, look) => {
    const crawl = startLiveCrawl(product.backend, { limit: 10 })
    await startRun(page, look, { path: '/dashboard/crawl', field: 'URL to crawl', text: 'https://shop.example/', button: 'Start Crawling' })
    crawl.store(4)
    await page.getByRole('tab', { name: 'Results 4' }).waitFor()
    await look('the live crawl')
    crawl.finish()
  },
  'reading a crawl': async (page, look) => {
    await page.goto(`/dashboard/logs/crawls/${MOCK_CRAWL}`)
    await page.getByRole('list', { name: 'Pages' }).getByRole('button').first().click()
    await look('a page')
    await page.getByRole('tab', { name: /^All URLs/i }).click()
    await page.getByRole('table').first().waitFor()
    await look('the URLs')
  },
  searching: async (page, look) => {
    await startRun(page, look, { path: '/dashboard/search', field: 'Search query', text: 'kettles', button: 'Start Search' })
    await page.getByRole('tab', { name: /^Results/, selected: true }).waitFor()
    await look('the results')
  },
  'mapping a site': async (page, look) => {
    await startRun(page, look, {
      path: '/dashboard/sitemap',
      field: 'URL of the site',
      text: 'https://shop.example/',
      button: 'Generate Sitemap',
    })
    await look('the map')
  },
  'the logs': async (page, look) => {
    await page.goto('/dashboard/logs/crawls')
    await page.getByRole('checkbox').last().check()
    await look('a row that is chosen')
    await page.getByRole('button', { name: 'Delete' }).first().click()
    await page.getByRole('dialog').waitFor()
    await look('the question')
  },
  'the usage': async (page, look) => {
    await page.goto('/dashboard/usage')
    await page.getByText('Total crawl requests').waitFor()
    await look('the usage')
  },
  'an API key': async (page, look) => {
    await page.goto('/dashboard/api-keys')
    await page.getByRole('button', { name: 'Create New API Key' }).click()
    await page.getByRole('dialog').getByLabel('Key name').fill('Nightly')
    await look('the form')
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click()
    await look('the key')
  },
  'the team': async (page, look) => {
    await page.goto('/dashboard/settings')
    await page.getByRole('button', { name: 'Rename' }).click()
    await look('the settings')
  },
  'the profile': async (page, look) => {
    await page.goto('/dashboard/profile')
    await page.getByLabel('First name').fill('Ana')
    await look('the profile')
  },
  'the command palette': async (page, look) => {
    await page.goto('/dashboard')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('dialog').getByRole('option').first().waitFor()
    await look('the palette')
  },
  'the API reference': async (page, look) => {
    await page.goto('/dashboard/api-reference')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await look('the reference')
  },
}

/** Endless animations. */
const endlessAnimations = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState }) => playState === 'running')
      .map((animation) => (animation as CSSAnimation).animationName ?? 'a transition'),
  )

/**
 * Visible controls that only their background sets apart from the page, which forced colours remove; and texts that cannot be seen on their
 * background.
 */
const indistinctElements = (page: Page) =>
  page.evaluate(() => {
    const canvas = getComputedStyle(document.body).backgroundColor
    const isEdged = (element: Element | null, depth = 4): boolean => {
      if (element === null || depth === 0) return false
      const style = getComputedStyle(element)
      const ground = style.backgroundColor !== canvas && !/(, 0\)|transparent)$/.test(style.backgroundColor)
      const border = ['Top', 'Bottom'].some((side) => {
        const [width, line] = [
          style.getPropertyValue(`border-${side.toLowerCase()}-width`),
          style.getPropertyValue(`border-${side.toLowerCase()}-style`),
        ]
        return line !== 'none' && Number.parseFloat(width) > 0
      })
      const outline = style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0
      // Forced colours keep a shadow only on elements that opt out of them.
      const shadow = style.boxShadow !== 'none' && style.forcedColorAdjust === 'none'
      return border || outline || ground || shadow || isEdged(element.parentElement, depth - 1)
    }
    const isShown = (element: Element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && element.getClientRects().length > 0
    const found = []
    for (const control of document.querySelectorAll(
      'input:not([type=radio], [type=checkbox], [type=file], [type=hidden]), select, textarea, [role=switch], [role=checkbox]',
    ))
      if (isShown(control) && !isEdged(control)) found.push(`no edge: ${control.outerHTML.slice(0, 120)}`)
    for (const control of document.querySelectorAll('button, a[href]')) {
      if (!isShown(control)) continue
      const icon = control.querySelector('svg')
      const isNamedInSight = (control as HTMLElement).innerText.trim() !== ''
      if (!isNamedInSight && icon === null && !isEdged(control)) found.push(`nothing to see: ${control.outerHTML.slice(0, 120)}`)
      if (icon !== null && getComputedStyle(icon).color === canvas && getComputedStyle(control).backgroundColor === canvas)
        found.push(`an icon on its own colour: ${control.outerHTML.slice(0, 120)}`)
    }
    return found
  })

/** Of the first `stops` stops of the Tab key, those at which the focus is invisible. */
async function unmarked(page: Page, stops: number): Promise<string[]> {
  const found = []
  for (let stop = 0; stop < stops; stop++) {
    await page.keyboard.press('Tab')
    const lost = await page.evaluate(() => {
      const focused = document.activeElement
      if (focused === null || focused === document.body) return null
      for (let element: Element | null = focused, depth = 0; element !== null && depth < 4; element = element.parentElement, depth++) {
        const style = getComputedStyle(element)
        if (style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 1) return null
      }
      // A label draws the focus of the field that it holds or stands beside.
      const beside = focused.nextElementSibling
      if (beside !== null && getComputedStyle(beside).outlineStyle !== 'none') return null
      return focused.outerHTML.slice(0, 160)
    })
    if (lost !== null) found.push(lost)
  }
  return found
}

const STOPS = 12

for (const [name, flow] of Object.entries(FLOWS))
  for (const [width, viewport] of [
    ['a desktop', DESKTOP],
    ['a phone', PHONE],
  ] as const)
    flows(`${name}: nothing moves by itself, and in forced colours controls and the focus are visible, on ${width}`, async () => {
      const page = await browser.newPage({ viewport })
      await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
      await page.route('**/api/v1/common/settings', async (route) => {
        const settings = (await (await route.fetch()).json()) as object
        await route.fulfill({ json: { ...settings, is_search_configured: true } })
      })
      await enter(page)
      await flow(page, async (stop) => {
        await becomes(() => endlessAnimations(page), [], `${stop}: what moves`)
        await becomes(() => indistinctElements(page), [], `${stop}: what is not seen`)
        assert.equal(await unmarked(page, STOPS), [], `${stop}: where the focus is not seen`)
      })
      assert.equal(page.complaints, [])
    })

for (const [zoom, viewport] of ZOOMS)
  flows(`choosing a plan and paying for it work with the keyboard alone, at ${zoom} %, without motion and in forced colours`, async () => {
    const { uuid } = await newTeam(enterprise, `Shoal ${zoom}`)
    const page = await customers.newPage({ viewport })
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
    await decideCookies(page)
    await enter(page, OWNER)
    await page.evaluate((id) => localStorage.setItem('current_team', id), uuid)
    const look = async (stop: string) => {
      await becomes(() => endlessAnimations(page), [], `${stop}: what moves`)
      await becomes(() => indistinctElements(page), [], `${stop}: what is not seen`)
      await becomes(async () => (await excessOf(page)).right <= 0, true, `${stop} scrolls in one direction`)
    }

    await page.goto('/dashboard')
    const offer = page.getByRole('dialog', { name: 'Choose Your Plan to continue' })
    await offer.getByRole('article', { name: 'Studio' }).waitFor()
    await look('the offer')
    await page.keyboard.press('Escape')
    await offer.waitFor({ state: 'detached' })
    await page.goto('/dashboard/plans')
    await offer.waitFor()
    await page.keyboard.press('Escape')
    await offer.waitFor({ state: 'detached' })
    const main = page.getByRole('main')
    await tabTo(page, main.getByRole('radio', { name: 'Yearly' }))
    await page.keyboard.press('ArrowLeft')
    await becomes(() => main.getByRole('radio', { name: 'Monthly' }).isChecked(), true)
    await look('the plans')
    await tabTo(page, main.getByRole('article', { name: 'Studio' }).getByRole('button', { name: 'Activate plan' }))
    await page.keyboard.press('Enter')
    await page.waitForURL(`${enterprise.stripe.url}/pay/**`)
    await page.getByRole('link', { name: 'Pay' }).press('Enter')
    await page.getByRole('heading', { name: 'Subscription Activated' }).waitFor()
    await look('what the payment came to')
    await tabTo(page, page.getByRole('link', { name: 'Go to Dashboard' }))
    await page.keyboard.press('Enter')
    await page.waitForURL('**/dashboard')
    await becomes(() => offer.count(), 0)
    await page.goto('/dashboard/plans')
    await main.getByRole('radio', { name: 'Monthly' }).check()
    await main.getByRole('article', { name: 'Studio' }).getByRole('link', { name: 'Manage subscription' }).waitFor()
    // A team without a plan gets 403.
    assert.equal(
      page.complaints.filter((complaint) => !complaint.includes('403')),
      [],
    )
  })

flows.run()
