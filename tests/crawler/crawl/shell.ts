import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readPage } from '#backend/crawler/page/read-page.ts'
import { assertLinear, filled } from '#tests/support/linear.ts'

const shells = suite('pages whose text is made by scripts')

const RULES = { includeHtml: false, onlyMainContent: true, includeTags: [], excludeTags: [] }
const PROSE = 'The harbour was full of boats that morning, and nobody spoke of the storm. '

function reasonFor(html: string): string | undefined {
  const reading = readPage(
    { bytes: new TextEncoder().encode(html), contentType: 'text/html', status: 200, url: 'http://shop.test/' },
    RULES,
    true,
  )
  if (reading instanceof Promise || reading.kind !== 'page') throw new Error('not read')
  return reading.shell
}

const page = (body: string, head = '') =>
  `<!doctype html><html lang="en"><head><title>Shop</title>${head}</head><body>${body}</body></html>`

/** What stands above and below each page of a site. */
const FRAME = [
  '<header><a href="/">Shop</a><a href="/teas">Teas</a><a href="/about">About us</a></header>',
  `<footer>${'© Blue Kettle, all rights reserved. '.repeat(5)}</footer>`,
]

/** The HTML of framework templates, and why it is a shell. */
const SHELLS: [name: string, html: string, reason: RegExp][] = [
  [
    'React (Vite)',
    page(
      '<div id="root"></div>',
      '<script type="module" crossorigin src="/assets/index-BvQ1.js"></script><link rel="stylesheet" href="/assets/index.css">',
    ),
    /root/,
  ],
  [
    'React (Create React App) with a noscript notice',
    page(
      '<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script defer src="/static/js/main.5f2.js"></script>',
    ),
    /root/,
  ],
  [
    'Vue (CLI) with a noscript notice',
    page(
      "<noscript><strong>We're sorry but shop doesn't work properly without JavaScript enabled. Please enable it to continue.</strong></noscript><div id=app></div><script src=/js/chunk-vendors.1.js></script>",
    ),
    /app/,
  ],
  ['Vue (Vite)', page('<div id="app"></div><script type="module" src="/src/main.js"></script>'), /app/],
  [
    'Angular',
    page('<app-root></app-root><script src="polyfills.js" type="module"></script><script src="main.js" type="module"></script>'),
    /app-root/,
  ],
  ['Angular with a loading text', page('<app-root>Loading...</app-root><script src="main.js" type="module"></script>'), /app-root/],
  [
    'Next, rendered on the client',
    page(
      '<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{"props":{},"page":"/"}</script><script src="/_next/static/chunks/main.js" defer></script>',
    ),
    /__next/,
  ],
  [
    'Next, app router that bails out to client-side rendering',
    page(
      '<!--$!--><template data-dgst="BAILOUT_TO_CLIENT_SIDE_RENDERING"></template><!--/$--><script src="/_next/static/chunks/webpack.js" async></script><script>(self.__next_f=self.__next_f||[]).push([0])</script>',
    ),
    /no text/,
  ],
  [
    'Nuxt, single page',
    page('<div id="__nuxt"></div><script type="module" src="/_nuxt/entry.js"></script><script>window.__NUXT__={}</script>'),
    /__nuxt/,
  ],
  [
    'Nuxt with a loading indicator',
    page('<div id="__nuxt"><div class="loader"><span>Loading…</span></div></div><script type="module" src="/_nuxt/entry.js"></script>'),
    /__nuxt/,
  ],
  [
    'SvelteKit, single page',
    page(
      '<div style="display: contents"><script>{const element=document.currentScript.parentElement;import("/_app/start.js")}</script></div>',
    ),
    /no text/,
  ],
  [
    'Next, static export that fetches its data in the browser',
    page(
      '<div id="__next"></div><noscript></noscript><script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":{}},"page":"/","query":{},"buildId":"k2","nextExport":true,"autoExport":true,"isFallback":false,"scriptLoader":[]}</script>',
      '<meta charSet="utf-8"/><noscript data-n-css=""></noscript><script defer="" noModule="" src="/_next/static/chunks/polyfills-c67a75d1b6f99dc8.js"></script><script src="/_next/static/chunks/main-0f2.js" defer=""></script><script src="/_next/static/k2/_buildManifest.js" defer=""></script>',
    ),
    /__next/,
  ],
  [
    'Nuxt 3, `ssr: false`, with payload and teleport targets',
    page(
      '<div id="__nuxt"></div><div id="teleports"></div><script type="application/json" data-nuxt-data="nuxt-app" data-ssr="false" id="__NUXT_DATA__">[{"serverRendered":1},false]</script><script>window.__NUXT__={};window.__NUXT__.config={public:{},app:{baseURL:"/",buildId:"b1",buildAssetsDir:"/_nuxt/",cdnURL:""}}</script>',
      '<link rel="modulepreload" as="script" crossorigin href="/_nuxt/BqX1.js"><script type="module" src="/_nuxt/BqX1.js" crossorigin></script>',
    ),
    /__nuxt/,
  ],
  [
    'SvelteKit, `ssr = false`, with its start script',
    page(
      '<div style="display: contents"><script>{__sveltekit_1x={base:""};const element=document.currentScript.parentElement;Promise.all([import("/_app/immutable/entry/start.B1.js"),import("/_app/immutable/entry/app.C2.js")]).then(([kit,app])=>{kit.start(app,element)})}</script></div>',
      '<link rel="modulepreload" href="/_app/immutable/entry/start.B1.js"><link rel="modulepreload" href="/_app/immutable/entry/app.C2.js">',
    ),
    /no text/,
  ],
  [
    'Svelte (Vite)',
    page(
      '<div id="app"></div>',
      '<script type="module" crossorigin src="/assets/index-D4.js"></script><link rel="stylesheet" crossorigin href="/assets/index-x.css">',
    ),
    /app/,
  ],
  [
    'an empty application and a consent dialog',
    page(
      '<div id="root"></div><noscript>Bitte JavaScript aktivieren.</noscript><div id="cmp"><button>Accept</button></div><script src="/cmp.js"></script>',
    ),
    /root/,
  ],
  ['Gatsby without prerendered HTML', page('<div id="___gatsby"></div><script src="/app.js"></script>'), /___gatsby/],
  ['Ember', page('<script src="/assets/vendor.js"></script><script src="/assets/shop.js"></script>'), /no text/],
  ['Polymer', page('<my-shop-app></my-shop-app><script type="module" src="/app.js"></script>'), /my-shop-app/],
  [
    'a request to enable JavaScript',
    page(
      '<noscript>Please enable JavaScript to view this site.</noscript><main class="page"><p>Please wait.</p></main><script src="/a.js"></script>',
    ),
    /JavaScript/,
  ],
  [
    'a page that checks the browser, and asks to turn JavaScript on',
    page(
      '<noscript>Please turn JavaScript on and reload the page.</noscript><h1>Checking your browser</h1><p>You will be redirected shortly.</p><script src="/a.js"></script>',
    ),
    /JavaScript/,
  ],
  [
    'a request to enable JavaScript, in German',
    page('<noscript>Bitte aktivieren Sie JavaScript, um diese Seite zu sehen.</noscript><p>Willkommen</p><script src="/a.js"></script>'),
    /JavaScript/,
  ],
  ['a script that redirects', page('<script>location.href="/home"</script>'), /no text/],
  [
    'an empty application between a menu and a footer',
    page(
      `<header><a href="/">Shop</a><a href="/tea">Tea</a></header><div id="root"></div><footer>${'© Blue Kettle, all rights reserved. '.repeat(5)}</footer><script src="/a.js"></script>`,
    ),
    /root/,
  ],
  [
    'Next, app router, a frame around a page that is rendered on the client',
    page(
      `${FRAME[0]}<main><!--$!--><template data-dgst="BAILOUT_TO_CLIENT_SIDE_RENDERING"></template><p>Loading …</p><!--/$--></main>${FRAME[1]}<script src="/_next/static/chunks/webpack.js" async></script>`,
    ),
    /^<main> is empty$/,
  ],
  [
    'SvelteKit, a frame around a page with `ssr = false`',
    page(`<div style="display: contents">${FRAME[0]}<main></main>${FRAME[1]}<script>import("/_app/start.js")</script></div>`),
    /^<main> is empty$/,
  ],
  [
    'a consent wall before an empty application',
    page(
      `<div class="consent"><p>We value your privacy. We and our partners store information on a device. ${'Some partners rely on legitimate interest. '.repeat(6)}</p><button>Accept all</button></div><div id="app"></div><script src="/a.js"></script>`,
    ),
    /app/,
  ],
]

