/** Proxy servers over the API; the proxies, the echo and the sites are real ones on loopback. */
import { readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createBatchCrawl, createCrawl, followCrawl, getCrawl, stopCrawl } from '#contract/crawls.ts'
import { fillPath } from '#contract/endpoint.ts'
import { changeProxy, createProxy, deleteProxy, getProxy, listAllProxies, listProxies, replaceProxy, testProxy } from '#contract/proxies.ts'
import { createSitemap, followSitemap, getSitemap } from '#contract/sitemaps.ts'
import { createApiKey } from '#contract/teams.ts'
import { createProxies } from '#backend/proxies/proxies.ts'
import { administerProxies } from '#backend/proxies/administer-proxies.ts'
import { createSealer, deriveKey } from '#backend/platform/secrets.ts'
import { startApp } from '#tests/support/app.ts'
import type { App, Caller } from '#tests/support/app.ts'
import { startProxy } from '#tests/support/stubs/proxies.ts'
import { openStream } from '#tests/support/read-stream.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { createIds } from '#backend/platform/ids.ts'
import { aboutFiles } from '#tests/support/test-state.ts'
import { suite } from '#tests/support/suite.ts'

const proxies = suite('proxy servers')

const SECRET = 'a secret of tests alone, 4f9c1b7e2a6d8035'
const KNOWN = { username: 'wanda', password: 'pässword:with colon' }
const BODY = { name: 'EU pool', slug: 'eu-pool', host: '127.0.0.1', port: 3128 }

async function withApp(test: (app: App, owner: Caller) => Promise<void>, options: Parameters<typeof startApp>[0] = {}): Promise<void> {
  const app = await startApp(options)
  await test(app, await app.signIn())
}

/** A proxy that an operator adds on the command line. */
const installationOf = ({ backend }: App) =>
  administerProxies({
    database: backend.database,
    newId: createIds(Date.now),
    now: Date.now,
    sealer: createSealer(deriveKey(SECRET, 'proxy passwords')),
  })

const errorsOf = ({ body }: { body: unknown }) => (body as { errors: Record<string, unknown> }).errors

// ---- the list

proxies('8.2 to 8.6: a proxy is created, listed oldest first, read, changed and removed; no answer contains the password', () =>
  withApp(async (app, owner) => {
    const made = await app.call(createProxy, { as: owner, body: { ...BODY, proxy_type: 'socks5', ...KNOWN } })
    assert.is(made.status, 201)
    const { created_at, updated_at, ...fields } = made.body
    assert.equal(fields, { ...BODY, proxy_type: 'socks5', is_default: false, username: 'wanda', has_password: true })
    assert.equal(Object.keys(made.body), [
      'name',
      'slug',
      'is_default',
      'proxy_type',
      'host',
      'port',
      'username',
      'has_password',
      'created_at',
      'updated_at',
    ])
    assert.match(created_at, /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}Z$/)
    assert.is(created_at, updated_at)
    await app.call(createProxy, { as: owner, body: { ...BODY, slug: 'second' } })
    const listed = await app.call(listProxies, { as: owner, query: { page_size: 1 } })
    assert.equal([listed.body.count, listed.body.results.map(({ slug }) => slug)], [2, ['eu-pool']])
    assert.match(listed.body.next ?? '', /page=2/)
    const params = { slug: 'eu-pool' }
    assert.equal((await app.call(getProxy, { as: owner, params })).body, made.body)
    const moved = await app.call(changeProxy, { as: owner, params, body: { slug: 'eu_2', port: '8080' } })
    assert.equal([moved.status, moved.body.slug, moved.body.port, moved.body.has_password], [200, 'eu_2', 8080, true])
    assert.is((await app.call(getProxy, { as: owner, params })).status, 404)
    assert.equal([(await app.call(deleteProxy, { as: owner, params: { slug: 'eu_2' } })).status], [204])
    assert.is((await app.call(deleteProxy, { as: owner, params: { slug: 'eu_2' } })).status, 404)
    assert.equal(
      (await app.call(listProxies, { as: owner })).body.results.map(({ slug }) => slug),
      ['second'],
    )
    for (const reply of [made, listed, moved]) assert.not.match(reply.text, 'with colon')
  }),
)

