import * as assert from 'uvu/assert'
import { createCrawl, listCrawls } from '#contract/crawls.ts'
import { createApiKey, createTeam, deleteApiKey, listApiKeys } from '#contract/teams.ts'
import { ADMINISTRATOR, startApp } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const keys = suite('API keys')

const UNKNOWN = { code: 401, errors: null, message: 'Unknown API key.' }

keys('S-WRK-06 a key is created, listed, used and revoked', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const made = await app.call(createApiKey, { as: me, body: { name: 'Dify' } })
  assert.is(made.status, 201)
  assert.match(made.body.key, /^sn-[a-z0-9]{32}$/)
  assert.is(made.body.last_used_at, null)
  const listed = (await app.call(listApiKeys, { as: me })).body.results
  assert.equal(
    listed.map(({ name }) => name),
    ['Dify', 'test', 'Default'],
    'newest first',
  )
  assert.is(listed[0]?.key, made.body.key, 'the whole key in every answer')
  assert.is((await app.call(listCrawls, { key: made.body.key })).status, 200)

  const revoked = await app.call(deleteApiKey, { as: me, params: { id: made.body.uuid.toUpperCase() } })
  assert.equal([revoked.status, revoked.text], [204, ''])
  assert.equal((await app.call(listCrawls, { key: made.body.key })).body as unknown, UNKNOWN)
  assert.is((await app.call(deleteApiKey, { as: me, params: { id: made.body.uuid } })).status, 404)
})

keys('checklist 3: the header has any letter case, Authorization accepts the key too, and a wrong one gets 401', async () => {
  const app = await startApp()
  const { apiKey, access } = await app.signIn()
  const good: Record<string, string>[] = [
    { 'x-api-key': apiKey },
    { 'X-API-KEY': apiKey },
    { 'X-Api-Key': ` ${apiKey} ` },
    { authorization: `Bearer ${apiKey}` },
    { authorization: `Api-Key ${apiKey}` },
    { authorization: `token ${apiKey}` },
    { authorization: 'Basic bmFtZTp3b3Jk', 'x-api-key': apiKey },
    { authorization: `Bearer ${access}`, 'x-api-key': 'sn-wrong' },
  ]
  for (const headers of good) assert.is((await app.call(listCrawls, { headers })).status, 200, JSON.stringify(headers))
  const unknown = `sn-${'a'.repeat(32)}`
  const bad: [headers: Record<string, string>, message: string][] = [
    [{ 'x-api-key': unknown }, 'Unknown API key.'],
    [{ 'x-api-key': apiKey.toUpperCase() }, 'Unknown API key.'],
    [{ 'x-api-key': `${apiKey}a` }, 'Unknown API key.'],
    [{ 'x-api-key': 'wc-whatever' }, 'Unknown API key.'],
    [{ authorization: `Bearer ${unknown}` }, 'Unknown API key.'],
    [{ authorization: 'Bearer stale', 'x-api-key': apiKey }, 'Given token not valid for any token type'],
    [{ authorization: 'Bearer', 'x-api-key': apiKey }, 'Given token not valid for any token type'],
    [{ authorization: 'Api-Key stale' }, 'Authentication credentials were not provided.'],
    [{ 'x-api-key': '' }, 'Authentication credentials were not provided.'],
    [{}, 'Authentication credentials were not provided.'],
  ]
  for (const [headers, message] of bad)
    assert.equal((await app.call(listCrawls, { headers })).body as unknown, { code: 401, errors: null, message }, JSON.stringify(headers))
})

keys('T24 the key determines the team; the header cannot change it', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const { body: other } = await app.call(createTeam, { as: me, body: { name: 'Other' } })
  const { body: keysOfOther } = await app.call(listApiKeys, { as: { ...me, teamId: other.uuid } })
  const key = keysOfOther.results[0]?.key ?? ''
  const started = await app.call(createCrawl, { key, body: { url: 'http://127.0.0.1:8080/' }, headers: { 'x-team-id': me.teamId } })
  assert.is(started.status, 201)
  assert.is((await app.call(listCrawls, { key })).body.count, 1)
  assert.is((await app.call(listCrawls, { key: me.apiKey, headers: { 'x-team-id': other.uuid } })).body.count, 0)
})

keys('the last use of a key is stored, at most once a minute', async () => {
  const clock = createClock(Date.parse('2026-03-04T09:00:00Z'))
  const app = await startApp({ clock })
  const me = await app.signIn()
  const lastUse = async () => (await app.call(listApiKeys, { as: me })).body.results.find(({ key }) => key === me.apiKey)?.last_used_at
  await app.call(listCrawls, { key: me.apiKey })
  assert.is(await lastUse(), '2026-03-04T09:00:00.000000Z')
  clock.advance(59_999)
  await app.call(listCrawls, { key: me.apiKey })
  assert.is(await lastUse(), '2026-03-04T09:00:00.000000Z')
  clock.advance(1)
  await app.call(listCrawls, { key: me.apiKey })
  assert.is(await lastUse(), '2026-03-04T09:01:00.000000Z')
})

