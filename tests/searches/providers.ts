import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { createOperatorClient } from '#backend/crawler/fetch/operator-client.ts'
import { createAskProvider } from '#backend/searches/providers/ask-provider.ts'
import { brave } from '#backend/searches/providers/brave.ts'
import { google } from '#backend/searches/providers/google.ts'
import { inOrder } from '#backend/searches/providers/index.ts'
import type { ProviderPage, SearchProvider, SearchQuestion } from '#backend/searches/providers/index.ts'
import { localeOf, readLocale } from '#backend/searches/providers/locales.ts'
import { searxng } from '#backend/searches/providers/searxng.ts'
import { someHits, startSearchStubs } from '#tests/support/stubs/search-stubs.ts'
import type { SearchStubs, Trouble } from '#tests/support/stubs/search-stubs.ts'
import { hasSearx, startSearx } from '#tests/support/stubs/searx.ts'
import { atEnd, suite } from '#tests/support/suite.ts'

const recorded = JSON.parse(readFileSync(new URL('./fixtures/searx-1.1.0.json', import.meta.url), 'utf8')) as Record<
  'page' | 'silent' | 'invalid',
  unknown
>

const NOW = Date.UTC(2026, 2, 4, 12)
const QUESTION: SearchQuestion = {
  query: 'green tea',
  language: null,
  country: null,
  timeRange: 'any',
  source: 'web',
  teamId: 'team',
  limit: 20,
}
const NEVER = new AbortController().signal

type Name = 'searxng' | 'brave' | 'google'
const NAMES: Name[] = ['searxng', 'brave', 'google']

async function withProvider(
  name: Name,
  test: (provider: SearchProvider, stubs: SearchStubs) => Promise<void>,
  { key, timeoutMs = 5000 }: { key?: string; timeoutMs?: number } = {},
) {
  const stubs = await startSearchStubs({ hits: someHits(25) })
  const client = createOperatorClient({ origins: [stubs.url], userAgent: 'Seine/test' })
  const ask = createAskProvider({ client, timeoutMs })
  const { url } = stubs
  const now = () => NOW
  const provider =
    name === 'searxng'
      ? searxng({ ask, now, url })
      : name === 'brave'
        ? brave({ ask, key: key ?? stubs.braveKey, now, url })
        : google({ ask, cx: stubs.googleCx, key: key ?? stubs.googleKey, url })
  atEnd(client.close)
  await test(provider, stubs)
}

function hitsOf(answer: ProviderPage) {
  if (answer.kind === 'failure') throw new Error(answer.detail)
  return answer.hits
}

function detailOf(answer: ProviderPage) {
  if (answer.kind === 'page') throw new Error('it has answered')
  return answer.detail
}

const providers = suite('search providers of the web')