proxies('absent fields get their defaults; an API key sees only the list of choices', () =>
  withApp(async (app, owner) => {
    const { body } = await app.call(createProxy, { as: owner, body: { ...BODY, username: '', password: '' } })
    assert.equal([body.proxy_type, body.is_default, body.username, body.has_password], ['http', false, null, false])
    const { apiKey: key } = owner
    assert.equal((await app.call(listAllProxies, { key })).body, [{ name: 'EU pool', slug: 'eu-pool', category: 'team' }])
    for (const endpoint of [listProxies, createProxy, testProxy]) assert.is((await app.call(endpoint, { key })).status, 401)
    for (const endpoint of [getProxy, changeProxy, replaceProxy, deleteProxy])
      assert.is((await app.call(endpoint, { key, params: { slug: 'eu-pool' } })).status, 401)
  }),
)

proxies('an invalid proxy is refused, with a message for each field', () =>
  withApp(async (app, owner) => {
    await app.call(createProxy, { as: owner, body: { ...BODY, slug: 'taken' } })
    const cases: [body: object, errors: Record<string, string[]>][] = [
      [
        {},
        {
          name: ['This field is required.'],
          slug: ['This field is required.'],
          host: ['This field is required.'],
          port: ['This field is required.'],
        },
      ],
      [{ ...BODY, slug: 'taken' }, { slug: ['This slug is already in use.'] }],
      [{ ...BODY, slug: 'with space' }, { slug: ['Enter a valid "slug" consisting of letters, numbers, underscores or hyphens.'] }],
      [{ ...BODY, slug: 'list-all' }, { slug: ['This slug is reserved.'] }],
      [{ ...BODY, port: 0 }, { port: ['Ensure this value is greater than or equal to 1.'] }],
      [{ ...BODY, port: 65_536 }, { port: ['Ensure this value is less than or equal to 65535.'] }],
      [{ ...BODY, proxy_type: 'ftp' }, { proxy_type: ['"ftp" is not a valid choice.'] }],
      [{ ...BODY, host: 'http://127.0.0.1' }, { host: ['Enter a host name or an address.'] }],
      [{ ...BODY, name: 'n'.repeat(256) }, { name: ['Ensure this field has no more than 255 characters.'] }],
      [{ ...BODY, password: 'p'.repeat(129) }, { password: ['Ensure this field has no more than 128 characters.'] }],
    ]
    for (const [body, errors] of cases) {
      const reply = await app.call(createProxy, { as: owner, body })
      assert.is(reply.status, 400, JSON.stringify(body))
      assert.equal(errorsOf(reply), errors)
    }
    assert.is((await app.call(listProxies, { as: owner })).body.count, 1)
    await app.call(createProxy, { as: owner, body: BODY })
    const clash = await app.call(changeProxy, { as: owner, params: { slug: 'eu-pool' }, body: { slug: 'taken' } })
    assert.equal([clash.status, errorsOf(clash)], [400, { slug: ['This slug is already in use.'] }])
    const same = await app.call(changeProxy, { as: owner, params: { slug: 'eu-pool' }, body: { slug: 'eu-pool', name: 'Same' } })
    assert.equal([same.status, same.body.name], [200, 'Same'])
    await installationOf(app).add({
      slug: 'best',
      name: 'Best',
      category: 'premium',
      address: 'http://127.0.0.1:3128',
      isDefault: false,
      password: null,
    })
    const premium = await app.call(createProxy, { as: owner, body: { ...BODY, slug: 'best' } })
    assert.equal(
      errorsOf(premium),
      { slug: ['This slug is already in use.'] },
      'a team that deleted it would go through the premium one, whatever its plan',
    )
    const both = await Promise.all([1, 2].map(() => app.call(createProxy, { as: owner, body: { ...BODY, slug: 'race' } })))
    assert.equal(
      both.map(({ status }) => status).toSorted((one, other) => one - other),
      [201, 400],
      'two at once',
    )
  }),
)

