import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { validateXML } from 'xmllint-wasm'
import { fillPath } from '#contract/endpoint.ts'
import {
  createSitemap,
  followSitemap,
  getSitemap,
  listSitemaps,
  listSitemapUrls,
  sitemapGraph,
  sitemapMarkdown,
  sitemapXml,
  stopSitemap,
} from '#contract/sitemaps.ts'
import { startApp } from '#tests/support/app.ts'
import type { App, Caller } from '#tests/support/app.ts'
import { openStream } from '#tests/support/read-stream.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import type { Site, SitePage } from '#tests/support/sites/site.ts'
import { until } from '#tests/support/until.ts'
import { suite } from '#tests/support/suite.ts'

const sitemap = suite('sitemap')

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'
const schemaOf = (name: string) => readFileSync(new URL(`fixtures/${name}.xsd`, import.meta.url), 'utf8')

const urlset = (entries: string[]) => `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="${NAMESPACE}">${entries.join('')}</urlset>`
const entry = (loc: string, lastmod = '') => `<url><loc>${loc}</loc>${lastmod && `<lastmod>${lastmod}</lastmod>`}</url>`
const xmlPage = (body: string): SitePage => ({ headers: { 'content-type': 'application/xml' }, body })

type Stage = { app: App; owner: Caller; site: Site; url: string }

/** The whole API with the real engine, and a site on loopback that one test writes. */
async function withSite(write: (base: string) => Record<string, SitePage>, test: (stage: Stage) => Promise<void>, engine = true) {
  const site = await startSite({})
  Object.assign(site.pages, write(site.url('').replace(/\/$/, '')))
  const app = await startApp({ engine })
  const owner = await app.signIn()
  await test({ app, owner, site, url: await app.listen() })
}

async function start({ app, owner, site }: Stage, options: object = {}, path = '/') {
  const { status, body, text } = await app.call(createSitemap, { as: owner, body: { url: site.url(path), options } })
  assert.is(status, 201, text)
  return body
}

/** Starts a sitemap and follows it to its end. */
async function run(stage: Stage, options: object = {}, path = '/') {
  const { uuid } = await start(stage, options, path)
  const stream = await openStream(`${stage.url}${fillPath(followSitemap.path, { id: uuid })}?prefetched=True`, {
    'x-api-key': stage.owner.apiKey,
  })
  const events = await stream.rest()
  const last = events.at(-1)!
  return { uuid, job: last.data, paths: (last.data.result as string[]).map((each) => each.replace(stage.site.url(''), '')), events }
}

const FILES = (base: string): Record<string, SitePage> => ({
  '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: `User-agent: *\nDisallow: /\nSitemap: /maps/main.xml\n` },
  '/maps/main.xml': xmlPage(
    urlset([
      entry(`${base}/tea/`, '2026-03-04'),
      entry(`${base}/tea?page=2`, '2026-03-05'),
      entry(`${base}/tea/green#top`, '2026-03-04T09:12:30+01:00'),
      entry(`${base}/coffee/it&apos;s-a-&amp;-cup`, 'last week'),
      entry(`${base}/`, '2026'),
      entry('https://elsewhere.example/tea'),
    ]),
  ),
})

sitemap('the URLs of a site come from its sitemap file, as a list, a tree, Markdown and XML', () =>
  withSite(FILES, async (stage) => {
    const { app, owner, site } = stage
    const { uuid, job, paths, events } = await run(stage)
    assert.is(job.status, 'finished')
    assert.equal(paths.toSorted(), ['', "/coffee/it's-a-&-cup", '/tea', '/tea/green'].toSorted())
    assert.is(job.number_of_documents, 4)
    assert.match(job.duration, /^\d{2}:\d{2}:\d{2}\.\d{6}$/)
    assert.is(job.url, site.url('/'))
    assert.is(events.at(-1)!.status, 'finished')
    assert.ok(events.some(({ type, data }) => type === 'feed' && /robots\.txt/.test(data.message)))
    assert.equal(site.paths(), ['/maps/main.xml'])

    const { body: tree } = await app.call(sitemapGraph, { as: owner, params: { id: uuid } })
    const host = (tree as Record<string, Record<string, { __self__: unknown }>>)[`127.0.0.1:${site.port}`]!
    assert.equal(Object.keys(host).toSorted(), ['__self__', 'coffee', 'tea'])
    assert.equal(host['tea']!.__self__, { url: site.url('/tea') })
    const { text: markdown, headers } = await app.call(sitemapMarkdown, { as: owner, params: { id: uuid } })
    assert.is(headers['content-type'], 'application/json')
    assert.ok((JSON.parse(markdown) as string).includes(`- ${site.url('/tea/green')}\n`))

    const { text: xml, headers: ofXml } = await app.call(sitemapXml, { as: owner, params: { id: uuid } })
    assert.is(ofXml['content-type'], 'application/xml')
    assert.ok(xml.includes(`<url><loc>${site.url('/tea')}</loc><lastmod>2026-03-04</lastmod></url>`))
    assert.ok(xml.includes('it&apos;s-a-&amp;-cup</loc></url>'), 'a date that is none is left out')
    const { valid, errors } = await validateXML({ xml, schema: schemaOf('sitemap') })
    assert.ok(valid, JSON.stringify(errors))
  }),
)

