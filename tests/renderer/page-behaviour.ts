/** What pages do while they are rendered: windows, navigations, scrolling, components. A real browser, pages on loopback. */
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import * as assert from 'uvu/assert'
import type { PageAction, RenderJob } from '#backend/crawler/crawl/renderer.ts'
import { AWAIT_TEXT } from '#backend/renderer/page-scripts.ts'
import { deadlineOf } from '#backend/renderer/render-page.ts'
import { rendererHost } from '#backend/renderer/renderer-host.ts'
import { startSite } from '#tests/support/sites/site.ts'
import type { SitePage } from '#tests/support/sites/site.ts'
import { until } from '#tests/support/until.ts'
import { renderJob } from '#tests/support/render-job.ts'
import { findOrInstallBrowser } from '../../scripts/find-browser.ts'
import { suite } from '#tests/support/suite.ts'

const behaviour = suite('pages that do things')

const text = 'Words of a page that its script has made, enough of them to be read without waiting for more. '.repeat(3)
const write = `root.innerHTML = '<h1>Made</h1><p>${text}</p>'`
const made = (script: string, body = '') => `<!doctype html><title>T</title><body>${body}<div id="root"></div><script>${script}</script>`

/** A script that makes an element far below the window, which is filled when it comes into view. */
const LAZY_END = `const end = document.createElement('p'); end.style.marginTop = '9000px'; end.textContent = 'END'
  new IntersectionObserver(([seen]) => { if (seen.isIntersecting) end.textContent = 'LAZY WORDS' }).observe(end);`
/** An application that scrolls a box of its own below its bar. */
const APPLICATION = `<style>html, body { margin: 0; height: 100%; overflow: hidden } #box { height: calc(100vh - 40px); overflow-y: auto }</style>
  <div style="height: 40px">Bar</div><div id="box"></div>`
