/** What a document has, compared with one of Firecrawl, and what happens to options that this server does not have. */
import * as assert from 'uvu/assert'
import { fingerprintOf } from '#backend/crawls/page-cache.ts'
import { pageWish } from '#backend/firecrawl/scrape-spec.ts'
import { startFirecrawl } from '#tests/support/firecrawl.ts'
import { pages } from '#tests/support/pdf-files.ts'
import { suite } from '#tests/support/suite.ts'
import { until } from '#tests/support/until.ts'

const documents = suite('documents of the Firecrawl API')
const f = await startFirecrawl()
const url = (path: string) => f.site.url(path)
const { call } = f
const scrape = async (path: string, body: object = {}, version = 'v2') =>
  (await call(`/${version}/scrape`, { body: { url: url(path), ...body } })).json

f.site.pages['/folder/page'] =
  `<html><head><title>Page</title><link rel="apple-touch-icon" href="/touch.png"><link rel="shortcut icon" href="../icon.png"></head><body><main>
<h1>Page</h1><p>Words that stand in the middle of the page, enough of them for a paragraph that is kept, and more.</p>
<p><a href="zebra">Zebra</a>, <a href="/apple?a=1&amp;b=2#part">Apple</a>, <a href="#below">below</a>, <a href="mailto:a@b.example">mail</a></p>
<img src="net.png" srcset="net.png 1x, /big.png 2x" alt="A net on the beach"></main></body></html>`
f.site.pages['/book.pdf'] = {
  headers: { 'content-type': 'application/pdf' },
  body: pages(['The first page is about nets.', 'Boats come second.', 'At last, the harbour.'].map((text) => [[text, 72, 700]])),
}

documents('HTML has absolute URLs, and links come in the order of the page', async () => {
  const { data } = await scrape('/folder/page', { formats: ['html', 'rawHtml', 'links'] })
  const attributes = [...data.html.matchAll(/(?:href|src|srcset)="([^"]*)"/g)].map(([, value]: string[]) => value)
  assert.equal(attributes, [
    url('/folder/zebra'),
    `${url('/apple')}?a=1&amp;b=2#part`,
    '#below',
    'mailto:a@b.example',
    url('/folder/net.png'),
    `${url('/folder/net.png')} 1x, ${url('/big.png')} 2x`,
  ])
  assert.match(data.rawHtml, '<a href="zebra">')
  assert.equal(data.links, [url('/folder/zebra'), `${url('/apple')}?a=1&b=2`, url('/folder/page')])
})

documents('metadata name the icon of the page', async () => {
  assert.is((await scrape('/folder/page')).data.metadata.favicon, url('/icon.png'))
  assert.is((await scrape('/parts')).data.metadata.favicon, undefined)
})

documents('a PDF has its number of pages, and is read up to maxPages', async () => {
  const whole = (await scrape('/book.pdf')).data
  assert.match(whole.markdown, 'At last, the harbour.')
  assert.equal([whole.metadata.numPages, whole.metadata.totalPages], [3, 3])
  const part = await scrape('/book.pdf', { parsers: [{ type: 'pdf', maxPages: 2 }] })
  assert.match(part.data.markdown, 'Boats come second.')
  assert.not.match(part.data.markdown, 'harbour')
  assert.equal([part.data.metadata.numPages, part.data.metadata.totalPages, part.warning], [2, 3, undefined])
})

documents('only a PDF has numbers of pages, although a page may name such metadata', async () => {
  f.site.pages['/novel'] =
    '<html><head><title>Novel</title><meta name="page_count" content="about 300"></head><body><p>A novel about nets.</p></body></html>'
  const { metadata } = (await scrape('/novel')).data
  assert.equal([metadata.page_count, 'numPages' in metadata, 'totalPages' in metadata], ['about 300', false, false])
})

documents('what a page says about itself under our names changes nothing', async () => {
  const names = [
    'status_code',
    'statusCode',
    'content_type',
    'contentType',
    'error',
    'url',
    'scrapeId',
    'creditsUsed',
    'cacheState',
    'numPages',
  ]
  const own = names.map((name) => `<meta name="${name}" content="404">`).join('')
  f.site.pages['/liar'] =
    `<html><head><title>Liar</title>${own}</head><body><p>A page about nets, with words enough for a paragraph.</p></body></html>`
  const { metadata } = (await scrape('/liar')).data
  assert.equal(
    names.map((name) => metadata[name]),
    [undefined, 200, undefined, 'text/html', undefined, url('/liar'), metadata.scrapeId, 1, 'miss', undefined],
  )
  assert.is.not(metadata.scrapeId, '404')
  assert.is((await scrape('/liar', { maxAge: 60_000 })).data.metadata.cacheState, 'hit', 'it is no error page')
  const tracked = await scrape('/liar', { formats: ['markdown', 'changeTracking'], maxAge: 0 })
  assert.is(tracked.data.changeTracking.changeStatus, 'same', 'it is not removed')
})

