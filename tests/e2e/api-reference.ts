/** The API reference: every operation of an API key is described, can be searched for, and can be sent. */
import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import { chromium } from 'playwright'
import type { Locator, Page } from 'playwright'
import * as assert from 'uvu/assert'
import { createCrawl, getCrawl, listCrawls } from '#contract/crawls.ts'
import type { CrawlRequest } from '#contract/crawls.ts'
import { getTeamSchema } from '#contract/reference.ts'
import type { ApiDocument } from '#contract/reference.ts'
import { becomes, becomesLike } from '#tests/support/browser/becomes.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { startSmallSite } from '#tests/support/sites/small-site.ts'
import { serve } from '#tests/support/stubs/serve.ts'
import { suite } from '#tests/support/suite.ts'
import * as de from '#web/texts/de/reference.ts'
import { PHONE, assertAccessible, drawn, enter, openBrowser, openSignedIn, waitForCount } from './support.ts'
import type { OpenedPage } from './support.ts'

const PLACE = '/dashboard/api-reference'

const product = await startProduct()
const site = await startSmallSite()
const browser = await openBrowser(chromium, product.url)
const description = (await (await fetch(product.url + getTeamSchema.path)).json()) as ApiDocument

/** A slow site: a reader that follows its crawl has to stop by itself. */
const slow = createServer(() => undefined)
const slowUrl = `${(await serve(slow)).url}/`

const reference = suite('the API reference')

/** Opens the screen and waits for the description. */
async function openReference(hash = ''): Promise<OpenedPage> {
  const page = await browser.newPage()
  await openSignedIn(page, PLACE + hash, OWNER)
  await page.getByRole('heading', { name: 'Crawl Requests', exact: true }).waitFor()
  return page
}

/** The operation's form, open, with the team's key chosen. */
async function tryIt(page: Page, id: string): Promise<Locator> {
  const section = page.locator(`section#${id}`)
  await section.getByRole('button', { name: /^Try it/ }).click()
  const form = section.getByRole('form')
  const option = form.getByRole('combobox', { name: 'API key' }).locator('option').nth(1)
  await option.waitFor({ state: 'attached' })
  await form.getByRole('combobox', { name: 'API key' }).selectOption((await option.getAttribute('value')) ?? '')
  return form
}

const send = (form: Locator) => form.getByRole('button', { name: 'Send', exact: true }).click()
const answerOf = (form: Locator) => form.getByRole('region', { name: 'Answer', exact: true })

/** Waits until the function holds. */
async function until(holds: () => boolean | Promise<boolean>, what: string) {
  for (let left = 200; left > 0; left--) {
    if (await holds()) return
    await new Promise((soon) => setTimeout(soon, 25))
  }
  throw new Error(`${what}: it never came to that`)
}

reference(
  'S-DSH-01 S-WRK-07 the reference shows every operation that a key can call, under its tag, and sends no request elsewhere',
  async () => {
    const page = await browser.newPage()
    await enter(page, OWNER)
    const foreign: string[] = []
    page.on('request', (request) => {
      // Only the star count in the frame comes from another host, on every screen.
      const { origin, hostname } = new URL(request.url())
      if (origin !== product.url && hostname !== 'api.github.com') foreign.push(request.url())
    })
    await page.goto(PLACE)
    await page.getByRole('heading', { level: 1, name: 'API Reference' }).waitFor()
    await page.getByRole('heading', { name: 'Authentication', exact: true }).waitFor()
    const navigation = page.getByRole('navigation', { name: 'API operations' })
    const operations = Object.values(description.paths).flatMap((item) => Object.values(item))
    await waitForCount(page.getByRole('heading', { level: 3 }), operations.length)
    for (const { name } of description.tags) await page.getByRole('heading', { level: 2, name, exact: true }).waitFor()
    for (const { operationId, summary } of operations)
      await becomes(
        () =>
          navigation
            .locator(`a[href="#${operationId}"]`)
            .textContent()
            .then((text) => text?.endsWith(summary)),
        true,
        operationId,
      )
    const parameters = page.getByRole('list', { name: 'Query parameters' })
    await becomes(async () => (await parameters.count()) < operations.length / 2, true, 'what is far away is not drawn yet')
    for (let y = 0; y < (await page.evaluate(() => document.body.scrollHeight)); y += 700) {
      await page.evaluate((top) => window.scrollTo(0, top), y)
      await drawn(page)
    }
    await page.locator('section#searchOwnPages').getByRole('list', { name: 'Query parameters' }).waitFor()
    assert.equal(foreign, [])
    assert.equal(
      page.complaints.filter((complaint) => !complaint.includes('api.github.com')),
      [],
    )
    await page.context().close()
  },
)

