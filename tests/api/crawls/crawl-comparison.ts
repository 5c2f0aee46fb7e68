/** What became of each page since earlier crawls: pages, failures and URLs that were not reached. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { crawlOptions } from '#contract/crawls.ts'
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import type { Database } from '#backend/platform/database/database.ts'
import { createCompareInTurn } from '#backend/crawls/compare-in-turn.ts'
import { createCrawlChanges } from '#backend/crawls/crawl-changes.ts'
import { createCrawlComparison } from '#backend/crawls/crawl-comparison.ts'
import type { PageStatus } from '#backend/crawls/crawl-comparison.ts'
import type { Run } from '#backend/runs/run.ts'
import { openTestDatabase } from '#tests/support/test-state.ts'

const comparison = suite('comparison of crawls')

/** What a crawl did with a URL: its text; an outcome, a status of the site, or null for a URL that it has not reached. */
type Fate = { text: string } | { outcome: string; status?: number; isSeed?: boolean } | null
type Crawl = { no: number; status: 'finished' | 'canceled' | 'running'; teamId: string }

const PLACES = { offset: 0, limit: 100 }
const run = (no: number, status: Crawl['status'] = 'finished') => ({ no, status, teamId: 'one' })

async function withCrawls<T>(crawls: Record<number, Record<string, Fate>>, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openTestDatabase()
  try {
    for (const [no, fates] of Object.entries(crawls)) {
      // As an old version has stored it, without a spec.
      await database
        .insertInto('runOptions')
        .values({ runNo: Number(no), options: JSON.stringify(crawlOptions.parse({})), seeds: '[]', spec: null, secrets: null })
        .execute()
      for (const [seq, [url, fate]] of Object.entries(fates).entries()) await addUrl(database, { runNo: Number(no), seq, url, fate })
    }
    return await work(database)
  } finally {
    await database.destroy()
  }
}

async function addUrl(
  database: Database,
  { fate, runNo, seq, url }: { runNo: number; seq: number; url: string; fate: Fate },
): Promise<void> {
  const key = { runNo, keyHi: 0, keyLo: seq, url }
  const isPage = fate !== null && 'text' in fate
  const ended =
    fate === null || isPage
      ? { outcome: isPage ? 'kept' : null, isSeed: 0, httpStatus: null }
      : { outcome: fate.outcome, isSeed: fate.isSeed === true ? 1 : 0, httpStatus: fate.status ?? null }
  await database
    .insertInto('runUrl')
    .values({ ...key, ...ended, seq, hostNo: 1, depth: 0, state: 2, title: '' })
    .execute()
  if (!isPage) return
  const page = { no: runNo * PAGES_PER_RUN + seq + 1, id: `${url} of ${runNo}`, contentHash: fate.text, httpStatus: 200 }
  await database
    .insertInto('page')
    .values({ ...key, ...page, title: '', contentType: null, language: null, eventSeq: 0, createdAt: runNo })
    .execute()
}

const compared = <T>(
  crawls: Record<number, Record<string, Fate>>,
  work: (compare: ReturnType<typeof createCrawlComparison>, database: Database) => Promise<T>,
): Promise<T> =>
  withCrawls(crawls, (database) =>
    work(
      createCrawlComparison({ database, inTurn: createCompareInTurn({ apart: database, shareOf: async (teamId) => teamId }) }),
      database,
    ),
  )

/** The status of each URL that has one. */
async function statuses(
  crawls: Record<number, Record<string, Fate>>,
  now: Crawl,
  ...earlier: Crawl[]
): Promise<Record<string, PageStatus>> {
  return compared(crawls, async ({ count, list }) => {
    const pages = await list(now, earlier, null, PLACES)
    const counts = { changed: 0, new: 0, removed: 0, error: 0, same: 0 }
    for (const { status } of pages) counts[status] += 1
    assert.equal(await count(now, earlier), counts, 'the list has as many as are counted')
    return Object.fromEntries(pages.map(({ status, url }) => [url, status]))
  })
}

