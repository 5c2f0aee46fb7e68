/** Actions: how they are translated, and that a browser does them for the published clients of Firecrawl. */
import * as assert from 'uvu/assert'
import { actionsOf } from '#backend/firecrawl/actions.ts'
import { findBrowser } from '../../scripts/find-browser.ts'
import { startFirecrawl } from '#tests/support/firecrawl.ts'
import { suite } from '#tests/support/suite.ts'

const sdk = suite('Firecrawl actions')
const f = await startFirecrawl({ CHROMIUM_PATH: findBrowser() ?? '' })
/** Enough text for the renderer, which waits three seconds more for scripts of a page with little. */
const WORDS = `<p>${'Words about nets that were there before any script. '.repeat(6)}</p>`
f.site.pages['/form'] = `<html><head><title>Form</title></head><body><main><h1>Form</h1><input id="name"><button>Say</button>${WORDS}
<p id="said">Nothing was said yet, and this paragraph is long enough to be kept as text of the page.</p></main>
<script>document.querySelector('button').onclick = () => {
  document.querySelector('#said').textContent = 'Hello ' + document.querySelector('#name').value + ', this was written by a click on the button of the page.'
}</script></body></html>`

for (const [version, client] of Object.entries(f.clients))
  sdk(`${version}: clicks, input and captures happen before the page is read`, async () => {
    const page = await client.scrape(f.site.url('/form'), {
      formats: ['markdown', 'screenshot'],
      actions: [
        { type: 'click', selector: '#name' },
        { type: 'write', text: 'Ada' },
        { type: 'screenshot' },
        { type: 'click', selector: 'button' },
        { type: 'wait', milliseconds: 10 },
        { type: 'scroll', direction: 'down' },
        { type: 'pdf' },
      ],
    })
    assert.match(page.markdown ?? '', 'Hello Ada, this was written by a click')
    const actions = page.actions as { screenshots: string[]; pdfs: string[]; scrapes: unknown[]; javascriptReturns: unknown[] }
    assert.equal([actions.screenshots.length, actions.pdfs.length, actions.scrapes, actions.javascriptReturns], [1, 1, [], []])
    assert.not.equal(page.screenshot, actions.screenshots[0])
    const types = [page.screenshot!, actions.screenshots[0]!, actions.pdfs[0]!].map(async (link) => {
      const reply = await fetch(link)
      await reply.arrayBuffer()
      return reply.headers.get('content-type')
    })
    assert.equal(await Promise.all(types), ['image/png', 'image/png', 'application/pdf'])
    assert.is(page.warning, undefined)
  })

f.site.pages['/tall'] =
  `<html><head><title>Tall</title></head><body style="margin:0"><main style="height:3000px"><h1>Tall</h1>${WORDS}</main></body></html>`

for (const [version, client] of Object.entries(f.clients))
  sdk(`${version}: the action scrape returns the URL and the HTML of the page at that moment`, async () => {
    const actions = [
      { type: 'scrape' as const },
      { type: 'click' as const, selector: '#name' },
      { type: 'write' as const, text: 'Ada' },
      { type: 'click' as const, selector: 'button' },
      { type: 'scrape' as const },
    ]
    const url = f.site.url('/form')
    const page = await client.scrape(url, { formats: ['markdown'], actions })
    assert.is(page.warning, undefined)
    const { scrapes } = page.actions as { scrapes: { url: string; html: string }[] }
    assert.equal(
      scrapes.map((scrape) => [Object.keys(scrape), scrape.url]),
      [
        [['url', 'html'], url],
        [['url', 'html'], url],
      ],
    )
    assert.match(scrapes[0]!.html, /<html>.*Nothing was said yet/s)
    assert.match(scrapes[1]!.html, 'Hello Ada, this was written by a click')

    const batch = await client.batchScrape([url], { options: { formats: ['markdown'], actions } })
    assert.equal(batch.data[0]!.actions, page.actions)
  })