proxies('a team has at most one default proxy', () =>
  withApp(async (app, owner) => {
    const defaults = async () =>
      (await app.call(listProxies, { as: owner })).body.results.filter(({ is_default }) => is_default).map(({ slug }) => slug)
    const make = (slug: string, is_default: boolean) => app.call(createProxy, { as: owner, body: { ...BODY, slug, is_default } })
    await make('one', true)
    await make('two', false)
    assert.equal(await defaults(), ['one'])
    await make('three', true)
    assert.equal(await defaults(), ['three'])
    await app.call(changeProxy, { as: owner, params: { slug: 'two' }, body: { is_default: true } })
    assert.equal(await defaults(), ['two'])
    await app.call(replaceProxy, { as: owner, params: { slug: 'one' }, body: { ...BODY, slug: 'one', is_default: true } })
    assert.equal(await defaults(), ['one'])
    const stranger = await app.secondUser()
    await app.call(createProxy, { as: stranger, body: { ...BODY, is_default: true } })
    assert.equal(await defaults(), ['one'], 'that of another team is its own')
    await app.call(changeProxy, { as: owner, params: { slug: 'one' }, body: { is_default: false } })
    assert.equal(await defaults(), [])
  }),
)

proxies('a missing password field keeps the stored password; null and an empty password remove it', () =>
  withApp(async (app, owner) => {
    const has = async (body: object, endpoint: typeof changeProxy | typeof replaceProxy = changeProxy) => {
      const reply = await app.call(endpoint, { as: owner, params: { slug: 'eu-pool' }, body })
      assert.is(reply.status, 200, reply.text)
      return reply.body.has_password
    }
    await app.call(createProxy, { as: owner, body: { ...BODY, ...KNOWN } })
    assert.is(await has({ name: 'Other' }), true)
    assert.is(await has({ ...BODY, name: 'Whole' }, replaceProxy), true)
    assert.is(await has({ password: '' }), false)
    assert.is(await has({ password: 'new' }), true)
    assert.is(await has({ password: null }), false)
  }),
)

aboutFiles(proxies)('T38 the password is nowhere in the data folder', () =>
  withApp(async (app, owner) => {
    const password = 'Zq7-needle-in-a-haystack'
    await app.call(createProxy, { as: owner, body: { ...BODY, username: 'wanda', password } })
    const texts = readdirSync(app.dataDir).map((name) => readFileSync(join(app.dataDir, name)).toString('latin1'))
    assert.ok(
      texts.some((text) => text.includes('eu-pool')),
      'the row is among them',
    )
    for (const text of texts) assert.not.ok(text.includes(password))
    const { sealedPassword } = await app.backend.database.selectFrom('proxyServer').selectAll().executeTakeFirstOrThrow()
    const other = createSealer(deriveKey(SECRET, 'sealing'))
    assert.throws(() => other.open(sealedPassword ?? '', 'proxy_server:x'))
  }),
)

proxies('a password sealed with another secret key is reported, and a run that needs it sends no request', async () => {
  const site = await startSite({ '/': pageOf('home') })
  const proxy = await startProxy('http', { only: KNOWN })
  const before = await startApp()
  const owner = await before.signIn()
  const { host, port } = proxy
  await before.call(createProxy, { as: owner, body: { ...BODY, host, port, ...KNOWN, is_default: true } })
  const { uuid } = (await before.call(createCrawl, { as: owner, body: crawlOf(site.url('/')) })).body
  await before.http.close()
  await before.backend.close()
  await withApp(
    async (app, again) => {
      const tested = await app.call(testProxy, { as: again, body: { slug: 'eu-pool' } })
      assert.equal(errorsOf(tested), { password: ['The stored password cannot be read any more. Please set it again.'] })
      const base = await app.listen()
      const { body: key } = await app.call(createApiKey, { as: again, body: { name: 'new' } })
      const stream = await openStream(`${base}${fillPath(followCrawl.path, { id: uuid })}`, { 'x-api-key': key.key })
      const end = (await stream.rest()).at(-1)!.data as { status: string }
      assert.is(end.status, 'failed')
      assert.equal([site.all.length, proxy.connections], [0, 0])
    },
    { engine: true, config: { dataDir: before.dataDir, secretKey: 'another secret of tests alone, 77aa01c3' } },
  )
  rmSync(before.dataDir, { recursive: true })
})