type Expected = Record<string, string | undefined>
const REQUESTS: [name: Name, why: string, question: Partial<SearchQuestion>, page: number, parameters: Expected][] = [
  [
    'searxng',
    'the plain question',
    {},
    0,
    { q: 'green tea', format: 'json', pageno: '1', categories: 'general', language: undefined, time_range: undefined },
  ],
  ['searxng', 'a language and a country make a locale', { language: 'de', country: 'at' }, 0, { language: 'de-AT' }],
  ['searxng', 'a language alone', { language: 'fr' }, 0, { language: 'fr' }],
  ['searxng', 'a country alone adds its main language', { country: 'de' }, 0, { language: 'de-DE' }],
  ['searxng', 'a week', { timeRange: 'week' }, 0, { time_range: 'week' }],
  ['searxng', 'an hour becomes a day', { timeRange: 'hour' }, 0, { time_range: 'day' }],
  ['searxng', 'pages count from 1', {}, 2, { pageno: '3' }],
  ['searxng', 'URL syntax in a query is escaped', { query: 'a&b=c #d +e' }, 0, { q: 'a&b=c #d +e', format: 'json' }],
  [
    'brave',
    'the plain question',
    {},
    0,
    { q: 'green tea', count: '20', offset: '0', country: undefined, search_lang: undefined, freshness: undefined },
  ],
  ['brave', 'no highlighting, web pages only', {}, 0, { text_decorations: 'false', result_filter: 'web' }],
  ['brave', 'a language and a country', { language: 'de', country: 'at' }, 0, { search_lang: 'de', country: 'AT' }],
  ['brave', 'the Brave code for Japanese', { language: 'ja' }, 0, { search_lang: 'jp' }],
  ['brave', 'one of two Brave codes for Portuguese', { language: 'pt', country: 'pt' }, 0, { search_lang: 'pt-pt', country: 'PT' }],
  ['brave', 'one of two Brave codes for Chinese', { language: 'zh-Hant' }, 0, { search_lang: 'zh-hant' }],
  ['brave', 'a country that Brave does not know is left out', { country: 'va' }, 0, { country: undefined }],
  ['brave', 'a language that Brave does not know is left out', { language: 'eo' }, 0, { search_lang: undefined }],
  ['brave', 'uk is GB', { country: 'uk' }, 0, { country: 'GB' }],
  ['brave', 'a year', { timeRange: 'year' }, 0, { freshness: 'py' }],
  ['brave', 'a month', { timeRange: 'month' }, 0, { freshness: 'pm' }],
  ['brave', 'an hour becomes a day', { timeRange: 'hour' }, 0, { freshness: 'pd' }],
  ['brave', 'the offset counts pages', {}, 1, { count: '20', offset: '1' }],
  ['brave', 'a query is cut to 50 words', { query: 'ab '.repeat(80).trim() }, 0, { q: 'ab '.repeat(50).trim() }],
  [
    'google',
    'the plain question',
    {},
    0,
    { q: 'green tea', cx: 'engine:of-tests', num: '10', start: '1', hl: undefined, lr: undefined, gl: undefined, dateRestrict: undefined },
  ],
  ['google', 'a language and a country', { language: 'de', country: 'AT' }, 0, { hl: 'de', lr: 'lang_de', gl: 'at' }],
  ['google', 'Chinese by its country', { language: 'zh', country: 'tw' }, 0, { lr: 'lang_zh-TW', gl: 'tw' }],
  ['google', 'Hebrew by its old code', { language: 'he' }, 0, { lr: 'lang_iw' }],
  ['google', 'a day', { timeRange: 'day' }, 0, { dateRestrict: 'd1' }],
  ['google', 'a week', { timeRange: 'week' }, 0, { dateRestrict: 'w1' }],
  ['google', 'an hour becomes a day', { timeRange: 'hour' }, 0, { dateRestrict: 'd1' }],
  ['google', 'results are counted from 1', {}, 1, { start: '11' }],
]

for (const [name, why, question, page, expected] of REQUESTS)
  providers(`${name} gets a request as its documentation says: ${why}`, () =>
    withProvider(name, async (provider, { asked }) => {
      hitsOf(await provider.page({ ...QUESTION, ...question }, page, NEVER))
      assert.is(asked.length, 1)
      for (const [parameter, value] of Object.entries(expected)) assert.is(asked[0]?.parameters[parameter], value, parameter)
    }),
  )

for (const name of NAMES) {
  providers(`${name}: hits are returned in its order, with whether there are more`, () =>
    withProvider(name, async (provider, stubs) => {
      const first = await provider.page(QUESTION, 0, NEVER)
      assert.equal(hitsOf(first), stubs.hits.slice(0, name === 'brave' ? 20 : 10))
      assert.is(first.kind === 'page' && first.hasMore, true)
      stubs.hits = []
      const nothing = await provider.page(QUESTION, 0, NEVER)
      assert.equal(nothing, { kind: 'page', hits: [], hasMore: false })
    }),
  )

  const TROUBLES: [why: string, trouble: Trouble, detail: RegExp][] = [
    ['a server error', { status: 500 }, /out of order \(status 500\)/],
    ['too many requests', { status: 429 }, /status 429/],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:9/elsewhere' } }, /redirects, which is not followed/],
    ['an HTML page', { status: 200, body: '<html>Hello</html>' }, /not JSON/],
    ['a closed connection', { does: 'close' }, /connection broke/],
    ['an endless response', { does: 'flood' }, /too large/],
  ]
  for (const [why, trouble, detail] of TROUBLES)
    providers(`T7 T21 ${name} fails with a reason, not with an exception: ${why}`, () =>
      withProvider(name, async (provider, stubs) => {
        stubs.trouble = trouble
        assert.match(detailOf(await provider.page(QUESTION, 0, NEVER)), detail)
        assert.is(stubs.asked.length, 1, 'nothing was asked twice')
      }),
    )

  providers(`${name}: a silent server is given up in time, and at once when the search is stopped`, () =>
    withProvider(
      name,
      async (provider, stubs) => {
        stubs.trouble = { does: 'nothing' }
        assert.match(detailOf(await provider.page(QUESTION, 0, NEVER)), /did not answer in time/)
        const stop = new AbortController()
        stubs.onRequest = async () => stop.abort()
        detailOf(await provider.page(QUESTION, 0, stop.signal))
        detailOf(await provider.page(QUESTION, 0, stop.signal))
        assert.is(stubs.asked.length, 2, 'after the stop nothing is asked')
      },
      { timeoutMs: 300 },
    ),
  )

  providers(`${name}: JSON of another shape has no hits`, () =>
    withProvider(name, async (provider, stubs) => {
      for (const body of [
        'null',
        '[]',
        '{"results":7,"web":[],"items":{}}',
        '{"results":[null,1,{"url":5}],"web":{"results":[[]]},"items":["x"]}',
      ]) {
        stubs.trouble = { status: 200, body }
        for (const hit of hitsOf(await provider.page(QUESTION, 0, NEVER))) assert.equal(hit, { url: '', title: '', description: '' })
      }
    }),
  )
}

