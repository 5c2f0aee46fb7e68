/** Pages and options that a renderer cannot handle: each crawl ends with an outcome that says what happened, and no page is lost. */
import * as assert from 'uvu/assert'
import { findOrInstallBrowser } from '../../scripts/find-browser.ts'
import { crawlsOf } from '#tests/support/product-crawls.ts'
import { startProduct } from '#tests/support/product.ts'
import { startSite } from '#tests/support/sites/site.ts'
import type { SitePage } from '#tests/support/sites/site.ts'
import { suite } from '#tests/support/suite.ts'

const ends = suite('failures of rendering have a reason')

const WORDS = 'Words that the script of this page has made, enough of them to be kept as a page. '.repeat(4)
const WRITE = `root.innerHTML = '<h1>Made</h1><p>${WORDS}</p>'`
const made = (script: string, body = '') => `<!doctype html><title>T</title><body>${body}<div id="root"></div><script>${script}</script>`

type Case = {
  title: string
  page: SitePage
  options?: object
  outcome: string
  /** Of the URL. */
  detail: RegExp
  /** In the page's metadata, in the order of the actions. */
  actions?: RegExp[]
  attachments?: number
  /** In the feed of the crawl. */
  warning?: RegExp
  /** Of the page that is kept; null where none is. */
  text?: RegExp | null
}

const ASKED = /^rendered: the crawl asks for actions$/
const MADE = /Words that the script/