// ---- choices of a team

proxies("8.7 the team's own proxies come first, then general, then premium; a team's slug hides the same slug of the installation", () =>
  withApp(async (app, owner) => {
    const stranger = await app.secondUser()
    const installation = installationOf(app)
    const add = (slug: string, category: 'general' | 'premium') =>
      installation.add({ slug, name: `Global ${slug}`, category, address: 'http://127.0.0.1:3128', isDefault: false, password: null })
    await add('premium-pool', 'premium')
    await add('eu-pool', 'general')
    await add('general-pool', 'general')
    await app.call(createProxy, { as: owner, body: BODY })
    await app.call(createProxy, { as: stranger, body: { ...BODY, slug: 'strange' } })
    assert.equal((await app.call(listAllProxies, { as: owner })).body, [
      { name: 'EU pool', slug: 'eu-pool', category: 'team' },
      { name: 'Global general-pool', slug: 'general-pool', category: 'general' },
      { name: 'Global premium-pool', slug: 'premium-pool', category: 'premium' },
    ])
    assert.equal(
      (await app.call(listAllProxies, { key: stranger.apiKey })).body.map(({ slug, category }) => `${category} ${slug}`),
      ['team strange', 'general eu-pool', 'general general-pool', 'premium premium-pool'],
    )
    for (const slug of ['general-pool', 'premium-pool']) {
      assert.is((await app.call(getProxy, { as: owner, params: { slug } })).status, 404, 'what the operator provides is the operator’s')
      assert.is((await app.call(deleteProxy, { as: owner, params: { slug } })).status, 404)
      const tested = await app.call(testProxy, { as: owner, body: { slug } })
      assert.equal(errorsOf(tested), { slug: ['Unknown proxy server.'] })
    }
    const { categoryOf } = createProxies({
      database: app.backend.database,
      mayDial: async () => true,
      newId: () => '',
      now: Date.now,
      sealer: createSealer(Buffer.alloc(32)),
    })
    const meant = await Promise.all(['eu-pool', 'premium-pool', 'strange', ''].map((slug) => categoryOf(owner.teamId, slug)))
    assert.equal(meant, ['team', 'premium', null, null])
  }),
)

proxies('2.1 an unknown slug or a slug of another team gets 400 at its field; an empty slug means no proxy', () =>
  withApp(async (app, owner) => {
    const stranger = await app.secondUser()
    await app.call(createProxy, { as: stranger, body: { ...BODY, slug: 'strange' } })
    await app.call(createProxy, { as: owner, body: BODY })
    const url = 'http://127.0.0.1:8080/'
    for (const proxy_server of ['nobody', 'strange']) {
      const spider = { options: { spider_options: { proxy_server } } }
      const wrong = { options: { spider_options: { proxy_server: ['Unknown proxy server.'] } } }
      assert.equal(errorsOf(await app.call(createCrawl, { as: owner, body: { url, ...spider } })), wrong)
      assert.equal(errorsOf(await app.call(createBatchCrawl, { as: owner, body: { urls: [url], ...spider } })), wrong)
      const sitemap = await app.call(createSitemap, { as: owner, body: { url, options: { proxy_server } } })
      assert.equal(errorsOf(sitemap), { options: { proxy_server: ['Unknown proxy server.'] } })
    }
    for (const [proxy_server, stored] of [
      ['eu-pool', 'eu-pool'],
      ['', null],
      [null, null],
    ] as const) {
      const crawl = await app.call(createCrawl, { as: owner, body: { url, options: { spider_options: { proxy_server } } } })
      assert.equal([crawl.status, crawl.body.options.spider_options.proxy_server], [201, stored])
      const batch = await app.call(createBatchCrawl, { as: owner, body: { urls: [url], options: { spider_options: { proxy_server } } } })
      assert.equal([batch.status, batch.body.options.spider_options.proxy_server], [201, stored])
      const sitemap = await app.call(createSitemap, { as: owner, body: { url, options: { proxy_server } } })
      assert.equal([sitemap.status, sitemap.body.options.proxy_server], [201, stored])
    }
  }),
)

