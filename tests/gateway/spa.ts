import { answerJson } from '#gateway/answer.ts'
import { createApp } from '#gateway/app.ts'
import { createLog } from '#gateway/log.ts'
import { readConfig } from '#config/read-config.ts'
import { filledPage } from '#gateway/spa.ts'
import type { FastifyPluginAsync } from 'fastify'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const SCRIPT = 'export const answer = 42\n'
const TEMPLATE =
  '<!doctype html><html lang="en"><head><title>Seine</title><script type="application/json" id="runtime-config"></script><!--preloads--></head><body><div id="app"></div><div id="first-paint"></div></body></html>'
const publicDir = temporaryFolder('seine-page-')
mkdirSync(join(publicDir, 'assets'))
writeFileSync(join(publicDir, 'index.html'), TEMPLATE)
writeFileSync(join(publicDir, 'index.de.html'), TEMPLATE.replace('lang="en"', 'lang="de"'))
const PLACES = [
  { pattern: '^/dashboard/logs/crawls/[^/]+/?$', chunks: ['/assets/details-1.js', '/assets/table-2.js'], html: '<p>%product% details</p>' },
  { pattern: '^/$', chunks: ['/assets/login-3.js'], html: '<p>Sign in to %product%</p>' },
]
for (const language of ['en', 'de']) writeFileSync(join(publicDir, `places.${language}.json`), JSON.stringify(PLACES))
writeFileSync(join(publicDir, 'assets/app-ABC123.js'), SCRIPT)
writeFileSync(join(publicDir, 'assets/app-ABC123.js.br'), brotliCompressSync(SCRIPT))
writeFileSync(join(publicDir, 'assets/app-ABC123.js.gz'), gzipSync(SCRIPT))

const api: FastifyPluginAsync = async (app) => {
  app.get('/api/v1/hello', async (_request, reply) => answerJson(reply, 200, { hello: true }))
  app.get('/health/live', async (_request, reply) => answerJson(reply, 200, { status: 'ok' }))
}
const logged: string[] = []
const open = (environment: Record<string, string> = {}) =>
  createApp({
    backend: { api },
    config: readConfig(environment),
    log: createLog({ level: 'debug', write: (line) => logged.push(line) }),
    publicDir,
  })
const app = await open()

const pages = suite('pages')
pages.after(async () => {
  await app.close()
})

pages('any URL that a user may type returns the page', async () => {
  for (const url of ['/', '/dashboard/crawl', '/dashboard/crawl/?tab=1', '/reset-password/abc.DEF-123456789']) {
    for (const accept of ['text/html,application/xhtml+xml,*/*;q=0.8', '*/*', undefined]) {
      const reply = await app.inject({ url, headers: accept ? { accept } : {} })
      assert.is(reply.statusCode, 200, url)
      assert.is(reply.headers['content-type'], 'text/html; charset=utf-8')
      assert.is(reply.headers['cache-control'], 'no-store')
      assert.match(reply.body, /<div id="app">/)
    }
  }
})