reference('S-WRK-07 an operation shows its parameters, its body with nested fields, its answers and errors', async () => {
  const page = await openReference('#createCrawl')
  const section = page.locator('section#createCrawl')
  const body = section.getByRole('list', { name: 'Fields of the body' })
  await body.getByText('required', { exact: true }).waitFor()
  await body.getByText('at most 2,048 characters').waitFor()
  const inside = section.getByRole('list', { name: 'Fields of options' })
  await waitForCount(inside, 0)
  await body.getByRole('button', { name: /fields of options$/ }).click()
  await inside.getByRole('button', { name: /fields of spider_options$/ }).click()
  const spider = section.getByRole('list', { name: 'Fields of spider_options' })
  await spider.getByText('page_limit', { exact: true }).waitFor()
  await spider.getByText('Default').first().waitFor()
  await assertAccessible(page, 'the API reference with a nested schema')
  await section.getByRole('button', { name: /^Errors: 400, 401, 403/ }).click()
  await section.getByRole('button', { name: 'Example of 401' }).click()
  await section.getByRole('region', { name: 'Example of 401' }).getByText('Unknown API key.').waitFor()
  const follow = page.locator('section#followCrawl')
  await page.goto(`${PLACE}#followCrawl`)
  await follow.getByRole('button', { name: 'state' }).click()
  await follow.getByText('Kind of the event.').waitFor()
  await page.context().close()
})

reference('S-WRK-07 the URL leads to an operation and follows the reader; Back returns', async () => {
  const page = await openReference('#stopSearch')
  const navigation = page.getByRole('navigation', { name: 'API operations' })
  const current = navigation.locator('[aria-current]')
  const isInSight = (id: string) =>
    page.evaluate((target) => {
      const { top } = (document.getElementById(target) as HTMLElement).getBoundingClientRect()
      return top > -10 && top < window.innerHeight / 2
    }, id)
  await until(() => isInSight('stopSearch'), 'the operation of the URL is in sight')
  await until(async () => (await current.getAttribute('href')) === '#stopSearch', 'and is marked')
  await navigation.locator('a[href="#listSitemapUrls"]').click()
  await until(() => isInSight('listSitemapUrls'), 'the chosen operation is in sight')
  assert.is(new URL(page.url()).hash, '#listSitemapUrls')
  await until(async () => (await current.getAttribute('href')) === '#listSitemapUrls', 'and is marked')
  await page.mouse.move(900, 500)
  await until(async () => {
    await page.mouse.wheel(0, 400)
    return (await current.getAttribute('href')) !== '#listSitemapUrls'
  }, 'reading on moves the mark')
  await until(async () => new URL(page.url()).hash === (await current.getAttribute('href')), 'and the URL')
  await page.goBack()
  await until(() => new URL(page.url()).hash === '#stopSearch', 'reading leaves no trail of its own')
  await page.context().close()
})