const page = (text: string): Fate => ({ text })
const FAILED: Fate = { outcome: 'status', status: 500 }
const ABSENT: Fate = { outcome: 'status', status: 404 }

comparison('pages are changed, new, removed or the same', async () => {
  const crawls = { 1: { a: page('1'), b: page('1'), d: page('1') }, 2: { a: page('1'), b: page('2'), c: page('1') } }
  assert.equal(await statuses(crawls, run(2), run(1)), { b: 'changed', c: 'new', d: 'removed', a: 'same' })
  assert.equal(await statuses(crawls, run(2)), { a: 'new', b: 'new', c: 'new' })
})

comparison('a page that could not be fetched is an error; one that the site does not have any more is removed, once', async () => {
  const crawls = {
    1: { a: page('1'), b: page('1'), c: page('1') },
    2: { a: FAILED, b: ABSENT, c: { outcome: 'status', status: 410 }, e: ABSENT, f: { outcome: 'timeout' } } satisfies Record<string, Fate>,
    3: { b: ABSENT },
  }
  assert.equal(await statuses(crawls, run(2), run(1)), { b: 'removed', c: 'removed', a: 'error', e: 'error', f: 'error' })
  assert.equal(await statuses(crawls, run(3), run(2)), { b: 'error' })
})

comparison('links that robots.txt forbids are no errors, but submitted URLs are', async () => {
  const crawls = { 1: { a: { outcome: 'robots', isSeed: true }, b: { outcome: 'robots' }, c: { outcome: 'out_of_scope' } } }
  assert.equal(await statuses(crawls, run(1)), { a: 'error' })
})

comparison('a URL that was not reached is not removed; nor is any page that a crawl has not found if it did not finish', async () => {
  const crawls = {
    1: { a: page('1'), b: page('1'), c: page('1'), d: page('1') },
    2: { a: page('1'), b: null, c: { outcome: 'limit' }, e: ABSENT } satisfies Record<string, Fate>,
  }
  assert.equal(await statuses(crawls, run(2), run(1)), { d: 'removed', e: 'error', a: 'same' })
  assert.equal(await statuses(crawls, run(2, 'canceled'), run(1)), { e: 'error', a: 'same' })
  const absent = { 1: { a: page('1') }, 2: { a: ABSENT } }
  assert.equal(await statuses(absent, run(2, 'canceled'), run(1)), { a: 'removed' }, 'the site has said so')
})

comparison('a page that was missed is compared with its newest copy, in whichever crawl it is', async () => {
  const crawls = {
    1: { a: page('0'), b: page('1'), c: page('1'), d: page('1') },
    2: { a: page('1'), b: FAILED, c: FAILED, d: ABSENT },
    3: { a: FAILED, b: FAILED, c: { outcome: 'limit' }, d: page('1') } satisfies Record<string, Fate>,
    4: { a: page('1'), b: page('2'), c: page('1'), d: page('1') },
  }
  assert.equal(await statuses(crawls, run(4), run(3), run(2), run(1)), { b: 'changed', a: 'same', c: 'same', d: 'same' })
  assert.equal(await statuses(crawls, run(4), run(3)), { a: 'new', b: 'new', c: 'new', d: 'same' }, 'without older crawls')
  assert.equal(await statuses(crawls, run(3), run(2), run(1)), { d: 'new', a: 'error', b: 'error' }, 'the site did not have it meanwhile')
  await compared(crawls, async ({ list }) => {
    const [b, a] = await list(run(4), [run(3), run(2), run(1)], null, PLACES)
    assert.equal([b?.now?.id, b?.before?.id, a?.before?.id], ['b of 4', 'b of 1', 'a of 2'])
  })
})

