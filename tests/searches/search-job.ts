import { searchSpecOfV1 } from '#backend/searches/search-spec.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { searchOptions } from '#contract/searches.ts'
import type { SearchItem } from '#contract/searches.ts'
import type { PageAnswer, TaskChange, TaskContext } from '#backend/crawler/tasks/task.ts'
import type { ProviderPage, SearchProvider, SearchQuestion } from '#backend/searches/providers/index.ts'
import { createSearchTask } from '#backend/searches/search-job.ts'
import { priceOf } from '#backend/searches/search-credits.ts'

const job = suite('the work of a search')

const hit = (at: number) => ({ url: `https://hits.example/${at}`, title: `Hit ${at}`, description: `About ${at}` })
const page = (hits = [hit(0), hit(1)], hasMore = false): ProviderPage => ({ kind: 'page', hits, hasMore })

type Stage = {
  answers?: ((question: SearchQuestion, page: number) => ProviderPage)[]
  options?: Record<string, unknown>
  limit?: number
  isResumed?: boolean
  kept?: SearchItem[]
  readPage?: (url: string, stop: (why: string) => void) => PageAnswer | Promise<PageAnswer>
  renderPage?: TaskContext['renderPage']
}

/** A task run by the test: its requests, feed lines, commits and result. */
async function run({ answers = [() => page()], options = {}, limit = 5, isResumed = false, kept, readPage, renderPage = null }: Stage) {
  let document: unknown = kept ?? null
  const stop = new AbortController()
  const asked: [provider: number, page: number][] = []
  const told: string[] = []
  const commits: TaskChange[] = []
  const read: string[] = []
  const providers = answers.map((answer, at): SearchProvider => ({
    name: 'searxng',
    label: `Provider ${at}`,
    sources: ['web'],
    async page(question, number) {
      asked.push([at, number])
      return answer(question, number)
    },
  }))
  const context: TaskContext = {
    run: {
      no: 1,
      id: 'id',
      teamId: 'team',
      label: 'tea',
      pageLimit: limit,
      spec: searchSpecOfV1(searchOptions.parse(options)),
      seeds: [],
      kept: 0,
      isResumed,
    },
    signal: stop.signal,
    now: () => 0,
    kept: { document: async () => document, urls: async () => [] },
    tell: (type, message) => void told.push(`${type}: ${message}`),
    async commit(results, change = {}) {
      document = results.document
      commits.push(change)
    },
    fetch: () => Promise.reject(new Error('not asked for')),
    async readPage(url) {
      read.push(url)
      if (readPage === undefined) throw new Error('no page was to be read')
      return readPage(url, (why) => stop.abort(why))
    },
    renderPage,
  }
  const ending = await createSearchTask({ providers })(context)
  document = ending.results?.document ?? document
  return { asked, commits, ending, items: (document as SearchItem[] | null) ?? undefined, read, told }
}

const readable = (url: string): PageAnswer => ({
  outcome: { kind: 'failure', reason: 'connect', detail: '', tookMs: 0 },
  page: { url, title: `Own title of ${url}`, description: null, language: null, canonicalUrl: null, links: [] },
})

job('a search stores the hits as soon as they arrive, and charges for them', async () => {
  const { commits, ending, items } = await run({ limit: 2 })
  assert.equal(commits, [{ kept: 2, used: 1 }])
  assert.equal([ending.status, ending.reason, ending.used, ending.kept], ['finished', 'result_limit', 1, undefined])
  assert.equal(
    items,
    [0, 1].map((order) => ({ ...hit(order), order, depth: 'basic' })),
  )
})

job('a search that was interrupted after its hits were stored asks no provider again and counts nothing twice', async () => {
  const kept: SearchItem[] = [{ ...hit(7), order: 0, depth: 'basic' }]
  const { asked, commits, ending, items } = await run({ isResumed: true, kept, options: { depth: 'advanced' }, readPage: readable })
  assert.equal([asked, commits], [[], []])
  assert.equal([ending.status, ending.used], ['finished', 2])
  assert.equal([items?.[0]?.title, items?.[0]?.depth], ['Own title of https://hits.example/7', 'advanced'])
})

job('a search that was interrupted before its hits were stored starts again', async () => {
  const { asked, commits } = await run({ isResumed: true })
  assert.equal([asked, commits.length], [[[0, 0]], 1])
})

job('a page without a description keeps the description of the provider', async () => {
  const { items } = await run({ answers: [() => page([hit(1)])], options: { depth: 'advanced' }, readPage: readable })
  assert.equal(items?.[0], { ...hit(1), title: 'Own title of https://hits.example/1', order: 0, depth: 'advanced' })
})