reference('S-WRK-07 a search filters navigation and content to operations with all words; Escape clears it', async () => {
  const page = await openReference()
  const search = page.getByRole('searchbox', { name: 'Search the reference' })
  await search.fill('delete crawl')
  await page.locator('section#createCrawl').waitFor({ state: 'detached' })
  await page.locator('section#deleteCrawls').waitFor()
  const found = () => page.getByRole('heading', { level: 3 }).count()
  const links = page.getByRole('navigation', { name: 'API operations' }).getByRole('link')
  await becomes(async () => (await found()) < 10, true, 'few operations speak of deleting crawls')
  await becomes(async () => (await links.count()) === (await found()), true, 'and they are the ones in the navigation')
  await search.fill('nothing-of-this-kind')
  await page.getByRole('heading', { name: 'No operation has these words' }).waitFor()
  await assertAccessible(page, 'a search without a find')
  await page.getByRole('button', { name: 'Clear the search' }).last().click()
  await page.getByRole('heading', { name: 'Authentication', exact: true }).waitFor()
  await search.fill('sitemap')
  await search.press('Escape')
  await page.getByRole('heading', { name: 'Authentication', exact: true }).waitFor()
  await page.context().close()
})

reference('S-WRK-07 a shell can run the cURL line: without a key it has a placeholder, with a key it gets an answer', async () => {
  const page = await openReference('#listCrawls')
  const section = page.locator('section#listCrawls')
  const curl = section.getByRole('region', { name: /^cURL/ })
  await curl.getByText('YOUR_API_KEY').waitFor()
  const form = await tryIt(page, 'listCrawls')
  const label = await form
    .getByRole('combobox', { name: 'API key' })
    .evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text)
  assert.match(label ?? '', /^Default \(\*\*\*\w{4}\)$/)
  await form.getByText('Optional parameters').click()
  await form.getByRole('combobox', { name: 'status', exact: true }).selectOption('finished')
  await curl.getByText('?status=finished').waitFor()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await section.getByRole('button', { name: 'Copy' }).first().click()
  await page.getByText('Copied to the clipboard').waitFor()
  const command = await page.evaluate(() => navigator.clipboard.readText())
  assert.ok(command.includes(`'${product.url}${listCrawls.path}?status=finished'`))
  if (spawnSync('curl', ['--version']).error === undefined) {
    const { stdout } = spawnSync('sh', ['-c', command.replace(/^curl/, 'curl -sS')], { encoding: 'utf8' })
    assert.is((JSON.parse(stdout) as { count: number }).count, 0)
  }
  await page.context().close()
})

reference(
  'S-WRK-07 "try it" sends a real request with the key and without the session, and shows status, time, headers and body',
  async () => {
    const page = await openReference('#createCrawl')
    const form = await tryIt(page, 'createCrawl')
    const body = form.getByRole('textbox', { name: 'Body' })
    await body.fill('{ "url": ')
    await form.getByText(/^This is not JSON/).waitFor()
    let asked = 0
    page.on('request', (request) => void (asked += request.method() === 'POST' && request.url().endsWith(createCrawl.path) ? 1 : 0))
    await send(form)
    await body.fill(JSON.stringify({ url: site.url, options: { spider_options: { max_depth: 1, page_limit: 5 } } }))
    await waitForCount(form.getByText(/^This is not JSON/), 0)
    assert.is(asked, 0, 'what is no JSON is not sent')
    const requested = page.waitForRequest((request) => request.url() === product.url + createCrawl.path)
    await send(form)
    const headers = await (await requested).allHeaders()
    assert.ok(headers['x-api-key']?.startsWith('sn-') || (headers['x-api-key'] ?? '').length > 20)
    assert.is(headers['authorization'], undefined)
    assert.is(headers['x-team-id'], undefined)
    assert.is(headers['cookie'], undefined)
    const answer = answerOf(form)
    await answer.getByText('201 Created').waitFor()
    await answer.getByText(/^\d+ ms$/).waitFor()
    await answer.getByText(/^\d+ headers$/).click()
    await answer.getByText('content-type:').waitFor()
    const answerBody = answer.getByRole('region', { name: 'Answer body' })
    await becomesLike(() => answerBody.innerText(), /^\{\n  "uuid"[^]*\n\}\s*$/, 'the body is laid out')
    const text = await answerBody.innerText()
    const crawl = JSON.parse(text) as CrawlRequest
    assert.is(crawl.url, site.url)
    await assertAccessible(page, 'an answer')
    await page.context().close()
  },
)