// ---- forbidden addresses

proxies('T8 a proxy at a private address is refused in every spelling, and no connection is opened', () => {
  const hosts = [
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '0x7f000001',
    '2130706433',
    '[::1]',
    '::ffff:127.0.0.1',
    'localhost',
    'intranet',
    'x.internal',
  ]
  return withApp(
    async (app, owner) => {
      const canary = await startProxy('http')
      try {
        const refused = { host: ['This address is not allowed.'] }
        for (const host of hosts) {
          const made = await app.call(createProxy, { as: owner, body: { ...BODY, host, port: canary.port } })
          assert.equal([made.status, errorsOf(made)], [400, refused], host)
          const tested = await app.call(testProxy, { as: owner, body: { host, port: canary.port, proxy_type: 'http' } })
          assert.equal([tested.status, errorsOf(tested)], [400, refused], host)
        }
        await app.call(createProxy, { as: owner, body: { ...BODY, host: '93.184.215.14' } })
        const changed = await app.call(changeProxy, { as: owner, params: { slug: 'eu-pool' }, body: { host: '127.0.0.1' } })
        assert.equal([changed.status, errorsOf(changed)], [400, refused])
        const port = await app.call(changeProxy, { as: owner, params: { slug: 'eu-pool' }, body: { port: 25 } })
        assert.equal([port.status, errorsOf(port)], [400, refused], 'a port of mail servers')
        assert.is((await app.call(getProxy, { as: owner, params: { slug: 'eu-pool' } })).body.host, '93.184.215.14')
        assert.is(canary.connections, 0)
      } finally {
      }
    },
    { config: { egressAllow: [] } },
  )
})

// ---- the test

for (const type of ['http', 'socks4', 'socks5'] as const)
  proxies(`8.9 ${type}: the test asks for the exit address through the proxy, with its credentials`, async () => {
    const echo = await startSite({ '/ip': { headers: { 'content-type': 'application/json' }, body: '{"origin": "203.0.113.7"}' } })
    const proxy = await startProxy(type, { only: KNOWN })
    await withApp(
      async (app, owner) => {
        const { host, port } = proxy
        const whole = { host, port, proxy_type: type, ...KNOWN }
        const asked = await app.call(testProxy, { as: owner, body: whole })
        assert.equal([asked.status, asked.body], [200, { origin: '203.0.113.7' }], asked.text)
        assert.equal(proxy.targets, [`127.0.0.1:${echo.port}`])
        assert.equal(echo.paths(), ['/ip'])
        const { slug } = (await app.call(createProxy, { as: owner, body: { ...BODY, ...whole } })).body
        assert.is((await app.call(testProxy, { as: owner, body: { slug } })).status, 200, 'all of it from the stored proxy')
        const without = await app.call(testProxy, { as: owner, body: { slug, username: null, password: null } })
        assert.is(without.status, 400, 'null is without')
        assert.match((errorsOf(without)['non_field_errors'] as string[])[0] ?? '', /^The proxy failed: it .*\.$/)
        assert.is((await app.call(testProxy, { as: owner, body: { slug, port: '9' } })).status, 400, 'what is named wins')
      },
      { config: { proxyEchoUrl: echo.url('/ip') } },
    )
  })

proxies('T8 a stored password is not sent to another host: a change of the host or a test of another one needs the password again', () =>
  withApp(
    async (app, owner) => {
      const errors = { host: ['The stored password belongs to the former host: enter the password again, or remove it.'] }
      await app.call(createProxy, { as: owner, body: { ...BODY, ...KNOWN } })
      const moved = { ...BODY, host: '127.0.0.2' }
      const refused = [
        await app.call(testProxy, { as: owner, body: { slug: BODY.slug, host: moved.host } }),
        await app.call(changeProxy, { as: owner, params: { slug: BODY.slug }, body: { host: moved.host } }),
        await app.call(replaceProxy, { as: owner, params: { slug: BODY.slug }, body: moved }),
      ]
      for (const reply of refused) assert.equal([reply.status, errorsOf(reply)], [400, errors])
      assert.is((await app.call(getProxy, { as: owner, params: { slug: BODY.slug } })).body.host, BODY.host)

      const change = async (body: object) => (await app.call(changeProxy, { as: owner, params: { slug: BODY.slug }, body })).body
      assert.equal((await change({ host: BODY.host, port: 3129 })).has_password, true, 'the same host')
      assert.equal((await change({ host: moved.host, password: 'new' })).has_password, true, 'with a password')
      assert.equal((await change({ host: BODY.host, password: null })).has_password, false, 'without one')
      assert.equal((await change({ host: moved.host })).host, moved.host, 'none is stored')
    },
    { config: { egressAllow: ['127.0.0.0/8'] } },
  ),
)

