/** Searches of the Firecrawl API with a search provider: news, images, more than a page of results, and a provider that fails. */
import * as assert from 'uvu/assert'
import { listSearches } from '#contract/searches.ts'
import { startFirecrawl } from '#tests/support/firecrawl.ts'
import { someHits, startSearchStubs } from '#tests/support/stubs/search-stubs.ts'
import { suite } from '#tests/support/suite.ts'

const sources = suite('sources of a Firecrawl search')
const stubs = await startSearchStubs({ hits: someHits(130) })
const f = await startFirecrawl({ SEARXNG_URL: stubs.url, SEARCH_PROVIDERS: 'searxng', RATE_LIMIT_API: '1000' })
const client = f.clients['4.42.0']

stubs.hits.push(
  {
    url: f.site.url('/boats'),
    title: 'Boats in the news',
    description: 'A snippet',
    category: 'news',
    date: '2026-03-01T10:00:00Z',
    fields: { thumbnail: 'https://t.example/1.jpg' },
  },
  { url: 'https://news.example/2', title: 'No date', description: '', category: 'news' },
  // Two pictures of one page, and one without the URL of a picture.
  {
    url: 'https://p.example/',
    title: 'A picture',
    description: '',
    category: 'images',
    fields: { img_src: '//i.example/1.png', resolution: '1280 x 720' },
  },
  {
    url: 'https://p.example/',
    title: 'Another',
    description: '',
    category: 'images',
    fields: { thumbnail_src: 'https://i.example/2.png' },
  },
  { url: 'https://p.example/none', title: 'None', description: '', category: 'images', fields: { img_src: 'data:image/png;base64,AA' } },
)

sources('a source may have its own time range, and a search that keeps nothing is refused', async () => {
  const rangeFor = async (body: object) => {
    await f.call('/v2/search', { body: { query: 'boats', limit: 1, ...body } })
    return stubs.asked.at(-1)?.parameters['time_range']
  }
  assert.is(await rangeFor({ sources: [{ type: 'web', tbs: 'qdr:w' }], tbs: 'qdr:y' }), 'week')
  assert.is(await rangeFor({ sources: [{ type: 'web' }], tbs: 'qdr:y' }), 'year')
  const { json } = await f.call('/v2/search', {
    body: { query: 'boats', limit: 1, sources: [{ type: 'web', tbs: 'sbd:1', location: 'Bonn' }] },
  })
  assert.match(json.warning, /tbs supports .* location has no effect/)
  assert.is((await f.call('/v2/search', { body: { query: 'boats', limit: 1, enterprise: ['default'] } })).status, 200)
  const refused = await f.call('/v2/search', { body: { query: 'boats', enterprise: ['zdr'] } })
  assert.equal(
    [refused.status, refused.json.error],
    [400, 'enterprise must be default: what a search finds is stored until it is deleted.'],
  )
})