sitemap('the options are echoed with their defaults; unknown keys are dropped', () =>
  withSite(
    () => ({}),
    async (stage) => {
      const { app, owner, site } = stage
      const bare = await app.call(createSitemap, { key: owner.apiKey, body: { url: site.url('') } })
      assert.is(bare.status, 201)
      assert.is(bare.body.url, site.url(''))
      assert.is(bare.body.status, 'new')
      assert.is(bare.body.result, null)
      const defaults = {
        include_subdomains: true,
        ignore_sitemap_xml: false,
        search: null,
        include_paths: [],
        exclude_paths: [],
        proxy_server: null,
      }
      assert.equal(bare.body.options, defaults)
      const odd = await start(stage, { include_subdomains: 'false', ignore_sitemap_xml: 1, search: '', proxy_server: '', surprise: 1 })
      assert.equal(odd.options, { ...defaults, include_subdomains: false, ignore_sitemap_xml: true })
      const credits = await app.backend.database.selectFrom('creditEntry').select(['requested', 'used', 'state']).orderBy('runNo').execute()
      assert.equal(credits, [
        { requested: 5, used: 0, state: 'held' },
        { requested: 15, used: 0, state: 'held' },
      ])
    },
    false,
  ),
)

sitemap('an invalid sitemap is refused at the wrong field', () =>
  withSite(
    () => ({}),
    async ({ app, owner }) => {
      const refused: [body: unknown, errors: unknown][] = [
        [{}, { url: ['This field is required.'] }],
        [{ url: 'nonsense' }, { url: ['Enter a valid URL.'] }],
        [{ url: 'http://10.0.0.1/' }, { url: ['This address is not allowed.'] }],
        [{ url: 'http://127.0.0.1/', options: { proxy_server: 'x' } }, { options: { proxy_server: ['Unknown proxy server.'] } }],
        [
          { url: 'http://127.0.0.1/', options: { include_paths: 'x' } },
          { options: { include_paths: ['Expected a list of items but got type "str".'] } },
        ],
        [
          { url: 'http://127.0.0.1/', options: { include_subdomains: 'x' } },
          { options: { include_subdomains: ['Must be a valid boolean.'] } },
        ],
      ]
      for (const [body, errors] of refused) {
        const reply = await app.call(createSitemap, { as: owner, body })
        assert.is(reply.status, 400, JSON.stringify(body))
        assert.equal((reply.body as unknown as { errors: unknown }).errors, errors)
      }
      assert.is((await app.call(listSitemaps, { as: owner })).body.count, 0)
    },
    false,
  ),
)

sitemap('include, exclude and search filter the URLs; better matches come first', () =>
  withSite(
    (base) => ({
      '/sitemap.xml': xmlPage(
        urlset(['/a/green-tea-pots-and-more', '/a/green', '/b/green', '/a/red', '/a/gr%C3%BCn-green'].map((path) => entry(base + path))),
      ),
    }),
    async (stage) => {
      const { paths } = await run(stage, { search: 'Green', include_paths: ['/a/*'], exclude_paths: ['*gr%C3*'] })
      assert.equal(paths, ['/a/green', '/a/green-tea-pots-and-more'])
      const nothing = await run(stage, { search: 'blue' })
      assert.equal([nothing.job.status, nothing.paths], ['finished', []])
    },
  ),
)

sitemap('without sitemap files the links of the site are followed', () =>
  withSite(
    () => ({
      '/': pageOf('start', ['/tea', '/item/1', '/item/2', '/photo.jpg', 'https://elsewhere.example/']),
      '/tea': pageOf('tea', ['/tea/green?sort=up']),
      '/item/1': pageOf('one', []),
      '/item/2': pageOf('two', ['/never-found']),
      '/tea/green': pageOf('green', []),
    }),
    async (stage) => {
      const { paths, job, events } = await run(stage)
      assert.equal(paths.toSorted(), ['', '/item/1', '/item/2', '/tea', '/tea/green'])
      assert.is(job.status, 'finished')
      assert.ok(events.some(({ data }) => /following links instead/.test(data.message)))
      assert.is(stage.site.times('/item/2'), 0, 'a path of a known form is listed and not fetched')
      assert.is(stage.site.times('/sitemap_index.xml'), 1)
    },
  ),
)

