import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { matchPattern } from '#web/runs/search/match-pattern.ts'
import { EMPTY_OWN_QUERY, hostsOf, isFiltered, ownParameters, siteOf } from '#web/runs/search/own-query.ts'

const own = suite("queries of the team's own pages")

const NOW = Date.UTC(2026, 10, 21, 12)

own('the request has the query and its filters', () => {
  assert.equal(ownParameters({ ...EMPTY_OWN_QUERY, query: 'tea' }, NOW), {
    q: 'tea',
    site: undefined,
    crawl: undefined,
    language: undefined,
    since: undefined,
    typing: true,
  })
  const { since, language, site } = ownParameters({ query: '', site: 'a.example', crawl: '', language: 'en', stored: 'week' }, NOW)
  assert.equal([since, language, site], ['2026-11-14T12:00:00.000Z', 'en', 'a.example'])
})

own('filters are read from the query', () => {
  assert.not.ok(isFiltered({ ...EMPTY_OWN_QUERY, query: 'tea' }))
  for (const filter of [{ site: 'a.example' }, { crawl: 'x' }, { language: 'en' }, { stored: 'day' as const }])
    assert.ok(isFiltered({ ...EMPTY_OWN_QUERY, ...filter }), JSON.stringify(filter))
})

own('a site is accepted in the usual spellings', () => {
  for (const [written, site] of [
    ['docs.example.com', 'docs.example.com'],
    [' https://www.docs.example.com/guide/ ', 'docs.example.com/guide'],
    ['*.example.com', 'example.com'],
    ['localhost', 'localhost'],
    ['127.0.0.1', '127.0.0.1'],
    ['http://127.0.0.1:8080/a?b#c', '127.0.0.1/a'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['word', null],
    ['two words.example', null],
    ['<script>', null],
    ['', null],
  ] as const)
    assert.is(siteOf(written), site, written)
  assert.equal(hostsOf(['https://a.example/1', 'https://www.a.example/2', 'nonsense', 'http://b.example:81']), ['a.example', 'b.example'])
})

const found = (query: string, text: string, marked: string[] = []) => {
  const pattern = matchPattern(
    query,
    marked.map((piece) => ({ text: piece, is_match: true })),
  )
  return pattern === null ? [] : [...text.matchAll(pattern)].map(([words]) => words)
}

own('words of the query are marked in a page, and nothing else', () => {
  for (const [query, text, marks] of [
    ['white tea', 'A White tea, teapots and whiteness', ['White', 'tea', 'teapots']],
    ['tea white', 'A White tea, teapots', ['White', 'tea']],
    ['"white tea" pot', 'white, tea and white teas', ['white, tea']],
    ['tea -green', 'green tea', ['tea']],
    ['검색', '데이터를 검색합니다', ['검색']],
    ['debian', 'Debianは自由な、Debiansは', ['Debian', 'Debians']],
    ['debian 本', 'Debianは、Debiansは', ['Debian']],
    ['steep* now', 'steeping now', ['steeping', 'now']],
    ['te', 'te tea', ['te']],
    ['site:a.example tea', 'a.example has tea', ['tea']],
    ['c++ (a|b) [x] .*', 'a b c x .* aa', ['a b', 'c', 'x']],
    ['-tea', 'tea', []],
    ['', 'tea', []],
    ['茶', '白茶好', ['茶']],
  ] as const)
    assert.equal(found(query, text), marks, query)
})

own('matches that the server found are marked as they are', () => {
  assert.equal(found('cafe', 'Café und CAFÉ', ['Café']), ['Café', 'CAFÉ'])
  assert.is(matchPattern('x', [{ text: '.*', is_match: true }])?.source, matchPattern('x', [])?.source)
  assert.is(matchPattern('', [{ text: 'tea', is_match: false }]), null)
})

own.run()