job('a page that cannot be read is reported with the reason in words', async () => {
  const readPage: Stage['readPage'] = () => ({ outcome: { kind: 'failure', reason: 'redirect_loop', detail: '', tookMs: 0 }, page: null })
  const { told } = await run({ answers: [() => page([hit(1)])], options: { depth: 'advanced' }, readPage })
  assert.ok(told.includes('warning: Could not read https://hits.example/1: it redirects in a loop'), told.join('\n'))
})

job('a search returns the results so far at its deadline', async () => {
  const readPage: Stage['readPage'] = (url, stop) => {
    if (url.endsWith('/1')) stop('deadline')
    return readable(url)
  }
  const hits = Array.from({ length: 12 }, (_, at) => hit(at))
  const { ending, items, told } = await run({ limit: 12, answers: [() => page(hits)], options: { depth: 'advanced' }, readPage })
  assert.is(ending.status, 'finished')
  const looked = items?.filter(({ depth }) => depth === 'advanced').length ?? 0
  assert.ok(looked >= 1 && looked < 12, String(looked))
  assert.ok(told.some((line) => line.startsWith('warning: Time limit reached')))
})

job('a search that is stopped ends at once and reads nothing more', async () => {
  const read: string[] = []
  const readPage: Stage['readPage'] = (url, stop) => {
    read.push(url)
    stop('canceled')
    return readable(url)
  }
  const hits = Array.from({ length: 12 }, (_, at) => hit(at))
  let hasThrown = false
  await run({ limit: 12, answers: [() => page(hits)], options: { depth: 'advanced' }, readPage }).catch(() => (hasThrown = true))
  assert.ok(hasThrown)
  assert.ok(read.length <= 5, `${read.length} pages`)
})

job('a provider that repeats the same hits is given up', async () => {
  const { asked, items } = await run({ limit: 20, answers: [() => page([hit(0)], true)] })
  assert.is(items?.length, 1)
  assert.equal(asked, [
    [0, 0],
    [0, 1],
  ])
})

job('an empty answer of a provider is a result: the next provider is not asked', async () => {
  const { asked, ending } = await run({ answers: [() => page([]), () => page()] })
  assert.equal(asked, [[0, 0]])
  assert.equal([ending.status, ending.message, ending.used], ['finished', 'Nothing was found', 0])
})

job('a search without any provider fails, and costs nothing', async () => {
  const { ending, items } = await run({ answers: [] })
  assert.equal([ending.status, ending.reason, ending.type, items], ['failed', 'no_provider', 'error', undefined])
})

job('ultimate renders each page; a page that the browser cannot render is fetched, and no page is requested twice', async () => {
  const drawn: string[] = []
  const { ending, items, read, told } = await run({
    limit: 3,
    answers: [() => page([hit(1), hit(2), hit(3)])],
    options: { depth: 'ultimate', language: 'de' },
    readPage: readable,
    renderPage: async (url, { locale }) => {
      drawn.push(`${url} ${locale}`)
      return url.endsWith('2') ? null : readable(url)
    },
  })
  assert.equal(drawn.toSorted(), ['https://hits.example/1 de', 'https://hits.example/2 de', 'https://hits.example/3 de'])
  assert.equal(read, ['https://hits.example/2'])
  assert.equal(
    items?.map(({ depth }) => depth),
    ['ultimate', 'advanced', 'ultimate'],
  )
  assert.is(ending.used, 3)
  assert.ok(told.some((line) => line.includes('hits.example/2 could not be rendered')))
  assert.not.ok(told.some((line) => line.includes('without a browser')))
})

job('ultimate without a rendered page costs as much as advanced', async () => {
  const { ending, items, read } = await run({
    limit: 3,
    answers: [() => page([hit(1), hit(2), hit(3)])],
    options: { depth: 'ultimate' },
    readPage: readable,
    renderPage: async () => null,
  })
  assert.is(read.length, 3)
  assert.ok(items?.every(({ depth }) => depth === 'advanced'))
  assert.is(ending.used, 2)
})

job('advanced uses no browser, even if there is one', async () => {
  const renderPage = () => Promise.reject(new Error('not asked for'))
  const { items } = await run({ answers: [() => page([hit(1)])], options: { depth: 'advanced' }, readPage: readable, renderPage })
  assert.is(items?.[0]?.depth, 'advanced')
})

const PRICES: [depth: Parameters<typeof priceOf>[0], results: number, credits: number][] = [
  ['basic', 0, 0],
  ['basic', 1, 1],
  ['basic', 5, 1],
  ['basic', 6, 2],
  ['basic', 20, 4],
  ['advanced', 1, 2],
  ['advanced', 5, 2],
  ['advanced', 11, 6],
  ['ultimate', 1, 1],
  ['ultimate', 20, 20],
]
job('a search costs 1 or 2 for each started block of five results, and 1 for each rendered result', () => {
  for (const [depth, results, credits] of PRICES) assert.is(priceOf(depth, results), credits, `${depth} ${results}`)
})

job.run()