sitemap('ignore_sitemap_xml requests no sitemap file, and costs 15', () =>
  withSite(
    (base) => ({ ...FILES(base), '/': pageOf('start', ['/linked']), '/linked': pageOf('linked', []) }),
    async (stage) => {
      const { paths } = await run(stage, { ignore_sitemap_xml: true })
      assert.equal(paths.toSorted(), ['', '/linked'])
      assert.is(stage.site.times('/maps/main.xml'), 0)
      assert.is(stage.site.all.filter(({ path }) => path === '/robots.txt').length, 0)
      const { used } = await stage.app.backend.database.selectFrom('creditEntry').select('used').executeTakeFirstOrThrow()
      assert.is(used, 15)
    },
  ),
)

sitemap('a sitemap of a site that cannot be reached fails with an empty list, and costs nothing', () =>
  withSite(
    () => ({}),
    async (stage) => {
      const { app, owner, site } = stage
      site.pages['/'] = { status: 500 }
      const { uuid, job } = await run(stage)
      assert.equal([job.status, job.result, job.reason], ['failed', [], 'unreachable'])
      assert.is((await app.call(sitemapGraph, { as: owner, params: { id: uuid } })).text, '{}')
      assert.is((await app.call(sitemapMarkdown, { as: owner, params: { id: uuid } })).text, '""')
      const { used } = await app.backend.database.selectFrom('creditEntry').select('used').executeTakeFirstOrThrow()
      assert.is(used, 0)
    },
  ),
)

sitemap('a stopped sitemap keeps its URLs, and gets no more', () => {
  const { promise: never, resolve: release } = Promise.withResolvers<void>()
  return withSite(
    (base) => ({
      '/robots.txt': `Sitemap: ${base}/one.xml\nSitemap: ${base}/two.xml\n`,
      '/one.xml': xmlPage(urlset([...Array(3000).keys()].map((n) => entry(`${base}/p/${n}`)))),
      '/two.xml': { ...(xmlPage(urlset([entry(`${base}/late`)])) as object), until: never },
    }),
    async (stage) => {
      const { app, owner, site } = stage
      const { uuid } = await start(stage)
      const { status: early } = await app.call(sitemapGraph, { as: owner, params: { id: uuid } })
      assert.is(early, 404)
      await site.asked('/two.xml')
      const stream = await openStream(`${stage.url}${fillPath(followSitemap.path, { id: uuid })}?prefetched=true`, {
        'x-api-key': owner.apiKey,
      })
      await stream.until(({ data }) => /3000 URLs/.test(data.message ?? ''))
      // URLs are stored in groups, when there are enough of them or some time has passed.
      const storedUrls = async () => (await app.call(listSitemapUrls, { as: owner, params: { id: uuid } })).body.count
      await until(async () => (await storedUrls()) > 0)
      const stored = await storedUrls()
      assert.is((await app.call(stopSitemap, { as: owner, params: { id: uuid } })).status, 204)
      const last = (await stream.rest()).at(-1)!
      release()
      assert.is(last.data.status, 'canceled')
      assert.ok(last.data.result.length >= stored)
      assert.is(last.data.result.length, last.data.number_of_documents)
      assert.is((await app.call(stopSitemap, { as: owner, params: { id: uuid } })).status, 204, 'again, without effect')
      const { body } = await app.call(listSitemapUrls, { as: owner, params: { id: uuid }, query: { page: 'last', page_size: 100 } })
      assert.is(body.count, last.data.number_of_documents)
    },
  )
})

sitemap('a sitemap of more than 50,000 URLs becomes an index of valid files, each opened by its link', () =>
  withSite(
    (base) => {
      const part = (from: number, to: number) =>
        xmlPage(urlset(Array.from({ length: to - from }, (_, n) => entry(`${base}/p/${from + n}`, n % 2 ? '2026-03-04T09:12:30Z' : ''))))
      return {
        '/robots.txt': `Sitemap: ${base}/index.xml`,
        '/index.xml': xmlPage(
          `<sitemapindex xmlns="${NAMESPACE}">${['a', 'b'].map((n) => `<sitemap><loc>${base}/${n}.xml</loc></sitemap>`).join('')}</sitemapindex>`,
        ),
        '/a.xml': part(0, 50_000),
        '/b.xml': part(50_000, 50_010),
      }
    },
    async (stage) => {
      const { app, owner } = stage
      const { uuid, job } = await run(stage)
      assert.is(job.number_of_documents, 50_010)
      assert.is(job.result.length, 50_010)
      const { text: index } = await app.call(sitemapXml, { as: owner, params: { id: uuid } })
      const checked = await validateXML({ xml: index, schema: schemaOf('siteindex') })
      assert.ok(checked.valid, JSON.stringify(checked.errors))
      const links = [...index.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, link]) => link!.replaceAll('&amp;', '&'))
      assert.is(links.length, 2)
      const files = await Promise.all(links.map(async (link) => app.request('GET', link.replace(/^https?:\/\/[^/]+/, ''))))
      assert.equal(
        files.map(({ status, headers, text }) => [status, headers['content-type'], text.split('<url>').length - 1]),
        [
          [200, 'application/xml', 50_000],
          [200, 'application/xml', 10],
        ],
      )
      for (const { text } of files) {
        const { valid, errors } = await validateXML({
          xml: text,
          schema: schemaOf('sitemap'),
          initialMemoryPages: 2048,
          maxMemoryPages: 8192,
        })
        assert.ok(valid, JSON.stringify(errors.slice(0, 3)))
      }
      assert.is((await app.call(sitemapXml, { as: owner, params: { id: uuid }, query: { part: 3 } })).status, 404)
      const { text: part } = await app.call(sitemapXml, { as: owner, params: { id: uuid }, query: { part: 2 } })
      assert.is(part, files[1]!.text)
    },
  ),
)