/** What a page may be sent to that is no other page. */
const NO_DOCUMENTS: Record<string, SitePage> = {
  '/file.zip': { headers: { 'content-type': 'application/zip', 'content-disposition': 'attachment; filename="x.zip"' }, body: 'PK' },
  '/paper.pdf': { headers: { 'content-type': 'application/pdf' }, body: '%PDF-1.4' },
  '/data.json': { headers: { 'content-type': 'application/json' }, body: '{"not":"a page"}' },
  '/no-content': { status: 204 },
  '/missing': { status: 404, body: `<!doctype html><p>NOT FOUND ${text}</p>` },
}
const site = await startSite({
  '/target': `<!doctype html><p>TARGET ${text}</p>`,
  '/windows': made(`${write}
    const link = document.createElement('a'); link.target = '_blank'; link.id = 'go'; link.textContent = 'go'; document.body.append(link)
    for (let at = 0; at < 10; at += 1) { link.href = '/window-' + at; link.click(); open('/opened-' + at) }
    const form = document.createElement('form'); form.method = 'post'; form.action = '/order'; form.target = '_blank'
    document.body.append(form); form.submit()`),
  '/itself': made(`${write}; root.innerHTML += '<button id="go">go</button>'; go.onclick = () => open('/target', '_self')`),
  '/leaves': `<!doctype html><title>T</title><p>${text}</p><script>location.href = '/nothing'</script>`,
  '/nothing': { status: 204 },
  ...Object.fromEntries(
    ['get', 'post'].map((method) => [
      `/form-${method}`,
      made(`${write}; away.submit()`, `<form id="away" method="${method}" action="http://127.0.0.2/"></form>`),
    ]),
  ),
  '/smooth': made(`${write}; ${LAZY_END} document.body.append(end)`, '<style>html { scroll-behavior: smooth }</style>'),
  '/in-a-box': made(`${write}; ${LAZY_END} box.append(root, end)`, APPLICATION),
  '/in-a-component': made(
    `${write}; ${LAZY_END} shell.attachShadow({ mode: 'open' }).innerHTML = '<div style="height: 100vh; overflow-y: auto"><slot></slot></div>'; shell.append(root, end)`,
    '<style>html, body { margin: 0; height: 100%; overflow: hidden }</style><div id="shell"></div>',
  ),
  '/search': made(
    `${write}; root.style.height = '9000px'; onscroll = () => (document.title = 'at ' + Math.ceil(scrollY + innerHeight) + ' of ' + document.documentElement.scrollHeight)`,
    '<input id="q" style="position: fixed; top: 0">',
  ),
  '/box': made(
    `${write}; root.style.height = '9000px'; box.append(root); box.onscroll = () => (document.title = 'at ' + box.scrollTop)`,
    APPLICATION,
  ),
  '/components': made(`
    customElements.define('x-inner', class extends HTMLElement {
      connectedCallback() { this.innerHTML = 'Loading'; setTimeout(() => (this.innerHTML = 'INNER WORDS')) }
      disconnectedCallback() { this.innerHTML = 'Gone' }
    })
    customElements.define('x-outer', class extends HTMLElement {
      connectedCallback() { this.shadowRoot ?? (this.attachShadow({ mode: 'open' }).innerHTML = '<p>${text}</p><x-inner></x-inner>') }
    })
    root.append(document.createElement('x-outer'))`),
  '/closed': made(`
    customElements.define('x-closed', class extends HTMLElement {
      #root = this.attachShadow({ mode: 'closed', delegatesFocus: true })
      connectedCallback() { this.#root.innerHTML = '<p>CLOSED ${text}</p>' }
    })
    root.append(document.createElement('x-closed'))
    try { root.attachShadow({ mode: 'shut' }) } catch (fault) { root.append(fault.name) }`),
  '/guide': made(`history.replaceState(0, '', '/guide/start/'); ${write}; root.innerHTML += '<a href="next">next</a>'`),
  '/guide/': made(`history.replaceState(0, '', '/guide/?step=1#a'); ${write}; root.innerHTML += '<a href="next">next</a>'`),
  '/guide/with-base': made(`history.replaceState(0, '', '/elsewhere/'); ${write}`, '<base href="/of-its-own/">'),
  '/goes-back': made(`${write}; history.back(); history.go(-1)`),
  '/back-in-itself': made(
    `${write}; history.pushState(1, '', '?two'); onpopstate = () => root.append('BACK AT ' + location.search + history.state); history.back()`,
  ),
  '/slots': made(
    `${write}; const card = document.createElement('div'); card.innerHTML = 'BODY<b slot="name">NAME</b>'; root.append(card)
    card.attachShadow({ mode: 'open' }).innerHTML = '<p>Hello <slot name="name">FALLBACK</slot>, welcome.</p><slot></slot><slot name="more">MORE</slot>'`,
  ),
  '/in-other-words': made(
    `${write}; for (const [text, shadow] of [['BARE TIME', '<style>b {}</style>3 years ago'], ['BARE TEXT', '<style>b {}</style><p></p>'], ['<p>TAB TWO</p>', '<p>Tab one</p>']]) {
      const host = document.createElement('div'); host.innerHTML = text; root.append(host); host.attachShadow({ mode: 'open' }).innerHTML = shadow }`,
  ),
  '/asks-to-stay': made(
    `${write}; onbeforeunload = (event) => event.preventDefault(); root.innerHTML += '<a id="go" href="/target">go</a>'`,
  ),
  '/boxes': made(
    `${write}; for (const name of ['HIDDEN', 'ONE', 'TWO', 'THREE']) {
      const box = document.createElement('p'); box.innerHTML = name + ' BOX <button class="close">close</button>'; root.append(box)
      box.hidden = name === 'HIDDEN'; box.querySelector('button').onclick = () => box.remove() }`,
  ),
  '/slow-buttons': made(
    `${write}; root.innerHTML += '<button>0</button><button>0</button><button>0</button>'
    for (const button of document.querySelectorAll('button')) button.onclick = () => {
      button.textContent = 'CLICKED'; const end = Date.now() + 2600; while (Date.now() < end); }`,
  ),
  '/choices': { status: 300, headers: { location: '/target' }, body: `<p>CHOICES ${text}</p>` },
  '/use-proxy': { status: 305, headers: { location: '/target' } },
  '/to-nowhere': { status: 302, headers: { location: '' } },
  '/app': `<!doctype html><title>T</title><script>location.href = 'shop:open'</script><p>${text}</p>`,
  '/other-host': `<!doctype html><title>T</title><script>location.replace('http://127.0.0.2/')</script><p>${text}</p>`,
  ...Object.fromEntries(
    Object.keys(NO_DOCUMENTS).map((path) => [`/to${path}`, made(`${write}; setTimeout(() => (location.href = '${path}'))`)]),
  ),
  ...NO_DOCUMENTS,
})
const host = rendererHost({
  dataDir: `page-behaviour-${process.pid}`,
  settings: {
    browserPath: findOrInstallBrowser(),
    egressAllow: `127.0.0.1:${site.port}`,
    egressResolver: null,
    userAgent: 'SeineBot/test',
    slots: 4,
  },
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
})
behaviour.after(async () => {
  await host.close()
})
behaviour.before.each(() => void site.forget())