async function newCrawl(page: Page, url: string): Promise<CrawlRequest> {
  return page.evaluate(
    async ([path, target]) => {
      const headers = { authorization: `Bearer ${localStorage.getItem('access_token')}`, 'content-type': 'application/json' }
      const options = { spider_options: { max_depth: 1, page_limit: 5 } }
      return (await (await fetch(path, { method: 'POST', headers, body: JSON.stringify({ url: target, options }) })).json()) as CrawlRequest
    },
    [createCrawl.path, url] as const,
  )
}

reference('S-WRK-07 a stream is shown live, to its end or until it is stopped', async () => {
  const page = await openReference('#followCrawl')
  const ends = await newCrawl(page, site.url)
  const form = await tryIt(page, 'followCrawl')
  const id = form.getByRole('textbox', { name: 'id (path)' })
  await send(form)
  await form.getByText('This field is required.').waitFor()
  await id.and(page.locator(':focus')).waitFor()
  await id.fill(ends.uuid)
  await send(form)
  const answer = answerOf(form)
  await answer.getByText(/"status":"finished"/).waitFor()
  await answer.getByRole('button', { name: 'Download' }).waitFor()

  const lasts = await newCrawl(page, slowUrl)
  await id.fill(lasts.uuid)
  await send(form)
  await answer.getByText('Receiving events…').waitFor()
  await answer.getByText(new RegExp(`data: .*${lasts.uuid}`)).waitFor()
  await form.getByRole('button', { name: 'Stop' }).click()
  await answer.getByText('Stopped').waitFor()
  await becomesLike(() => answer.getByRole('region', { name: 'Answer body' }).innerText(), /^data: /, 'what had come stays')
  await form.getByRole('button', { name: 'Send', exact: true }).waitFor()
  await page.context().close()
})

reference('S-WRK-07 a running request can be stopped in German too', async () => {
  const page = await browser.newPage({ locale: 'de-DE' })
  await openSignedIn(page, `${PLACE}#followCrawl`, OWNER)
  const section = page.locator('section#followCrawl')
  // The document is English in every dashboard.
  await becomes(() => section.getByRole('heading', { level: 3 }).locator('[lang=en]').count(), 1, 'its English title says so')
  await section.getByRole('button', { name: de.tryIt }).click()
  const form = section.getByRole('form')
  const key = form.getByRole('combobox').first()
  const option = key.locator('option').nth(1)
  await option.waitFor({ state: 'attached' })
  await key.selectOption((await option.getAttribute('value')) ?? '')
  const lasts = await newCrawl(page, slowUrl)
  await form.getByRole('textbox', { name: 'id (path)' }).fill(lasts.uuid)
  await form.getByRole('button', { name: de.send, exact: true }).click()
  await form.getByText(de.receivingEvents).waitFor()
  await form.getByRole('button', { name: de.stop, exact: true }).click()
  await form.getByText(de.stopped).waitFor()
})

reference('S-WRK-07 a file can be saved under the name that the server gives it', async () => {
  const page = await openReference('#downloadCrawl')
  const crawl = await newCrawl(page, site.url)
  await page.evaluate(
    async (path) => {
      const headers = { authorization: `Bearer ${localStorage.getItem('access_token')}` }
      await (await fetch(`${path}status/`, { headers })).text()
    },
    getCrawl.path.replace('{id}', crawl.uuid),
  )
  const form = await tryIt(page, 'downloadCrawl')
  await form.getByRole('textbox', { name: 'id (path)' }).fill(crawl.uuid)
  await send(form)
  const saving = page.waitForEvent('download')
  await answerOf(form).getByRole('button', { name: 'Download' }).click()
  const download = await saving
  assert.match(download.suggestedFilename(), /\.zip$/)
  assert.is((await readFile(await download.path())).subarray(0, 2).toString('latin1'), 'PK')
  await page.context().close()
})

