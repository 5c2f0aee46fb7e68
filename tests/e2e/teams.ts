import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { becomes, becomesLike } from '#tests/support/browser/becomes.ts'
import { suite } from '#tests/support/suite.ts'
import { assertAccessible, openBrowser, openSignedIn, signIn, startPage } from './support.ts'

const AT = '2026-03-04T09:12:33.481920Z'
const team = (number: number, name: string) => ({
  uuid: `01890000-0000-7000-8000-0000000000a${number}`,
  name,
  is_default: number === 1,
  is_owner: true,
  members_count: 1,
  created_at: AT,
  updated_at: AT,
})

const app = await startPage()
const browser = await openBrowser(chromium, app.url)
const TWO = [team(1, 'Sturgeon'), team(2, 'Lamprey')]

const sent = (method: string, path: string) => app.backend.requests.filter((one) => one.method === method && one.path === path)

const teams = suite('team switcher')
teams.before.each(() => {
  app.backend.set('GET /api/v1/user/teams/', { json: TWO })
  app.backend.set('GET /api/v1/user/teams/current/', { json: TWO[0] })
})

teams('S-TEA-01 the switcher shows the current team and the list, and creates a team in a dialog', async () => {
  const page = await browser.newPage()
  await signIn(page)
  const switcher = page.getByRole('button', { name: 'Team: Sturgeon' })
  await switcher.click()
  const menu = page.getByRole('menu')
  await becomes(
    () =>
      menu
        .getByRole('menuitemradio')
        .allInnerTexts()
        .then((all) => all.map((text) => text.replace(/^\S\n/, ''))),
    ['Sturgeon', 'Lamprey'],
  )
  await becomes(() => menu.getByRole('menuitemradio', { name: 'Sturgeon' }).getAttribute('aria-checked'), 'true')
  await menu.getByRole('menuitem', { name: 'Create Team' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Team' })
  await becomes(() => dialog.getByRole('button', { name: 'Cancel' }).isVisible(), true)
  await becomes(() => page.evaluate(() => document.activeElement?.tagName), 'INPUT', 'one can type at once')
  await dialog.getByLabel('Team Name').fill('Salmon')
  app.backend.set('GET /api/v1/user/teams/', { json: [...TWO, team(3, 'Salmon')] })
  app.backend.set('POST /api/v1/user/teams/', { status: 201, json: team(3, 'Salmon') })
  app.backend.set('GET /api/v1/user/teams/current/', { json: team(3, 'Salmon') })
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Team: Salmon' }).waitFor()
  app.backend.set('POST /api/v1/user/teams/', undefined)
})

teams('S-TEA-01 the name of a new team is not validated before it is sent, and a failure is only logged', async () => {
  const page = await browser.newPage()
  await signIn(page)
  app.backend.set('POST /api/v1/user/teams/', {
    status: 400,
    json: { code: 400, errors: { name: ['This field may not be blank.'] }, message: 'Invalid input data.' },
  })
  await page.getByRole('button', { name: 'Team: Sturgeon' }).click()
  await page.getByRole('menuitem', { name: 'Create Team' }).click()
  const logged = page.waitForEvent('console', (message) => message.text().includes('the team could not be created'))
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await logged
  const sent = app.backend.requests.filter(({ method, path }) => method === 'POST' && path === '/api/v1/user/teams/').at(-1)
  assert.equal(JSON.parse(String(sent?.body)), { name: '' })
  await becomes(() => page.getByRole('dialog', { name: 'Create Team' }).isVisible(), true, 'it stays for another try')
  await becomes(() => page.locator('[data-toast]').count(), 0)
  await becomes(() => page.getByText('This field may not be blank.').count(), 0)
  app.backend.set('POST /api/v1/user/teams/', undefined)
})

teams('S-TEA-02 S-DSH-04 S-SES-06 a switch to another team is stored, sent with requests, and reloads the screen', async () => {
  const page = await browser.newPage()
  await openSignedIn(page, '/dashboard/settings')
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByLabel('Team name').fill('half typed')
  const lamprey = TWO[1]?.uuid
  app.backend.set('GET /api/v1/user/teams/current/', { json: TWO[1] })
  await page.getByRole('button', { name: /^Team:/ }).click()
  await page.getByRole('menuitemradio', { name: 'Lamprey' }).click()
  await page.getByRole('button', { name: 'Team: Lamprey' }).waitFor()
  await page.getByRole('main').getByText('Lamprey', { exact: true }).waitFor()
  await becomes(() => page.getByLabel('Team name').count(), 0, 'what was typed for the other team is cleared')
  await becomes(() => page.evaluate(() => localStorage.getItem('current_team')), lamprey)
  const last = app.backend.requests.filter(({ path }) => path === '/api/v1/user/teams/current/').at(-1)
  assert.is(last?.headers['x-team-id'], lamprey)
  assert.match(String(last?.headers.authorization), /^Bearer /)
  await page.reload()
  await page.getByRole('button', { name: 'Team: Lamprey' }).waitFor()
})

teams('the menu works with the keyboard, and the focus returns to its button', async () => {
  const page = await browser.newPage()
  await signIn(page)
  const switcher = page.getByRole('button', { name: 'Team: Sturgeon' })
  await switcher.focus()
  await page.keyboard.press('Enter')
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  await becomesLike(() => focused(), /Sturgeon/)
  await page.keyboard.press('ArrowDown')
  await becomesLike(() => focused(), /Lamprey/)
  await page.keyboard.press('End')
  await becomesLike(() => focused(), /Create Team/)
  await page.keyboard.press('ArrowDown')
  await becomesLike(() => focused(), /Sturgeon/, 'it goes round')
  await page.keyboard.press('Escape')
  await becomesLike(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')), /^Team:/)
  await page.getByRole('menu').waitFor({ state: 'hidden' })
  await page.locator('[aria-haspopup=menu][aria-expanded=false]').waitFor()
  await switcher.click()
  await page.getByRole('menu').waitFor()
  await switcher.click()
  await page.getByRole('menu').waitFor({ state: 'hidden' })
})

teams('the height of a dialog follows from its content, without a share of that height: Safari takes it for nothing', async () => {
  const page = await browser.newPage()
  await openSignedIn(page, '/dashboard')
  await page.getByRole('button', { name: 'Team: Sturgeon' }).click()
  await page.getByRole('menuitem', { name: 'Create Team' }).click()
  const content = page.getByRole('dialog', { name: 'Create Team' }).locator('> div')
  await becomes(() => content.evaluate((element) => getComputedStyle(element).maxHeight), 'none')
})

teams('menu and dialog are accessible, and the dialog traps the focus and returns it', async () => {
  const page = await browser.newPage()
  await signIn(page)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Team: Sturgeon' }).click()
  await assertAccessible(page, 'team menu')
  await page.getByRole('menuitem', { name: 'Create Team' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Team' })
  await dialog.waitFor()
  await assertAccessible(page, 'team dialog')
  for (let press = 0; press < 8; press++) {
    await page.keyboard.press('Tab')
    await becomes(
      () => page.evaluate(() => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null),
      true,
    )
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await becomesLike(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')), /^Team:/)
})

teams('S-TEA-05 a user removed from the current team is told so, and works in the team that the server chooses', async () => {
  const page = await browser.newPage()
  await signIn(page)
  await page.evaluate((id) => localStorage.setItem('current_team', id), team(9, 'Gone').uuid)
  await page.reload()
  await page.getByText('You are no longer a member of that team. This is Sturgeon now.').waitFor()
  await page.getByRole('button', { name: 'Team: Sturgeon' }).waitFor()
  await becomes(() => page.evaluate(() => localStorage.getItem('current_team')), TWO[0]?.uuid)
  assert.is(sent('GET', '/api/v1/user/teams/current/').at(-1)?.headers['x-team-id'], TWO[0]?.uuid)
})

teams.run()
