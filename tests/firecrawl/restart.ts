/** A published client behind a proxy with a path, whose server is killed and comes back while the client waits for a crawl. */
import * as assert from 'uvu/assert'
import { login } from '#contract/accounts.ts'
import { createApiKey } from '#contract/teams.ts'
import { clientsOf } from '#tests/support/firecrawl.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { freePort, startPathProxy } from '#tests/support/stubs/path-proxy.ts'
import { suite } from '#tests/support/suite.ts'
import { until } from '#tests/support/until.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const restart = suite('a Firecrawl client whose server is restarted')

restart('a waiting call gets every page once, below a path, although the server is killed and restarted meanwhile', async () => {
  const gate = Promise.withResolvers<void>()
  const site = await startSite({
    '/': pageOf('Start', ['/one', '/two', '/gated']),
    '/one': pageOf('One'),
    '/two': pageOf('Two'),
    '/gated': { body: pageOf('Gated'), until: gate.promise },
  })
  const proxy = await startPathProxy({ keepsPrefix: true })
  const folder = temporaryFolder('seine-restart-')
  const environment = { DATA_DIR: folder, PORT: String(await freePort()), PUBLIC_URL: proxy.url }
  proxy.passTo(`http://127.0.0.1:${environment.PORT}`)
  let product = await startProduct(environment)
  try {
    const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
      const reply = await fetch(proxy.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
      return (await reply.json()) as Record<string, string>
    }
    const { access } = await post(login.path, OWNER)
    const { key } = await post(createApiKey.path, { name: 'firecrawl' }, { authorization: `Bearer ${access}` })
    const client = clientsOf(proxy.url, key!)['4.42.0']
    const { id, url } = await client.startCrawl(site.url('/'), { sitemap: 'skip' })
    assert.is(url, `${proxy.url}/v2/crawl/${id}`)
    const waiting = client.crawl(site.url('/'), { sitemap: 'skip', pollInterval: 1 })
    await until(() => site.times('/gated') >= 1 && site.times('/two') >= 1)
    process.kill(product.pid, 'SIGKILL')
    await product.close().catch(() => undefined)
    product = await startProduct(environment, { installed: false })
    gate.resolve()
    const { data, status } = await waiting
    assert.is(status, 'completed')
    assert.equal(
      data.map(({ metadata }) => String(metadata?.sourceURL)).toSorted(),
      ['/', '/gated', '/one', '/two'].map((path) => site.url(path)),
    )
    assert.equal(proxy.outside, [])
  } finally {
    gate.resolve()
    await product.close()
    await proxy.close()
    await site.close()
  }
})

restart.run()
