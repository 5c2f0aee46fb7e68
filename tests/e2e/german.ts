import { chromium } from 'playwright'
import type { Locator } from 'playwright'
import * as assert from 'uvu/assert'
import { createCrawl } from '#contract/crawls.ts'
import { createSitemap } from '#contract/sitemaps.ts'
import { becomes } from '#tests/support/browser/becomes.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { startSmallSite } from '#tests/support/sites/small-site.ts'
import { suite } from '#tests/support/suite.ts'
import * as de from '#web/texts/de/index.ts'
import * as en from '#web/texts/en/index.ts'
import { PHONE, openBrowser } from './support.ts'

const product = await startProduct()
const site = await startSmallSite()
const browser = await openBrowser(chromium, product.url)
const page = await browser.newPage({ locale: 'de-DE' })

/** Names, which are not translated: the first team and the small site. */
const NAMES = new Set(['Default'])

/** English texts that are different in German: none of them may appear. */
const german = new Set(Object.values(de).flatMap((texts) => Object.values<unknown>(texts)))
const english = new Set(
  Object.values(en)
    .flatMap((texts) => Object.values<unknown>(texts))
    .filter((text) => typeof text === 'string' && /[a-z]{3}/.test(text) && !german.has(text) && !NAMES.has(text)),
)

const PLACES = [
  '/dashboard',
  '/dashboard/crawl',
  '/dashboard/search',
  '/dashboard/sitemap',
  '/dashboard/logs/crawls',
  '/dashboard/logs/searches',
  '/dashboard/logs/sitemaps',
  '/dashboard/schedules',
  '/dashboard/usage',
  '/dashboard/api-keys',
  '/dashboard/settings',
  '/dashboard/settings#proxy',
  '/dashboard/settings#webhooks',
  '/dashboard/settings#models',
  '/dashboard/profile',
  '/no-such-place',
]

const walk = suite('the dashboard in German')

walk('the language of the browser decides the language of the sign-in screens', async () => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Anmelden', exact: true }).waitFor()
  assert.is(await page.evaluate(() => document.documentElement.lang), 'de')
  assert.equal(await englishOn(), [])
})