/** Pages that have their text in the HTML: a browser would be a waste. */
const READABLE: [name: string, html: string][] = [
  [
    'frames with a script (Javadoc)',
    '<title>API</title><script>targetPage = "" + window.location.search</script><frameset cols="20%,80%"><frame src="all.html"><frame src="summary.html"></frameset>',
  ],
  [
    'a static page with scripts',
    page(`<h1>Harbour</h1><p>${PROSE.repeat(3)}</p><script src="/analytics.js"></script><script>track()</script>`),
  ],
  [
    'a short page with scripts',
    page(`<h1>Opening hours</h1><p>Monday to Friday, nine to five; closed on holidays.</p><script src="/a.js"></script>`),
  ],
  ['a page without scripts and text', page('')],
  ['a page with only JSON-LD in its scripts', page('<script type="application/ld+json">{"@type":"Thing"}</script>')],
  [
    'Next, rendered on the server',
    page(`<div id="__next"><main><h1>Harbour</h1><p>${PROSE}</p></main></div><script src="/_next/static/chunks/main.js" defer></script>`),
  ],
  [
    'Nuxt, rendered on the server',
    page(`<div id="__nuxt"><div><h1>Harbour</h1><p>${PROSE}</p></div></div><script type="module" src="/_nuxt/entry.js"></script>`),
  ],
  [
    'React, rendered on the server, with a noscript notice',
    page(
      `<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"><article><h1>Harbour</h1>${`<p>${PROSE}</p>`.repeat(8)}</article></div><script src="/a.js"></script>`,
    ),
  ],
  [
    'SvelteKit, rendered on the server',
    page(`<div style="display: contents"><h1>Harbour</h1><p>${PROSE}</p><script>import("/_app/start.js")</script></div>`),
  ],
  [
    'Next, app router, rendered on the server, with its flight data',
    page(
      `<main><h1>Harbour</h1><p>${PROSE}</p></main><script src="/_next/static/chunks/webpack-1.js" async=""></script><script>(self.__next_f=self.__next_f||[]).push([0])</script><script>self.__next_f.push([1,"2:I[5244,[],\\"\\"]"])</script>`,
    ),
  ],
  [
    'Nuxt 3, rendered on the server, with its payload',
    page(
      `<div id="__nuxt"><!--[--><main><h1>Harbour</h1><p>${PROSE}</p></main><!--]--></div><div id="teleports"></div><script type="application/json" data-nuxt-data="nuxt-app" data-ssr="true" id="__NUXT_DATA__">[{"data":1},{}]</script>`,
    ),
  ],
  [
    'SvelteKit, rendered on the server, with its start script',
    page(
      `<div style="display: contents"><!--[--><h1>Harbour</h1><p>${PROSE}</p><!--]--><script>{__sveltekit_1x={base:""};const element=document.currentScript.parentElement;Promise.all([import("/_app/immutable/entry/start.B1.js")]).then(([kit])=>{kit.start(app,element,{node_ids:[0,2]})})}</script></div>`,
    ),
  ],
  [
    'Angular Universal',
    page(`<app-root ng-version="17.0.0"><h1>Harbour</h1><p>${PROSE}</p></app-root><script src="main.js" type="module"></script>`),
  ],
  [
    'an article with an empty container for comments',
    page(`<article>${`<p>${PROSE}</p>`.repeat(30)}</article><div id="app"></div><script src="/comments.js"></script>`),
  ],
  [
    'an article with an empty custom element',
    page(`<article><p>${PROSE.repeat(3)}</p><share-buttons></share-buttons></article><script src="/a.js"></script>`),
  ],
  [
    'a main part with few words under a heading',
    page(`${FRAME[0]}<main><h1>Thank you</h1></main>${FRAME[1]}<script src="/a.js"></script>`),
  ],
  ['a main part with a picture', page(`${FRAME[0]}<main><img src="/a.jpg" alt=""></main>${FRAME[1]}<script src="/a.js"></script>`)],
  [
    'an article beside an empty main part',
    page(`<main></main><article>${`<p>${PROSE}</p>`.repeat(30)}</article><script src="/a.js"></script>`),
  ],
  [
    'an article under a consent banner',
    page(
      `<div class="consent">We use cookies. <button>Accept</button></div><article><p>${PROSE.repeat(5)}</p></article><script src="/a.js"></script>`,
    ),
  ],
  [
    'an article with a noscript notice about its comments',
    page(
      `<article><p>${PROSE.repeat(8)}</p><noscript>Enable JavaScript to see the comments.</noscript></article><script src="/a.js"></script>`,
    ),
  ],
]

