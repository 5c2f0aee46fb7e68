import { OPTIONS, type Option } from '#config/options.ts'
import { ConfigFault, readConfig, runtimeConfigOf } from '#config/read-config.ts'
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const KEY = 'b8Jq2vXn5Lw0RzTf7YcUeGk1Hd9AsMpQ'

const options = suite('options')

options('all options are optional: each has a working default that keeps strangers out', () => {
  const config = readConfig({})
  assert.is(config.role, 'all')
  assert.is(config.host, '127.0.0.1')
  assert.is(config.port, 3000)
  assert.equal(config.egressAllow, [])
  assert.is(config.trustProxy, 0)
  assert.ok(config.crawlObeyRobots)
  assert.is(config.databaseUrl, `sqlite:${join(config.dataDir, 'seine.db')}`)
  assert.match(config.crawlerUserAgent, /^SeineBot\/\d+\.\d+\.\d+ \(\+https:\/\/github\.com\/.+\)$/)
  assert.ok(Object.isFrozen(config))
})

options('a worker sends four pages to its renderers at once, whatever memory it has itself', () => {
  const remote = { RENDERER_URL: 'http://renderer:3000', RENDERER_TOKEN: KEY }
  assert.is(readConfig(remote).renderConcurrency, 4)
  assert.is(readConfig({ ...remote, RENDER_CONCURRENCY: '7' }).renderConcurrency, 7)
  const here = readConfig({}).renderConcurrency
  assert.ok(here >= 1 && here <= availableParallelism())
})

options('the URL of a renderer or a bucket may have its default port, but no path', () => {
  const keys = { RENDERER_TOKEN: KEY, AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'hush' }
  const read = (renderer: string, endpoint: string) =>
    readConfig({ ...keys, RENDERER_URL: renderer, BLOB_STORE: `s3://bucket?endpoint=${endpoint}` })
  const { blobPlace, rendererUrl } = read('http://renderer:80, http://Other:3000/', 'https://s3.example.org:443')
  assert.equal([rendererUrl, blobPlace?.endpoint], [['http://renderer', 'http://other:3000'], 'https://s3.example.org'])
  assert.throws(() => read('http://renderer/pages', 'https://s3.example.org'), /RENDERER_URL is/)
  assert.throws(() => read('http://renderer', 'https://s3.example.org/bucket'), /BLOB_STORE is/)
})

options('the issuer of an OpenID provider may be written as the URL of its configuration', () => {
  for (const end of ['', '/', '/.well-known/openid-configuration'])
    assert.is(
      readConfig({ OIDC_CLIENT_ID: 'seine', OIDC_ISSUER: `https://login.example.org/realms/a${end}` }).oidcIssuer,
      'https://login.example.org/realms/a',
    )
})