sources('categories become part of the query, and hits name theirs', async () => {
  const search = async (body: object) => (await f.call('/v2/search', { body: { query: 'boats', limit: 5, ...body } })).json
  const queryFor = async (body: object) => {
    await search(body)
    return stubs.asked.at(-1)?.parameters['q']
  }
  assert.is(await queryFor({ categories: ['github'] }), 'boats site:github.com')
  assert.is(await queryFor({ categories: [{ type: 'pdf' }, 'github'] }), 'boats (site:github.com OR filetype:pdf)')
  assert.match(
    String(await queryFor({ categories: ['research'], includeDomains: ['a.example'] })),
    /^boats site:a\.example \(site:arxiv\.org OR /,
  )
  const places = ['https://github.com/seine/nets', 'https://arxiv.org/abs/1', 'https://a.example/net.pdf?x=1', 'https://notgithub.com/']
  stubs.hits.unshift(...places.map((place) => ({ url: place, title: 'A net', description: '' })))
  const { data, warning } = await search({ categories: ['pdf', 'research', 'github'] })
  stubs.hits.splice(0, places.length)
  assert.equal(
    data.web.slice(0, 4).map(({ category }: { category?: string }) => category),
    ['github', 'research', 'pdf', undefined],
  )
  assert.is(warning, undefined)
  const refused = await f.call('/v2/search', { body: { query: 'boats', categories: ['cooking'] } })
  assert.equal([refused.status, refused.json.error], [400, 'categories: cooking is not one of github, developer, research, pdf.'])
})

sources('the searches of the published MCP server are answered without warnings about what it adds by itself', async () => {
  const search = async (body: object) => (await f.call('/v2/search', { body: { query: 'boats', limit: 1, ...body } })).json
  const added = { domainTools: true, toolDetail: 'compact' }
  const { data, warning } = await search({ sources: ['web', 'alexandria'], categories: ['developer'], ...added })
  assert.equal([data.web.length, warning], [1, undefined])
  assert.match(String(stubs.asked.at(-1)?.parameters['q']), /^boats \(site:github\.com OR site:stackoverflow\.com OR /)
  const alone = await search({ sources: ['alexandria'], ...added })
  assert.is(alone.warning, 'No search provider of this server has answered for alexandria.')
})

sources('the unmodified client gets web, news and images, each in its own shape', async () => {
  const found = await client.search('boats', { limit: 3, sources: ['images', { type: 'news' }, 'web'] })
  assert.equal(found.web?.length, 3)
  assert.equal(found.news, [
    {
      title: 'Boats in the news',
      url: f.site.url('/boats'),
      snippet: 'A snippet',
      date: '2026-03-01T10:00:00.000Z',
      imageUrl: 'https://t.example/1.jpg',
      position: 1,
    },
    { title: 'No date', url: 'https://news.example/2', snippet: '', position: 2 },
  ])
  assert.equal(found.images, [
    { title: 'A picture', imageUrl: 'https://i.example/1.png', imageWidth: 1280, imageHeight: 720, url: 'https://p.example/', position: 1 },
    { title: 'Another', imageUrl: 'https://i.example/2.png', url: 'https://p.example/', position: 2 },
  ])
})

sources('news results are scraped like web results', async () => {
  const { json } = await f.call('/v2/search', {
    body: { query: 'boats', limit: 1, sources: ['news'], scrapeOptions: { formats: ['markdown'] } },
  })
  assert.equal(Object.keys(json.data), ['news'])
  assert.match(json.data.news[0].markdown, /Boats/)
  assert.is(json.data.news[0].snippet, 'A snippet')
  assert.is(json.warning, undefined)
})

sources('a hundred results are returned in the order of the provider, each once', async () => {
  const { json } = await f.call('/v2/search', { body: { query: 'tea', limit: 100 } })
  assert.is(json.creditsUsed, 20, 'one for five, as they are charged')
  assert.equal(
    json.data.web.map(({ position, url }: { position: number; url: string }) => [position, url]),
    someHits(100).map(({ url }, at) => [at + 1, url]),
  )
  assert.is(json.warning, undefined)
  assert.is((await f.call('/v2/search', { body: { query: 'tea', limit: 101 } })).status, 400)
})

sources('our own API lists news searches with their type, and can run them again', async () => {
  const { json } = await f.call(`${listSearches.path}?prefetched=true&query=boats&page_size=50`)
  const news = json.results.find((one: { search_options: { search_type: string } }) => one.search_options.search_type === 'news')
  assert.is(news.result[0].published_at, '2026-03-01T10:00:00.000Z')
  const again = await f.call(`${listSearches.path}${news.uuid}/rerun/`, { method: 'POST' })
  assert.equal([again.status, again.json.search_options.search_type], [201, 'news'])
})

sources('a time range that is none is named, and searches can still be listed', async () => {
  for (const tbs of ['constructor', '__proto__', 'toString', 'sbd:1']) {
    const { json, status } = await f.call('/v2/search', { body: { query: 'tides', limit: 1, tbs } })
    assert.equal([status, /tbs supports/.test(json.warning)], [200, true], tbs)
  }
  const { json, status } = await f.call(`${listSearches.path}?query=tides`)
  assert.is(status, 200)
  assert.equal(
    json.results.map((one: { search_options: { time_range: string } }) => one.search_options.time_range),
    ['any', 'any', 'any', 'any'],
  )
})

sources('if the provider fails, missing news cause a warning, and a missing web search is an error', async () => {
  stubs.trouble = { status: 500 }
  const news = await f.call('/v2/search', { body: { query: 'late', sources: ['news'] } })
  assert.equal([news.status, news.json.data, news.json.creditsUsed], [200, {}, 0])
  assert.match(news.json.warning, /has answered for news/)
  const web = await f.call('/v2/search', { body: { query: 'late', sources: ['news', 'web'] } })
  assert.equal([web.status, web.json.success], [500, false])
  stubs.trouble = null
})

sources.run()