/** A PDF with a line on each page, by PDF 1.7 (ISO 32000-1), 7.5 and 7.7. */
function pdfOf(pages: number): Buffer {
  const numbers = Array.from({ length: pages }, (_, at) => at + 1)
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages}/Kids[${numbers.map((no) => `${2 + 2 * no} 0 R`).join(' ')}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...numbers.flatMap((no) => {
      // Lines that read alike at the top and at the bottom of pages are their running heads.
      const lines = ['The top', 'of it', 'line 3', 'line 4', 'line 5', 'the bottom', 'of it']
      const text = lines.map((line, at) => `BT /F 12 Tf 72 ${720 - 14 * at} Td (Words of page ${no}, ${line}.) Tj ET`).join('\n')
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 3 0 R>>>>/Contents ${3 + 2 * no} 0 R>>`,
        `<</Length ${text.length}>>stream\n${text}\nendstream`,
      ]
    }),
  ]
  let text = '%PDF-1.7\n'
  const places = objects.map((object, at) => {
    const place = text.length
    text += `${at + 1} 0 obj${object}endobj\n`
    return place
  })
  const xref = text.length
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  text += `xref\n0 ${places.length + 1}\n0000000000 65535 f \n${rows}trailer<</Size ${places.length + 1}/Root 1 0 R>>\nstartxref\n${xref}\n%%EOF`
  return Buffer.from(text, 'latin1')
}

const CASES: Case[] = [
  {
    title: 'a selector that never appears',
    page: made(WRITE),
    options: { actions: [{ type: 'wait', selector: '#never' }, { type: 'click', selector: '#never' }, { type: 'screenshot' }] },
    outcome: 'kept',
    detail: ASKED,
    actions: [/^wait: nothing matched in time$/, /^click: nothing matched in time$/, /^screenshot: done$/],
    attachments: 1,
  },
  {
    title: 'a cookie button that never appears',
    page: made(WRITE),
    options: { accept_cookies_selector: '#never' },
    outcome: 'kept',
    detail: /^rendered: the crawl asks for a click on a cookie banner$/,
  },
  {
    title: 'a page 30,000 pixels tall',
    page: made(`${WRITE}; root.style.height = '30000px'`),
    options: { actions: [{ type: 'screenshot' }] },
    outcome: 'kept',
    detail: ASKED,
    actions: [/^screenshot: done, cut at 16384 of 30\d{3} pixels$/],
    attachments: 1,
    warning: /its screenshot was cut at 16384/,
  },
  {
    title: 'a page that never becomes idle',
    page: made(`${WRITE}; setInterval(() => fetch('/tick?' + Math.random()), 30)`),
    outcome: 'kept',
    detail: /^rendered: /,
  },
  {
    title: 'a script that never ends',
    page: made('for (;;);'),
    options: { timeout: 1000, actions: [{ type: 'screenshot' }] },
    outcome: 'kept',
    detail: /^not rendered: its scripts do not come to an end$/,
    warning: /its scripts do not come to an end/,
    text: null,
  },
  {
    title: 'a download',
    page: { headers: { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename="words.txt"' }, body: WORDS },
    options: { actions: [{ type: 'screenshot' }] },
    outcome: 'kept',
    detail: /^not rendered: a download$/,
    attachments: 0,
  },
  {
    title: 'dialogs',
    page: made(`alert(1); confirm(2); prompt(3); onbeforeunload = () => 'stay'; print(); ${WRITE}`),
    outcome: 'kept',
    detail: /^rendered: /,
  },
  {
    title: 'a page of 600 printed pages',
    page: made(`${WRITE}; root.innerHTML += '<div style="break-after: page">x</div>'.repeat(600)`),
    options: { actions: [{ type: 'pdf' }] },
    outcome: 'kept',
    detail: ASKED,
    actions: [/^pdf: done, cut at 500 pages$/],
    attachments: 1,
    warning: /the PDF has its first 500 pages/,
  },
  {
    title: 'a page of 500 printed pages',
    page: made(`${WRITE}; root.innerHTML += '<div style="break-after: page">x</div>'.repeat(499)`),
    options: { actions: [{ type: 'pdf' }] },
    outcome: 'kept',
    detail: ASKED,
    actions: [/^pdf: done$/],
    attachments: 1,
  },
  {
    title: 'a PDF of 500 pages, which the browser does not render',
    page: { headers: { 'content-type': 'application/pdf' }, body: pdfOf(500) },
    options: { actions: [{ type: 'screenshot' }] },
    outcome: 'kept',
    detail: /^not rendered: application\/pdf$/,
    attachments: 0,
    text: /Words of page 1, line 4[^]*Words of page 500, line 4/,
  },
  {
    title: 'a page that closes its window',
    page: made(`${WRITE}; close(); setTimeout(() => close(), 10)`),
    outcome: 'kept',
    detail: /^rendered: /,
  },
]

const site = await startSite({
  ...Object.fromEntries(CASES.map(({ page }, no) => [`/${no}`, page])),
  '/view': made(
    `root.innerHTML = '<p>${WORDS}</p><p>It is ' + innerWidth + ' wide, touched: ' + ('ontouchstart' in window) + '.</p>'`,
    '<meta name="viewport" content="width=device-width"><img src="/picture.png"><link rel="stylesheet" href="/style.css">',
  ),
})
const product = await startProduct({ CHROMIUM_PATH: findOrInstallBrowser(), RENDER_CONCURRENCY: '2' })
const crawls = await crawlsOf(product)

for (const [no, { actions = [], attachments = 0, detail, options = {}, outcome, text = MADE, title, warning }] of CASES.entries())
  ends(title, async () => {
    const id = await crawls.start(site.url(`/${no}`), { spider_options: { page_limit: 1 }, page_options: options })
    const crawl = await crawls.ended(id)
    assert.is(crawl.status, 'finished')
    const [end] = await crawls.outcomes(id)
    assert.is(end!.outcome, outcome)
    assert.match(end!.detail ?? '', detail)
    const [kept] = await crawls.results(id)
    const { markdown, metadata } = kept!.result as { markdown: string; metadata: Record<string, string> }
    if (text !== null) assert.match(markdown, text)
    for (const [at, said] of actions.entries()) assert.match(metadata[`action_${at + 1}`] ?? '', said)
    assert.is(metadata[`action_${actions.length + 1}`], undefined)
    assert.is(kept!.attachments.length, attachments)
    if (warning !== undefined) assert.match(await crawls.feed(id), warning)
  })

ends('an unknown action is refused with its position, and no crawl is started', async () => {
  const { body, status } = await crawls.refused(site.url('/0'), { page_options: { actions: [{ type: 'screenshot' }, { type: 'dance' }] } })
  assert.is(status, 400)
  assert.match(JSON.stringify(body), /"actions":.*"type":\[/)
})

ends('the options `mobile` and `block` reach the browser', async () => {
  const shown = async (options: object) => {
    site.forget()
    const id = await crawls.start(site.url('/view'), { spider_options: { page_limit: 1 }, page_options: options })
    await crawls.ended(id)
    const [kept] = await crawls.results(id)
    return {
      text: JSON.stringify(kept!.result),
      agents: site.hits.filter(({ path }) => path === '/view').map(({ headers }) => headers['user-agent']),
    }
  }
  const desktop = await shown({})
  assert.match(desktop.text, 'It is 1366 wide, touched: false.')
  assert.ok(site.times('/picture.png') > 0)
  const phone = await shown({ mobile: true, block: ['images'] })
  assert.match(phone.text, 'It is 390 wide, touched: true.')
  assert.ok(phone.agents.length > 0 && phone.agents.every((agent) => agent!.endsWith(' Mobile')), String(phone.agents))
  assert.is(site.times('/picture.png'), 0)
  assert.ok(site.times('/style.css') > 0)
})

ends.run()
