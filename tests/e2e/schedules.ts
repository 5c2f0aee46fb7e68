/** Schedules, before the mock backend: made from a crawl, listed, changed, paused, started and deleted. */
import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { listCrawls } from '#contract/crawls.ts'
import { createSchedule, listSchedules, runSchedule } from '#contract/schedules.ts'
import { becomes, becomesLike } from '#tests/support/browser/becomes.ts'
import { MOCK_CRAWL } from '#tests/support/stubs/mock-backend.ts'
import { AT, page as pageOf } from '#tests/support/stubs/mock-work.ts'
import { suite } from '#tests/support/suite.ts'
import { DESKTOP, PHONE, assertAccessible, openBrowser, openSignedIn, startPage, waitForCount } from './support.ts'
import type { OpenedPage } from './support.ts'

const app = await startPage()
const browser = await openBrowser(chromium, app.url)

const schedules = suite('schedules in the browser')

const PLACE = '/dashboard/schedules'
const DETAILS = `/dashboard/logs/crawls/${MOCK_CRAWL}`

async function open(path: string, options: Parameters<typeof browser.newPage>[0] = {}) {
  const page = await browser.newPage({ timezoneId: 'Europe/Paris', ...options })
  await openSignedIn(page, path)
  return page
}

const dialog = (page: OpenedPage) => page.getByRole('dialog')
const button = (page: OpenedPage, name: string) => dialog(page).getByRole('button', { name, exact: true })
const row = (page: OpenedPage, name: string) => page.getByRole('table', { name: 'Schedules' }).getByRole('row').filter({ hasText: name })
const zone = (page: OpenedPage) => dialog(page).getByRole('combobox', { name: 'Time zone' })
const times = (page: OpenedPage) => dialog(page).getByRole('region', { name: 'Next crawls' }).getByRole('listitem')

/** The bodies of the requests of a path so far, oldest first. */
const sent = (method: string, path: string) =>
  app.backend.requests
    .filter((request) => request.method === method && request.path === path)
    .map(({ body }) => JSON.parse(String(body) || '{}') as Record<string, unknown>)

/** What the list answers, instead of what is stored. */
const answerList = (results: object[] | undefined) => app.backend.set(`GET ${listSchedules.path}`, results && { json: pageOf(results) })

const SCHEDULE = {
  uuid: '01890000-0000-7000-8000-0000000000d1',
  name: 'Prices',
  crawl_type: 'batch',
  url: 'https://shop.example/prices',
  number_of_urls: 24,
  cron: '30 6 * * 1-5',
  timezone: 'Asia/Tokyo',
  is_active: true,
  mail_changes: false,
  next_crawl_at: '2126-03-04T21:30:00Z',
  last_crawl: { uuid: MOCK_CRAWL, status: 'finished', created_at: AT, number_of_documents: 312 },
  last_problem: null,
  created_at: AT,
  updated_at: AT,
}

schedules('without schedules the screen says how to make one', async () => {
  const page = await open(PLACE)
  await page.getByRole('heading', { name: 'No schedules yet' }).waitFor()
  await page.getByText('Open a crawl that does what you want, and choose Repeat.').waitFor()
  await assertAccessible(page, 'no schedules')
  await page.getByRole('link', { name: 'Open the crawl logs' }).click()
  await page.waitForURL('**/logs/crawls')
  await page.setViewportSize(DESKTOP)
  await page.getByRole('button', { name: 'Repeat', exact: true }).click()
  await dialog(page).getByRole('heading', { name: 'Repeat this crawl' }).waitFor()
  assert.equal(page.complaints, [])
})

