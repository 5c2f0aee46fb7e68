/**
 * Takes screenshots of every route of the dashboard on a desktop, a tablet and a phone, in both themes, for people to look at.
 *
 *   node scripts/gallery.ts [folder] [scene …]
 *
 * It starts the product with an empty folder, crawls, searches and maps a small site on loopback, and writes one picture per scene, width
 * and theme into the folder (a new temporary one by default), with an index.html of all. With scene names after the folder, it takes only
 * those. It commits nothing and sends nothing off the machine.
 */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from 'playwright'
import type { Page } from 'playwright'
import { describeAccountDeletion, getProfile, login, updateProfile } from '#contract/accounts.ts'
import type { AccountContents } from '#contract/accounts.ts'
import { createBatchCrawl, createCrawl, getCrawl } from '#contract/crawls.ts'
import { listPlans, startSubscription } from '#contract/plans.ts'
import type { Plan } from '#contract/plans.ts'
import { LANGUAGE_COOKIE } from '#contract/languages.ts'
import { createProxy } from '#contract/proxies.ts'
import { createWebhook } from '#contract/webhooks.ts'
import { createSearch } from '#contract/searches.ts'
import { createSitemap } from '#contract/sitemaps.ts'
import { createApiKey, inviteMember } from '#contract/teams.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { DESKTOP, PHONE, openBrowser, signIn } from '#tests/e2e/support.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { someHits, startSearchStubs } from '#tests/support/stubs/search-stubs.ts'
import { startSmallSite } from '#tests/support/sites/small-site.ts'

/** `who`: which product, and whether it is signed in. `prepare` brings the screen into the wanted state, `after` ends it. */
type Scene = {
  name: string
  path: string
  who: Who
  prepare?: (page: Page) => Promise<unknown>
  after?: (page: Page) => Promise<unknown>
}
const WHO = ['new', 'guest', 'member', 'offered', 'customer'] as const
/** `offered` has no plan yet, `customer` has the free plan. */
type Who = (typeof WHO)[number]
type Result = { uuid: string; url: string; title: string }
type Ids = Record<'before' | 'crawl' | 'batch' | 'failed' | 'search' | 'sitemap', string>

const TABLET = { width: 768, height: 1024 }
const VIEWS = [
  { view: 'desktop-light', viewport: DESKTOP, colorScheme: 'light' },
  { view: 'desktop-dark', viewport: DESKTOP, colorScheme: 'dark' },
  { view: 'tablet-light', viewport: TABLET, colorScheme: 'light' },
  { view: 'tablet-dark', viewport: TABLET, colorScheme: 'dark' },
  { view: 'phone-light', viewport: PHONE, colorScheme: 'light' },
  { view: 'phone-dark', viewport: PHONE, colorScheme: 'dark' },
] as const

const SETTLE_MS = 4000
const POLL_MS = 200
/** Taller screenshots are cut, because nobody can read them as one picture. */
const MOST_HEIGHT = 4000

const [folder = await mkdtemp(join(tmpdir(), 'gallery-')), ...wanted] = process.argv.slice(2)
const out = resolve(folder)
await mkdir(out, { recursive: true })

const site = await startSmallSite()
const stubs = await startSearchStubs({
  hits: [{ url: `${site.url}guide/3`, title: 'Steeping guide 3', description: 'Water, leaves and time' }, ...someHits(8)],
})
const help = { GUIDE_URL: 'https://guide.example/', SUPPORT_EMAIL: 'help@seine.example' }
const enterprise = { ...help, ENTERPRISE_MODE: 'true', PLANS_FILE: fileURLToPath(new URL('../docs/plans.sample.json', import.meta.url)) }
const products = {
  new: await startProduct({}, { installed: false }),
  member: await startProduct({ ...help, SEARXNG_URL: stubs.url, SEARCH_PROVIDERS: 'searxng' }),
  offered: await startProduct(enterprise),
  customer: await startProduct(enterprise),
}
try {
  await takeFreePlan(products.customer.url)
  const scenes = scenesOf(await makeThings(products.member.url)).filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  for (const view of VIEWS) await photograph(view, scenes)
  await writeFile(join(out, 'index.html'), indexOf(scenes))
  console.log(`${scenes.length * VIEWS.length} pictures: ${pathToFileURL(join(out, 'index.html')).href}`)
} finally {
  for (const { close } of [...Object.values(products), stubs, site]) await close()
}