pages('the page is in the chosen language, else in the browser’s preferred one, else in English', async () => {
  const rows: [chosen: string, accepted: string | undefined, language: string][] = [
    ['', undefined, 'en'],
    ['', '*', 'en'],
    ['', 'fr-FR,fr;q=0.9', 'en'],
    ['', 'de', 'de'],
    ['', 'de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['', 'en-GB,en;q=0.9,de;q=0.8', 'en'],
    ['', 'fr,en;q=0.2,de;q=0.7', 'de'],
    ['', 'DE-CH', 'de'],
    ['', 'de;q=0, en;q=0.1', 'en'],
    ['', 'de;q=x,en', 'en'],
    ['language=de', 'en', 'de'],
    ['language=en', 'de', 'en'],
    ['language=../../package', 'de', 'de'],
    ['language=xx', undefined, 'en'],
  ]
  for (const [cookie, accepted, language] of rows) {
    const reply = await app.inject({ url: '/', headers: { accept: 'text/html', cookie, ...(accepted && { 'accept-language': accepted }) } })
    assert.match(reply.body, `<html lang="${language}">`, `${cookie} ${accepted}`)
    assert.is(reply.headers['content-language'], language)
  }
})

const NOT_PAGES: [method: 'GET' | 'POST' | 'DELETE', url: string, accept: string, why: string][] = [
  ['GET', '/assets/none.js', '*/*', 'a missing asset'],
  ['GET', '/assets/none', 'text/html', 'a missing path below /assets'],
  ['GET', '/favicon.ico', 'text/html', 'a missing file'],
  ['GET', '/api/v1/none', 'text/html', 'an unknown API path'],
  ['GET', '/api', '*/*', 'the root of the API'],
  ['GET', '/health/none', '*/*', 'an unknown health check'],
  ['GET', '/metrics', '*/*', 'O11: the metrics path'],
  ['GET', '/metrics/', '*/*', 'O11: the metrics path with a slash'],
  ['GET', '/healthz', '*/*', 'O11: a health check of an orchestrator'],
  ['GET', '/livez?verbose', '*/*', 'O11: a liveness check of an orchestrator'],
  ['GET', '/readyz', '*/*', 'O11: a readiness check of an orchestrator'],
  ['GET', '/actuator/health', '*/*', 'O11: a health check of another framework'],
  ['GET', '/dashboard', 'application/json', 'a request that does not accept HTML'],
  ['GET', '/exchange-rates', 'application/json, text/plain, */*', 'a request that names JSON first'],
  ['GET', '/exchange/discover', '*/*', 'a path of another API that clients of ours call'],
  ['GET', '/v0/crawl/status/1', '*/*', 'a path of an older API'],
  ['GET', '/%zz', 'application/json', 'a URL that cannot be decoded'],
  ['POST', '/dashboard', 'text/html', 'a POST'],
  ['DELETE', '/', '*/*', 'a DELETE of the root'],
  ['GET', '/assets/../index.html', '*/*', 'index.html through a path with ..'],
  ['GET', '/assets/%2e%2e/%2e%2e/package.json', '*/*', 'a path traversal'],
]
for (const [method, url, accept, why] of NOT_PAGES) {
  pages(`${why} is not a page: ${method} ${url}`, async () => {
    const reply = await app.inject({ method, url, headers: { accept } })
    assert.ok([403, 404].includes(reply.statusCode), `answered ${reply.statusCode}`)
    assert.is(reply.headers['content-type'], 'application/json')
    assert.equal(Object.keys(reply.json()), ['code', 'errors', 'message'])
    assert.is(reply.json().code, reply.statusCode)
    assert.not.match(reply.body, /<div/)
  })
}

pages('index.html is never served unprocessed', async () => {
  const reply = await app.inject('/index.html')
  assert.is(reply.statusCode, 404)
})

pages('assets are cached for a year, and compressed if the browser accepts it', async () => {
  const url = '/assets/app-ABC123.js'
  const plain = await app.inject({ url })
  assert.is(plain.statusCode, 200)
  assert.is(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.match(String(plain.headers['content-type']), /javascript/)
  assert.is(plain.body, SCRIPT)
  for (const [accepted, encoding, bytes] of [
    ['gzip, deflate, br', 'br', brotliCompressSync(SCRIPT)],
    ['gzip', 'gzip', gzipSync(SCRIPT)],
  ] as const) {
    const reply = await app.inject({ url, headers: { 'accept-encoding': accepted } })
    assert.is(reply.headers['content-encoding'], encoding)
    assert.equal(reply.rawPayload, bytes)
    assert.is(reply.headers['content-type'], plain.headers['content-type'])
    assert.is(reply.headers['cache-control'], plain.headers['cache-control'])
    assert.match(String(reply.headers['vary']), /accept-encoding/i)
  }
  const unchanged = await app.inject({ url, headers: { 'if-none-match': String(plain.headers.etag) } })
  assert.is(unchanged.statusCode, 304)
})

pages('S-SES-06 the page gets the API base, which is its own origin by default', async () => {
  assert.equal(configIn((await app.inject('/')).body), {
    apiUrl: '',
    basePath: '',
    productName: 'Seine',
    enterpriseMode: false,
    repository: 'seine-crawler/seine',
    githubApiUrl: 'https://api.github.com',
    githubOauthUrl: 'https://github.com',
    guideUrl: 'https://github.com/seine-crawler/seine/blob/main/docs/self-hosting.md',
    supportEmail: '',
    enterpriseContact: 'enterprise@localhost',
  })
  const elsewhere = await open({ API_URL: 'https://api.example.org/', PRODUCT_NAME: 'Net & <Co>', SUPPORT_EMAIL: 'help@example.org' })
  const { body, headers } = await elsewhere.inject('/')
  assert.is(configIn(body)['apiUrl'], 'https://api.example.org')
  assert.is(configIn(body)['productName'], 'Net & <Co>')
  assert.match(body, /<title>Net &amp; &lt;Co><\/title>/)
  assert.match(String(headers['content-security-policy']), /connect-src 'self' https:\/\/api\.example\.org https:\/\/api\.github\.com;/)
  await elsewhere.close()
})

pages('the HTML preloads the settings and the chunks of its screen, below the public path', async () => {
  const preloads = (html: string, kind: string) =>
    [...html.matchAll(new RegExp(`<link rel="${kind}"[^>]* href="([^"]+)"`, 'g'))].map(([, href]) => href)
  const details = (await app.inject({ url: '/dashboard/logs/crawls/01a2?page=2' })).body
  assert.equal(preloads(details, 'modulepreload'), ['/assets/details-1.js', '/assets/table-2.js'])
  assert.equal(preloads(details, 'preload'), ['/api/v1/common/settings'])
  assert.equal(preloads((await app.inject({ url: '/' })).body, 'modulepreload'), ['/assets/login-3.js'])
  assert.equal(preloads((await app.inject({ url: '/nowhere' })).body, 'modulepreload'), [], 'another place needs none of them')
  const below = await open({ PUBLIC_URL: 'https://seine.example/crawl' })
  const html = (await below.inject({ url: '/crawl/?a=1' })).body
  assert.equal(preloads(html, 'modulepreload'), ['/crawl/assets/login-3.js'])
  assert.equal(preloads(html, 'preload'), ['/crawl/api/v1/common/settings'])
  await below.close()
})

pages('the HTML shows the frame of its screen, with the name of the product', async () => {
  const painted = (html: string) => html.match(/<div id="first-paint">(.*?)<\/div>/)?.[1]
  assert.is(painted((await app.inject('/')).body), '<p>Sign in to Seine</p>')
  assert.is(painted((await app.inject('/nowhere')).body), '')
  const named = await open({ PRODUCT_NAME: 'A <b>& $1' })
  assert.is(painted((await named.inject('/')).body), '<p>Sign in to A &lt;b>&amp; $1</p>')
  await named.close()
})

pages('no secret is in the page', async () => {
  const secretKey = 'kept-to-ourselves-8f3a61c09d27be54'
  const guarded = await open({ SECRET_KEY: secretKey })
  assert.not.match((await guarded.inject('/')).body, /kept-to-ourselves/)
  await guarded.close()
})

pages('no value of the configuration can close the script element that contains it', () => {
  const runtimeConfig = { ...configIn(TEMPLATE_FILLED), productName: '</script><script>alert(1)</script><!--' } as never
  const html = filledPage({ nonce: 'n', runtimeConfig, template: TEMPLATE, theme: undefined })
  assert.is(html.match(/<script/g)?.length, 1)
  assert.is(html.match(/<!--/g), null)
  assert.is(configIn(html)['productName'], '</script><script>alert(1)</script><!--')
})

pages(
  'S-DSH-10 the theme of a returning visitor is right at the first paint, and values other than the two themes are ignored',
  async () => {
    for (const theme of ['dark', 'light']) {
      const { body } = await app.inject({ url: '/', headers: { cookie: `a=b; theme=${theme}; c=d` } })
      assert.match(body, new RegExp(`<html data-theme="${theme}" lang="en">`))
    }
    for (const cookie of ['', 'theme=', 'theme=blue', 'theme="><script>', 'mytheme=dark']) {
      const { body } = await app.inject({ url: '/', headers: { cookie } })
      assert.match(body, /<html lang="en">/, `cookie ${cookie}`)
    }
  },
)

pages('T18 T28 a strict content security policy applies, with a nonce for the style elements of this one page', async () => {
  const first = await app.inject('/')
  const policy = String(first.headers['content-security-policy'])
  const nonce = first.body.match(/id="runtime-config" nonce="([^"]+)"/)?.[1]
  assert.ok(nonce)
  const directives = new Map(policy.split(';').map((part) => [part.trim().split(' ')[0], part.trim().split(' ').slice(1).join(' ')]))
  assert.equal(Object.fromEntries(directives), {
    'default-src': "'self'",
    'base-uri': "'none'",
    'connect-src': "'self' https://api.github.com",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
    'img-src': "'self' data:",
    'object-src': "'none'",
    'require-trusted-types-for': "'script'",
    'script-src': "'self'",
    'style-src': `'self' 'nonce-${nonce}'`,
    'trusted-types': 'default dompurify',
  })
  assert.not.match(policy, /unsafe/)
  assert.is.not((await app.inject('/')).headers['content-security-policy'], policy, 'the nonce is used once')
})

pages('S-COO-03 T28 the analytics host is allowed only in enterprise mode with an id', async () => {
  const id = { GOOGLE_ANALYTICS_ID: 'G-ABC123DEF4' }
  const policyOf = async (environment: Record<string, string>) => {
    const page = await open(environment)
    const policy = String((await page.inject('/')).headers['content-security-policy'])
    await page.close()
    return policy
  }
  for (const environment of [{}, { ENTERPRISE_MODE: 'true' }, id] as Record<string, string>[])
    assert.not.match(await policyOf(environment), /google/, JSON.stringify(environment))
  const policy = await policyOf({ ENTERPRISE_MODE: 'true', ...id })
  assert.match(policy, /script-src 'self' https:\/\/www\.googletagmanager\.com;/)
  assert.match(
    policy,
    /connect-src 'self' https:\/\/api\.github\.com https:\/\/www\.googletagmanager\.com https:\/\/\*\.google-analytics\.com /,
  )
  assert.match(policy, /style-src 'self' 'nonce-[^']+';/)
  assert.not.match(policy, /unsafe/)
})

pages('the contact for custom plans is the configured contact, else the support address, else derived from the host', async () => {
  const rows: [environment: Record<string, string>, contact: string][] = [
    [{ ENTERPRISE_CONTACT: 'sales@example.org', SUPPORT_EMAIL: 'help@example.org' }, 'sales@example.org'],
    [{ SUPPORT_EMAIL: 'help@example.org' }, 'help@example.org'],
    [{ PUBLIC_URL: 'https://crawl.example.org:8443' }, 'enterprise@crawl.example.org'],
  ]
  for (const [environment, contact] of rows) {
    const page = await open(environment)
    assert.is(configIn((await page.inject('/')).body)['enterpriseContact'], contact)
    await page.close()
  }
})

pages('pages, files and answers have the usual security headers', async () => {
  for (const url of ['/', '/assets/app-ABC123.js', '/assets/none.js', '/api/v1/hello']) {
    const { headers } = await app.inject(url)
    assert.is(headers['x-content-type-options'], 'nosniff', url)
    assert.is(headers['referrer-policy'], 'no-referrer', url)
    assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/, url)
    assert.is(headers['strict-transport-security'], undefined, url)
  }
  const { headers } = await app.inject('/')
  assert.is(headers['cross-origin-opener-policy'], 'same-origin')
  assert.match(String(headers['permissions-policy']), /camera=\(\)/)
})

