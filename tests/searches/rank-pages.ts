/** The search over own pages when very many of them match. */
import * as assert from 'uvu/assert'
import { openIndex, wordRows } from '#backend/searches/own-index/index-file.ts'
import { makeOwnPages } from '#tests/support/engine/own-index.ts'
import type { NewPage } from '#tests/support/engine/own-index.ts'
import { suite } from '#tests/support/suite.ts'

const ranking = suite('ranking of very many pages')

const TEAM_NO = 1

/** Stored pages, and further rows of the index that only count: no pages belong to them. */
function withRows(pages: NewPage[], rows: { count: number; text: (at: number) => string; address?: string }) {
  const own = makeOwnPages()
  const teamId = own.team()
  const run = own.run(teamId)
  own.keep(run.no, pages)
  own.follow()
  const index = openIndex(own.file)
  const { insert } = wordRows(index, TEAM_NO)
  const empty = { title: '', headings: '', description: '', address: rows.address ?? '' }
  index.transaction(() => {
    for (let at = 1; at <= rows.count; at += 1)
      insert({ no: (run.no + 1) * 2 ** 24 + at, isNewest: true }, { ...empty, body: rows.text(at) })
  })()
  index.close()
  const find = (query: string, limit = 10) => {
    const { count, hits, isComplete } = own.search(teamId, query, {}, { limit })
    return { count, isComplete, titles: hits.map(({ title }) => title.map(([text]) => text).join('')) }
  }
  return { ...own, find }
}

ranking('the page with all words in its title is first, however many newer pages have them in their URL', () => {
  const { find } = withRows([{ title: 'Tides in the harbour' }, { title: 'A log', text: 'the harbour and the tides' }], {
    count: 16_500,
    text: () => 'harbour tides',
    address: 'harbour tides',
  })
  assert.equal(find('harbour tides'), { count: 16_000, isComplete: false, titles: ['Tides in the harbour'] })
  assert.equal(find('tides -log').titles, ['Tides in the harbour'])
})

ranking('of a crawl whose pages were replaced only the newest are ranked, too', () => {
  const own = makeOwnPages()
  const teamId = own.team()
  const [replaced, newest] = [own.run(teamId), own.run(teamId)]
  const pages = [
    { title: 'Oldest', url: 'https://site.example/1', text: 'the harbour' },
    { title: 'Newest', url: 'https://site.example/2', text: 'the harbour' },
  ]
  own.keep(replaced.no, pages.slice(0, 1))
  own.pages.prepare('UPDATE run SET kept = 9000 WHERE no = ?').run(replaced.no)
  own.keep(replaced.no, pages.slice(1))
  own.keep(newest.no, pages)
  own.follow()
  const index = openIndex(own.file)
  const { insert } = wordRows(index, TEAM_NO)
  const text = { title: '', headings: '', description: '', address: '', body: 'the harbour' }
  index.transaction(() => {
    for (let at = 2; at <= 8500; at += 1) insert({ no: replaced.no * 2 ** 24 + at, isNewest: false }, text)
    // A word on most pages has no weight.
    for (let at = 1; at <= 15_000; at += 1) insert({ no: (newest.no + 1) * 2 ** 24 + at, isNewest: true }, { ...text, body: 'a ship' })
  })()
  index.close()
  const { count, hits } = own.search(teamId, 'harbour', { crawl: replaced.id }, { limit: 9000 })
  assert.is(count, 8501)
  assert.equal(
    hits.map(({ isNewest, score, title }) => [title.map(([words]) => words).join(''), isNewest, score > 0]),
    [
      ['Newest', false, true],
      ['Oldest', false, false],
    ],
  )
})

ranking('other forms are searched for until enough pages have the word as it was written', () => {
  const pages = [{ title: 'Crawling' }, { title: 'Crawl' }]
  const few = withRows(pages, { count: 1998, text: () => 'crawl' })
  assert.is(few.find('crawl').count, 2000)
  assert.equal(few.find('crawl', 2000).titles, ['Crawl', 'Crawling'])
  const many = withRows(pages, { count: 1999, text: () => 'crawl' })
  assert.is(many.find('crawl').count, 2000)
  assert.equal(many.find('crawl', 2001).titles, ['Crawl'])
})

ranking('the beginning of very many words finds the same pages, ranked by the other words', () => {
  const words = Array.from({ length: 1000 }, (_, at) => `walk${at}`).join(' ')
  const pages = [
    { title: 'Walking' },
    { title: 'A log', text: 'the harbour, a walk' },
    { title: 'Harbour', text: 'walks' },
    { title: 'Harbour' },
  ]
  const { find } = withRows(pages, { count: 51, text: () => words })
  assert.equal(find('harbour walk*'), { count: 2, isComplete: true, titles: ['Harbour', 'A log'] })
  assert.equal(find('harbour -walk*').titles, ['Harbour'])
  assert.is(find('walk*').count, 54, 'alone, it is ranked')
})

ranking.run()