schedules('a schedule is made from the details of a crawl; the dialog shows the next times and names what is wrong', async () => {
  const page = await open(DETAILS)
  await page.getByRole('button', { name: 'Repeat', exact: true }).click()
  await becomes(() => dialog(page).getByLabel('Name').inputValue(), 'shop.example')
  await becomes(() => zone(page).inputValue(), 'Europe/Paris')
  await waitForCount(times(page), 5)
  await becomesLike(() => times(page).first().innerText(), /, 6:00\sAM GMT\+[12]$/)
  await assertAccessible(page, 'a new schedule')

  const often = dialog(page).getByLabel('How often')
  await often.selectOption('Every month')
  await dialog(page).getByLabel('Day of the month').selectOption('31')
  await dialog(page).getByText('Months without this day are omitted.').waitFor()
  await often.selectOption('Every hour')
  await dialog(page).getByLabel('Minute', { exact: true }).fill('75')
  await button(page, 'Create schedule').click()
  await dialog(page).getByText('Enter a number from 0 to 59').waitFor()
  await often.selectOption('Own cron expression')
  await dialog(page).getByLabel('Cron expression', { exact: true }).fill('61 6 * * *')
  await dialog(page).getByText('Enter a valid cron expression with five fields.').waitFor()
  await dialog(page).getByText('None, until the error above is corrected.').waitFor()
  await assertAccessible(page, 'a schedule with a wrong expression')

  await often.selectOption('Every week')
  await dialog(page).getByLabel('Weekday').selectOption('Sunday')
  await dialog(page).getByLabel('Time', { exact: true }).fill('18:30')
  await zone(page).fill('york')
  await page.getByRole('option', { name: 'America/New York' }).click()
  await becomesLike(() => times(page).last().innerText(), /^Sun, .*, 6:30\sPM (EST|EDT)$/)
  await dialog(page).getByLabel('Report changes by mail').check()
  const full = { code: 400, errors: { non_field_errors: ['A team has at most 100 schedules.'] }, message: 'Invalid input data.' }
  app.backend.set(`POST ${createSchedule.path}`, { status: 400, json: full })
  await button(page, 'Create schedule').click()
  await page.getByText('Failed to create the schedule. A team has at most 100 schedules.').waitFor()
  app.backend.set(`POST ${createSchedule.path}`, undefined)
  await button(page, 'Create schedule').click()
  await page.getByText('Schedule created').waitFor()
  assert.equal(sent('POST', createSchedule.path).slice(1), [
    { crawl: MOCK_CRAWL, name: 'shop.example', cron: '30 18 * * 0', timezone: 'America/New_York', mail_changes: true },
  ])
  await page.getByRole('button', { name: 'Show all schedules' }).click()
  await page.waitForURL(`**${PLACE}`)
  await row(page, 'Every Sunday at 6:30 PM').getByText('America/New_York').filter({ visible: true }).waitFor()
  // The browser reports the answer that refused the expression.
  assert.equal(
    page.complaints.filter((one) => !one.includes('400')),
    [],
  )
})