comparison('a missed page that the site does not have any more is removed, not an error', async () => {
  const crawls = { 1: { a: page('1'), z: page('1') }, 2: { a: FAILED, z: page('1') }, 3: { a: ABSENT, z: page('1') } }
  assert.equal(await statuses(crawls, run(3), run(2)), { a: 'error', z: 'same' })
  assert.equal(await statuses(crawls, run(3), run(2), run(1)), { a: 'removed', z: 'same' })
  assert.equal(await statuses({ ...crawls, 3: { z: page('1') } }, run(3), run(2), run(1)), { a: 'removed', z: 'same' })
})

comparison('each page says what is known of it, in the order of storage, and a window selects some', async () => {
  const crawls = {
    1: { a: page('1'), d: page('1') },
    2: { a: page('2'), b: FAILED, c: { outcome: 'timeout' }, e: page('1'), f: page('1') } satisfies Record<string, Fate>,
  }
  await compared(crawls, async ({ list }) => {
    const all = await list(run(2), [run(1)], null, PLACES)
    const none = { httpStatus: null, now: null, before: null, failure: null, at: null }
    const stored = (url: string, no: number) => ({ no, id: `${url} of ${Math.floor(no / PAGES_PER_RUN)}` })
    const now = { httpStatus: 200, at: 2 }
    const [one, two] = [PAGES_PER_RUN, 2 * PAGES_PER_RUN]
    assert.equal(all, [
      { ...none, ...now, status: 'changed', url: 'a', now: stored('a', two + 1), before: stored('a', one + 1) },
      { ...none, ...now, status: 'new', url: 'e', now: stored('e', two + 4) },
      { ...none, ...now, status: 'new', url: 'f', now: stored('f', two + 5) },
      { ...none, status: 'removed', url: 'd', before: stored('d', one + 2) },
      { ...none, status: 'error', url: 'b', httpStatus: 500, failure: { seq: 1, text: 'status' } },
      { ...none, status: 'error', url: 'c', failure: { seq: 2, text: 'timeout' } },
    ])
    assert.equal(await list(run(2), [run(1)], null, { offset: 2, limit: 3 }), all.slice(2, 5))
    assert.equal(await list(run(2), [run(1)], 'error', { offset: 1, limit: 3 }), all.slice(5))
  })
})

const ADDED = { runNo: 2, seq: 9, url: 'z', fate: page('1') }

comparison('the numbers of a crawl in progress are counted anew, also if it is the earlier one', async () => {
  const counts = { changed: 1, new: 0, removed: 0, error: 0, same: 0 }
  for (const [now, then] of [
    [run(2, 'running'), run(1)],
    [run(2), run(1, 'running')],
  ] as const)
    await compared({ 1: { a: page('1') }, 2: { a: page('2') } }, async ({ count }, database) => {
      assert.equal(await count(now, [then]), counts)
      await addUrl(database, ADDED)
      assert.equal(await count(now, [then]), { ...counts, new: 1 })
    })
})

comparison('two crawls of an old version are compared, in the order of storage; those in progress are counted anew', async () => {
  const crawls = {
    1: { c: page('1'), b: page('1'), a: page('1') },
    2: { y: page('1'), c: page('1'), x: page('1') },
  }
  await withCrawls(crawls, async (database) => {
    const { count, list } = createCrawlChanges({
      database,
      inTurn: createCompareInTurn({ apart: database, shareOf: async (teamId) => teamId }),
    })
    const [now, then] = [run(2, 'running') as Run, run(1) as Run]
    const urls = async (change: 'added' | 'removed') =>
      (await list(now, then, change, () => ({ ...PLACES, pageSize: 10 }) as never)).pages.map(({ url }) => url)
    assert.equal(
      [await urls('removed'), await urls('added')],
      [
        ['b', 'a'],
        ['y', 'x'],
      ],
    )
    assert.is((await count(now, then)).added, 2)
    assert.is((await count(then, now)).removed, 2)
    await addUrl(database, ADDED)
    assert.is((await count(now, then)).added, 3)
    assert.is((await count(then, now)).removed, 3)
  })
})

comparison.run()