const jobOf = (path: string, more: Partial<RenderJob> = {}) => renderJob(site.url(path), more)
const draw = (job: RenderJob, signal = new AbortController().signal) => host.render(job, { signal, beforeHop: async () => 'go' })

async function rendered(path: string, more: Partial<RenderJob> = {}) {
  const outcome = await draw(jobOf(path, more))
  if (outcome.kind !== 'rendered') throw new Error(JSON.stringify(outcome))
  return { ...outcome, text: new TextDecoder().decode(outcome.html) }
}
const click = { type: 'click', selector: '#go' } as const

behaviour('a page opens no windows, neither by its links and forms nor by `open`', async () => {
  const page = await rendered('/windows')
  assert.match(page.text, 'Words of a page')
  assert.equal(site.paths(), ['/windows'])
})

behaviour('`open` into the window of the page itself is a navigation', async () => {
  const page = await rendered('/itself', { actions: [click, { type: 'wait', ms: 100 }] })
  assert.match(page.text, 'TARGET')
})

behaviour('a page that is left for nothing while it loads is read at once, not when its time is over', async () => {
  for (const path of ['/leaves', '/form-get', '/form-post']) {
    const page = await rendered(path, { timeoutMs: 20_000 })
    assert.match(page.text, 'Words of a page')
    assert.ok(page.tookMs < 10_000, `${path}: ${page.tookMs} ms`)
  }
})

behaviour('a page that goes on to a file, to nothing or to an error stays what it was, with its URL and status', async () => {
  for (const path of Object.keys(NO_DOCUMENTS)) {
    const page = await rendered(`/to${path}`)
    assert.ok(site.times(path) > 0, path)
    assert.equal([page.url, page.status, page.contentType], [site.url(`/to${path}`), 200, 'text/html; charset=utf-8'], path)
    assert.match(page.text, '<h1>Made</h1>')
  }
})

behaviour('the text behind a script that navigates to another host or into an app is read', async () => {
  for (const path of ['/other-host', '/app']) assert.match((await rendered(path)).text, '<p>Words of a page')
})

behaviour('a page with smooth scrolling is scrolled to its end', async () => {
  assert.match((await rendered('/smooth')).text, 'LAZY WORDS</p>')
})

behaviour('an application that scrolls a box of its own is scrolled through, also inside a component', async () => {
  for (const path of ['/in-a-box', '/in-a-component']) assert.match((await rendered(path)).text, /LAZY WORDS<\/p>/, path)
})

behaviour('an action that scrolls to the end has got there, also from a field with the focus', async () => {
  const field = { type: 'type', selector: '#q', text: 'kettle' } as const
  const page = await rendered('/search', { actions: [field, { type: 'scroll', pixels: null }] })
  assert.match(page.text, /<title>at (\d+) of \1<\/title>/)
})

behaviour('an action scrolls the box in which an application has its page', async () => {
  assert.match((await rendered('/box', { actions: [{ type: 'scroll', pixels: 700 }] })).text, '<title>at 700</title>')
  assert.match((await rendered('/box', { actions: [{ type: 'scroll', pixels: null }] })).text, /<title>at 8\d{3}<\/title>/)
})

behaviour('components keep what they show while the page is read, though they would begin anew if they were moved', async () => {
  assert.match((await rendered('/components')).text, '<x-inner>INNER WORDS</x-inner>')
})

behaviour('what a slot shows is read in its place, and the content of its own only if it shows nothing else', async () => {
  const shown = (await rendered('/slots')).text.replaceAll(/<script>[^]*?<\/script>|<[^>]*>/g, '')
  assert.match(shown, 'Hello NAME, welcome.BODYMORE')
})

behaviour('bare text that a component shows in other words is left out, other content that no slot shows is read', async () => {
  const { text } = await rendered('/in-other-words')
  for (const shown of ['3 years ago', 'BARE TEXT', 'Tab one', 'TAB TWO']) assert.match(text.replace(/<script>[^]*?<\/script>/g, ''), shown)
  assert.not.match(text.replace(/<script>[^]*?<\/script>/g, ''), 'BARE TIME')
})

behaviour('text in components counts when a page is waited for until it shows some; their styles do not', async () => {
  const browser = await chromium.launch({ executablePath: findOrInstallBrowser() })
  try {
    const page = await browser.newPage()
    const waits = async (content: string, mostMs: number) => {
      await page.setContent(
        `<div><template shadowrootmode="open"><style>p { ${'color: red; '.repeat(50)} }</style>${content}</template></div>`,
      )
      const startedAt = performance.now()
      await page.evaluate(AWAIT_TEXT(mostMs))
      return performance.now() - startedAt >= mostMs
    }
    assert.is(await waits(`<p>${text}</p>`, 20_000), false)
    assert.is(await waits('<p>Few words.</p>', 200), true)
  } finally {
    await browser.close()
  }
})