sitemap('sitemaps are listed and filtered, and links to their files open, for their own team only', () =>
  withSite(FILES, async (stage) => {
    const { app, owner, site } = stage
    const { uuid } = await run(stage)
    const other = await app.secondUser()
    const linked = (await app.call(getSitemap, { as: owner, params: { id: uuid } })).body
    const path = (linked.result as string).replace(/^https?:\/\/[^/]+/, '')
    const file = await app.request('GET', path)
    assert.equal([file.status, file.headers['content-type'], (file.body as string[]).length], [200, 'application/json', 4])
    assert.is(file.headers['access-control-allow-origin'], '*')
    for (const form of ['graph', 'markdown', 'xml'])
      assert.is((await app.request('GET', path.replace('/json', `/${form}`))).status, 200, form)
    assert.is(
      (
        await app.request(
          'GET',
          path.replace(/signature=(.)/, (_, first) => `signature=${first === '_' ? '-' : '_'}`),
        )
      ).status,
      403,
    )
    assert.is((await app.request('GET', path.replace('/json', '/xml/1'))).status, 403, 'parts have links of their own')

    for (const name of ['prefetched', 'params[prefetched]']) {
      const got = (await app.call(getSitemap, { as: owner, params: { id: uuid }, query: { [name]: 'True' } })).body
      assert.equal((got.result as string[]).length, 4, name)
      const listed = (await app.call(listSitemaps, { as: owner, query: { [name]: '1' } })).body
      assert.equal(listed.results, [got], name)
    }
    const filters: [query: Record<string, string>, count: number][] = [
      [{ status: 'finished' }, 1],
      [{ status: 'new' }, 0],
      [{ uuid }, 1],
      [{ url: site.url('/') }, 1],
      [{ url__contains: 'nowhere' }, 0],
      [{ created_at__gt: '2000-01-01T00:00:00Z' }, 1],
    ]
    for (const [query, count] of filters)
      assert.is((await app.call(listSitemaps, { as: owner, query })).body.count, count, JSON.stringify(query))
    assert.is((await app.call(listSitemaps, { as: owner, query: { status: 'odd' } })).status, 400)
    const page = (await app.call(listSitemapUrls, { as: owner, params: { id: uuid }, query: { url__contains: '/tea', page_size: 1 } })).body
    assert.equal([page.count, page.results], [2, [{ url: site.url('/tea'), lastmod: '2026-03-04' }]])

    for (const endpoint of [getSitemap, sitemapGraph, sitemapMarkdown, sitemapXml, listSitemapUrls, followSitemap, stopSitemap]) {
      assert.is((await app.call(endpoint, { as: other, params: { id: uuid } })).status, 404, endpoint.path)
      assert.is((await app.call(endpoint, { as: owner, params: { id: 'nonsense' } })).status, 404, endpoint.path)
      assert.is((await app.call(endpoint, { params: { id: uuid } })).status, 401, endpoint.path)
    }
    assert.is((await app.call(listSitemaps, { as: other })).body.count, 0)
  }),
)

sitemap('the same Idempotency-Key returns the same sitemap; a sitemap stopped before its start costs nothing', () =>
  withSite(
    () => ({}),
    async ({ app, owner, site }) => {
      const once = async () =>
        (await app.call(createSitemap, { as: owner, body: { url: site.url('/') }, headers: { 'idempotency-key': 'k' } })).body.uuid
      const id = await once()
      assert.is(await once(), id)
      assert.is((await app.call(stopSitemap, { as: owner, params: { id } })).status, 204)
      const got = (await app.call(getSitemap, { as: owner, params: { id }, query: { prefetched: true } })).body
      assert.equal([got.status, got.result], ['canceled', []])
      assert.equal(await app.backend.database.selectFrom('creditEntry').select(['used', 'state']).execute(), [
        { used: 0, state: 'settled' },
      ])
    },
    false,
  ),
)

sitemap.run()