function scenesOf(ids: Ids): Scene[] {
  const crawl = `/dashboard/logs/crawls/${ids.crawl}`
  return [
    { name: 'install', path: '/', who: 'new' },
    { name: 'login', path: '/', who: 'guest' },
    { name: 'register', path: '/register', who: 'guest' },
    { name: 'forgot-password', path: '/forgot-password', who: 'guest' },
    { name: 'reset-password', path: '/reset-password/unknown', who: 'guest' },
    { name: 'verify-email', path: '/verify-email/unknown', who: 'guest' },
    { name: 'not-found', path: '/no-such-place', who: 'guest' },
    { name: 'home', path: '/dashboard', who: 'member' },
    { name: 'home-mcp', path: '/dashboard', who: 'member', prepare: withMcp },
    {
      name: 'palette',
      path: '/dashboard',
      who: 'member',
      prepare: async (page) => {
        await page.keyboard.press('Control+K')
        await page.getByRole('listbox', { name: 'Results' }).getByRole('option').first().waitFor()
      },
    },
    {
      name: 'menu',
      path: '/dashboard',
      who: 'member',
      prepare: async (page) => {
        const button = page.getByRole('button', { name: 'Open menu' })
        if (await button.isVisible()) await button.click()
      },
    },
    { name: 'crawl', path: '/dashboard/crawl', who: 'member' },
    { name: 'crawl-batch', path: '/dashboard/crawl', who: 'member', prepare: choose('radio', 'Batch URLs') },
    { name: 'crawl-page-options', path: '/dashboard/crawl', who: 'member', prepare: choose('tab', 'Page Options') },
    { name: 'crawl-plugin-options', path: '/dashboard/crawl', who: 'member', prepare: choose('tab', 'Plugin Options') },
    { name: 'crawl-api', path: '/dashboard/crawl', who: 'member', prepare: choose('tab', 'API Documentation') },
    { name: 'crawl-live', path: '/dashboard/crawl', who: 'member', prepare: crawlLive, after: endCrawl },
    { name: 'crawl-presets', path: '/dashboard/crawl', who: 'member', prepare: withPresets },
    { name: 'search', path: '/dashboard/search', who: 'member' },
    { name: 'search-results', path: '/dashboard/search', who: 'member', prepare: searched },
    { name: 'search-own', path: '/dashboard/search?in=own&q=water', who: 'member' },
    { name: 'sitemap', path: '/dashboard/sitemap', who: 'member' },
    { name: 'crawl-logs', path: '/dashboard/logs/crawls', who: 'member' },
    { name: 'crawl-logs-selected', path: '/dashboard/logs/crawls', who: 'member', prepare: selectTwo },
    { name: 'crawl-delete', path: crawl, who: 'member', prepare: press('Delete') },
    { name: 'crawl-logs-nothing', path: '/dashboard/logs/crawls?status=canceling', who: 'member' },
    { name: 'search-logs', path: '/dashboard/logs/searches', who: 'member' },
    { name: 'sitemap-logs', path: '/dashboard/logs/sitemaps', who: 'member' },
    { name: 'crawl-details', path: crawl, who: 'member' },
    {
      name: 'crawl-metadata',
      path: crawl,
      who: 'member',
      prepare: async (page) => {
        // A phone shows the list first.
        const metadata = page.getByRole('tab', { name: 'Metadata' })
        const first = page.getByRole('button', { name: /Guide 1\b/ }).first()
        await first.click()
        await metadata.click()
      },
    },
    { name: 'crawl-repeat', path: crawl, who: 'member', prepare: press('Repeat') },
    { name: 'schedules', path: '/dashboard/schedules', who: 'member' },
    { name: 'crawl-urls', path: `${crawl}?view=urls`, who: 'member' },
    { name: 'crawl-changes', path: `${crawl}?view=changes`, who: 'member' },
    { name: 'crawls-compared', path: `${crawl}?view=changes&since=${ids.before}`, who: 'member', prepare: withChange(ids) },
    { name: 'crawl-reader-full', path: crawl, who: 'member', prepare: pressKey('f') },
    {
      name: 'crawl-download',
      path: crawl,
      who: 'member',
      prepare: (page) => page.getByRole('button', { name: 'Download' }).first().click(),
    },
    { name: 'sitemap-explorer', path: crawl, who: 'member', prepare: opens('Sitemap explorer') },
    { name: 'details-loading', path: crawl, who: 'member', prepare: withoutAnswer(getCrawl.path) },
    { name: 'details-unreachable', path: crawl, who: 'member', prepare: withoutAnswer(getCrawl.path, 503) },
    { name: 'german', path: '/dashboard', who: 'member', prepare: inGerman, after: inEnglish },
    { name: 'privacy', path: '/dashboard', who: 'offered', prepare: withTerms },
    { name: 'team-switcher', path: '/dashboard', who: 'member', prepare: (page) => page.getByRole('button', { name: /^Team: / }).click() },
    { name: 'shortcuts', path: '/dashboard', who: 'member', prepare: pressKey('?') },
    { name: 'crawl-failed', path: `/dashboard/logs/crawls/${ids.failed}`, who: 'member' },
    { name: 'crawl-unknown', path: '/dashboard/logs/crawls/0189', who: 'member' },
    { name: 'search-details', path: `/dashboard/logs/searches/${ids.search}`, who: 'member' },
    { name: 'sitemap-details', path: `/dashboard/logs/sitemaps/${ids.sitemap}`, who: 'member' },
    { name: 'sitemap-graph', path: `/dashboard/logs/sitemaps/${ids.sitemap}?view=graph`, who: 'member' },
    { name: 'usage', path: '/dashboard/usage', who: 'member' },
    { name: 'api-keys', path: '/dashboard/api-keys', who: 'member' },
    { name: 'key-form', path: '/dashboard/api-keys', who: 'member', prepare: opens('Create New API Key') },
    { name: 'key-made', path: '/dashboard/api-keys', who: 'member', prepare: madeKey },
    { name: 'settings', path: '/dashboard/settings', who: 'member' },
    {
      name: 'settings-retention',
      path: '/dashboard/settings',
      who: 'member',
      prepare: (page) => page.getByText('Delete when old').click(),
    },
    { name: 'team-delete', path: '/dashboard/settings', who: 'member', prepare: press('Delete team') },
    { name: 'account-delete', path: '/dashboard/profile', who: 'member', prepare: press('Delete account') },
    { name: 'account-delete-own', path: '/dashboard/profile', who: 'member', prepare: withoutObstacles },
    { name: 'settings-proxy', path: '/dashboard/settings#proxy', who: 'member' },
    { name: 'proxy-form', path: '/dashboard/settings#proxy', who: 'member', prepare: opens('Add Proxy') },
    { name: 'settings-models', path: '/dashboard/settings#models', who: 'member' },
    { name: 'settings-webhooks', path: '/dashboard/settings#webhooks', who: 'member' },
    { name: 'webhook-form', path: '/dashboard/settings#webhooks', who: 'member', prepare: press('Add webhook') },
    { name: 'webhook-secret', path: '/dashboard/settings#webhooks', who: 'member', prepare: opens('Secret of Build server') },
    { name: 'webhook-log', path: '/dashboard/settings#webhooks', who: 'member', prepare: opens('Deliveries') },
    { name: 'profile', path: '/dashboard/profile', who: 'member' },
    { name: 'api-reference', path: '/dashboard/api-reference', who: 'member' },
    { name: 'cookie-banner', path: '/dashboard', who: 'customer', prepare: withoutConsent, after: consent },
    { name: 'cookie-preferences', path: '/dashboard', who: 'customer', prepare: withPreferences, after: consent },
    { name: 'plan-offer', path: '/dashboard', who: 'offered' },
    { name: 'enterprise-home', path: '/dashboard', who: 'customer' },
    { name: 'enterprise-usage', path: '/dashboard/usage', who: 'customer' },
    { name: 'enterprise-billing', path: '/dashboard/settings#billing', who: 'customer' },
    { name: 'plans', path: '/dashboard/plans', who: 'customer' },
    { name: 'payment', path: '/stripe-callback/?state=payment-success', who: 'customer' },
    { name: 'payment-canceled', path: '/stripe-callback/?state=payment-cancel', who: 'customer' },
  ]
}