const TEXTS: [name: string, text: string, value: unknown, why: string][] = [
  ['PORT', '0', 0, 'any free port'],
  ['PORT', ' 8080 ', 8080, 'surrounding spaces'],
  ['PORT', '', 3000, 'empty means not set'],
  ['PORT', '65536', Error, 'above 65535'],
  ['PORT', '-1', Error, 'below 0'],
  ['PORT', '80.5', Error, 'not a whole number'],
  ['PORT', '1e3', Error, 'exponent notation'],
  ['CRAWL_CONCURRENCY', '0', Error, 'without a connection no crawl fetches'],
  ['CRAWL_OBEY_ROBOTS', 'false', false, ''],
  ['CRAWL_OBEY_ROBOTS', '0', false, ''],
  ['CRAWL_OBEY_ROBOTS', 'TRUE', true, ''],
  ['CRAWL_OBEY_ROBOTS', 'off the record', Error, ''],
  ['ROLE', 'gateways', Error, 'an unknown role'],
  ['ROLE', 'worker', Error, 'a role that does not exist'],
  ['DATABASE_URL', 'sqlite:/tmp/x.db', 'sqlite:/tmp/x.db', ''],
  ['DATABASE_URL', 'postgres://user:hush@db/seine', 'postgres://user:hush@db/seine', ''],
  ['DATABASE_URL', 'sqlite:', Error, 'no file, which SQLite takes for a database that ends with the process'],
  ['DATABASE_URL', 'sqlite::memory:', Error, 'a database that ends with the process'],
  ['DATABASE_URL', 'sqlite:~/seine.db', Error, 'only a shell replaces ~'],
  ['DATABASE_URL', 'postgres://user:hu/sh@db/seine', Error, 'a slash in the password, which would end the host'],
  ['DATABASE_URL', 'postgres://user:p%2Fw@/seine?host=/run', 'postgres://user:p%2Fw@/seine?host=/run', 'a socket instead of a host'],
  ['DATA_DIR', '~/data', Error, 'only a shell replaces ~'],
  ['REDIS_URL', 'redis://user:p%zz@redis:6379', Error, 'a percent sign that encodes nothing'],
  ['REDIS_URL', 'redis://user:p%25@redis:6379', 'redis://user:p%25@redis:6379', ''],
  ['REDIS_URL', 'redis://redis:6379/seine', Error, 'databases of Redis have numbers'],
  ['STRIPE_WEBHOOK_SECRET', ' , ', Error, 'a list of nothing'],
  ['DATABASE_URL', 'mysql://user:hush@db/seine', Error, 'an unsupported database'],
  ['PUBLIC_URL', 'https://crawl.example.org/', 'https://crawl.example.org', 'the trailing slash is dropped'],
  ['PUBLIC_URL', 'https://example.org/crawl/', 'https://example.org/crawl', 'O12: a path'],
  ['PUBLIC_URL', 'https://example.org/tools/crawl-1.0', 'https://example.org/tools/crawl-1.0', 'O12: a path of two segments'],
  ['PUBLIC_URL', 'https://example.org/api/', Error, 'O12: a path that the service itself uses'],
  ['PUBLIC_URL', 'https://example.org/a%20b', Error, 'O12: a path that needs encoding'],
  ['PUBLIC_URL', 'https://example.org/a//b', Error, 'O12: an empty segment'],
  ['PUBLIC_URL', 'https://example.org/crawl?x=1', Error, 'O12: a query'],
  ['PUBLIC_URL', 'https://example.org/#top', Error, 'O12: a fragment'],
  ['PUBLIC_URL', 'crawl.example.org', Error, 'no scheme'],
  ['PUBLIC_URL', 'javascript:alert(1)', Error, 'neither http nor https'],
  ['API_URL', 'https://user:hush@api.example.org', Error, 'a password that the page would contain'],
  ['API_URL', 'https://api.example.org/?x=1', Error, 'a query, to which no path can be appended'],
  ['BACKEND_URL', 'http://user:hush@api:3000', Error, 'a password that the gateway would not send'],
  ['OPENAI_BASE_URL', 'https://models.example.org/v1?api-version=2', Error, 'a query, to which no path can be appended'],
  ['OPENAI_BASE_URL', 'https://user:hush@models.example.org/v1/', 'https://user:hush@models.example.org/v1', 'a password that is sent'],
  ['PROXY_ECHO_URL', 'https://echo.example.org/ip?format=json', 'https://echo.example.org/ip?format=json', 'a complete URL'],
  ['POLICY_URL', 'javascript:alert(1)', Error, 'a javascript: URL'],
  ['TERMS_URL', 'http://example.org/terms', Error, 'links must be https'],
  ['POLICY_UPDATED_AT', '2026-01-02', '2026-01-02T00:00:00.000Z', 'a date means its midnight in UTC'],
  ['POLICY_UPDATED_AT', '2026-01-02T03:04:05+02:00', '2026-01-02T01:04:05.000Z', ''],
  ['POLICY_UPDATED_AT', '03.04.2026', Error, 'JavaScript reads it as the fourth of March'],
  ['POLICY_UPDATED_AT', '2026-02-30', Error, 'JavaScript reads it as the second of March'],
  ['POLICY_UPDATED_AT', 'https://example.org/2', Error, 'JavaScript reads it as a day of 2001'],
  ['POLICY_UPDATED_AT', 'yesterday', Error, ''],
  ['CORS_ORIGINS', 'https://a.example, http://localhost:5173', ['https://a.example', 'http://localhost:5173'], ''],
  ['CORS_ORIGINS', 'https://a.example/', Error, 'an origin has no path'],
  ['CORS_ORIGINS', 'https://a.example:443', ['https://a.example'], 'browsers send an origin without its default port'],
  ['CORS_ORIGINS', '*', Error, 'a star is not an origin'],
  ['TRUST_PROXY', '2', 2, 'a number of hops'],
  ['TRUST_PROXY', '10.0.0.0/8,::1', ['10.0.0.0/8', '::1'], 'a list of networks'],
  ['TRUST_PROXY', 'true', Error, 'trusting every network needs explicit ranges'],
  [
    'EGRESS_ALLOW',
    '127.0.0.1:4600-4600,127.0.0.1:4602-4663,10.20.0.0/16:443',
    ['127.0.0.1:4600-4600', '127.0.0.1:4602-4663', '10.20.0.0/16:443'],
    '',
  ],
  ['EGRESS_ALLOW', '[fd00::]/8:80,::1', ['[fd00::]/8:80', '::1'], ''],
  ['EGRESS_ALLOW', 'localhost', Error, 'a host name may resolve to any address'],
  ['EGRESS_ALLOW', '10.0.0.0/33', Error, ''],
  ['EGRESS_ALLOW', '127.0.0.1:9-8', Error, ''],
  ['EGRESS_RESOLVER', '127.0.0.1:5353', '127.0.0.1:5353', ''],
  ['CRAWLER_USER_AGENT', 'Bot/1\r\nX-Evil: 1', Error, 'a line break would forge a header'],
  ['PRODUCT_NAME', 'Net & Co', 'Net & Co', ''],
  ['GITHUB_REPOSITORY', 'https://github.com/a/b', Error, 'expected owner/name'],
]
for (const [name, text, value, why] of TEXTS) {
  options(`${name}=${text} is ${value === Error ? 'refused' : JSON.stringify(value)}${why && `: ${why}`}`, () => {
    const read = () => (readConfig({ [name]: text }) as Record<string, unknown>)[camelCase(name)]
    if (value === Error) assert.throws(read, (error: unknown) => error instanceof ConfigFault && error.message.includes(name))
    else assert.equal(read(), value)
  })
}