proxies('8.9 F31 a failing proxy is reported with a reason, and the echo service is never asked around it', async () => {
  const echo = await startSite({ '/ip': '{"origin": "203.0.113.7"}', '/words': 'words', '/list': '[]', '/gone': { status: 410 } })
  const proxy = await startProxy('http')
  const test = async (app: App, as: Caller) =>
    app.call(testProxy, { as, body: { host: proxy.host, port: proxy.port, proxy_type: 'http', username: 'wanda', password: 'pass-word' } })
  const cases: [mode: Parameters<typeof proxy.setMode>[0], path: string, reason: string][] = [
    [407, '/ip', 'The proxy failed: it wants other credentials (HTTP 407).'],
    [502, '/ip', 'The proxy failed: it answered HTTP 502.'],
    ['cut', '/ip', 'The proxy failed: it cut the connection.'],
    ['cut-later', '/ip', 'The connection through the proxy broke.'],
    ['works', '/words', 'The proxy returned something other than the answer of the address-echo service.'],
    ['works', '/list', 'The proxy returned something other than the answer of the address-echo service.'],
    ['works', '/gone', 'The address-echo service answered HTTP 410 through the proxy.'],
  ]
  for (const [mode, path, reason] of cases)
    await withApp(
      async (app, owner) => {
        proxy.setMode(mode)
        echo.forget()
        const reply = await test(app, owner)
        assert.equal([reply.status, errorsOf(reply)], [400, { non_field_errors: [reason] }], String(mode))
        assert.not.match(reply.text, 'pass-word')
        assert.is(echo.hits.length, mode === 'works' ? 1 : 0)
      },
      { config: { proxyEchoUrl: echo.url(path) } },
    )
  await proxy.close()
  await echo.close()
  await withApp(
    async (app, owner) => {
      const { body } = await app.call(createProxy, { as: owner, body: BODY })
      const none = await app.call(testProxy, { as: owner, body: { proxy_type: null, password: null } })
      const required = ['This field is required']
      assert.equal(errorsOf(none), { host: required, port: required, proxy_type: required })
      assert.equal(errorsOf(await app.call(testProxy, { as: owner, body: { slug: 'nobody' } })), { slug: ['Unknown proxy server.'] })
      const closed = await app.call(testProxy, { as: owner, body: { slug: body.slug, port: proxy.port } })
      assert.equal(errorsOf(closed), { non_field_errors: ['The proxy failed: it does not answer.'] })
    },
    { config: { proxyEchoUrl: 'http://127.0.0.1:9' } },
  )
})

proxies('T8 a forbidden address of the echo service is not requested through a proxy either', async () => {
  const proxy = await startProxy('socks5')
  await withApp(
    async (app, owner) => {
      const reply = await app.call(testProxy, { as: owner, body: { host: proxy.host, port: proxy.port, proxy_type: 'socks5' } })
      assert.is(reply.status, 400)
      assert.equal(proxy.targets, [])
    },
    { config: { proxyEchoUrl: 'http://169.254.169.254/latest/' } },
  )
})

proxies('T8 proxy tests are rate limited: a team cannot scan for open ports', () =>
  withApp(async (app, owner) => {
    const stranger = await app.secondUser()
    const test = (as: Caller) => app.call(testProxy, { as, body: {} })
    for (let times = 0; times < 20; times += 1) assert.is((await test(owner)).status, 400)
    assert.is((await test(owner)).status, 429)
    assert.is((await test(stranger)).status, 400)
  }),
)

// ---- runs

