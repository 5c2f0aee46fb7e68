/** Headers of a run and credentials of its URLs: they reach their own origin, and nothing else shows them. */
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as assert from 'uvu/assert'
import { openSqlite } from '#backend/platform/database/sqlite.ts'
import { createSealer } from '#backend/platform/secrets.ts'
import { hasMaskedCredentials, hideSecrets, maskAddress } from '#backend/runs/run-secrets.ts'
import { sealOldRuns } from '#backend/runs/seal-old-runs.ts'
import { createSitemapTask } from '#backend/sitemaps/sitemap-job.ts'
import { sitemapSpecOfV1 } from '#backend/sitemaps/sitemap-spec.ts'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { aboutFiles, isOverPostgres } from '#tests/support/test-state.ts'
import { suite } from '#tests/support/suite.ts'

const secrets = suite('secrets of runs')

const harness = startEngineHarness({ tasks: { sitemap: createSitemapTask() } })
const site = await startSite(
  {
    '/': pageOf('start', ['/a', '/away', `http://eve:stolen@127.0.0.1:9/x`]),
    '/a': pageOf('a'),
    '/away': (request) => ({ status: 302, headers: { location: `http://x:y@127.0.0.2:${request.socket.localPort}/other` } }),
    '//127.0.0.2/other': pageOf('other'),
    '/sitemap.xml': { headers: { 'content-type': 'application/xml' }, body: '<urlset><url><loc>/a</loc></url></urlset>' },
  },
  { hosts: ['127.0.0.1', '127.0.0.2'] },
)
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`
const inFiles = (text: string): string[] =>
  (isOverPostgres ? [] : readdirSync(dirname(harness.place))).filter((name) =>
    readFileSync(join(dirname(harness.place), name), 'latin1').includes(text),
  )
const rowsOf = (run: number): string =>
  JSON.stringify(
    [
      'SELECT * FROM run WHERE no = ?',
      'SELECT * FROM run_options WHERE run_no = ?',
      'SELECT * FROM run_url WHERE run_no = ?',
      'SELECT * FROM run_feed WHERE run_no = ?',
    ].map((query) => harness.rows(query, run)),
  )

secrets('A12: credentials of a URL become Basic authentication for its origin only, and are never stored in clear', async () => {
  const run = await harness.crawl(`http://anna:pa%73s%3Aword-s3cret@127.0.0.1:${site.port}/`, {
    spider: { max_depth: 3, page_limit: 10, allowed_domains: ['*'] },
    page: { extra_headers: { 'X-Token': 'token-s3cret' } },
  })
  assert.is((await harness.ended(run)).kept, 3)
  const pages = site.hits.filter(({ path }) => path !== '/other')
  assert.ok(pages.length >= 3)
  for (const { headers } of pages)
    assert.equal([headers.authorization, headers['x-token']], [basic('anna:pass:word-s3cret'), 'token-s3cret'])
  const other = site.hits.filter(({ path }) => path === '/other')
  assert.is(other.length, 1)
  assert.equal([other[0]!.headers.authorization, other[0]!.headers['x-token']], [undefined, undefined])
  for (const hit of site.all.filter(({ path }) => path === '/robots.txt')) assert.is(hit.headers.authorization, undefined)
  assert.not.match(rowsOf(run), /s3cret/)
  assert.equal(harness.rows("SELECT url FROM run_url WHERE url LIKE '%@%'"), [])
  for (const text of ['word-s3cret', 'token-s3cret']) assert.equal(inFiles(text), [], text)
  assert.match(rowsOf(run), /http:\/\/anna:\*\*\*@127\.0\.0\.1/)
})

secrets('A12: a header of the run takes precedence over credentials of its URL', async () => {
  site.forget()
  const run = await harness.crawl(`http://anna:pass@127.0.0.1:${site.port}/a`, { page: { extra_headers: { Authorization: 'Bearer own' } } })
  await harness.ended(run)
  assert.equal(
    site.hits.map(({ headers }) => headers.authorization),
    ['Bearer own'],
  )
})

secrets('A12: a resumed run still has its secrets', async () => {
  site.forget()
  const paused = Promise.withResolvers<void>()
  site.pages['/slow'] = { body: pageOf('slow', ['/a']), until: paused.promise }
  const run = await harness.crawl(`http://anna:again-s3cret@127.0.0.1:${site.port}/slow`, { spider: { max_depth: 2, page_limit: 5 } })
  await harness.until(() => site.times('/slow') > 0, 'the page was asked')
  await harness.reopen()
  paused.resolve()
  assert.is((await harness.ended(run)).kept, 2)
  for (const { headers, path } of site.hits) assert.is(headers.authorization, basic('anna:again-s3cret'), path)
})

