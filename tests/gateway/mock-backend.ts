import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { createCrawl, followCrawl, stopCrawl } from '#contract/crawls.ts'
import { fillPath } from '#contract/endpoint.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { createApp } from '#gateway/app.ts'
import { createLog } from '#gateway/log.ts'
import { readConfig } from '#config/read-config.ts'
import { MOCK_ACCOUNT, MOCK_CRAWL, MOCK_SEARCH, MOCK_SITEMAP, startMockBackend } from '#tests/support/stubs/mock-backend.ts'
import { suite } from '#tests/support/suite.ts'

const mock = await startMockBackend()
const gateway = await createApp({
  config: readConfig({ BACKEND_URL: mock.url, LOG_LEVEL: 'silent' }),
  log: createLog({ level: 'silent' }),
  publicDir: fileURLToPath(new URL('.', import.meta.url)),
})
const base = await gateway.listen({ host: '127.0.0.1', port: 0 })
const signedIn = { authorization: 'Bearer anything' }

const backend = suite('the mock backend behind the gateway')
backend.after(async () => {
  await gateway.close()
})

/** Requests that no screen makes before a button is pressed, and plans, which exist in enterprise mode only. */
const NOT_MADE = [
  'getTeam',
  'downloadCrawl',
  'downloadExtractions',
  'exportCrawl',
  'getFile',
  'linkArchive',
  'linkExport',
  'getSchedule',
  'getSearchFile',
  'getSitemapFile',
  'sitemapXml',
  'getProxy',
  'getWebhook',
  'getWebhookDelivery',
  'getWebhookSecret',
  'listWebhookDeliveries',
  'exportUsage',
  'getCurrentSubscription',
  'getPlan',
  'getSubscription',
  'listPlans',
  'listSubscriptions',
  'getFirecrawlSchema',
  'getLlmsText',
  'getSchemaPage',
  'getSchemaViewer',
]

const idFor = (path: string) => (path.includes('/crawl-requests/') ? MOCK_CRAWL : path.includes('/search/') ? MOCK_SEARCH : MOCK_SITEMAP)

backend('the mock backend answers all requests of the screens according to the contract, streams included', async () => {
  const unanswered = new Set<string>()
  for (const [name, { method, path }] of ENDPOINTS) {
    if (method !== 'GET') continue
    const filled = fillPath(path, {
      id: idFor(path),
      resultId: '01890000-0000-7000-8000-000000000110',
      token: 'good',
      code: 'good',
      slug: 'office',
    })
    for (const query of ['', '?prefetched=true']) {
      const reply = await fetch(base + filled + query, { headers: signedIn })
      const text = await reply.text()
      if (reply.status >= 300) unanswered.add(name)
      assert.ok(reply.status < 300 || reply.status === 404, `${name}: ${reply.status} ${text}`)
    }
  }
  assert.equal([...unanswered], NOT_MADE)
  assert.equal(mock.breaches, [])
  const stream = await fetch(base + fillPath(followCrawl.path, { id: MOCK_CRAWL }), { headers: signedIn })
  assert.is(stream.headers.get('content-type'), 'text/event-stream')
  const events = (await stream.text()).split('\n\n').filter(Boolean)
  assert.equal(
    events.map((event) => (JSON.parse(event.slice('data: '.length)) as { type: string }).type),
    ['result', 'result', 'feed', 'state'],
  )
})

backend('the mock backend starts and stops work', async () => {
  const started = await post({ url: 'https://shop.example/' })
  assert.is(started.status, 201)
  const stopped = await fetch(base + fillPath(stopCrawl.path, { id: MOCK_CRAWL }), { method: 'DELETE', headers: signedIn })
  assert.is(stopped.status, 204)
  assert.equal(mock.breaches, [])
})

backend('the mock backend reports an answer of its own that violates the contract', async () => {
  const reply = await post({ url: 7, counts: 'none' })
  assert.is(reply.status, 500)
  assert.match(((await reply.json()) as { message: string }).message, 'The mock breaks the contract: POST /api/v1/core/crawl-requests/')
  assert.is(mock.breaches.length, 2)
})

const post = (body: unknown) =>
  fetch(base + createCrawl.path, {
    method: 'POST',
    headers: { ...signedIn, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

backend('the mock backend runs as a command', async () => {
  const script = fileURLToPath(new URL('../../scripts/mock-backend.ts', import.meta.url))
  const child = spawn(process.execPath, [script, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const url = / is ready: (\S+)$/.exec(line)?.[1]
  const reply = await fetch(`${url}/api/v1/user/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(MOCK_ACCOUNT),
  })
  assert.is(reply.status, 200)
  child.kill('SIGTERM')
  assert.is((await once(child, 'exit'))[0], 0, 'it ends by itself when asked')
})

backend.run()