documents('options that change the result are honoured, named in a warning, or refused', async () => {
  const warned: [body: object, words: RegExp, version?: string][] = [
    [{ parsers: [{ type: 'pdf', mode: 'ocr' }] }, /^parsers\.mode has no effect/],
    [{ parsers: [{ type: 'pdf', pages: true, pageMarkers: true }] }, /^parsers\.pages has no effect .* parsers\.pageMarkers has no effect/],
    [{ parsers: ['image'] }, /^Documents are always read as text/],
    [{ proxy: 'stealth' }, /^proxy: stealth has no effect/],
    [{ agent: { model: 'FIRE-1', prompt: 'x' } }, /^agent has no effect/, 'v1'],
  ]
  for (const [body, words, version] of warned) assert.match((await scrape('/boats', body, version)).warning, words)
  assert.is((await scrape('/boats', { parsers: [] })).warning, undefined, 'n8n sends it with each page')
  assert.is((await scrape('/boats', { parsers: ['pdf', 'image'], proxy: 'auto', blockAds: false })).warning, undefined)
  const refused: [body: object, words: RegExp][] = [
    [{ parsers: ['doc'] }, /parsers\.0/],
    [{ parsers: [{ type: 'pdf', maxPages: 0 }] }, /parsers\.0/],
    [{ formats: [{ type: 'changeTracking', modes: ['diff'] }] }, /formats\.0/],
  ]
  for (const [body, words] of refused) {
    const { json, status } = await call('/v2/scrape', { body: { url: url('/boats'), ...body } })
    assert.is(status, 400)
    assert.match(json.error, words)
  }
})

for (const [version, client] of Object.entries(f.clients))
  documents(`${version}: the client, which returns nothing but the document, shows its warning`, async () => {
    const formats = ['markdown', 'branding'] as never
    const words = 'The format branding is not available on this server.'
    const page = await client.scrape(url('/boats'), { formats })
    assert.is(page.warning, words)
    const { data } = await client.batchScrape([url('/boats')], { options: { formats }, pollInterval: 1 })
    assert.is(data[0]?.warning, words)
    assert.is((await client.scrape(url('/boats'))).warning, undefined)
  })

documents('advertisements are blocked unless the request says otherwise, and copies with them are not mixed with others', () => {
  const specOf = (blockAds?: boolean) => pageWish({ blockAds }, { hasBrowser: true, model: null, version: 'v2' }).spec
  assert.equal([specOf().browser?.blocks, specOf(true).browser?.blocks, specOf(false).browser?.blocks], [['ads'], ['ads'], []])
  const print = (spec: object) => fingerprintOf(JSON.stringify({ proxySlug: null, ...spec }))
  const { blocks: _blocks, ...older } = specOf().browser!
  // Copies of earlier versions are still found.
  assert.is(print(specOf()), print({ ...specOf(), browser: older }))
  assert.not.equal(print(specOf()), print(specOf(false)))
})

documents('a country sets the language, unless languages are given', async () => {
  const languageFor = async (location: object) => /in (\S+)$/.exec((await scrape('/headers', { location })).data.metadata.title)?.[1]
  assert.is(await languageFor({ country: 'DE' }), 'de-DE')
  assert.is(await languageFor({ country: 'DE', languages: ['fr'] }), 'fr')
  assert.is(await languageFor({ country: 'us-generic' }), 'en-US')
})

documents('of several spellings of a URL in a batch, the document names the one that is the URL of the page', async () => {
  const { json } = await call('/v2/batch/scrape', {
    body: { urls: [url('/moved'), url('/boats'), url('/boats#part'), url('/gate#one'), url('/gate#two')] },
  })
  const read = async () => (await call(`/v2/batch/scrape/${json.id}`)).json
  await until(async () => (await read()).status === 'completed')
  const named = (await read()).data.map((page: { metadata: { sourceURL: string } }) => page.metadata.sourceURL)
  assert.equal(named.toSorted(), [url('/boats'), url('/gate#one')])
})

documents('a map has the links of the start page besides the sitemap', async () => {
  const listed = async (body: object) => {
    const { json } = await call('/v2/map', { body: { url: url('/'), ...body } })
    return json.links.map((link: { url: string }) => new URL(link.url).pathname)
  }
  assert.equal(await listed({ sitemap: 'only' }), ['/hidden', '/boats', '/blog/one'])
  const both = await listed({})
  assert.equal(both.slice(0, 3), ['/hidden', '/boats', '/blog/one'])
  assert.equal(both.slice(3), ['/', '/gone', '/secret/a'])
})

documents.run()
