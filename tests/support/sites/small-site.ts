/** A small web site on loopback about tea. It can pause, so that a test sees a crawl half-way without timing. */
import { createServer } from 'node:http'
import { serve } from '#tests/support/stubs/serve.ts'
import { closedAtEnd } from '#tests/support/suite.ts'

const PAGES = 12

const guide = (number: number) => `<!doctype html><html lang="en"><head><title>Guide ${number}</title></head><body>
<nav><a href="/">Menu of the site</a></nav>
<main><h1>Steeping guide ${number}</h1>
<p>Boiling water scorches delicate leaves. A white tea brewed at 95 °C tastes of <a href="/guide/${(number + 1) % PAGES}">cooked spinach</a>.</p>
<h2>Rules</h2><ul><li>White teas: 70 °C</li></ul>
<pre><code>kettle.pour()</code></pre>
<table><tr><th>Tea</th><th>Water</th></tr><tr><td>Sencha</td><td>75 °C</td></tr></table>
<p><img src="https://elsewhere.example/spy.png" alt="A kettle"></p>
</main></body></html>`

const HOSTILE_PAGE = `<!doctype html><html><head><title>&lt;img src=x onerror=alert(1)&gt;</title></head><body><main>
<h1>Mischief</h1><p>Here stand &lt;script&gt;window.caught = 1&lt;/script&gt; and <a href="javascript:window.caught=1">a link</a> and words enough to be kept as the text of a page.</p>
<p>&lt;img src=x onerror="window.caught=1"&gt; &lt;a href="javascript:window.caught=1"&gt;press&lt;/a&gt; &lt;form id="app"&gt;&lt;/form&gt; &lt;style&gt;body{display:none}&lt;/style&gt;</p>
</main></body></html>`

const home = `<!doctype html><html lang="en"><head><title>Blue Kettle</title></head><body><main><h1>Blue Kettle</h1>
<p>The start of everything about tea, with enough words to be a page of its own and a list of places to go.</p><ul>
${Array.from({ length: PAGES }, (_, number) => `<li><a href="/guide/${number}">Guide ${number}</a></li>`).join('')}
<li><a href="/missing">Missing</a></li><li><a href="/private/a">Private</a></li><li><a href="https://elsewhere.example/">Elsewhere</a></li>
</ul></main></body></html>`

/** `held` at the start: guides beyond the fourth wait until `release`. */
export async function startSmallSite({ held = false }: { held?: boolean } = {}) {
  let gate = Promise.withResolvers<void>()
  if (!held) gate.resolve()
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    asked.push(path)
    const send = (status: number, body: string, type = 'text/html; charset=utf-8') => {
      response.writeHead(status, { 'content-type': type })
      response.end(body)
    }
    if (path === '/') return send(200, home)
    if (path === '/robots.txt') return send(200, 'User-agent: *\nDisallow: /private/\n', 'text/plain')
    if (path === '/mischief') return send(200, HOSTILE_PAGE)
    const number = Number(/^\/guide\/(\d+)$/.exec(path)?.[1] ?? Number.NaN)
    if (!(number < PAGES)) return send(404, '<h1>Not here</h1>')
    if (number < 4) return send(200, guide(number))
    return void gate.promise.then(() => send(200, guide(number)))
  })
  const { close, url } = await serve(server)
  return {
    url: `${url}/`,
    /** Paths in the order of the requests. */
    asked,
    hold: () => (gate = Promise.withResolvers<void>()),
    release: () => gate.resolve(),
    close: closedAtEnd(async () => {
      gate.resolve()
      await close()
    }),
  }
}