pages('HSTS is set only if the public URL is https', async () => {
  const secure = await open({ PUBLIC_URL: 'https://crawl.example.org' })
  assert.is((await secure.inject('/')).headers['strict-transport-security'], 'max-age=31536000')
  await secure.close()
})

pages('the backend answers on the same port as the pages', async () => {
  const reply = await app.inject({ url: '/api/v1/hello', headers: { accept: 'text/html' } })
  assert.is(reply.body, '{"hello":true}')
  assert.is(reply.headers['content-type'], 'application/json')
  assert.is((await app.inject('/health/live')).statusCode, 200)
})

pages('a forwarding header is used only if a trusted proxy sent it', async () => {
  const spoofed = { 'x-forwarded-for': '203.0.113.9' }
  const addressIn = () => JSON.parse(logged.at(-1) ?? '{}').ip
  await app.inject({ url: '/', headers: spoofed })
  assert.is(addressIn(), '127.0.0.1')
  for (const trusted of ['1', '127.0.0.0/8', 'loopback']) {
    const behind = await open({ TRUST_PROXY: trusted })
    await behind.inject({ url: '/', headers: spoofed })
    assert.is(addressIn(), '203.0.113.9', trusted)
    await behind.close()
  }
})

pages('a log line hides secrets, and cannot control a terminal', async () => {
  await app.inject('/api/v1/files/crawl/1?expires=9&signature=opensit&page=2')
  await app.inject('/reset-password/opensit')
  await app.inject('/x?q=%C2%9B31m')
  const log = createLog({ level: 'info', write: (line) => logged.push(line) })
  log.info(
    { headers: { authorization: 'opensit', 'x-api-key': 'opensit' }, password: 'opensit', title: '\u009b31m\u202eevil\nforged' },
    'page kept',
  )
  for (const line of logged) {
    assert.not.match(line, /opensit/)
    assert.not.match(line.trimEnd(), /[\n\u0080-\u009f\u202a-\u202e]/)
    JSON.parse(line)
  }
  assert.match(logged.join(''), /signature=\[hidden\]&page=2/)
  assert.is(JSON.parse(logged.at(-1) ?? '{}').title, '\u009b31m\u202eevil\nforged', 'the text itself is whole')
})

const TEMPLATE_FILLED = (await app.inject('/')).body

pages.run()

function configIn(html: string): Record<string, unknown> {
  return JSON.parse(html.match(/id="runtime-config"[^>]*>(.*?)<\/script>/)?.[1] ?? 'null')
}