for (const [name, html, reason] of SHELLS) shells(`a page is a shell: ${name}`, () => assert.match(reasonFor(html) ?? 'none', reason))

for (const [name, html] of READABLE) shells(`a page can be read without a browser: ${name}`, () => assert.is(reasonFor(html), undefined))

shells('a page is checked for being a shell only if there is a browser', () => {
  const source = { bytes: new TextEncoder().encode(SHELLS[0]![1]), contentType: 'text/html', status: 200, url: 'http://shop.test/' }
  const reading = readPage(source, RULES)
  assert.is('shell' in reading, false)
})

const SCRIPT = '<script src="/a.js"></script>'
const ROOT = '<div id="root"></div>'
const words = (count: number) => `<p>${'x'.repeat(count)}</p>`
const within = (depth: number, html: string) => '<div>'.repeat(depth) + html + '</div>'.repeat(depth)
const unseen = (count: number) => `<!--${' '.repeat(count)}-->`

/** The last count for which a page is a shell, why, and the page of a count. */
const LIMITS: [name: string, last: number, reason: RegExp, of: (count: number) => string][] = [
  ['characters beside an empty application', 1500, /root/, (count) => ROOT + words(count)],
  ['characters in an application', 60, /root/, (count) => `<div id="root">${'x'.repeat(count)}</div>${words(100)}`],
  ['characters beside a request', 400, /JavaScript/, (count) => `<noscript>Please enable JavaScript.</noscript>${words(count)}`],
  ['characters without another sign', 40, /no text/, words],
  ['characters in a main part', 60, /main/, (count) => `<main>${'x'.repeat(count)}</main>${words(100)}`],
  ['characters beside an empty custom element', 40, /my-app/, (count) => `<my-app></my-app>${words(count)}`],
  ['characters in a custom element', 60, /my-app/, (count) => `<my-app>${'x'.repeat(count)}</my-app>`],
  ['levels above an application', 2, /root/, (count) => within(count, ROOT) + words(100)],
  ['levels above a main part', 2, /main/, (count) => within(count, '<main></main>') + words(100)],
  ['elements before an application', 396, /root/, (count) => '<i></i>'.repeat(count) + ROOT + words(100)],
]
for (const [name, last, reason, of] of LIMITS)
  shells(`the limits of a shell: ${last} ${name}`, () => {
    assert.match(reasonFor(page(of(last) + SCRIPT).replace('<title>Shop</title>', '')) ?? 'none', reason)
    assert.is(reasonFor(page(of(last + 1) + SCRIPT).replace('<title>Shop</title>', '')), undefined)
  })

