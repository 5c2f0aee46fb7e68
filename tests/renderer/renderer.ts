/** The renderer with a real browser: one process for all tests, pages on loopback. */
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { HopVerdict } from '#backend/crawler/fetch/fetcher.ts'
import type { RenderJob, RenderOutcome } from '#backend/crawler/crawl/renderer.ts'
import { MOST_SHOT_HEIGHT } from '#backend/renderer/page-actions.ts'
import { rendererHost } from '#backend/renderer/renderer-host.ts'
import { killNow, processesBelow } from '#tests/support/processes.ts'
import { startHostileSite } from '#tests/support/sites/hostile-site.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { startProxy } from '#tests/support/stubs/proxies.ts'
import { renderJob } from '#tests/support/render-job.ts'
import { findOrInstallBrowser } from '../../scripts/find-browser.ts'

const rendering = suite('a browser renders pages')

const text = 'Words of a page that its script has made, enough of them to be read without waiting for more. '.repeat(3)
const made = (script: string, body = '') => `<!doctype html><title>T</title><body>${body}<div id="root"></div><script>${script}</script>`
const write = `root.innerHTML = '<h1>Made</h1><p>${text}</p>'`

const site = await startSite(
  {
    '/made': made(
      `fetch('/data').then((answer) => answer.text()).then((said) => { root.innerHTML = '<p>${text}</p><a href="/next">' + said + '</a>' })`,
    ),
    '/data': 'said by a call',
    // Its end comes into view when it is scrolled to, and is made by five calls, each after the one before.
    '/on-demand': made(
      `${write}; const end = document.createElement('p'); end.style.marginTop = '3000px'; end.textContent = 'END'; document.body.append(end); new IntersectionObserver(async ([seen]) => { if (!seen.isIntersecting) return; let said = ''; for (let at = 0; at < 5; at += 1) said += await (await fetch("/data", { cache: "no-store" })).text(); end.textContent = 'LATER ' + said }).observe(end)`,
    ),
    '/moved': { status: 302, headers: { location: '/made' } },
    '/away': { status: 302, headers: { location: '//127.0.0.2/there' } },
    '/asks': (request) => `<!doctype html><p>${text}</p><pre>${JSON.stringify(request.headers).replaceAll('<', '')}</pre>`,
    '/file': { headers: { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename="x.bin"' }, body: 'x' },
    '/missing': { status: 404, body: pageOf('not here') },
    '/shadow': made(`${write}; root.attachShadow({ mode: 'open' }).innerHTML = '<p>IN-SHADOW</p><slot></slot>'`),
    '/dialogs': made(`alert(1); confirm(2); prompt(3); ${write}`),
    '/never-idle': made(`${write}; setInterval(() => fetch('/tick?' + Math.random()), 50)`),
    '/tall': made(`${write}; root.style.height = '30000px'`),
    '/banner': made(
      `${write}; setTimeout(() => { const box = document.createElement('div'); box.id = 'wall'; box.innerHTML = '<p>WALL</p><button id="yes">yes</button>'; box.onclick = () => box.remove(); document.body.append(box) }, 150)`,
    ),
    '/form': made(
      `${write}; const input = document.createElement('input'); input.id = 'q'; root.append(input); const out = document.createElement('p'); root.append(out); input.onkeydown = (event) => { if (event.key === 'Enter') out.textContent = 'TYPED ' + input.value }`,
    ),
    '/lies': made(
      `${write}; history.replaceState(0, '', '/admin'); document.querySelectorAll = () => { throw 1 }; Array.prototype.map = () => { for (;;); }`,
    ),
    '/moves': made(`location.href = '/made'`),
    '/moves-away': made(`${write}; location.href = location.href.replace('127.0.0.1', '127.0.0.2')`),
    '/loop': '<!doctype html><p>before</p><script>for (;;);</script>',
    '/windows': made(`${write}; for (let at = 0; at < 20; at += 1) open('/popup' + at)`),
    '/pictures': made(write, '<img src="/picture.png"><link rel="stylesheet" href="/style.css">'),
    '/cookie': (request) => ({
      headers: { 'set-cookie': 'seen=1', 'content-type': 'text/html' },
      body: `<p>${text}</p><b>${request.headers.cookie ?? 'none'}</b>`,
    }),
    '//127.0.0.2/there': pageOf('there'),
  },
  { hosts: ['127.0.0.1', '127.0.0.2'] },
)
/** Proxies of a crawl, by the credentials they require. */
const PROXIES = {
  'an HTTP proxy': await startProxy('http'),
  'an HTTP proxy with credentials': await startProxy('http', { only: { username: 'us er', password: 'p:w%' } }),
  'an HTTP proxy without tunnels, with credentials': await startProxy('http', {
    mode: 'no-tunnels',
    only: { username: 'user', password: 'word' },
  }),
  'a SOCKS 5 proxy with credentials': await startProxy('socks5', { only: { username: 'user', password: 'word' } }),
}
const hostile = await startHostileSite({ maxBodyMib: 16, maxHoldSeconds: 30 })
const said: string[] = []
const log = { info: note, warn: note, error: note }
function note(facts: object, message: string) {
  said.push(`${message} ${JSON.stringify(facts)}`)
}
const browserPath = findOrInstallBrowser()
const dataDir = `renderer-test-${process.pid}`
const host = rendererHost({
  dataDir,
  settings: {
    browserPath,
    egressAllow: [
      `127.0.0.1:${site.port},127.0.0.2:${site.port},${hostile.allow}`,
      ...Object.values(PROXIES).map(({ port }) => `127.0.0.1:${port}`),
    ].join(),
    egressResolver: hostile.resolver,
    userAgent: 'SeineBot/test',
    slots: 4,
  },
  log,
})
rendering.after(async () => {
  await host.close()
  await site.close()
  for (const proxy of Object.values(PROXIES)) await proxy.close()
  await hostile.stop()
})

async function draw(
  path: string,
  more: Partial<RenderJob> = {},
  stop = new AbortController().signal,
  hops: string[] = [],
  verdict: HopVerdict = 'go',
) {
  const job = renderJob(site.url(path), { locale: 'de-CH', ...more })
  const outcome = await host.render(job, {
    signal: stop,
    beforeHop: async (url) => {
      hops.push(new URL(url).pathname)
      return verdict
    },
  })
  return outcome
}

function drawn(outcome: RenderOutcome): Extract<RenderOutcome, { kind: 'rendered' }> & { text: string } {
  if (outcome.kind !== 'rendered') throw new Error(`${JSON.stringify(outcome)}\n${said.slice(-5).join('\n')}`)
  return { ...outcome, text: new TextDecoder().decode(outcome.html) }
}
/** Width and height, from the first chunk of a PNG. */
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)]