reference('S-WRK-07 a deletion asks for confirmation, and does nothing if the user cancels', async () => {
  const page = await openReference('#stopCrawl')
  const crawl = await newCrawl(page, slowUrl)
  const form = await tryIt(page, 'stopCrawl')
  await form.getByRole('textbox', { name: 'id (path)' }).fill(crawl.uuid)
  let deletions = 0
  page.on('request', (request) => void (deletions += request.method() === 'DELETE' ? 1 : 0))
  await send(form)
  const question = page.getByRole('dialog', { name: 'Send this request?' })
  await question.getByText(crawl.uuid).waitFor()
  await page.keyboard.press('Escape')
  await waitForCount(question, 0)
  assert.is(deletions, 0)
  await send(form)
  await question.getByRole('button', { name: 'Send DELETE' }).click()
  await answerOf(form).getByText('204 No Content').waitFor()
  await answerOf(form).getByText('The answer is empty.').waitFor()
  assert.is(deletions, 1)
  await page.context().close()
})

reference('S-WRK-07 an error is shown like any answer; a server that cannot be reached is reported', async () => {
  const page = await openReference('#getCrawl')
  const form = await tryIt(page, 'getCrawl')
  await form.getByRole('textbox', { name: 'id (path)' }).fill('nothing')
  await send(form)
  await answerOf(form).getByText('404 Not Found').waitFor()
  await answerOf(form).getByText('"Not found."').waitFor()
  await page.route(`**${getCrawl.path.replace('{id}', 'gone')}`, (route) => route.abort())
  await form.getByRole('textbox', { name: 'id (path)' }).fill('gone')
  await send(form)
  await form.getByRole('alert').getByText('The server could not be reached').waitFor()
  await page.context().close()
})

reference('S-WRK-07 the reference works with the keyboard alone, and on a phone with a list', async () => {
  const page = await openReference()
  await page.getByRole('searchbox', { name: 'Search the reference' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await becomes(() => page.evaluate(() => document.activeElement?.getAttribute('href')), '#authentication')
  await page.keyboard.press('Enter')
  await until(() => new URL(page.url()).hash === '#authentication', 'Enter follows the link')
  await page
    .locator('section#listCrawls')
    .getByRole('button', { name: /^Try it/ })
    .focus()
  await page.keyboard.press('Enter')
  const key = page.getByRole('form').getByRole('combobox', { name: 'API key' })
  await until(() => key.evaluate((select) => select === document.activeElement), 'the form takes the focus')

  await page.setViewportSize(PHONE)
  await page.getByRole('combobox', { name: 'Go to' }).selectOption('createSearch')
  await until(
    () => page.evaluate(() => Math.abs((document.getElementById('createSearch') as HTMLElement).getBoundingClientRect().top - 128) < 40),
    'the chosen operation stands below what sticks to the top',
  )
  await page.context().close()
})

reference('S-WRK-07 the reference says when there is no description, and offers a retry', async () => {
  const page = await browser.newPage()
  await enter(page, OWNER)
  // The screen also asks again by itself, so each answer stays until the test wants the next.
  let answer: object | null = { status: 500, body: '' }
  await page.route(`**${getTeamSchema.path}`, (route) => (answer === null ? route.fallback() : route.fulfill(answer)))
  await page.goto(PLACE)
  await page.getByRole('heading', { name: 'Failed to load the API reference' }).waitFor()
  await assertAccessible(page, 'an API reference without a description')
  answer = { json: { swagger: 'no' } }
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('The answer of the server is not an OpenAPI document.').waitFor({ state: 'attached' })
  answer = null
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Crawl Requests', exact: true }).waitFor()
  await page.context().close()
})

reference.run()