secrets('A12: a sitemap uses the credentials of its URL too', async () => {
  site.forget()
  const url = `http://anna:map-s3cret@127.0.0.1:${site.port}/`
  const options = {
    include_subdomains: true,
    ignore_sitemap_xml: false,
    search: null,
    include_paths: [],
    exclude_paths: [],
    proxy_server: null,
  }
  const { no } = await harness.runs.start('team', {
    kind: 'sitemap',
    variant: 'files',
    label: url,
    pageLimit: 100,
    credits: 5,
    options,
    spec: sitemapSpecOfV1(options),
    seeds: [url],
    seedUrls: () => [],
  })
  await harness.ended(no)
  assert.ok(site.times('/sitemap.xml') > 0)
  for (const { headers, host, path } of site.hits.filter((hit) => hit.host.startsWith('127.0.0.1')))
    assert.is(headers.authorization, basic('anna:map-s3cret'), `${host} ${path}`)
  assert.not.match(rowsOf(no), /s3cret/)
})

aboutFiles(secrets)('A12: secrets that an older version stored in clear are sealed once, and still work', async () => {
  site.forget()
  const url = `http://anna:old-s3cret@127.0.0.1:${site.port}/a`
  const run = await harness.crawl(url, { page: { extra_headers: { 'X-Old': 'old-header-s3cret' } } })
  await harness.ended(run)
  const connection = openSqlite(harness.place, { cacheMiB: 4 })
  const options = JSON.stringify({
    spider_options: {},
    page_options: { extra_headers: { 'X-Old': 'old-header-s3cret' } },
    plugin_options: {},
  })
  connection.prepare('UPDATE run SET label = ? WHERE no = ?').run(url, run)
  connection
    .prepare('UPDATE run_options SET options = ?, seeds = ?, secrets = NULL WHERE run_no = ?')
    .run(options, JSON.stringify([url]), run)
  connection.prepare("UPDATE run_feed SET messages = replace(messages, ':***@', ':old-s3cret@') WHERE run_no = ?").run(run)
  connection.prepare('INSERT INTO run_unsealed VALUES (?)').run(run)
  assert.match(rowsOf(run), /old-s3cret.*old-header-s3cret/)
  const sealer = createSealer(Buffer.alloc(32, 7))
  assert.is(sealOldRuns(connection, sealer), 1)
  assert.not.match(rowsOf(run), /s3cret/)
  assert.is(sealOldRuns(connection, sealer), 0)
  connection.close()
  const [row] = harness.rows<{ id: string; secrets: string }>(
    'SELECT id, secrets FROM run JOIN run_options ON run_no = no WHERE no = ?',
    run,
  )
  assert.equal(JSON.parse(sealer.open(row!.secrets, `run:${row!.id}`)), {
    headers: { 'X-Old': 'old-header-s3cret' },
    credentials: { [`http://127.0.0.1:${site.port}`]: 'anna:old-s3cret' },
  })
})

secrets('A12: URLs are masked whatever their spelling', () => {
  for (const [url, masked] of [
    ['http://user:password@host/', 'http://user:***@host/'],
    ['HTTPS://u:p@host:8443/a?b=c@d#e', 'HTTPS://u:***@host:8443/a?b=c@d#e'],
    ['http://token@host/', 'http://***@host/'],
    ['http://token:@host/', 'http://***@host/'],
    ['http://:password@host/', 'http://:***@host/'],
    ['http://a@b:c@d:e@host/', 'http://a@b:***@host/'],
    ['http:\\\\u:p@host\\x', 'http:\\\\u:***@host\\x'],
    ['http:u:p@host/', 'http:u:***@host/'],
    ['ht\ntp://u:p@host/', 'http://u:***@host/'],
    ['http://u:p\t@host/', 'http://u:***@host/'],
    ['http://host/a@b', 'http://host/a@b'],
    ['http://host?u:p@x', 'http://host?u:p@x'],
  ] as const) {
    assert.is(maskAddress(url), masked)
    assert.not.ok(hasMaskedCredentials(url))
  }
  assert.ok(hasMaskedCredentials('http://user:***@host/'))
  assert.ok(hasMaskedCredentials('http://***@host/'))
  const query = { kind: 'search', label: 'http://u:p@host/', options: {}, seeds: [] }
  assert.is(hideSecrets(query).label, query.label)
})

secrets.run()