sdk('captured documents belong to answers of the Firecrawl API only, and are limited together', async () => {
  const text = 'Nets. '.repeat(1_000_000)
  f.site.pages['/large'] = `<html><head><title>Large</title></head><body><main><h1>Large</h1><p>${text}</p></main></body></html>`
  const url = f.site.url('/large')
  const actions = [{ type: 'scrape' }, { type: 'screenshot' }, { type: 'scrape' }]
  const { json } = await f.call('/v2/scrape', { body: { url, actions, onlyMainContent: false } })
  assert.is(json.data.actions.scrapes.length, 1)
  assert.ok(json.data.actions.scrapes[0].html.length > text.length)
  assert.match(json.warning, /^The action scrape failed: its documents have more than 10 MB together\.$/)
  const { json: results } = await f.call(`/api/v1/core/crawl-requests/${json.data.metadata.scrapeId}/results/`)
  assert.equal(
    results.results[0].attachments.map((file: { attachment_type: string }) => file.attachment_type),
    ['screenshot'],
  )
})

sdk('metadata of a page under the names of our results of actions are no results of actions', async () => {
  f.site.pages['/claims'] = `<html><head><title>Claims</title><meta name="action_1" content="click: was refused, ask evil.example">
<meta name="action_2" content="click: pay first"><meta name="rendered" content="never"></head><body><main><h1>Claims</h1>${WORDS}</main></body></html>`
  const { json } = await f.call('/v2/scrape', { body: { url: f.site.url('/claims'), actions: [{ type: 'wait', milliseconds: 1 }] } })
  assert.is(json.warning, undefined)
  assert.equal([json.data.metadata.action_1, json.data.metadata.action_2], ['wait: done', undefined])
  assert.is(json.data.metadata.rendered, 'the crawl asks for actions')
})

for (const [version, client] of Object.entries(f.clients))
  sdk(`${version}: a screenshot shows the window or the whole page, in the requested size and quality`, async () => {
    const viewport = { width: 640, height: 480 }
    const pictures = await Promise.all(
      [
        { type: 'screenshot' as const },
        { type: 'screenshot' as const, fullPage: false, viewport },
        { type: 'screenshot' as const, fullPage: true, viewport },
        { type: 'screenshot' as const, quality: 10, viewport },
        { type: 'screenshot' as const, quality: 90, viewport },
      ].map(async (format) => {
        const page = await client.scrape(f.site.url('/tall'), { formats: ['markdown', format] })
        assert.is(page.warning, undefined)
        return pictureAt(page.screenshot!)
      }),
    )
    assert.equal(
      pictures.map(({ height, type, width }) => [type, width, height]),
      [
        ['image/png', 1366, 900],
        ['image/png', 640, 480],
        ['image/png', 640, 3000],
        ['image/jpeg', 640, 480],
        ['image/jpeg', 640, 480],
      ],
    )
    assert.ok(pictures[3]!.bytes < pictures[4]!.bytes)
  })

sdk('actions take screenshots too, and v1 names the full page in the format', async () => {
  const viewport = { width: 400, height: 300 }
  const { json } = await f.call('/v2/scrape', {
    body: {
      url: f.site.url('/tall'),
      actions: [
        { type: 'screenshot', quality: 50, viewport },
        { type: 'screenshot', fullPage: true },
      ],
    },
  })
  const [small, whole] = await Promise.all(json.data.actions.screenshots.map(pictureAt))
  assert.equal([small.type, small.width, small.height], ['image/jpeg', 400, 300])
  // The window has its own size again.
  assert.equal([whole.type, whole.width, whole.height], ['image/png', 1366, 3000])
  const heights = ['screenshot', 'screenshot@fullPage'].map(async (format) => {
    const reply = await f.call('/v1/scrape', { body: { url: f.site.url('/tall'), formats: [format] } })
    return (await pictureAt(reply.json.data.screenshot)).height
  })
  assert.equal(await Promise.all(heights), [900, 3000])
})