options('all errors are reported at once, each with its option, its shape and the expected value', () => {
  const message = faultOf({
    PORT: 'x',
    CRAWL_CONCURRENCY: '0',
    ROLE: 'gateway',
    SECRET_KEY: 'short-and-hush',
    DATABASE_URL: 'mysql://user:hush@db/x',
  })
  assert.is(message.split('\n').length, 6)
  assert.match(message, /PORT is "x", but must be a whole number, 0 to 65535/)
  assert.match(message, /CRAWL_CONCURRENCY is "0"/)
  assert.match(message, /ROLE is "gateway", which needs BACKEND_URL/)
  assert.match(message, /SECRET_KEY is a text of 14 characters/)
  assert.not.match(message, /hush/, 'neither secrets nor what a URL may hold')
})

options('an option with a wrong value is not reported as missing, too', () => {
  assert.match(faultOf({ OPENAI_MODELS: 'a=-1/2', OPENAI_API_KEY: 'hush' }), /^.*\n  OPENAI_MODELS is "a=-1\/2", but must be [^\n]*$/)
  assert.match(faultOf({ SEARXNG_URL: 'searx', SEARCH_PROVIDERS: 'searxng' }), /^.*\n  SEARXNG_URL is a text of 5 characters[^\n]*$/)
})