providers('SearXNG is asked for news and images by its categories, and returns their dates and images', () =>
  withProvider('searxng', async (provider, stubs) => {
    stubs.hits.push(
      {
        url: 'https://news.example/1',
        title: 'N',
        description: 'n',
        category: 'news',
        date: '2026-03-01T10:00:00',
        fields: { thumbnail: '//t.example/1.jpg' },
      },
      {
        url: 'https://pictures.example/1',
        title: 'P',
        description: 'p',
        category: 'images',
        fields: { img_src: 'https://i.example/1.png', thumbnail_src: 'https://t.example/1.png', resolution: '1280 x 720' },
      },
    )
    const news = await provider.page({ ...QUESTION, source: 'news' }, 0, NEVER)
    assert.equal(hitsOf(news), [
      {
        url: 'https://news.example/1',
        title: 'N',
        description: 'n',
        publishedAt: '2026-03-01T10:00:00',
        image: { url: '//t.example/1.jpg', resolution: '' },
      },
    ])
    const images = await provider.page({ ...QUESTION, source: 'images' }, 0, NEVER)
    assert.equal(hitsOf(images), [
      {
        url: 'https://pictures.example/1',
        title: 'P',
        description: 'p',
        publishedAt: '',
        image: { url: 'https://i.example/1.png', resolution: '1280 x 720' },
      },
    ])
    assert.equal(
      stubs.asked.map(({ parameters }) => parameters['categories']),
      ['news', 'images'],
    )
  }),
)

providers('a SearXNG without JSON gets an error that names the setting', () =>
  withProvider('searxng', async (provider, stubs) => {
    stubs.trouble = { status: 403 }
    assert.match(detailOf(await provider.page(QUESTION, 0, NEVER)), /`json` must be among its `search\.formats`/)
  }),
)

providers('a SearXNG whose engines all fail to answer fails, with their names', () =>
  withProvider('searxng', async (provider, stubs) => {
    const answer = {
      query: 'q',
      results: [],
      unresponsive_engines: [
        ['bing', 'timeout'],
        ['duckduckgo', 'CAPTCHA'],
      ],
    }
    stubs.trouble = { status: 200, body: JSON.stringify(answer) }
    assert.match(detailOf(await provider.page(QUESTION, 0, NEVER)), /bing: timeout, duckduckgo: CAPTCHA/)
    // After a first page with hits it is just the end.
    assert.equal(await provider.page(QUESTION, 1, NEVER), { kind: 'page', hits: [], hasMore: false })
  }),
)

providers('answers recorded from a real searx server are read correctly', () =>
  withProvider('searxng', async (provider, stubs) => {
    stubs.trouble = { status: 200, body: JSON.stringify(recorded.page) }
    assert.equal(
      hitsOf(await provider.page(QUESTION, 2, NEVER)),
      [20, 21, 22].map((at) => ({
        url: `http://127.0.0.1:18932/page/${at}`,
        title: `Page ${at} & more`,
        description: `Text of ${at} about green tea`,
      })),
    )
    stubs.trouble = { status: 200, body: JSON.stringify(recorded.silent) }
    assert.match(detailOf(await provider.page(QUESTION, 0, NEVER)), /none of its engines answered: local: HTTP error, dead: HTTP error/)
    stubs.trouble = { status: 400, body: JSON.stringify(recorded.invalid) }
    assert.match(detailOf(await provider.page(QUESTION, 0, NEVER)), /does not take the request \(status 400\)/)
  }),
)

for (const name of ['searxng', 'brave'] as const)
  providers(`${name}: the last hour keeps results of unknown age, and says so`, () =>
    withProvider(name, async (provider, stubs) => {
      const dates = [
        undefined,
        '2026-03-04T11:30:00',
        '2026-03-04T10:30:00',
        '2026-03-04T11:59:00Z',
        '2026-03-04T12:30:00+02:00',
        '2026-03-01',
        'soon',
      ]
      stubs.hits = someHits(dates.length).map((hit, at) => ({ ...hit, ...(dates[at] !== undefined && { date: dates[at] }) }))
      const answer = await provider.page({ ...QUESTION, timeRange: 'hour' }, 0, NEVER)
      assert.equal(
        hitsOf(answer).map(({ title }) => title),
        [0, 1, 3, 6].map((at) => `Hit number ${at}`),
      )
      assert.match(answer.kind === 'page' ? (answer.notes?.[0] ?? '') : '', /last hour/)
    }),
  )