/** Starts a run and follows it to its end. */
async function ended(app: App, owner: Caller, base: string, endpoint: typeof createCrawl | typeof createSitemap, body: object) {
  const { status, body: started, text } = await app.call(endpoint, { as: owner, body })
  assert.is(status, 201, text)
  const follow = endpoint === createCrawl ? followCrawl : followSitemap
  const stream = await openStream(`${base}${fillPath(follow.path, { id: started.uuid })}`, { 'x-api-key': owner.apiKey })
  const events = await stream.rest()
  const feed = events.filter(({ type }) => type === 'feed').map(({ data }) => `${data.type}: ${data.message}`)
  return { uuid: started.uuid, feed, status: (events.at(-1)!.data as { status: string }).status }
}

async function until(holds: () => boolean, what: string) {
  for (let times = 0; times < 500; times += 1) {
    if (holds()) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`it has not come to pass: ${what}`)
}

const crawlOf = (url: string, proxy_server: string | null = null) => ({
  url,
  options: { spider_options: { max_depth: 1, page_limit: 5, proxy_server } },
})

for (const type of ['http', 'socks5'] as const)
  proxies(
    `F31 8.8 ${type}: a crawl and a sitemap go through the proxy that they name, with its credentials, and nothing goes around it`,
    async () => {
      const site = await startSite({ '/': pageOf('home', ['/a']), '/a': pageOf('a') })
      const proxy = await startProxy(type, { only: KNOWN })
      const broken = await startProxy(type, { mode: 'cut' })
      await withApp(
        async (app, owner) => {
          const base = await app.listen()
          const { host, port } = proxy
          await app.call(createProxy, { as: owner, body: { ...BODY, host, port, proxy_type: type, ...KNOWN } })
          const crawl = await ended(app, owner, base, createCrawl, crawlOf(site.url('/'), 'eu-pool'))
          assert.is(crawl.status, 'finished')
          assert.is((await app.call(getCrawl, { as: owner, params: { id: crawl.uuid } })).body.number_of_documents, 2)
          assert.ok(crawl.feed.includes('info: Requests go through the proxy server “EU pool”'), crawl.feed.join('\n'))
          assert.not.match(crawl.feed.join('\n'), 'with colon')
          const asked = new Set(proxy.targets)
          assert.equal([...asked], [`127.0.0.1:${site.port}`])
          assert.ok(site.all.length >= 3, 'pages and the robots file')
          const before = proxy.connections
          const sitemap = await ended(app, owner, base, createSitemap, {
            url: site.url('/'),
            options: { ignore_sitemap_xml: true, proxy_server: 'eu-pool' },
          })
          assert.is(sitemap.status, 'finished', sitemap.feed.join('\n'))
          assert.ok(sitemap.feed.includes('info: Requests go through the proxy server “EU pool”'), sitemap.feed.join('\n'))
          assert.ok(proxy.connections >= before)
          const hits = site.hits.length
          await app.call(changeProxy, { as: owner, params: { slug: 'eu-pool' }, body: { port: broken.port } })
          const { uuid } = (await app.call(createCrawl, { as: owner, body: crawlOf(site.url('/a'), 'eu-pool') })).body
          await until(() => broken.connections > 0, 'the proxy is asked')
          await app.call(stopCrawl, { as: owner, params: { id: uuid } })
          assert.is(site.hits.length, hits, 'no request in its place')
        },
        { engine: true },
      ).finally(() => Promise.all([proxy, broken, site].map((one) => one.close())))
    },
  )

