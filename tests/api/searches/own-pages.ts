import { readdirSync, readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { createCrawl, getCrawl, getResult } from '#contract/crawls.ts'
import { searchOwnPages } from '#contract/own-pages.ts'
import type { OwnPagesAnswer } from '#contract/own-pages.ts'
import { startApp } from '#tests/support/app.ts'
import type { App, Caller } from '#tests/support/app.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { suite } from '#tests/support/suite.ts'

const own = suite("the search over a team's own pages")

const LIMIT_MS = 30_000
const LOOK_MS = 50

const matched = (parts: { text: string; is_match: boolean }[]) => parts.filter(({ is_match }) => is_match).map(({ text }) => text)
const whole = (parts: { text: string }[]) => parts.map(({ text }) => text).join('')

async function crawl(app: App, as: Caller, url: string): Promise<string> {
  const options = { spider_options: { page_limit: 20, max_depth: 2 } }
  const { body } = await app.call(createCrawl, { as, body: { url, options } })
  await until(async () => (await app.call(getCrawl, { as, params: { id: body.uuid } })).body.status === 'finished')
  return body.uuid
}

async function until(holds: () => Promise<boolean>) {
  const limit = performance.now() + LIMIT_MS
  while (!(await holds())) {
    if (performance.now() > limit) throw new Error('it did not come true in time')
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

const find = async (app: App, as: Caller, query: Record<string, string | number | boolean>): Promise<OwnPagesAnswer> =>
  (await app.call(searchOwnPages, { as, query })).body

/** Waits until this many pages of the caller are indexed, and none is pending. */
const indexed = (app: App, as: Caller, pages: number) =>
  until(async () => {
    const { index } = await find(app, as, { q: '' })
    return index.indexed === pages && index.behind === 0
  })

own('stored pages are found by their words and read by their ids, by their own team only', async () => {
  const site = await startSite({
    '/': pageOf('harbour pilots', ['/tides', '/anchors']),
    '/tides': pageOf('spring tides and <b>neap</b> &lt;img src=x&gt;'),
    '/anchors': pageOf('anchors in mud'),
  })
  const app = await startApp({ engine: true })
  const me = await app.signIn()
  const other = await app.secondUser()
  assert.equal((await find(app, me, { q: 'tides' })).results, [], 'nothing before')
  const id = await crawl(app, me, site.url('/'))
  await indexed(app, me, 3)

  const answer = await find(app, me, { q: 'spring TIDES' })
  assert.is(answer.count, 1)
  assert.is(answer.is_complete, true)
  assert.is(answer.suggestion, null)
  assert.equal(answer.ignored_words, [])
  assert.is(answer.next, null)
  const some = await find(app, me, { q: 'where is the mud of an anchor, anchors' })
  assert.equal([some.results.map(({ url }) => url), some.count], [[site.url('/anchors'), site.url('/')], 2])
  assert.ok(some.ignored_words.includes('where') && !some.ignored_words.includes('mud'), some.ignored_words.join(' '))
  const [hit] = answer.results
  assert.is(hit!.url, site.url('/tides'))
  assert.is(hit!.crawl_uuid, id)
  assert.is(hit!.language, 'en')
  assert.is(hit!.is_newest, true)
  assert.match(hit!.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  assert.equal(matched(hit!.title), ['spring', 'tides'])
  assert.equal(matched(hit!.snippet).slice(0, 2), ['spring', 'tides'])
  assert.match(whole(hit!.snippet), /Words about spring tides/)

  const { body: result } = await app.call(getResult, {
    as: me,
    params: { id: hit!.crawl_uuid, resultId: hit!.uuid },
    query: { prefetched: true },
  })
  assert.match((result.result as { markdown: string }).markdown, /spring tides/)

  assert.is((await find(app, me, { q: 'words -mud', page_size: 1 })).count, 2)
  const second = await find(app, me, { q: 'words', page_size: 1, page: 2 })
  assert.is(second.results.length, 1)
  assert.match(second.next ?? '', /page=3/)
  assert.is(second.results[0]!.url, (await find(app, me, { q: 'words' })).results[1]!.url)
  assert.is((await find(app, me, { q: 'words', page_size: 2, page: 'last' })).results.length, 1)
  assert.is((await app.call(searchOwnPages, { as: me, query: { q: 'words', page: 9 } })).status, 404)
  assert.is((await find(app, me, { q: 'anchros' })).suggestion, 'anchors')
  assert.is((await find(app, me, { q: 'anch', typing: true })).count, 2)
  assert.is((await find(app, me, { q: 'anch' })).count, 0)

  const theirs = await find(app, other, { q: 'tides' })
  assert.is(theirs.count, 0)
  assert.equal(theirs.index, { indexed: 0, behind: 0 })
  assert.is((await find(app, other, { q: 'tydes' })).suggestion, null, 'no word of another team is told')
  assert.is((await find(app, other, { q: 'tides', crawl: id })).count, 0, 'nor by the id of its crawl')
  assert.is((await app.call(searchOwnPages, { key: me.apiKey, query: { q: 'spring' } })).body.count, 1, 'with a key')
})

own('a page that is crawled twice is found once, in its newest version; a filter by crawl finds each version', async () => {
  let text = 'low water'
  const site = await startSite({ '/': () => pageOf(`${text} at noon`) })
  const app = await startApp({ engine: true })
  const me = await app.signIn()
  const first = await crawl(app, me, site.url('/'))
  text = 'high water'
  const second = await crawl(app, me, site.url('/'))
  await indexed(app, me, 2)
  const newest = await find(app, me, { q: 'water noon' })
  assert.equal(
    newest.results.map(({ crawl_uuid }) => crawl_uuid),
    [second],
  )
  assert.is((await find(app, me, { q: 'low' })).count, 0)
  const older = await find(app, me, { q: 'low', crawl: first })
  assert.is(older.count, 1)
  assert.is(older.results[0]!.is_newest, false)
  const { database } = app.backend
  await database.updateTable('run').set({ deletedAt: Date.now() }).where('id', '=', second).execute()
  assert.equal((await find(app, me, { q: 'high' })).results, [], 'what is deleted is not shown, followed or not')
  await until(async () => (await find(app, me, { q: 'low' })).count === 1)
})

own('a filter with an invalid value gets an error, and unknown filters are ignored', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const table: [field: string, value: string, message: string][] = [
    ['site', 'not a host', 'Enter a valid host name.'],
    ['crawl', 'x', 'Enter a valid UUID.'],
    ['since', 'yesterday', 'Enter a valid date/time.'],
    ['until', '2026-13-40', 'Enter a valid date/time.'],
    ['until', '2026-06-31', 'Enter a valid date/time.'],
    ['language', 'English', 'Enter a valid language code.'],
  ]
  for (const [field, value, message] of table) {
    const { status, body } = await app.request('GET', searchOwnPages.path, { as: me, query: { q: 'a', [field]: value } })
    assert.is(status, 400, field)
    assert.equal((body as { errors: unknown }).errors, { [field]: [message] })
  }
  const long = await app.request('GET', searchOwnPages.path, { as: me, query: { q: 'a'.repeat(501) } })
  assert.is(long.status, 400)
  const fine = await app.call(searchOwnPages, { as: me, query: { q: 'a', colour: 'blue', site: '', crawl: '' } })
  assert.is(fine.status, 200)
  assert.equal(fine.body.results, [])
})

own('an idle product runs no indexer, and a query starts none', async () => {
  const app = await startApp()
  const me = await app.signIn()
  await find(app, me, { q: 'anything' })
  assert.equal(childrenOf(process.pid), [])
})

function childrenOf(pid: number): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] === String(pid)
    } catch {
      return false
    }
  })
}

own.run()