rendering('no browser process runs before the first page', () => {
  assert.equal(said, [])
})

rendering('a document has the content that its scripts have made', async () => {
  const page = drawn(await draw('/made'))
  assert.match(page.text, 'said by a call')
  assert.equal([page.status, page.url, page.hops], [200, site.url('/made'), []])
})

rendering('content that a page loads when it is scrolled to its end is waited for', async () => {
  const page = drawn(await draw('/on-demand'))
  assert.match(page.text, `LATER ${'said by a call'.repeat(5)}`)
})

rendering('a redirect within the host is checked and followed, a redirect to another host is not followed', async () => {
  const hops: string[] = []
  const page = drawn(await draw('/moved', {}, undefined, hops))
  assert.equal([page.url, page.hops, hops], [site.url('/made'), [site.url('/moved')], ['/made']])
  const away = await draw('/away')
  assert.is(away.kind, 'redirected')
  assert.is(site.times('/there'), 0)
  const made = site.times('/made')
  const outside = await draw('/moved', {}, undefined, [], 'redirected')
  assert.equal(outside.kind === 'redirected' && [outside.to, outside.status], [site.url('/made'), 302])
  assert.is(site.times('/made'), made, 'a target out of scope is not requested')
})

rendering('the site sees our name, the locale and the headers of the run', async () => {
  const page = drawn(await draw('/asks', { headers: { 'x-own': 'secret' } }))
  assert.match(page.text, '"user-agent":"SeineBot/test"')
  assert.match(page.text, /"accept-language":"de-CH/)
  assert.match(page.text, '"x-own":"secret"')
})

rendering('a download is not a page, and the status of an empty answer is reported', async () => {
  const file = await draw('/file')
  assert.is(file.kind, 'no_page')
  assert.equal([drawn(await draw('/missing')).status, drawn(await draw('/missing')).text], [404, ''])
})

rendering('the content of open shadow roots is read', async () => assert.match(drawn(await draw('/shadow')).text, 'IN-SHADOW'))

rendering('dialogs are dismissed', async () => assert.match(drawn(await draw('/dialogs')).text, 'Words of a page'))

rendering('a page that never becomes idle is read', async () => assert.match(drawn(await draw('/never-idle')).text, 'Words of a page'))

rendering('scripts that replace built-in functions change neither the URL nor the text that is read', async () => {
  const page = drawn(await draw('/lies'))
  assert.is(page.url, site.url('/lies'))
  assert.match(page.text, 'Words of a page')
})

rendering('a page may navigate within its host, but not to another', async () => {
  const hops: string[] = []
  assert.match(drawn(await draw('/moves', {}, undefined, hops)).text, 'said by a call')
  assert.equal(hops, ['/made'])
  assert.match(drawn(await draw('/moves-away')).text, 'Words of a page')
})

rendering('a screenshot shows the whole page, cut at the maximum height; a PDF is valid', async () => {
  const page = drawn(await draw('/made', { actions: [{ type: 'screenshot' }, { type: 'pdf' }] }))
  const [shot, pdf] = page.captures.map(({ path }) => readFileSync(path))
  assert.is(shot!.subarray(1, 4).toString(), 'PNG')
  assert.ok(sizeOf(shot!)[0]! >= 1000)
  assert.is(pdf!.subarray(0, 5).toString(), '%PDF-')
  assert.equal(page.actions, ['done', 'done'])
  const tall = drawn(await draw('/tall', { actions: [{ type: 'screenshot' }] }))
  assert.is(sizeOf(readFileSync(tall.captures[0]!.path))[1], MOST_SHOT_HEIGHT)
  assert.match(tall.actions[0]!, 'cut at 16384 of 30')
  assert.match(tall.notes[0]!, 'cut at 16384')
})

rendering('the button of a cookie banner is clicked when it appears; a missing button is no error', async () => {
  const page = drawn(await draw('/banner', { consentSelector: '#yes' }))
  assert.not.match(page.text, '<div id="wall">')
  assert.match(drawn(await draw('/made', { consentSelector: '#never' })).text, 'said by a call')
  assert.match(drawn(await draw('/made', { consentSelector: ':::' })).notes[0]!, 'selector')
})

rendering('actions run in order, each with its outcome', async () => {
  const page = drawn(
    await draw('/form', {
      actions: [
        { type: 'type', selector: '#q', text: 'kettle' },
        { type: 'press', key: 'Enter' },
        { type: 'scroll', pixels: null },
        { type: 'wait', ms: 1 },
        { type: 'wait', selector: '#q' },
        { type: 'press', key: 'NoSuchKey' },
        { type: 'click', selector: ':::' },
      ],
    }),
  )
  assert.match(page.text, 'TYPED kettle')
  assert.equal(page.actions, ['done', 'done', 'done', 'done', 'done', 'not the name of a key', 'not a valid selector'])
})

rendering('blocked resources are not loaded', async () => {
  drawn(await draw('/pictures'))
  assert.ok(site.times('/picture.png') > 0)
  site.forget()
  drawn(await draw('/pictures', { blocks: ['images', 'media', 'fonts', 'ads'] }))
  assert.is(site.times('/picture.png'), 0)
  assert.ok(site.times('/style.css') > 0)
})

rendering('T12 no state of one page, such as a cookie, reaches the next', async () => {
  assert.match(drawn(await draw('/cookie')).text, '<b>none</b>')
  assert.match(drawn(await draw('/cookie')).text, '<b>none</b>')
})

for (const [name, { heads, plain, proxy, targets }] of Object.entries(PROXIES))
  rendering(`${name} of the crawl carries all requests of the page, also those of its scripts`, async () => {
    assert.match(drawn(await draw('/made', { proxy })).text, 'said by a call')
    const asked = [...targets.map((target) => `http://${target}/`), ...plain].map((url) => new URL(url).port)
    assert.ok(asked.length > 0 && asked.every((port) => port === String(site.port)), String(asked))
    if (proxy.type === 'http' && proxy.username !== null) assert.ok(heads.some((head) => head.startsWith('Basic ')))
  })

rendering('a proxy that rejects the credentials is named as the reason of the failure, and no request goes around it', async () => {
  const { proxy } = PROXIES['an HTTP proxy with credentials']
  site.forget()
  const outcome = await draw('/made', { proxy: { ...proxy, password: 'wrong' } })
  assert.equal([outcome.kind, outcome.kind === 'failure' && outcome.reason], ['failure', 'proxy'])
  assert.equal(site.all, [])
})

rendering('the site does not see the credentials of the proxy', async () => {
  const { proxy } = PROXIES['an HTTP proxy with credentials']
  const { text: asked } = drawn(await draw('/asks', { proxy }))
  assert.not.match(asked, /proxy-auth|Basic /i)
})

rendering('T5 a forbidden address is refused with its reason, also to a page that is allowed', async () => {
  const other = await startSite({ '/': pageOf('inside') })
  try {
    const outcome = await draw('/', { url: other.url('/') })
    assert.equal([outcome.kind, 'reason' in outcome && outcome.reason], ['failure', 'refused_address'])
    site.pages['/curious'] = made(
      `fetch('${other.url('/secret')}').then((answer) => answer.text()).then((said) => root.append(said)); ${write}`,
    )
    drawn(await draw('/curious'))
    assert.equal(other.paths(), [])
  } finally {
    await other.close()
  }
})

rendering('T5 T6 no page reaches the internal service through the browser, neither by TCP nor by UDP', async () => {
  const cases = hostile.cases.filter(({ group }) => group === 'browser-ssrf')
  assert.ok(cases.length >= 13)
  const texts = await Promise.all(cases.map(async ({ id, url }) => [id, drawn(await draw('/', { url })).text] as const))
  for (const [id, shown] of texts) assert.match(shown, `MARK-${id}`)
  const { canary } = await hostile.hits()
  assert.equal([canary.requests, canary.udp], [0, 0])
})

rendering('a page in an endless loop ends in time with its reason, and the next page is rendered', async () => {
  const outcome = await draw('/loop', { timeoutMs: 1000 })
  assert.is(outcome.kind, 'failure')
  assert.match(drawn(await draw('/made')).text, 'said by a call')
})

rendering('windows that a page opens are closed', async () => assert.match(drawn(await draw('/windows')).text, 'Words of a page'))

rendering('a page that is canceled ends', async () => {
  const stop = new AbortController()
  const outcome = draw('/never-idle', { waitMs: 30_000 }, stop.signal)
  await site.asked('/never-idle')
  stop.abort()
  const ended = await outcome
  assert.equal([ended.kind, 'reason' in ended && ended.reason], ['failure', 'canceled'])
})

const processes = (pattern: RegExp) => processesBelow(process.pid, pattern)

if (process.platform === 'linux') {
  rendering('F21 a page whose browser is killed is rendered again', async () => {
    site.forget()
    const outcome = draw('/never-idle', { waitMs: 1500 })
    await site.asked('/never-idle')
    // A replaced browser may still be exiting.
    processes(/remote-debugging-pipe/).forEach(killNow)
    assert.match(drawn(await outcome).text, 'Words of a page')
    assert.is(site.times('/never-idle'), 2)
  })

  rendering('F21 a killed renderer ends its browser, and the next renderer renders its page', async () => {
    site.forget()
    const outcome = draw('/never-idle', { waitMs: 1500 })
    await site.asked('/never-idle')
    const browsers = processes(/remote-debugging-pipe/)
    process.kill(processes(/renderer-process/)[0]!, 'SIGKILL')
    assert.match(drawn(await outcome).text, 'Words of a page')
    for (const pid of browsers) assert.not.ok(readdirSync('/proc').includes(String(pid)), `browser ${pid} has outlived its renderer`)
  })

  rendering('no process, profile or file is left after the end', async () => {
    await host.close()
    assert.equal(processes(/remote-debugging-pipe|renderer-process/), [])
    const left = readdirSync(tmpdir()).filter((name) => said.length > 0 && name.startsWith('seine-render-') && isFresh(name))
    assert.equal(left, [])
  })
}

/** Made since this file began, by this very test: the name has a hash of its folder. */
function isFresh(name: string): boolean {
  return name.startsWith(host.prefix) && statSync(`${tmpdir()}/${name}`).isDirectory()
}

rendering.run()