shells('scripts are searched in the first and the last 50,000 characters', () => {
  assert.match(reasonFor(page(SCRIPT + unseen(150_000) + ROOT)) ?? 'none', /root/)
  assert.match(reasonFor(page(unseen(150_000) + ROOT + SCRIPT)) ?? 'none', /root/)
  assert.match(reasonFor(page(unseen(45_000) + SCRIPT + unseen(60_000) + ROOT)) ?? 'none', /root/)
  assert.match(reasonFor(page(unseen(60_000) + SCRIPT + unseen(45_000) + ROOT)) ?? 'none', /root/)
  assert.is(reasonFor(page(unseen(60_000) + SCRIPT + unseen(60_000) + ROOT)), undefined)
})

shells('a custom element is the application only near the top, and no other id is', () => {
  assert.match(reasonFor(page(within(1, '<my-app></my-app>') + words(20) + SCRIPT)) ?? 'none', /no text/)
  assert.is(reasonFor(page(`<div id="comments"></div>${words(100)}${SCRIPT}`)), undefined)
})

shells('the check takes linear time for a page of nothing but opening noscript tags', () =>
  assertLinear('noscript tags', (size) => {
    const html = page(filled('<noscript>JS ', size) + SCRIPT)
    return () => reasonFor(html)
  }),
)

shells.run()
