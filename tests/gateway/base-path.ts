import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createApp } from '#gateway/app.ts'
import { createLog } from '#gateway/log.ts'
import { readConfig } from '#config/read-config.ts'
import { CRAWLS, KEY, startCrawlApp } from '#tests/support/crawl-app.ts'
import { startApp } from '#tests/support/app.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const URL_BELOW = 'https://seine.example/crawl'
const SCRIPT = 'export const answer = 42\n'
const publicDir = temporaryFolder('seine-page-')
mkdirSync(join(publicDir, 'assets'))
writeFileSync(join(publicDir, 'assets/app-ABC123.js'), SCRIPT)
writeFileSync(join(publicDir, 'places.en.json'), '[]')
writeFileSync(
  join(publicDir, 'index.html'),
  '<html lang="en"><head><title>Seine</title><link rel="icon" href="/assets/icon.svg" /><script type="application/json" id="runtime-config"></script><script type="module" src="/assets/app-ABC123.js"></script></head></html>',
)
const log = createLog({ level: 'silent' })

// A crawl with two pages behind the gateway; both processes have the public URL.
const crawls = await startCrawlApp({ publicUrl: `${URL_BELOW}/` })
const { id, no } = await crawls.started()
await crawls.engine.commit(no, {
  pages: ['a', 'b'].map((name) => ({ url: `https://shop.example/${name}`, title: name, document: { markdown: `# ${name}` } })),
  end: { status: 'finished' },
})
const gateway = await createApp({
  config: readConfig({ BACKEND_URL: await crawls.listen(), PUBLIC_URL: `${URL_BELOW}/` }),
  log,
  publicDir,
})
const whole = await startApp({ config: { publicUrl: URL_BELOW, linkBase: () => URL_BELOW } })
const hosted = await createApp({ backend: whole.backend, config: readConfig({ PUBLIC_URL: URL_BELOW }), log, publicDir })

const below = suite('below a path')
below.after(async () => {
  await Promise.all([gateway.close(), hosted.close()])
  await Promise.all([crawls.close(), whole.close()])
})

for (const [name, app] of [
  ['a process that hosts the API', hosted],
  ['a gateway before BACKEND_URL', gateway],
] as const)
  below(`O12: ${name}, pages, files and health answer both with the path and without it`, async () => {
    for (const url of ['/crawl', '/crawl/', '/crawl?x=1', '/crawl/dashboard/usage', '/', '/dashboard/usage']) {
      const { body, statusCode } = await app.inject({ url, headers: { accept: 'text/html' } })
      assert.is(statusCode, 200, url)
      assert.match(body, 'href="/crawl/assets/icon.svg"')
      assert.match(body, 'src="/crawl/assets/app-ABC123.js"')
      assert.match(body, '"basePath":"/crawl"')
    }
    for (const base of ['', '/crawl']) {
      assert.is((await app.inject(`${base}/assets/app-ABC123.js`)).body, SCRIPT)
      assert.is((await app.inject(`${base}/health/live`)).statusCode, 200)
      assert.equal((await app.inject(`${base}//health/live`)).json(), { status: 'ok' }, 'a base URL that ends in a slash')
      assert.is((await app.inject(`${base}/api/v1/none`)).statusCode, 404)
      assert.is((await app.inject(`${base}/metrics`)).statusCode, 404)
    }
    // The base path is removed once, and only at whole segments.
    assert.is((await app.inject('/crawl/crawl/health/live')).headers['content-type'], 'text/html; charset=utf-8')
    assert.is((await app.inject('/crawler/assets/app-ABC123.js')).statusCode, 404)
  })

below('O12: links in lists and signed links begin with the path, and open with it and without it', async () => {
  const get = async (url: string) => {
    const reply = await gateway.inject({ url, headers: { 'x-api-key': KEY } })
    assert.is(reply.statusCode, 200, url)
    return reply.json()
  }
  for (const base of ['', '/crawl']) {
    const first = await get(`${base}${CRAWLS}${id}/results/?page_size=1`)
    assert.is(first.next, `${URL_BELOW}${CRAWLS}${id}/results/?page_size=1&page=2`)
    const second = await get(new URL(first.next).pathname + new URL(first.next).search)
    assert.is(second.previous, `${URL_BELOW}${CRAWLS}${id}/results/?page_size=1`)
    const link: string = first.results[0].result
    assert.ok(link.startsWith(`${URL_BELOW}/api/v1/files/`), link)
    const path = link.slice('https://seine.example'.length)
    for (const url of [path, path.slice('/crawl'.length)]) {
      const file = await gateway.inject({ url })
      assert.equal([file.statusCode, file.json().markdown], [200, '# a'], url)
    }
  }
})

below('O12: the API description names the path', async () => {
  for (const url of ['/crawl/api/schema/', '/api/schema/'])
    assert.equal((await hosted.inject({ url })).json().servers, [{ url: URL_BELOW }])
})

below('paths stay unchanged if there is no base path', async () => {
  const app = await createApp({ backend: whole.backend, config: readConfig({ PUBLIC_URL: 'https://seine.example/' }), log, publicDir })
  const page = await app.inject('/crawl/dashboard')
  assert.match(page.body, 'src="/assets/app-ABC123.js"')
  assert.match(page.body, '"basePath":""')
  assert.is((await app.inject('/crawl/assets/app-ABC123.js')).statusCode, 404)
  await app.close()
})

below.run()
