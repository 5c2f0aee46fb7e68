/** A walk through every dashboard route of the specification: each must render its own finished screen, whatever answers behind the gateway. */
import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import { becomes } from '#tests/support/browser/becomes.ts'
import { DESKTOP } from '#tests/e2e/support.ts'
import type { OpenedPage } from '#tests/e2e/support.ts'
import { axeFindings } from './axe.ts'

export type Stop = {
  path: string
  /** The screen's own heading. */
  heading: string | RegExp
  /** Words of its content, from the server if it shows data. */
  shows?: string | RegExp
  /** The path of the redirect, if there is one. */
  leadsTo?: string
}

/** Jobs on the server: their ids, and a word of each that identifies it. */
export type Work = { crawl: string; search: string; sitemap: string; host: string; query: string }

/** Every dashboard route outside enterprise mode, in the order of the specification. */
export const stopsOf = ({ crawl, host, query, search, sitemap }: Work): Stop[] => {
  const ofHost = new RegExp(host.replaceAll('.', '\\.'))
  return [
    { path: '/dashboard', heading: /^Welcome/, shows: ofHost },
    { path: '/dashboard/playground', heading: 'Crawl Playground', leadsTo: '/dashboard/crawl' },
    { path: '/dashboard/crawl', heading: 'Crawl Playground', shows: 'Spider Options' },
    { path: '/dashboard/search', heading: 'Search Playground' },
    { path: '/dashboard/sitemap', heading: 'Sitemap Playground' },
    { path: '/dashboard/logs/crawls', heading: 'Activity Logs', shows: ofHost },
    { path: `/dashboard/logs/crawls/${crawl}`, heading: ofHost, shows: 'Try in Crawl Playground' },
    { path: '/dashboard/logs/searches', heading: 'Search History', shows: query },
    { path: `/dashboard/logs/searches/${search}`, heading: query },
    { path: '/dashboard/logs/sitemaps', heading: 'Sitemap History', shows: ofHost },
    { path: `/dashboard/logs/sitemaps/${sitemap}`, heading: ofHost, shows: /Found \d+ URLs?/ },
    { path: '/dashboard/schedules', heading: 'Schedules', shows: 'No schedules yet' },
    { path: '/dashboard/usage', heading: 'Usage' },
    { path: '/dashboard/api-keys', heading: 'API Keys' },
    { path: '/dashboard/settings', heading: 'Settings', shows: 'Team name' },
    { path: '/dashboard/settings#proxy', heading: 'Settings', shows: 'Proxy servers' },
    { path: '/dashboard/profile', heading: 'Profile' },
    { path: '/dashboard/api-reference', heading: 'API Reference', shows: 'Crawl Requests' },
    { path: '/dashboard/plans', heading: 'Page not found' },
    { path: '/dashboard/no-such-place', heading: 'Page not found' },
    { path: '/no-such-place', heading: 'Page not found' },
  ]
}

/** The title of the route's test, with its rows of the checklist. */
export function titleOf({ heading, leadsTo, path }: Stop): string {
  const place = path.replaceAll(/[\da-f-]{36}/g, '{id}')
  const rows = heading === 'Page not found' ? 'S-DSH-08' : /settings|profile|api-reference/.test(path) ? 'S-DSH-01 S-WRK-07' : 'S-DSH-01'
  if (leadsTo !== undefined) return `${rows} ${place} redirects to ${leadsTo}`
  return heading === 'Page not found' ? `${rows} ${place} is no place` : `${rows} ${place} renders its own screen`
}

/** Opens a route by its URL, and checks that its screen is finished: heading, content, no errors. */
export async function visit(page: OpenedPage, { heading, leadsTo, path, shows }: Stop): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1, name: heading, ...(typeof heading === 'string' && { exact: true }) }).waitFor()
  if (shows !== undefined) await page.locator('main').getByText(shows).filter({ visible: true }).first().waitFor()
  // The screen is finished when nothing loads any more.
  await page
    .getByRole('main')
    .getByText(/^Loading/)
    .first()
    .waitFor({ state: 'detached' })
  await page.getByText('Updating…').first().waitFor({ state: 'detached' })
  const { hash, pathname } = new URL(page.url())
  assert.is(pathname + hash, leadsTo ?? path)
  await becomes(() => page.getByRole('heading', { level: 1 }).count(), 1, `${path} has one heading`)
  await becomes(() => page.getByRole('alert').allInnerTexts(), [], `${path} says nothing is wrong`)
  assert.equal(page.complaints, [], `${path}: the console is quiet`)
}

/** The same, and that the screen is accessible in both themes, and that nothing overflows. */
export async function inspect(page: OpenedPage, stop: Stop): Promise<void> {
  await visit(page, stop)
  for (const theme of ['light', 'dark'] as const) await assertReadable(page, stop.path, theme)
  for (const width of [320, 390, 1024]) await assertFits(page, stop.path, width)
  await page.setViewportSize(DESKTOP)
  assert.equal(page.complaints, [], `${stop.path}: the console is quiet`)
}

async function assertReadable(page: Page, path: string, theme: 'light' | 'dark') {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  await page.waitForFunction((wanted) => document.documentElement.dataset['theme'] === wanted, theme)
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
  assert.equal(await axeFindings(page, { onlyColours: theme === 'dark' }), [], `${path}, ${theme}: axe finds nothing`)
}

async function assertFits(page: Page, path: string, width: number) {
  await page.setViewportSize({ width, height: 800 })
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  assert.ok(excess <= 0, `${path} at ${width}: ${excess} px stick out of the window`)
}