for (const name of ['brave', 'google'] as const)
  providers(`T21 ${name}: a wrong key is reported without the key, which is sent only to the provider's URL`, () =>
    withProvider(
      name,
      async (provider, stubs) => {
        const detail = detailOf(await provider.page(QUESTION, 0, NEVER))
        assert.match(detail, /does not accept the key/)
        assert.not.match(detail, /a-wrong-key|127\.0\.0\.1/)
        assert.is(stubs.asked.length, 1)
        const { headers, parameters } = stubs.asked[0]!
        assert.is(headers['x-subscription-token'], name === 'brave' ? 'a-wrong-key' : undefined)
        assert.is(parameters['key'], name === 'google' ? 'a-wrong-key' : undefined)
      },
      { key: 'a-wrong-key' },
    ),
  )

providers('HTML texts of Brave become plain text', () =>
  withProvider('brave', async (provider, stubs) => {
    stubs.hits = [{ ...someHits(1)[0]!, title: 'Tom &amp; <strong>Jerry</strong>', description: 'It&#x27;s 1 &lt; 2' }]
    const [hit] = hitsOf(await provider.page(QUESTION, 0, NEVER))
    assert.equal([hit?.title, hit?.description], ['Tom & Jerry', "It's 1 < 2"])
  }),
)

providers('Google is not asked for more than a hundred hits', () =>
  withProvider('google', async (provider, stubs) => {
    stubs.hits = someHits(200)
    const last = await provider.page(QUESTION, 9, NEVER)
    assert.is(hitsOf(last).length, 10)
    assert.is(last.kind === 'page' && last.hasMore, false)
  }),
)

const LOCALES: [language: string | null, country: string | null, locale: string | null, why: string][] = [
  [null, null, null, 'no language and no country'],
  ['en', null, 'en', 'a language'],
  ['EN_us', null, 'en-US', 'a locale with an underscore'],
  ['pt-BR', 'pt', 'pt-PT', 'the given country wins over that of the locale'],
  ['zh-hant', null, 'zh', 'a script is not a country'],
  [null, 'JP', 'ja-JP', 'the main language of a country'],
  [null, 'uk', 'en-GB', 'uk as a country is Great Britain'],
  ['english', 'germany', null, 'words are not codes'],
  ['x&y=1', '<>', null, 'markup is not a code'],
]
providers('languages and countries are understood in the spellings that people use', () => {
  for (const [language, country, locale, why] of LOCALES) assert.is(localeOf(language, country), locale, why)
  assert.equal(readLocale('zh-hant-tw', null), { language: 'zh', script: 'Hant', country: 'TW' })
})

providers('the operator sets the order of providers; by default every provider is used, and the team’s own pages last', () => {
  const named = (name: SearchProvider['name']): SearchProvider => ({
    name,
    label: name,
    sources: ['web'],
    page: async () => ({ kind: 'failure', detail: '' }),
  })
  const available = [named('own'), named('google'), named('searxng')]
  const names = (wanted: SearchProvider['name'][] | null) => inOrder(available, wanted).map(({ name }) => name)
  assert.equal(names(null), ['searxng', 'google', 'own'])
  assert.equal(names(['own', 'searxng']), ['own', 'searxng'])
  assert.equal(names(['google', 'google', 'brave']), ['google'])
})

if (hasSearx())
  providers('a real metasearch server answers page after page, to the end', async () => {
    const searx = await startSearx(someHits(8))
    const client = createOperatorClient({ origins: [searx.url], userAgent: 'Seine/test' })
    const provider = searxng({ ask: createAskProvider({ client, timeoutMs: 15_000 }), now: () => NOW, url: searx.url })
    try {
      const first = await provider.page(QUESTION, 0, NEVER)
      assert.equal(
        hitsOf(first).map(({ url, title }) => ({ url, title })),
        someHits(5).map(({ url, title }) => ({ url, title })),
      )
      assert.is(first.kind === 'page' && first.hasMore, true)
      assert.is(hitsOf(await provider.page(QUESTION, 1, NEVER)).length, 3)
      const end = await provider.page(QUESTION, 2, NEVER)
      assert.equal([hitsOf(end).length, end.kind === 'page' && end.hasMore], [0, false])
      assert.equal(searx.asked, ['green tea', 'green tea', 'green tea'])
    } finally {
      await client.close()
      await searx.close()
    }
  })
else console.log('Without Debian’s searx the stand-in alone is asked.')

providers.run()