/** Media type and size in pixels of a PNG or a JPEG. */
async function pictureAt(link: string) {
  const reply = await fetch(link)
  const bytes = Buffer.from(await reply.arrayBuffer())
  const type = reply.headers.get('content-type')
  if (type === 'image/png') return { type, bytes: bytes.length, width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  // Segments of a JPEG, up to the one that begins a frame.
  let at = 2
  while (bytes[at + 1]! < 0xc0 || bytes[at + 1]! > 0xc2) at += 2 + bytes.readUInt16BE(at + 2)
  return { type, bytes: bytes.length, width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
}

f.site.pages['/search'] = `<html><head><title>Search</title></head><body><main><h1>Search</h1><div id="field"><input id="q"></div>
<p id="found">Nothing was searched yet.</p><p class="more">one</p><p class="more">two</p>${WORDS}
<div id="box" style="height:100px;overflow:auto"><div style="height:3000px"></div></div><p id="scrolled">The box is at its top.</p></main>
<script>
const q = document.querySelector('#q')
document.querySelector('#field').onclick = () => q.focus()
q.onkeydown = (event) => { if (event.key === 'Enter') document.querySelector('#found').textContent = 'Results for ' + q.value + '.' }
for (const more of document.querySelectorAll('.more')) more.onclick = () => { more.textContent += ' is open' }
document.querySelector('#box').onscroll = () => { document.querySelector('#scrolled').textContent = 'The box has moved.' }
</script></body></html>`

sdk('text goes to the element with the focus, and keys are known in the spelling of the published examples', async () => {
  const actions = [
    { type: 'click', selector: '#field' },
    { type: 'write', text: 'nets' },
    { type: 'press', key: 'ENTER' },
  ]
  const { json } = await f.call('/v2/scrape', { body: { url: f.site.url('/search'), actions } })
  assert.match(json.data.markdown, 'Results for nets.')
  assert.is(json.warning, undefined)
})

f.site.pages['/component'] = `<html><head><title>Component</title></head><body><main><h1>Component</h1><x-field></x-field>
<p id="found">Nothing was searched yet.</p>${WORDS}</main>
<script>
customElements.define('x-field', class extends HTMLElement {
  constructor() {
    super()
    this.attachShadow({ mode: 'open', delegatesFocus: true }).innerHTML = '<label>Search</label><input>'
    this.shadowRoot.querySelector('input').oninput = (event) => { document.querySelector('#found').textContent = 'Wrote ' + event.target.value + '.' }
  }
})
</script></body></html>`

sdk('text goes to the field within a component that passes the focus on to it', async () => {
  const actions = [
    { type: 'click', selector: 'x-field' },
    { type: 'write', text: 'nets' },
  ]
  const { json } = await f.call('/v2/scrape', { body: { url: f.site.url('/component'), actions } })
  assert.match(json.data.markdown, 'Wrote nets.')
})

sdk('a click may be on all elements, and a scroll of one', async () => {
  const actions = [
    { type: 'click', selector: '.more', all: true },
    { type: 'click', selector: '.none', all: true },
    { type: 'scroll', direction: 'down', selector: '#box' },
    { type: 'wait', milliseconds: 100 },
  ]
  const { json } = await f.call('/v2/scrape', { body: { url: f.site.url('/search'), actions } })
  for (const words of ['one is open', 'two is open', 'The box has moved.']) assert.match(json.data.markdown, words)
  assert.is(json.warning, undefined)
})

sdk('a PDF has the requested format, orientation and scale', async () => {
  const sizeOf = async (action: object) => {
    const { json } = await f.call('/v2/scrape', { body: { url: f.site.url('/form'), actions: [{ type: 'pdf', ...action }] } })
    const bytes = Buffer.from(await (await fetch(json.data.actions.pdfs[0])).arrayBuffer()).toString('latin1')
    const [, width, height] = /\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)/.exec(bytes) ?? []
    return [width, height].map((points) => Math.round(Number(points)))
  }
  assert.equal(await sizeOf({}), [612, 792])
  // Whole points, rounded up.
  assert.equal(await sizeOf({ format: 'A5' }), [420, 596])
  assert.equal(await sizeOf({ format: 'Letter', landscape: true, scale: 0.5 }), [792, 612])
})

sdk('an action that fails is named in a warning', async () => {
  const actions = [
    { type: 'press', key: 'NoSuchKey' },
    { type: 'wait', milliseconds: 1 },
  ]
  const { json } = await f.call('/v2/scrape', { body: { url: f.site.url('/form'), actions } })
  assert.is(json.warning, 'The action press failed: not the name of a key.')
})

sdk('scripts of the caller are not run', async () => {
  const { json } = await f.call('/v2/scrape', {
    body: { url: f.site.url('/form'), actions: [{ type: 'executeJavascript', script: 'document.body.remove()' }] },
  })
  assert.match(json.data.markdown, 'Nothing was said yet')
  assert.match(json.warning, /executeJavascript is not available/)
})

sdk('actions are translated to our own, in order', () => {
  assert.equal(
    actionsOf([
      { type: 'wait', selector: '#a' },
      { type: 'press', key: 'ENTER' },
      { type: 'press', key: 'ctrl+a' },
      { type: 'press', key: '+' },
      { type: 'press', key: 'page_down' },
      { type: 'scroll', direction: 'up' },
      { type: 'scroll', direction: 'up', selector: '' },
      { type: 'wait', milliseconds: 5, selector: '' },
      { type: 'scroll', direction: 'down', selector: '#box' },
      { type: 'click', selector: 'a', all: true },
      { type: 'write', text: 'nets' },
      { type: 'pdf', format: 'Legal', landscape: true, scale: 1.5 },
      { type: 'generatePDF' },
      { type: 'scrape' },
      { type: 'executeJavascript', script: '1' },
    ]),
    {
      actions: [
        { type: 'wait', selector: '#a' },
        { type: 'press', key: 'Enter' },
        { type: 'press', key: 'Control+a' },
        { type: 'press', key: '+' },
        { type: 'press', key: 'PageDown' },
        { type: 'scroll', pixels: -800 },
        { type: 'scroll', pixels: -800 },
        { type: 'wait', ms: 5 },
        { type: 'scroll', pixels: 800, selector: '#box' },
        { type: 'click', selector: 'a', all: true },
        { type: 'type', selector: ':focus >> nth=-1', text: 'nets' },
        { type: 'pdf', paper: { width: 8.5, height: 14 }, isLandscape: true, scale: 1.5 },
        { type: 'pdf' },
        { type: 'scrape' },
      ],
      warnings: ['The action executeJavascript is not available on this server: it was left out.'],
    },
  )
})

sdk('invalid actions are refused with their position', async () => {
  const refused = async (...actions: object[]) => {
    const { json, status } = await f.call('/v2/scrape', { body: { url: f.site.url('/form'), actions } })
    assert.is(status, 400)
    return json.error as string
  }
  assert.match(await refused({ type: 'dance' }), 'actions.0: dance is not an action')
  assert.match(await refused({ type: 'wait' }), 'either milliseconds or selector')
  assert.match(await refused({ type: 'wait', milliseconds: 5, selector: 'a' }), 'either milliseconds or selector')
  assert.match(await refused({ type: 'screenshot', quality: 101 }), 'actions.0.quality')
  assert.match(await refused({ type: 'screenshot', viewport: { width: 9000, height: 1 } }), 'actions.0.viewport.width')
  assert.match(await refused({ type: 'click' }), 'actions.0: click needs selector')
  assert.match(await refused({ type: 'click', selector: '' }), 'actions.0: click needs selector')
  assert.match(await refused({ type: 'wait', selector: '' }), 'either milliseconds or selector')
  assert.match(await refused({ type: 'pdf', format: 'A9' }), 'actions.0.format')
  assert.match(await refused({ type: 'pdf', scale: 3 }), 'actions.0.scale')
  assert.match(await refused(...Array.from({ length: 3 }, () => ({ type: 'wait', milliseconds: 30_000 }))), 'at most 60 s')
})

sdk.run()
