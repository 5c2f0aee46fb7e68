import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { becomes } from '#tests/support/browser/becomes.ts'
import { MOCK_CRAWL } from '#tests/support/stubs/mock-backend.ts'
import { page as listOf, result } from '#tests/support/stubs/mock-work.ts'
import { suite } from '#tests/support/suite.ts'
import { enter, openBrowser, openSignedIn, startPage } from './support.ts'
import type { OpenedPage } from './support.ts'

const MEGABYTE = 1_000_000
const PREVIEW = 210_000
const CRAWL = `/api/v1/core/crawl-requests/${MOCK_CRAWL}`
const product = await startPage()
const browser = await openBrowser(chromium, product.url)

const paragraph = (number: number) =>
  `# Chapter ${number}\n\nWater and leaves, **a pot**, see [the shop](https://shop.example/${number}).\n\n`
const markdown = Array.from({ length: 60_000 }, (_, number) => paragraph(number))
  .join('')
  .slice(0, 5 * MEGABYTE)
const html = `<main>${Array.from({ length: 40_000 }, (_, number) => `<p class="leaf">Leaf ${number} <a href="/${number}">more</a></p>\n`).join('')}</main>`
const links = Array.from({ length: 5000 }, (_, number) => `https://shop.example/${number}`)
const heavy = { ...result(1, true), result: { metadata: { title: 'Heavy', status_code: '200' }, markdown, html, links } }

product.backend.set(`GET ${CRAWL}/results`, { json: listOf([heavy]) })
product.backend.set(`GET ${CRAWL}/results/${heavy.uuid}`, { json: heavy })

const pages = suite('very long pages')

async function open() {
  const page = await browser.newPage()
  await openSignedIn(page, `/dashboard/logs/crawls/${MOCK_CRAWL}`)
  await page.locator('.rendered-markdown').getByText('Chapter 0').waitFor()
  return page
}

/** Waits until the panel has stopped growing, and returns the length of its text. */
const textLength = (page: OpenedPage) =>
  page.getByRole('tabpanel', { name: /^(Markdown|JSON|HTML|Links)/ }).evaluate(async (panel) => {
    for (let before = -1, quiet = 0; quiet < 20; quiet++) {
      if (panel.innerHTML.length !== before) quiet = 0
      before = panel.innerHTML.length
      await new Promise((next) => requestAnimationFrame(next))
    }
    return panel.textContent.length
  })

pages('V7: a page of five megabytes shows its beginning on each tab, and the whole text on request', async () => {
  const page = await open()
  assert.ok((await textLength(page)) < PREVIEW)
  await page.getByText('This page is very long').waitFor()
  for (const [tab, language] of [
    ['JSON', 'hljs-attr'],
    ['HTML', 'hljs-tag'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click()
    const code = page.getByRole('region', { name: tab })
    await code.locator(`.${language}`).first().waitFor()
    assert.ok((await textLength(page)) < PREVIEW, tab)
    const total = tab === 'HTML' ? html.length : JSON.stringify({ ...heavy }, null, 2).length
    await page.getByText(`of ${total.toLocaleString('en')} characters`).waitFor()
  }
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByRole('region', { name: 'HTML' }).getByText('Leaf 39999').waitFor({ state: 'attached' })
  await becomes(() => page.getByRole('region', { name: 'HTML' }).textContent(), html)

  await page.getByRole('tab', { name: 'Markdown' }).click()
  await page.getByRole('radio', { name: 'Raw' }).check()
  assert.ok((await textLength(page)) < PREVIEW, 'raw Markdown')
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.waitForFunction((length) => document.querySelector('[aria-label="Markdown"]')?.textContent.length === length, markdown.length)
  await page.getByRole('radio', { name: 'Read' }).check()
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.waitForFunction((length) => document.querySelector('[aria-label="Markdown"]')?.textContent.length === length, markdown.length)

  await page.getByRole('tab', { name: /^Links/ }).click()
  const list = page.getByRole('tabpanel', { name: /^Links/ }).getByRole('listitem')
  await becomes(() => list.count(), 1000)
  await page.getByRole('button', { name: 'Show more' }).click()
  await becomes(() => list.count(), 2000)
})

pages('V7: a long page is rendered and highlighted in slices between frames, and loses nothing', async () => {
  const lines = Array.from({ length: 3000 }, (_, number) => `- Leaf number ${number} with [a link][tea]`)
  const text = `# All leaves\n\n${lines.map((line, at) => (at % 50 === 49 ? `${line}\n\n## Part ${at}\n` : line)).join('\n')}\n\n[tea]: https://shop.example/tea\n`
  product.backend.set(`GET ${CRAWL}/results`, { json: listOf([{ ...heavy, result: { ...heavy.result, markdown: text } }]) })
  const page = await browser.newPage()
  await enter(page)
  await page.addInitScript(() => {
    const parts: number[] = []
    Object.assign(window, { parts })
    new MutationObserver((records) => {
      const added = records.filter(({ target }) => (target as Element).classList?.contains('rendered-markdown'))
      if (added.length > 0) parts.push(added.length)
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto(`/dashboard/logs/crawls/${MOCK_CRAWL}`)
  const shown = page.locator('.rendered-markdown')
  await shown.getByText('Leaf number 2999').waitFor({ state: 'attached' })
  await becomes(() => shown.locator('li').count(), 3000)
  await becomes(() => shown.locator('a[href="https://shop.example/tea"]').count(), 3000, 'a link that is defined at the end')
  assert.ok((await page.evaluate(() => (window as unknown as { parts: number[] }).parts.length)) > 5, 'in several parts')
  await page.getByRole('radio', { name: 'Raw' }).check()
  const code = page.getByRole('region', { name: 'Markdown' })
  await becomes(() => code.textContent(), text)
  await code.locator('code > span').last().locator('.hljs-bullet, .hljs-section, .hljs-link').first().waitFor({ state: 'attached' })
  await becomes(() => code.textContent(), text, 'with its colours')
})

pages.run()
