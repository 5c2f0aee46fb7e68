/**
 * Screenshots and PDFs as the published clients get them. What the Node and the Python client send is said again here, header by header:
 * neither is a package that this project can install.
 */
import * as assert from 'uvu/assert'
import { login } from '#contract/accounts.ts'
import { createCrawl, followCrawl, listResults } from '#contract/crawls.ts'
import type { CrawlRequest, CrawlResult } from '#contract/crawls.ts'
import { fillPath } from '#contract/endpoint.ts'
import { createApiKey, currentTeam } from '#contract/teams.ts'
import { findOrInstallBrowser } from '../../scripts/find-browser.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { startSite } from '#tests/support/sites/site.ts'
import { suite } from '#tests/support/suite.ts'

const captures = suite('captures as clients get them')

const WORDS = 'Words that the script of this page has made, enough of them to be kept as a page. '.repeat(4)
const PNG = '89504e470d0a1a0a'
const site = await startSite({
  // Content that a pause reveals appears half a second after the page is quiet.
  '/': `<!doctype html><title>Late</title><body><div id="root"></div><script>
    root.innerHTML = '<p>${WORDS}</p>'; setTimeout(() => { root.innerHTML += '<p>LATE WORDS</p>' }, 700)</script>`,
})
const product = await startProduct({ CHROMIUM_PATH: findOrInstallBrowser(), RENDER_CONCURRENCY: '2' })

const json = { 'content-type': 'application/json', accept: 'application/json' }
async function send<T>(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<T> {
  const answer = await fetch(product.url + path, {
    method,
    headers: { ...json, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
  assert.is(answer.headers.get('content-type'), 'application/json')
  return (await answer.json()) as T
}
const { access } = await send<{ access: string }>('POST', login.path, {}, OWNER)
const user = { authorization: `Bearer ${access}` }
const { uuid: team } = await send<{ uuid: string }>('GET', currentTeam.path, user)
const { key } = await send<{ key: string }>('POST', createApiKey.path, { ...user, 'x-team-id': team }, { name: 'client' })

type Client = { headers: Record<string, string>; prefetched: string }
const CLIENTS: Record<string, Client> = {
  Node: { headers: { 'X-API-KEY': key }, prefetched: 'true' },
  Python: { headers: { 'X-API-Key': key, 'user-agent': 'WaterCrawl-Plugin', 'accept-language': 'en-US' }, prefetched: 'True' },
}

for (const [name, { headers, prefetched }] of Object.entries(CLIENTS))
  captures(
    `${name}: \`actions\` and \`wait_time\` return a screenshot and a PDF in the first result of the stream, and in the list`,
    async () => {
      const { uuid } = await send<CrawlRequest>('POST', createCrawl.path, headers, {
        url: site.url('/'),
        options: {
          spider_options: {},
          page_options: { wait_time: 1500, actions: [{ type: 'screenshot' }, { type: 'pdf' }] },
          plugin_options: {},
        },
      })
      const stream = await fetch(`${product.url}${fillPath(followCrawl.path, { id: uuid })}?prefetched=${prefetched}`, { headers })
      assert.is(stream.headers.get('content-type'), 'text/event-stream')
      // Both take each line that begins with `data:` for a whole event.
      const events = (await stream.text())
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => JSON.parse(line.slice(5)) as { type: string; data: CrawlResult })
      const { data: result } = events.find(({ type }) => type === 'result')!
      assert.match((result.result as { markdown: string }).markdown, 'LATE WORDS')
      const list = await send<{ results: CrawlResult[] }>(
        'GET',
        `${fillPath(listResults.path, { id: uuid })}?prefetched=${prefetched}`,
        headers,
      )
      for (const { attachments } of [result, list.results[0]!]) {
        assert.equal(
          attachments.map(({ attachment_type, ...more }) => [attachment_type, Object.keys(more).toSorted()]),
          [
            ['screenshot', ['attachment', 'filename', 'uuid']],
            ['pdf', ['attachment', 'filename', 'uuid']],
          ],
        )
        assert.match(attachments[0]!.filename, /\.png$/)
        assert.match(attachments[1]!.filename, /\.pdf$/)
        // Opened without any header, as a link.
        const [png, pdf] = await Promise.all(
          attachments.map(async ({ attachment }) => Buffer.from(await (await fetch(attachment)).arrayBuffer())),
        )
        assert.is(png!.subarray(0, 8).toString('hex'), PNG)
        assert.is(pdf!.subarray(0, 5).toString(), '%PDF-')
      }
    },
  )

captures.run()