schedules('a schedule is changed, paused, started and deleted', async () => {
  const page = await open(PLACE)
  await row(page, 'shop.example').getByRole('button', { name: 'Edit shop.example' }).click()
  for (const [field, value] of [
    ['Name', 'shop.example'],
    ['How often', 'week'],
    ['Weekday', '0'],
    ['Time', '18:30'],
  ] as const)
    await becomes(() => dialog(page).getByLabel(field, { exact: true }).inputValue(), value)
  await becomes(() => zone(page).inputValue(), 'America/New York')
  await becomes(() => dialog(page).getByLabel('Report changes by mail').isChecked(), true)
  await dialog(page).getByLabel('Name').fill('Shop')
  await dialog(page).getByLabel('How often').selectOption('Every day')
  await button(page, 'Save').click()
  await row(page, 'Shop').getByText('Every day at 6:30 PM').filter({ visible: true }).waitFor()
  await row(page, 'Shop')
    .getByText(/^in \d+ (hours?|minutes?)$/)
    .waitFor()

  const active = row(page, 'Shop').getByRole('switch', { name: 'Shop: active' })
  const answered = Promise.withResolvers<void>()
  await page.route('**/crawl-schedules/*/', async (route) => {
    await answered.promise
    await route.continue()
  })
  await active.click()
  await becomes(() => active.getAttribute('aria-checked'), 'false', 'before the server has answered')
  await waitForCount(row(page, 'Shop').getByRole('cell', { name: 'Paused' }), 0)
  answered.resolve()
  await row(page, 'Shop').getByRole('cell', { name: 'Paused' }).waitFor()
  await becomes(() => active.getAttribute('aria-checked'), 'false')
  await active.click()
  await becomes(() => active.getAttribute('aria-checked'), 'true')

  await row(page, 'Shop').getByRole('cell', { name: 'None yet' }).waitFor()
  await row(page, 'Shop').getByRole('button', { name: 'Run Shop now' }).click()
  await page.getByText('The crawl has started').waitFor()
  await row(page, 'Shop').getByRole('link', { name: 'New' }).waitFor()
  const [made] = app.backend.requests.filter(({ path }) => path.endsWith('/run/'))
  assert.match(made?.path ?? '', new RegExp(`^${runSchedule.path.replace('{id}', '[\\da-f-]{36}')}$`))

  await row(page, 'Shop').getByRole('button', { name: 'Delete Shop' }).click()
  await dialog(page).getByText('Crawls that it has started stay.').waitFor()
  await button(page, 'Delete schedule').click()
  await page.getByText('Schedule deleted').waitFor()
  await page.getByRole('heading', { name: 'No schedules yet' }).waitFor()
  assert.equal(page.complaints, [])
})

schedules('a row names its URLs, its times and the problem of the last planned crawl, on a phone too', async () => {
  answerList([
    { ...SCHEDULE, last_problem: { at: '2026-03-04T21:30:00Z', problem: 'in_progress', message: 'In progress.' } },
    {
      ...SCHEDULE,
      uuid: SCHEDULE.uuid.replace(/d1$/, 'd2'),
      name: 'News',
      url: 'https://news.example/',
      cron: '0 * * * *',
      timezone: 'UTC',
      number_of_urls: 1,
      is_active: false,
      next_crawl_at: null,
      last_problem: { at: AT, problem: 'refused', message: 'Not enough credits.' },
    },
  ])
  const page = await open(PLACE)
  const prices = row(page, 'Prices')
  await prices.getByText('and 23 more').waitFor()
  await prices.getByText('30 6 * * 1-5').filter({ visible: true }).waitFor()
  await becomesLike(() => prices.getByText(/^in \d+ years$/).getAttribute('title'), /^Tue, Mar 5, 2126, 6:30\sAM GMT\+9$/)
  await prices
    .getByText(/^The crawl of Thu, Mar 5, 2026, 6:30\sAM GMT\+9 was omitted, because the one before was still in progress\.$/)
    .waitFor()
  await row(page, 'News')
    .getByText(/^The crawl of Wed, Mar 4, 2026, 9:12\sAM UTC did not start\. Not enough credits\.$/)
    .waitFor()
  await becomes(() => prices.getByRole('link', { name: 'Finished 312 pages' }).getAttribute('href'), DETAILS)
  await assertAccessible(page, 'a list of schedules')
  await page.setViewportSize(PHONE)
  await prices.getByText('30 6 * * 1-5').filter({ visible: true }).waitFor()
  await prices.getByRole('button', { name: 'Edit Prices' }).click()
  await becomes(() => dialog(page).getByLabel('Cron expression', { exact: true }).inputValue(), '30 6 * * 1-5')
  await assertAccessible(page, 'a schedule with an expression of its own')
  answerList(undefined)
  assert.equal(page.complaints, [])
})