options('each role names its missing options', () => {
  for (const role of ['api', 'worker'])
    for (const missing of ['DATABASE_URL', 'REDIS_URL', 'SECRET_KEY'])
      assert.throws(() => readConfig({ ROLE: role }), new RegExp(`ROLE is "${role}", which needs ${missing}`))
  assert.throws(() => readConfig({ ROLE: 'renderer' }), /needs RENDERER_TOKEN/)
  assert.throws(() => readConfig({ RENDERER_URL: 'http://renderer:3000' }), /needs RENDERER_TOKEN/)
  assert.throws(() => readConfig({ RENDERER_TOKEN: 'short' }), /RENDERER_TOKEN is a text of 5 characters that can be guessed/)
  const served = { ROLE: 'renderer', RENDERER_TOKEN: 'q7Xw2mZk9Tb4Vn6Rj1Hs8Lc5Yd3Gf0Pa', BACKEND_URL: 'http://api:3000' }
  assert.is(readConfig(served).backendUrl, undefined, 'BACKEND_URL is for gateways')
})

const SEARCH_FAULTS: [environment: Record<string, string>, fault: RegExp][] = [
  [{ GOOGLE_SEARCH_KEY: 'hush' }, /GOOGLE_SEARCH_KEY is set, which needs GOOGLE_SEARCH_CX/],
  [{ GOOGLE_SEARCH_CX: 'engine' }, /GOOGLE_SEARCH_CX is set, which needs GOOGLE_SEARCH_KEY/],
  [{ SEARCH_PROVIDERS: 'searxng,own' }, /SEARCH_PROVIDERS names "searxng", which needs SEARXNG_URL/],
  [{ SEARCH_PROVIDERS: 'bing' }, /SEARCH_PROVIDERS is "bing", but must be a list of searxng, brave, google, own/],
  [{ SEARXNG_URL: 'search.example' }, /SEARXNG_URL/],
]
options('a sign-in with a provider is refused with only one of its two options', () => {
  const pairs = [
    ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
    ['OIDC_CLIENT_ID', 'OIDC_ISSUER'],
  ]
  for (const pair of pairs) {
    const values = Object.fromEntries(pair.map((name) => [name, 'https://login.example.org']))
    readConfig(values)
    for (const name of pair)
      assert.throws(
        () => readConfig({ [name]: values[name]! }),
        (fault: Error) => fault instanceof ConfigFault && pair.every((each) => fault.message.includes(each)),
      )
  }
})

options('an OpenID secret without a provider is refused', () => {
  assert.throws(() => readConfig({ OIDC_CLIENT_SECRET: 'hush' }), /OIDC_CLIENT_SECRET is set, which needs OIDC_ISSUER and OIDC_CLIENT_ID/)
})

options('sign-in with an own GitHub server needs the URL of its API as well', () => {
  const own = { GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'hush', GITHUB_OAUTH_URL: 'https://github.example.org' }
  assert.throws(() => readConfig(own), /GITHUB_OAUTH_URL names your own server, which needs GITHUB_API_URL/)
  readConfig({ ...own, GITHUB_API_URL: 'https://github.example.org/api/v3' })
})

options('webhooks cannot be tried for longer than their log is kept', () => {
  const days = (count: number) => Array.from({ length: count }, () => '86400').join()
  assert.throws(() => readConfig({ WEBHOOK_RETRY_SECONDS: days(7) }), /WEBHOOK_RETRY_SECONDS add up to WEBHOOK_LOG_DAYS or more/)
  readConfig({ WEBHOOK_RETRY_SECONDS: days(6) })
  readConfig({ WEBHOOK_RETRY_SECONDS: days(7), WEBHOOK_LOG_DAYS: '8' })
  readConfig({ WEBHOOK_LOG_DAYS: '2' })
})