behaviour('a click leads on from a page that asks whether it may be left', async () => {
  const page = await rendered('/asks-to-stay', { actions: [click, { type: 'wait', ms: 100 }] })
  assert.match(page.text, 'TARGET')
})

behaviour('clicks on elements that never appear do not use up the time of the page', async () => {
  const more = (clicks: number) =>
    deadlineOf(jobOf('/', { actions: Array<PageAction>(clicks).fill({ type: 'click', selector: '#never' }) }))
  const page = await rendered('/target', { actions: [{ type: 'click', selector: '#never' }] })
  assert.equal(page.actions, ['nothing matched in time'])
  assert.ok(more(100) - more(0) >= 100 * 5000, 'each of them may take five seconds')
})

behaviour('a click on all elements reaches each visible one, although it removes the one before', async () => {
  const page = await rendered('/boxes', { actions: [{ type: 'click', selector: '.close', all: true }] })
  assert.equal(page.actions, ['done'])
  assert.equal(page.text.match(/[A-Z]+ BOX <button/g), ['HIDDEN BOX <button'])
})

behaviour('clicks on all elements end with the time of the action, and those after it are done', async () => {
  const actions: PageAction[] = [
    { type: 'click', selector: 'button', all: true },
    { type: 'wait', ms: 3000 },
  ]
  const page = await rendered('/slow-buttons', { actions })
  assert.match(page.actions[0]!, /^there was time for [01] of 3 only$/)
  assert.is(page.actions[1], 'done')
  assert.match(page.text, '<button>0</button>')
})

behaviour('after a scroll of an element that never appears the other actions are done', async () => {
  const page = await rendered('/target', {
    actions: [
      { type: 'scroll', pixels: 100, selector: '#never' },
      { type: 'wait', ms: 1 },
    ],
  })
  assert.equal(page.actions, ['nothing matched in time', 'done'])
})

behaviour('captures of a page that is canceled are deleted', async () => {
  const folder = readdirSync(tmpdir()).find((name) => name.startsWith(host.prefix))!
  const captures = () => readdirSync(join(tmpdir(), folder)).filter((name) => /\.(?:png|pdf)$/.test(name))
  const stop = new AbortController()
  const ended = draw(jobOf('/target', { actions: [{ type: 'pdf' }, { type: 'screenshot' }, { type: 'wait', ms: 60_000 }] }), stop.signal)
  await until(() => captures().length === 2)
  stop.abort()
  assert.is((await ended).kind, 'failure')
  await until(() => captures().length === 0)
})

behaviour('a status that is no redirect counts as that status, whatever its Location; a redirect to nowhere has its reason', async () => {
  for (const [path, status] of [
    ['/choices', 300],
    ['/use-proxy', 305],
  ] as const) {
    const page = await rendered(path)
    assert.equal([page.status, page.hops, page.text], [status, [], ''])
  }
  const outcome = await draw(jobOf('/to-nowhere'))
  assert.equal(outcome.kind === 'failure' && [outcome.reason, outcome.status], ['bad_redirect', 302])
  assert.is(site.times('/target'), 0)
})

behaviour('where scripts want to navigate is reported if it is another host', async () => {
  assert.is((await rendered('/other-host')).leadsTo, 'http://127.0.0.2/')
  for (const path of ['/app', '/leaves', '/target']) assert.is((await rendered(path)).leadsTo, undefined, path)
})

behaviour('the content of closed shadow roots is read', async () => {
  const page = await rendered('/closed')
  assert.match(page.text, '<x-closed><p>CLOSED Words')
  assert.match(page.text, 'TypeError', 'options that are wrong are still refused')
})

behaviour('relative links begin at the URL that scripts have given to the page, unless it has a base of its own', async () => {
  assert.match((await rendered('/guide')).text, `<head><base href="${site.url('/guide/start/')}"><title>`)
  assert.not.match((await rendered('/guide/')).text, '<base')
  assert.is((await rendered('/guide/with-base')).text.match(/<base/g)!.length, 1)
})

behaviour('a page that goes back has nothing before it; in its own history it may go back', async () => {
  assert.match((await rendered('/goes-back')).text, '<h1>Made</h1>')
  assert.match((await rendered('/back-in-itself')).text, 'BACK AT null</div>')
})

behaviour.run()