schedules('the crawls of a schedule are shown by a filter of the log, which can be removed', async () => {
  answerList([SCHEDULE])
  app.backend.set(`GET ${listSchedules.path}${SCHEDULE.uuid}`, { json: SCHEDULE })
  const page = await open(PLACE)
  await row(page, 'Prices').getByRole('link', { name: 'Show crawls of Prices' }).click()
  await page.waitForURL(`**/logs/crawls?schedule=${SCHEDULE.uuid}`)
  await page.getByText('Schedule: Prices').waitFor()
  const asked = () =>
    app.backend.requests
      .filter(({ method, path }) => method === 'GET' && path === listCrawls.path)
      .at(-1)
      ?.query.get('schedule')
  await becomes(async () => asked(), SCHEDULE.uuid)
  await assertAccessible(page, 'the log of a schedule')
  await page.getByRole('button', { name: 'Remove this filter' }).click()
  await page.waitForURL('**/logs/crawls')
  await becomes(async () => asked(), null)
  await becomes(() => page.evaluate(() => document.activeElement?.getAttribute('type')), 'search', 'the focus stays among the filters')
  await page.goto('/dashboard/logs/crawls?schedule=01890000-0000-7000-8000-0000000000ff')
  await page.getByText('Schedule: deleted').waitFor()
  answerList(undefined)
})

schedules('the time until the next crawl counts down to seconds', async () => {
  const page = await browser.newPage()
  const now = new Date()
  await page.clock.install({ time: now })
  answerList([{ ...SCHEDULE, next_crawl_at: new Date(now.getTime() + 65 * 60_000).toISOString() }])
  await openSignedIn(page, PLACE)
  const next = row(page, 'Prices').locator('time')
  await becomes(() => next.innerText(), 'in 1 hour')
  await page.clock.fastForward(60 * 60_000)
  await becomesLike(() => next.innerText(), /^in [45] minutes$/)
  await page.clock.runFor(4.5 * 60_000)
  await becomesLike(() => next.innerText(), /^in \d+ seconds$/)
  answerList(undefined)
})

schedules('a new time of the next crawl is counted from now, also if the time before was hours away', async () => {
  const page = await browser.newPage()
  const now = new Date()
  await page.clock.install({ time: now })
  const nextIn = (minutes: number) => ({ ...SCHEDULE, next_crawl_at: new Date(now.getTime() + minutes * 60_000).toISOString() })
  const patched = `PATCH ${listSchedules.path}${SCHEDULE.uuid}`
  answerList([nextIn(330)])
  app.backend.set(patched, { json: nextIn(21) })
  await openSignedIn(page, PLACE)
  const next = row(page, 'Prices').locator('time')
  await becomes(() => next.innerText(), 'in 5 hours')
  await page.clock.fastForward(9 * 60_000)
  await row(page, 'Prices').getByRole('switch').click()
  await becomesLike(() => next.innerText(), /^in 1[12] minutes$/)
  answerList(undefined)
  app.backend.set(patched, undefined)
})

schedules('the crawl log and the palette lead to the schedules, other logs do not', async () => {
  const page = await open('/dashboard/logs/searches')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await waitForCount(page.getByRole('main').getByRole('link', { name: 'Schedules' }), 0)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find or do anything' }).fill('schedules')
  await page.getByRole('option').getByText('Schedules', { exact: true }).click()
  await page.waitForURL(`**${PLACE}`)
  await page.goto('/dashboard/logs/crawls')
  await page.getByRole('main').getByRole('link', { name: 'Schedules' }).click()
  await page.waitForURL(`**${PLACE}`)
})

schedules('a list that could not be loaded says so, and a page that does not exist leads to the first page', async () => {
  app.backend.set(`GET ${listSchedules.path}`, { status: 404, json: { code: 404, errors: null, message: 'Invalid page.' } })
  const page = await open(`${PLACE}?page=7`)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await page.getByRole('button', { name: 'To the first page' }).click()
  await page.getByRole('heading', { name: 'The schedules could not be loaded' }).waitFor()
  await assertAccessible(page, 'schedules that could not be loaded')
  answerList([])
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'No schedules yet' }).waitFor()
})

schedules('all requests and answers follow the contract', () => {
  assert.equal(app.backend.breaches, [])
})

schedules.run()
