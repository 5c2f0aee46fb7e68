import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import Fastify from 'fastify'
import * as assert from 'uvu/assert'
import { install } from '#contract/accounts.ts'
import { getSettings } from '#contract/settings.ts'
import { healthRoutes } from '#backend/system/routes.ts'
import { ADMINISTRATOR, startApp } from '#tests/support/app.ts'
import { freePort } from '#tests/support/stubs/path-proxy.ts'
import { suite } from '#tests/support/suite.ts'
import { until } from '#tests/support/until.ts'

const NOTHING_CONFIGURED = { browser: 'off', redis: 'off', bucket: 'off', mail: 'off', search: 'off' }
const settings = suite('settings and health')

settings('S-API-13 S-SET-05 everyone may read the settings, with and without the last slash, and no cache keeps them', async () => {
  const app = await startApp({
    config: {
      policyUrl: 'https://example.org/privacy',
      policyUpdatedAt: '2026-01-02T00:00:00.000Z',
      crawlConcurrency: 7,
      version: '1.2.3',
    },
  })
  for (const path of ['/api/v1/common/settings', '/api/v1/common/settings/', '/api/v1/common/settings?x=1']) {
    const reply = await app.request('GET', path)
    assert.is(reply.status, 200)
    assert.is(reply.headers['cache-control'], 'no-store')
    assert.equal(reply.body, {
      is_installed: false,
      is_enterprise_mode_active: false,
      api_version: '1.2.3',
      google_analytics_id: '',
      policy_url: 'https://example.org/privacy',
      terms_url: '',
      policy_update_at: '2026-01-02T00:00:00.000000Z',
      terms_update_at: null,
      is_login_active: true,
      is_signup_active: true,
      is_github_login_active: false,
      is_google_login_active: false,
      is_oidc_login_active: false,
      github_client_id: '',
      google_client_id: '',
      oidc_name: '',
      is_search_configured: false,
      max_crawl_concurrency: 7,
      mcp_server: '/mcp',
      is_rendering_configured: false,
      max_upload_urls: 1000,
      is_mail_configured: false,
    })
  }
})

settings('S-SET-04 the settings tell whether the product is installed, at once and after a restart', async () => {
  const app = await startApp()
  assert.is((await app.call(getSettings)).body.is_installed, false)
  await app.call(install, { body: ADMINISTRATOR })
  assert.is((await app.call(getSettings)).body.is_installed, true)
  await app.http.close()
  await app.backend.close()
  const again = await startApp({ config: { dataDir: app.dataDir } })
  assert.is((await again.call(getSettings)).body.is_installed, true)
})

settings('an unexpected error is logged with its cause, and no answer contains the cause', async () => {
  const logged: string[] = []
  const log = { info: () => undefined, warn: () => undefined, error: (facts: object) => void logged.push(inspect(facts)) }
  const app = await startApp({ log })
  await app.call(getSettings)
  await app.backend.database.destroy()
  const reply = await app.call(getSettings)
  assert.equal(reply.body as unknown, { code: 500, errors: null, message: 'An unexpected error occurred.' })
  assert.is(logged.length, 1)
  assert.match(logged[0] ?? '', /destroyed/)
  const ready = await app.request('GET', '/health/ready')
  assert.is(ready.status, 503)
  assert.equal(ready.body, {
    status: 'failed',
    checks: { database: 'failed', storage: 'ok', queue: 'failed', ...NOTHING_CONFIGURED },
  })
  assert.is((await app.request('GET', '/health/live')).status, 200)
})

settings('the health check needs no credential', async () => {
  const app = await startApp()
  const live = await app.request('GET', '/health/live')
  assert.equal([live.status, live.text, live.headers['content-type']], [200, '{"status":"ok"}', 'application/json'])
  const ready = await app.request('GET', '/health/ready')
  assert.equal(ready.body, { status: 'ok', checks: { database: 'ok', storage: 'ok', queue: 'ok', ...NOTHING_CONFIGURED } })
})

settings('the product is not ready while the process of its engine dies again and again', async () => {
  const engine = { wake: () => undefined, cancel: () => undefined, isFailing: () => true, close: async () => undefined }
  const app = await startApp({ engine: () => engine })
  const ready = await app.request('GET', '/health/ready')
  assert.is(ready.status, 503)
  assert.equal(ready.body, { status: 'failed', checks: { database: 'ok', storage: 'ok', queue: 'failed', ...NOTHING_CONFIGURED } })
})

settings('crawls go on without the services that only some work needs, so the product is ready without them', async () => {
  const needed = { database: 'ok', storage: 'ok', queue: 'ok' } as const
  const checks = { ...needed, browser: 'failed', bucket: 'failed', mail: 'failed', redis: 'failed', search: 'failed' } as const
  const app = Fastify()
  await app.register(healthRoutes({ check: async () => checks }))
  const { json, statusCode } = await app.inject('/health/ready')
  assert.equal([statusCode, json()], [200, { status: 'ok', checks }])
})

settings(
  'services that do not answer are no reason to refuse the start; the log names the option of each, and readiness the service',
  async () => {
    // It accepts connections and never answers.
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const refusing = `127.0.0.1:${await freePort()}`
    const warnings: string[] = []
    const log = { info: () => undefined, warn: (_: object, message: string) => void warnings.push(message), error: () => undefined }
    const app = await startApp({
      config: {
        blobPlace: { kind: 's3', endpoint: url, bucket: 'b', prefix: '', region: 'r', accessKeyId: 'a', secretAccessKey: 's' },
        rendererToken: 'a token of the tests',
        rendererUrl: [`http://${refusing}`],
        searxngUrl: `http://${refusing}`,
        smtpUrl: `smtp://${refusing}`,
      },
      log,
    })
    await until(() => ['RENDERER_URL', 'SEARXNG_URL', 'SMTP_URL'].every((name) => warnings.some((line) => line.startsWith(name))))
    const { body, status } = await app.request('GET', '/health/ready')
    assert.is(status, 200)
    const { checks } = body as { checks: Record<string, string> }
    // Of the bucket, nothing is known yet.
    assert.equal([checks['browser'], checks['search'], checks['mail'], checks['bucket']], ['failed', 'failed', 'failed', 'ok'])
    silent.closeAllConnections()
    silent.close()
  },
)

settings.run()