walk('no screen shows an English text, and none is wider than its window', async () => {
  await page.getByLabel('E-Mail-Adresse', { exact: true }).fill(OWNER.email)
  await page.getByLabel('Passwort', { exact: true }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
  await page.waitForURL(/dashboard/)
  const seen: string[] = []
  for (const place of [...PLACES, ...(await details())]) {
    await page.goto(place)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await becomes(() => page.getByText(/^(?:Wird geladen|.* (?:wird|werden) geladen) ?…$/).count(), 0, `${place} is loaded`)
    for (const text of await englishOn()) seen.push(`${place}: ${text}`)
    for (const width of [320, 390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await becomes(
        () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth <= 0),
        true,
        `${place} at ${width} px`,
      )
    }
  }
  assert.equal(seen, [])
})

walk('the list of shortcuts names the keys as a German keyboard does', async () => {
  await page.goto('/dashboard')
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Tastenkürzel' })
  for (const key of ['Strg', 'Pos1', 'Ende', 'Leertaste']) await list.getByText(key, { exact: true }).waitFor()
  assert.equal(await englishOn(), [])
})

walk('counts beside tabs and the marks of charts are written as in German', async () => {
  const [place = ''] = await details()
  await page.route(/\/crawl-requests\/[^/]+\/$/, async (route) => {
    const crawl = (await (await route.fetch()).json()) as object
    await route.fulfill({ json: { ...crawl, number_of_documents: 12_345 } })
  })
  await page.goto(place)
  await page.getByRole('tab', { name: 'Ergebnisse 12.345' }).waitFor()
  await page.route('**/core/usage/', async (route) => {
    const usage = (await (await route.fetch()).json()) as { document_history: { count: number }[] }
    for (const day of usage.document_history) day.count = 10_000_000
    await route.fulfill({ json: usage })
  })
  await page.goto('/dashboard/usage')
  const mark = page.getByText(/^2,5.Mio\.$/)
  await mark.waitFor()
  const isInside = () => mark.evaluate((text) => text.getBoundingClientRect().left >= text.closest('figure')!.getBoundingClientRect().left)
  await becomes(isInside, true, 'its column is as wide as the mark')
  await page.unrouteAll()
})

walk('what the server refuses is said in German, and so are the messages of the engine', async () => {
  await page.goto('/dashboard/profile')
  await page.getByRole('button', { name: 'Konto löschen' }).click()
  await page.getByRole('dialog').getByText('Du bist der einzige Administrator dieser Installation', { exact: false }).waitFor()
  await page.goto('/dashboard/crawl')
  await page.getByLabel('URL für den Crawl').fill('http://10.0.0.1/')
  await page.getByRole('button', { name: 'Crawl starten' }).click()
  await page.getByText('Diese Adresse ist nicht erlaubt.').waitFor()
  const [place = ''] = await details()
  await page.goto(place)
  await page.getByRole('button', { name: 'Meldungen ausklappen' }).click()
  await page.getByRole('log', { name: 'Meldungen' }).getByText(`Crawl von ${site.url} gestartet`).waitFor()
})

walk('the list of URLs says in German why a URL could not be fetched', async () => {
  const place = (await details()).find((one) => one.endsWith('?view=urls'))!
  await page.route(
    ({ pathname }) => pathname.endsWith('/urls/'),
    async (route) => {
      const urls = (await (await route.fetch()).json()) as { results: object[] }
      await route.fulfill({
        json: { ...urls, results: urls.results.map((one) => ({ ...one, outcome: 'proxy', detail: 'proxy: it does not answer' })) },
      })
    },
  )
  await page.goto(place)
  await page.getByText('Proxy: Er antwortet nicht', { exact: true }).first().waitFor()
  await page.unrouteAll()
})

walk('on a phone, headings beside buttons and entries of menus show their whole text', async () => {
  const whole = (found: Locator) => found.evaluate((element) => element.scrollWidth <= element.clientWidth)
  await page.setViewportSize(PHONE)
  await page.goto('/dashboard/crawl')
  await page.getByRole('button', { name: 'Vorlagen' }).click()
  await becomes(() => whole(page.getByRole('menuitem').getByText('Optionen als Vorlage speichern')), true, 'the entry')
  await page.keyboard.press('Escape')
  site.hold()
  await page.getByLabel('URL für den Crawl').fill(site.url)
  await page.getByText('Ganze Website', { exact: true }).click()
  await page.getByRole('button', { name: 'Crawl starten' }).click()
  await page.getByRole('button', { name: 'Liste anhalten' }).waitFor()
  await becomes(() => whole(page.getByRole('heading', { name: 'Seiten', exact: false, level: 2 }).first()), true, 'the heading')
  site.release()
})

walk('the filters of lists show each of their options whole, on a phone as well', async () => {
  const cut: string[] = []
  for (const width of [PHONE.width, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    for (const place of ['/dashboard/logs/crawls', '/dashboard/search?in=own&q=tee']) {
      await page.goto(place)
      await page.getByRole('combobox').first().waitFor()
      await page.evaluate(() => document.fonts.ready)
      for (const text of await cutOptions()) cut.push(`${place} at ${width} px: ${text}`)
    }
  }
  assert.equal(cut, [])
})

/** The screens of two crawls and of a sitemap that have ended. */
async function details(): Promise<string[]> {
  const places: string[] = []
  for (const [kind, { path }, url, options, status] of [
    ['crawls', createCrawl, site.url, { spider_options: { max_depth: 2, page_limit: 50 }, page_options: {} }, 'Fertig'],
    ['crawls', createCrawl, `${site.url}missing`, { spider_options: {}, page_options: {} }, 'Fehlgeschlagen'],
    ['sitemaps', createSitemap, site.url, {}, 'Fertig'],
  ] as const) {
    const ended = await page.evaluate(
      async ([at, body]) => {
        const headers = { authorization: `Bearer ${localStorage.getItem('access_token')}`, 'content-type': 'application/json' }
        const { uuid } = (await (await fetch(at, { method: 'POST', headers, body })).json()) as { uuid: string }
        return uuid
      },
      [path, JSON.stringify({ url, options })] as const,
    )
    const place = `/dashboard/logs/${kind}/${ended}`
    await page.goto(place)
    await page.getByText(status, { exact: true }).first().waitFor()
    places.push(place)
    if (kind !== 'crawls' || status !== 'Fertig') continue
    const playground = `/dashboard/crawl?run=${ended}`
    await page.goto(playground)
    await page.getByText(/^Seiten? gespeichert$/).waitFor()
    places.push(`${place}?view=urls`, `${place}?view=changes`, playground)
  }
  return places
}

/** Options for which their list has no room while it is closed. */
const cutOptions = () =>
  page.evaluate(() => {
    const pen = document.createElement('canvas').getContext('2d')!
    return [...document.querySelectorAll('select')].flatMap((select) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(select)
      pen.font = font
      const room = select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
      return [...select.options].map(({ label }) => label).filter((label) => pen.measureText(label).width > room + 1)
    })
  })

/** English texts on the page or in the labels of its controls. */
async function englishOn(): Promise<string[]> {
  const said = await page.evaluate(() => {
    const found: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) found.push(texts.currentNode.textContent?.trim() ?? '')
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]'))
      for (const name of ['aria-label', 'title', 'placeholder']) found.push(element.getAttribute(name)?.trim() ?? '')
    return found
  })
  return [...new Set(said.filter((text) => english.has(text)))]
}

walk.run()