function choose(role: 'radio' | 'tab', name: string) {
  return async (page: Page) => page.getByRole(role, { name, exact: true }).click()
}

/** Starts a crawl that the site delays, so that it stays running. */
async function crawlLive(page: Page) {
  site.hold()
  await page.getByLabel('URL to crawl').fill(site.url)
  await page.getByText('Whole site', { exact: true }).click()
  await page.getByRole('button', { name: 'Start Crawling' }).click()
  await page.getByRole('list', { name: 'Pages' }).getByRole('button').first().waitFor()
}

/** Lets the site answer again. */
async function endCrawl(page: Page) {
  site.release()
  await page.getByLabel('URL to crawl').waitFor()
}

async function searched(page: Page) {
  await page.getByLabel('Search query').fill('how to steep white tea')
  await page.getByRole('button', { name: 'Start Search' }).first().click()
  await page.getByText('Steeping guide 3').first().waitFor()
}

/** Shows a screen whose request gets no answer, or an error. */
function withoutAnswer(path: string, status?: number) {
  return async (page: Page) => {
    await page.route(`**${path.split('{')[0]}*/`, (route) => (status === undefined ? undefined : route.fulfill({ status, body: '' })))
    await page.reload({ waitUntil: 'commit' })
    await page
      .getByRole(status === undefined ? 'status' : 'alert')
      .first()
      .waitFor()
  }
}

