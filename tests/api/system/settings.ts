import { setTimeout as wait } from 'node:timers/promises'
import { inspect } from 'node:util'
import Fastify from 'fastify'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { install } from '#contract/accounts.ts'
import { getSettings } from '#contract/settings.ts'
import { createBucketWatch } from '#backend/system/bucket-watch.ts'
import { healthRoutes } from '#backend/system/routes.ts'
import { ADMINISTRATOR, startApp } from '#tests/support/app.ts'

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
  await app.close()
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
  await again.close()
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
    checks: { database: 'failed', storage: 'ok', queue: 'failed', browser: 'off', bucket: 'off' },
  })
  assert.is((await app.request('GET', '/health/live')).status, 200)
  await app.close()
})

settings('the health check needs no credential', async () => {
  const app = await startApp()
  const live = await app.request('GET', '/health/live')
  assert.equal([live.status, live.text, live.headers['content-type']], [200, '{"status":"ok"}', 'application/json'])
  const ready = await app.request('GET', '/health/ready')
  assert.equal(ready.body, { status: 'ok', checks: { database: 'ok', storage: 'ok', queue: 'ok', browser: 'off', bucket: 'off' } })
  await app.close()
})

settings('the product is not ready while the process of its engine dies again and again', async () => {
  const engine = { wake: () => undefined, cancel: () => undefined, isFailing: () => true, close: async () => undefined }
  const app = await startApp({ engine: () => engine })
  const ready = await app.request('GET', '/health/ready')
  assert.is(ready.status, 503)
  assert.equal(ready.body, { status: 'failed', checks: { database: 'ok', storage: 'ok', queue: 'failed', browser: 'off', bucket: 'off' } })
  await app.close()
})

settings('readiness reports the bucket, and asks it at most every half minute', async () => {
  let time = 0
  let asked = 0
  let isDown = true
  const ping = async () => {
    asked += 1
    if (isDown) throw new Error('no answer')
  }
  const check = createBucketWatch({ ping, steady: () => time })
  assert.equal([await check(), await check(), asked], ['failed', 'failed', 1])
  isDown = false
  time = 29_999
  assert.equal([await check(), asked], ['failed', 1])
  time = 30_000
  assert.equal([await check(), asked], ['ok', 2])
  assert.is(await createBucketWatch({ ping: null, steady: () => time })(), 'off')
})

settings('a bucket that is slow to answer does not delay readiness: the answer before counts until then', async () => {
  let time = 0
  const slow = Promise.withResolvers<void>()
  const answers = [Promise.resolve(), slow.promise]
  const check = createBucketWatch({ ping: () => answers.shift()!, steady: () => time })
  assert.is(await check(), 'ok')
  time = 30_000
  assert.is(await Promise.race([check(), wait(1000, 'no answer')]), 'ok')
  slow.reject(new Error('no answer'))
  await wait(1)
  assert.is(await check(), 'failed')
})

settings('crawls go on without the bucket, so the product is ready without it', async () => {
  const checks = { database: 'ok', storage: 'ok', queue: 'ok', browser: 'failed', bucket: 'failed' } as const
  const app = Fastify()
  await app.register(healthRoutes({ check: async () => checks }))
  const { json, statusCode } = await app.inject('/health/ready')
  assert.equal([statusCode, json()], [200, { status: 'ok', checks }])
  await app.close()
})

settings.run()