options('payment needs the signing secret of its events; while it is replaced there may be two', () => {
  assert.throws(() => readConfig({ STRIPE_SECRET_KEY: 'sk_test_1' }), /STRIPE_SECRET_KEY is set, which needs STRIPE_WEBHOOK_SECRET/)
  const config = readConfig({ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1, whsec_2' })
  assert.equal(config.stripeWebhookSecret, ['whsec_1', 'whsec_2'])
  assert.not.match(JSON.stringify(runtimeConfigOf(config)), /sk_test|whsec/)
  assert.is(readConfig({ ENTERPRISE_MODE: 'true' }).stripeSecretKey, undefined, 'the free plan needs neither')
})

options('a search provider is refused without its credentials, and accepted with them', () => {
  for (const [environment, fault] of SEARCH_FAULTS) {
    assert.match(faultOf(environment), fault)
    assert.not.match(faultOf(environment), /hush/)
  }
  const read = readConfig({ SEARXNG_URL: 'http://searxng:8080/', BRAVE_API_KEY: 'k', SEARCH_PROVIDERS: 'own, brave,searxng' })
  assert.equal([read.searxngUrl, read.searchProviders], ['http://searxng:8080', ['own', 'brave', 'searxng']])
  assert.is(readConfig({}).searchProviders, undefined)
})

const KEYS: [key: string, isGood: boolean, why: string][] = [
  [KEY, true, '32 random bytes'],
  [KEY.slice(1), false, '31 bytes'],
  ['secret', false, 'a known sample'],
  ['change-me-change-me-change-me-change-me', false, 'a known sample'],
  ['0123456789abcdef0123456789abcdef', false, 'a known sample'],
  ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', false, 'one repeated character'],
]
for (const [key, isGood, why] of KEYS) {
  options(`a key is ${isGood ? 'accepted' : 'refused'}: ${why}`, () => {
    if (isGood) assert.is(readConfig({ SECRET_KEY: key }).secretKey, key)
    else assert.match(faultOf({ SECRET_KEY: key }), /SECRET_KEY/)
  })
}

options('a secret may come from a file, but not from two places', () => {
  const folder = temporaryFolder('seine-options-')
  const file = join(folder, 'key')
  writeFileSync(file, `${KEY}\n`)
  assert.is(readConfig({ SECRET_KEY_FILE: file }).secretKey, KEY)
  assert.match(faultOf({ SECRET_KEY_FILE: file, SECRET_KEY: KEY }), /SECRET_KEY and SECRET_KEY_FILE/)
  assert.match(faultOf({ SECRET_KEY_FILE: join(folder, 'none') }), /SECRET_KEY_FILE.*ENOENT/)
  writeFileSync(join(folder, 'empty'), ' \n')
  for (const name of ['DATABASE_URL', 'SECRET_KEY', 'SMTP_URL'])
    assert.match(faultOf({ [`${name}_FILE`]: join(folder, 'empty') }), new RegExp(`${name}_FILE names a file that is empty`))
  assert.is(readConfig({ PORT_FILE: file }).port, 3000, 'what is no secret has no file')
})

options('the page gets the options marked public, and never a secret', () => {
  const rows = Object.entries<Option>(OPTIONS)
  assert.equal(
    rows.filter(([, row]) => row.isPublic && row.isSecret),
    [],
  )
  const told = rows.filter(([, row]) => row.isPublic).length + 1 // the guide's URL follows from the repository's name
  assert.ok(Object.keys(runtimeConfigOf(readConfig({}))).length <= told)
  assert.not.match(JSON.stringify(runtimeConfigOf(readConfig({ SECRET_KEY: KEY }))), new RegExp(KEY))
})

options('the user agent names the project page until there is a public URL', () => {
  assert.match(readConfig({ PUBLIC_URL: 'https://crawl.example.org' }).crawlerUserAgent, /\(\+https:\/\/crawl\.example\.org\)$/)
  assert.is(readConfig({ CRAWLER_USER_AGENT: 'Own/1' }).crawlerUserAgent, 'Own/1')
})

options.run()

function faultOf(environment: Record<string, string>): string {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigFault) return error.message
    throw error
  }
  throw new Error('The configuration was taken')
}

function camelCase(name: string) {
  return name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