/** Sets the user's language to German. */
async function inGerman(page: Page) {
  await page.route(`**${getProfile.path}`, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), language: 'de' } })
  })
  await page.reload()
  await page.locator('html[lang=de] h1').waitFor()
}

async function inEnglish(page: Page) {
  await page.context().clearCookies({ name: LANGUAGE_COOKIE })
}

/** Shows the screen for a user who has not confirmed the privacy policy and the terms. */
async function withTerms(page: Page) {
  await page.route(`**${getProfile.path}`, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), privacy_confirmed_at: null } })
  })
  await page.reload()
  await page.getByRole('dialog').waitFor()
}

/** Opens the dialog of a button. */
function pressKey(key: string) {
  return async (page: Page) => {
    await page.getByRole('main').waitFor()
    await page.keyboard.press(key)
    await page.getByRole('dialog').waitFor()
  }
}

function opens(name: string) {
  return async (page: Page) => {
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByRole('dialog').waitFor()
  }
}

async function withPresets(page: Page) {
  await page.getByRole('button', { name: 'Presets' }).click()
  await page.getByRole('menuitem', { name: 'Save options as preset' }).waitFor()
}

function press(name: string) {
  return async (page: Page) => {
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor()
  }
}

/** Shows two crawls of the unchanging site with a difference: changes one page of the older crawl. */
function withChange({ before, crawl }: Ids) {
  return async (page: Page) => {
    const [pages, earlier] = await page.evaluate(
      async (ids) => {
        const headers = { authorization: `Bearer ${localStorage.getItem('access_token')}` }
        const read = async (id: string) =>
          ((await (await fetch(`/api/v1/core/crawl-requests/${id}/results/?page_size=2`, { headers })).json()) as { results: Result[] })
            .results
        return await Promise.all(ids.map(read))
      },
      [crawl, before],
    )
    const { title, url, uuid } = pages![1]!
    const changed = { change: 'changed', url, title, result: uuid, before: earlier![0]!.uuid }
    await page.route(/\/changes\/count\//, (route) => route.fulfill({ json: { added: 0, removed: 0, changed: 1, unchanged: 12 } }))
    await page.route(/\/changes\/\?/, (route) => route.fulfill({ json: { count: 1, next: null, previous: null, results: [changed] } }))
    await page.reload()
    await page.getByRole('button', { name: `Show what changed in ${url}` }).click()
    await page.getByRole('dialog').waitFor()
  }
}

/** Shows the screen as on a first visit. */
async function withoutConsent(page: Page) {
  await page.evaluate(() => localStorage.removeItem('cookie_consent'))
  await page.reload()
  await page.getByRole('button', { name: 'Manage Cookies' }).waitFor()
}

async function withPreferences(page: Page) {
  await withoutConsent(page)
  await opens('Manage Cookies')(page)
}

async function consent(page: Page) {
  await page.getByRole('button', { name: 'Accept All' }).last().click()
}

/** Shows the dialog of a new key without creating one, so that later pictures have the same keys. */
async function madeKey(page: Page) {
  const key = `sn-${'k'.repeat(40)}`
  const made = {
    uuid: '01910000-0000-7000-8000-000000000000',
    name: 'Build server',
    key,
    created_at: new Date().toISOString(),
    last_used_at: null,
  }
  await page.route(`**${createApiKey.path}*`, async (route) => {
    if (route.request().method() === 'POST') return route.fulfill({ status: 201, json: made })
    const answer = await route.fetch()
    const list = (await answer.json()) as { count: number; results: object[] }
    return route.fulfill({ response: answer, json: { ...list, count: list.count + 1, results: [made, ...list.results] } })
  })
  await page.getByRole('button', { name: 'Create New API Key' }).click()
  await page.getByLabel('Key name').fill(made.name)
  await page.keyboard.press('Enter')
  await page.getByText(key, { exact: true }).first().waitFor()
}

async function selectTwo(page: Page) {
  const boxes = page.getByRole('table').getByRole('checkbox')
  // The first checkbox is in the head and selects all.
  await boxes.nth(1).check()
  await boxes.nth(2).check()
}

/** Shows the deletion of an account that nothing prevents. */
async function withoutObstacles(page: Page) {
  await page.route(`**${describeAccountDeletion.path}*`, async (route) => {
    const answer = await route.fetch()
    const contents = (await answer.json()) as AccountContents
    const teams = contents.teams.map((team, at) => ({ ...team, other_members: at === 0 ? 2 : 0 }))
    await route.fulfill({ response: answer, json: { ...contents, teams, memberships: 1, api_keys: 2, obstacles: [] } })
  })
  await press('Delete account')(page)
}

async function withMcp(page: Page) {
  await page.getByRole('tab', { name: 'MCP configuration' }).click()
}

async function takeFreePlan(url: string) {
  const { access } = (await call(url, login, OWNER)) as { access: string }
  const plans = (await (await fetch(url + listPlans.path)).json()) as readonly Plan[]
  await call(url, startSubscription, { plan_uuid: plans.find(({ is_default }) => is_default)?.uuid }, access)
}

/** Creates everything that a screen can show: keys, an invitation, a proxy server, and ended jobs of every kind. */
async function makeThings(url: string): Promise<Ids> {
  const { access } = (await call(url, login, OWNER)) as { access: string }
  const send = (endpoint: EndpointSpec, body: unknown) => call(url, endpoint, body, access)
  await send(updateProfile, { first_name: 'Ana', last_name: 'Kettle' })
  for (const name of ['Nightly crawl', 'Notebook']) await send(createApiKey, { name })
  await send(inviteMember, { email: 'ben@example.org' })
  await send(createProxy, {
    name: 'Harbour',
    slug: 'harbour',
    proxy_type: 'http',
    host: 'proxy.example.org',
    port: 3128,
    is_default: false,
  })
  await send(createWebhook, {
    name: 'Build server',
    url: 'https://93.184.216.34/hooks',
    events: ['run.started', 'run.ended'],
    is_enabled: false,
  })
  const options = { spider_options: { max_depth: 2, page_limit: 50 }, page_options: { include_html: true, include_links: true } }
  const start = async (endpoint: EndpointSpec, body: unknown) => {
    const { uuid } = (await send(endpoint, body)) as { uuid: string }
    await ended(url, `${endpoint.path.replace(/batch\/$/, '')}${uuid}/`, access)
    return uuid
  }
  return {
    sitemap: await start(createSitemap, { url: site.url }),
    failed: await start(createCrawl, { url: `${site.url}nowhere` }),
    batch: await start(createBatchCrawl, { urls: [1, 2, 3].map((number) => `${site.url}guide/${number}`) }),
    search: await start(createSearch, { query: 'how to steep white tea' }),
    before: await start(createCrawl, { url: site.url, options }),
    crawl: await start(createCrawl, { url: site.url, options }),
  }
}

async function ended(url: string, path: string, access: string) {
  for (;;) {
    const reply = await fetch(url + path, { headers: { authorization: `Bearer ${access}` } })
    const { status } = (await reply.json()) as { status: string }
    if (['finished', 'failed', 'canceled'].includes(status)) return
    await new Promise((next) => setTimeout(next, POLL_MS))
  }
}

async function call(url: string, { method, path }: EndpointSpec, body: unknown, access?: string): Promise<unknown> {
  const reply = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(access && { authorization: `Bearer ${access}` }) },
    body: JSON.stringify(body),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${method} ${path} was answered ${reply.status}: ${text}`)
  return text === '' ? null : JSON.parse(text)
}

/** Takes one view of all scenes: a browser per product, and a page per scene. */
async function photograph({ view, ...options }: (typeof VIEWS)[number], scenes: readonly Scene[]) {
  for (const who of WHO) {
    const mine = scenes.filter((scene) => scene.who === who)
    if (mine.length === 0) continue
    const { url } = products[who === 'guest' ? 'member' : who]
    const browser = await openBrowser(chromium, url)
    const page = await browser.newPage(options)
    await page.addInitScript(forgetDrafts)
    if (who !== 'new' && who !== 'guest') await signIn(page, OWNER)
    if (who === 'customer') await page.getByRole('button', { name: 'Accept All' }).click()
    for (const { name, path, prepare, after } of mine) {
      // Leave the page first: for a scene with the same URL the browser would not reload, and an old dialog would stay open.
      await page.goto('about:blank')
      await page.goto(path)
      await settle(page)
      if (prepare) {
        await prepare(page)
        await settle(page)
      }
      // Make the window as high as the page, so that elements fixed to an edge are at that edge.
      const height = prepare ? 0 : await page.evaluate(() => document.documentElement.scrollHeight)
      if (height > options.viewport.height) await page.setViewportSize({ ...options.viewport, height: Math.min(height, MOST_HEIGHT) })
      await page.screenshot({ path: join(out, `${name}.${view}.png`) })
      await after?.(page)
      await page.setViewportSize(options.viewport)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
    await browser.close()
  }
}

/** Runs in the page before it starts: a scene does not begin with the form that the scene before has filled in. */
function forgetDrafts() {
  for (const key of Object.keys(window.sessionStorage)) if (key.includes('draft-')) window.sessionStorage.removeItem(key)
}

/** Waits until there are no requests and no loading states; a screen that keeps loading is taken as it is. */
async function settle(page: Page) {
  const say = (what: string) => (cause: Error) => console.warn(`${page.url()} ${what}: ${cause.name}`)
  await page.waitForLoadState('networkidle', { timeout: SETTLE_MS }).catch(say('keeps asking'))
  const isThere = () =>
    document.getElementById('first-paint') === null &&
    ![...document.querySelectorAll('[data-waits], .skeleton, [role=status] > .animate-spin')].some((element) => element.checkVisibility())
  await page.waitForFunction(isThere, undefined, { timeout: SETTLE_MS }).catch(say('keeps waiting'))
}

function indexOf(scenes: readonly Scene[]): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Gallery</title>
<style>body{font:14px system-ui;margin:24px;color-scheme:light dark}section{display:flex;gap:16px;align-items:start;overflow:auto}
h2{margin:32px 0 8px}img{border:1px solid #8888;max-height:70vh}</style>
${scenes
  .map(
    ({ name, path }) =>
      `<h2>${name} <code>${path}</code></h2><section>${VIEWS.map(
        ({ view }) => `<a href="${name}.${view}.png"><img loading="lazy" src="${name}.${view}.png" alt="${name}, ${view}"></a>`,
      ).join('')}</section>`,
  )
  .join('\n')}
</html>
`
}