proxies(
  '8.8 a run without a proxy uses the team’s default, then the installation’s, then none; house 8: a run whose proxy no longer exists fails',
  async () => {
    const site = await startSite({ '/': pageOf('home') })
    const [team, global, named] = await Promise.all([startProxy('http'), startProxy('socks5'), startProxy('socks4')])
    await withApp(
      async (app, owner) => {
        const base = await app.listen()
        const installation = installationOf(app)
        const hits = () => [team, global, named].map(({ connections }) => connections > 0)
        const seen: [feed: string | undefined, hits: boolean[]][] = []
        const crawl = async (proxy_server: string | null = null) => {
          const { feed, status } = await ended(app, owner, base, createCrawl, crawlOf(site.url('/'), proxy_server))
          assert.is(status, 'finished')
          seen.push([feed.find((line) => line.includes('Requests go') || line.includes('requests go')), hits()])
        }
        await crawl()
        const address = `socks5://127.0.0.1:${global.port}`
        await installation.add({ slug: 'world', name: 'World', category: 'general', address, isDefault: true, password: null })
        await crawl()
        await app.call(createProxy, { as: owner, body: { ...BODY, name: 'Own', port: team.port, is_default: true } })
        await crawl()
        await app.call(createProxy, {
          as: owner,
          body: { ...BODY, name: 'Same slug', slug: 'world', proxy_type: 'socks4', port: named.port },
        })
        await crawl('world')
        assert.equal(seen, [
          [undefined, [false, false, false]],
          ['info: Requests go through the proxy server “World”', [false, true, false]],
          ['info: Requests go through the proxy server “Own”', [true, true, false]],
          ['info: Requests go through the proxy server “Same slug”', [true, true, true]],
        ])
      },
      { engine: true },
    )
    // The run is created while there is no engine, and starts after the proxy has been deleted.
    const idle = await startApp()
    const owner = await idle.signIn()
    await idle.call(createProxy, { as: owner, body: { ...BODY, slug: 'going', port: named.port } })
    await idle.call(createProxy, { as: owner, body: { ...BODY, name: 'Own', port: team.port, is_default: true } })
    const { uuid } = (await idle.call(createCrawl, { as: owner, body: crawlOf(site.url('/'), 'going') })).body
    const options = { proxy_server: 'going' }
    const sitemap = (await idle.call(createSitemap, { as: owner, body: { url: site.url('/'), options } })).body.uuid
    await idle.call(deleteProxy, { as: owner, params: { slug: 'going' } })
    const before = [named.connections, team.connections]
    const asked = site.all.length
    await withApp(
      async (app) => {
        const base = await app.listen()
        for (const [spec, id, read] of [
          [followCrawl, uuid, getCrawl],
          [followSitemap, sitemap, getSitemap],
        ] as const) {
          const stream = await openStream(`${base}${fillPath(spec.path, { id })}`, { 'x-api-key': owner.apiKey })
          const feed = (await stream.rest()).filter(({ type }) => type === 'feed').map(({ data }) => `${data.type}: ${data.message}`)
          assert.equal(feed, ['error: Stopped: the proxy server “going” no longer exists, and this run must not make requests without it'])
          const { status, reason } = (await app.call(read, { as: owner, params: { id } })).body
          assert.equal([status, reason], ['failed', 'proxy_missing'])
        }
        assert.is(site.all.length, asked, 'no request without the proxy')
        assert.equal([named.connections, team.connections], before)
      },
      { engine: true, config: { dataDir: idle.dataDir } },
    )
    await idle.close()
    for (const one of [team, global, named, site]) await one.close()
  },
)

proxies('T8 F31 a private address stays refused behind a proxy, and the proxy gets no request', async () => {
  const site = await startSite({ '/': pageOf('home', ['http://127.0.0.3/', 'http://169.254.169.254/latest/', 'http://[::1]/']) })
  const proxy = await startProxy('http')
  await withApp(
    async (app, owner) => {
      const base = await app.listen()
      await app.call(createProxy, { as: owner, body: { ...BODY, port: proxy.port, is_default: true } })
      for (const url of ['http://127.0.0.3/', 'http://169.254.169.254/latest/']) {
        const refused = await app.call(createCrawl, { as: owner, body: crawlOf(url, 'eu-pool') })
        assert.equal([refused.status, errorsOf(refused)], [400, { url: ['This address is not allowed.'] }])
      }
      const crawl = await ended(app, owner, base, createCrawl, {
        url: site.url('/'),
        options: { spider_options: { max_depth: 2, page_limit: 9, allowed_domains: ['*'] } },
      })
      assert.is(crawl.status, 'finished')
      assert.equal([...new Set(proxy.targets)], [`127.0.0.1:${site.port}`])
      assert.equal(proxy.plain, [])
    },
    { engine: true },
  )
})

proxies.run()