keys('endpoints for users refuse a key', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const reply = await app.call(listApiKeys, { key: me.apiKey })
  assert.equal(reply.body as unknown, { code: 401, errors: null, message: 'Authentication credentials were not provided.' })
  assert.is((await app.call(createApiKey, { key: me.apiKey, body: { name: 'more' } })).status, 401)
  assert.is((await app.call(listApiKeys, { as: me })).body.count, 2)
})

keys('calls are counted by key only if the operator configures it', async () => {
  const clock = createClock()
  const app = await startApp({ clock, config: { rateLimitApi: 5 } })
  const me = await app.signIn()
  for (let no = 0; no < 5; no += 1) assert.is((await app.call(listCrawls, { key: me.apiKey })).status, 200)
  const refused = await app.call(listCrawls, { key: me.apiKey })
  assert.is(refused.status, 429)
  assert.is(refused.headers['retry-after'], '60')
  assert.is((await app.call(listCrawls, { as: me })).status, 200)
  clock.advance(60_000)
  assert.is((await app.call(listCrawls, { key: me.apiKey })).status, 200)
})

keys('the list of keys has pages, and the page links keep the other parameters', async () => {
  const app = await startApp({ config: { publicUrl: 'https://seine.example.org' } })
  const me = await app.signIn()
  for (const name of ['a', 'b', 'c']) await app.call(createApiKey, { as: me, body: { name } })
  const page = (query: Record<string, string | number>) => app.call(listApiKeys, { as: me, query })
  const first = (await page({ page_size: 2, x: 'y' })).body
  assert.is(first.count, 5)
  assert.equal(
    first.results.map(({ name }) => name),
    ['c', 'b'],
  )
  assert.is(first.next, 'https://seine.example.org/api/v1/user/api-keys/?page_size=2&x=y&page=2')
  assert.is(first.previous, null)
  const last = (await page({ page: 'last', page_size: 2 })).body
  assert.equal(
    [last.results.length, last.next, last.previous],
    [1, null, 'https://seine.example.org/api/v1/user/api-keys/?page=2&page_size=2'],
  )
  assert.is((await page({ page: 2, page_size: 3 })).body.previous, 'https://seine.example.org/api/v1/user/api-keys/?page_size=3')
  for (const size of ['0', '-1', 'many', '']) assert.is((await page({ page_size: size })).body.results.length, 5, size)
  for (const wrong of ['9', '0', '-1', 'x', '1.5']) {
    const reply = await page({ page: wrong })
    assert.equal(reply.body as unknown, { code: 404, errors: null, message: 'Invalid page.' }, wrong)
  }
  assert.equal((await page({ 'params[page]': 9 })).body.results, [])
  assert.is((await page({ 'params[page_size]': 2 })).body.results.length, 2)
})

keys('O1: keys sealed by a lost secret key are listed without their text, do not work and can be deleted; new keys work', async () => {
  const dataDir = temporaryFolder('seine-keys-')
  const before = await startApp({ config: { dataDir } })
  const { apiKey } = await before.signIn()
  await before.close()

  const warnings: { facts: object; message: string }[] = []
  const warn = (facts: object, message: string) => void warnings.push({ facts, message })
  const app = await startApp({
    config: { dataDir, secretKey: 'another secret of tests, 92c4e1f07ab35d68' },
    log: { info: () => undefined, warn, error: warn },
  })
  assert.equal(
    warnings.map(({ facts }) => facts),
    [{ apiKeys: 2, modelKeys: 0, proxyPasswords: 0, webhookSecrets: 0 }],
  )
  assert.match(warnings[0]?.message ?? '', /secret key/)
  assert.is((await app.call(listCrawls, { key: apiKey })).status, 401)
  const me = await app.logIn(ADMINISTRATOR)
  const { status, body } = await app.call(listApiKeys, { as: me })
  assert.is(status, 200)
  assert.equal(
    body.results.map(({ key }) => key),
    [me.apiKey, '', ''],
    'newest first; the old ones without their text',
  )
  for (const { uuid, key } of body.results)
    if (key === '') assert.is((await app.call(deleteApiKey, { as: me, params: { id: uuid } })).status, 204)
  assert.is((await app.call(listApiKeys, { as: me })).body.count, 1)
  assert.is((await app.call(listCrawls, { key: me.apiKey })).status, 200)
})

keys.run()
