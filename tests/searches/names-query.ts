/** Pages whose title or URL names what a query asks for come first. */
import * as assert from 'uvu/assert'
import type { OwnSearchAnswer } from '#backend/searches/own-index/find-pages.ts'
import { namesQuery, rankByName, rankByNameInTurns } from '#backend/searches/own-index/names-query.ts'
import { readQuery } from '#backend/searches/own-index/read-query.ts'
import { makeOwnPages } from '#tests/support/engine/own-index.ts'
import { withPostgresPages } from '#tests/support/engine/postgres-own-pages.ts'
import { suite } from '#tests/support/suite.ts'

const names = suite('names of pages')

const fitOf = (title: string | null, query: string, url = 'https://a.example/x') => namesQuery({ title, url }, readQuery(query))

names('a part of a title, or the last part of a URL, names a query, the better the less else it says', () => {
  assert.is(fitOf('Subprocess — Subprocess management — Python 3 documentation', 'subprocess'), 1)
  assert.is(fitOf(null, 'git stash', 'https://a.example/docs/git-stash.html'), 1)
  assert.is(fitOf('A site', 'rewrite', 'https://a.example/rewrite/index.html'), 1, 'a folder')
  assert.ok(fitOf('Subprocess management', 'subprocess') < 1)
  assert.ok(fitOf('Subprocess management', 'subprocess') > fitOf('Management of one or another subprocess', 'subprocess'))
  assert.ok(fitOf('Rewrite', 'url rewrite') < fitOf('URL rewrite', 'url rewrite'), 'a part of the query counts less')
  assert.is(fitOf('Platform support', 'subprocess'), 0)
  assert.is(fitOf(null, 'a', 'not a URL, %ff'), 0)
  const { terms, site } = readQuery('subprocess')
  const withForm = { site, terms: terms.map((term) => ({ ...term, forms: ['subprocesses'] })) }
  const ofForm = namesQuery({ title: 'Subprocesses', url: 'https://a.example/x' }, withForm)
  assert.ok(ofForm > 0.8 && ofForm < 1, 'another form names it nearly as well')
})

const NAMED = 'subprocess — management of all programs that run beside it'
const OFTEN = 'Limits of the harbour for a subprocess and for a subprocess'
const OTHERS = Array.from({ length: 8 }, (_, at) => ({ title: `Log ${at}` }))

const titlesOf = ({ hits }: OwnSearchAnswer) => hits.map(({ title }) => title.map(([text]) => text).join(''))

names('a page that is named by the query precedes one with more matches', () => {
  const own = makeOwnPages()
  const teamId = own.team()
  own.keep(own.run(teamId).no, [{ title: OFTEN, text: '## Subprocess\n\nA subprocess.' }, { title: NAMED }, ...OTHERS])
  own.follow()
  assert.equal(titlesOf(own.search(teamId, 'subprocess')), [NAMED, OFTEN])
})

names('also in PostgreSQL', () =>
  withPostgresPages([{ title: OFTEN }, { title: NAMED }, ...OTHERS], async (find) => {
    assert.equal(titlesOf(await find('subprocess')), [NAMED, OFTEN])
  }),
)

names('other work gets turns while a hundred names are compared', async () => {
  const query = readQuery('harbour')
  const rows = Array.from({ length: 120 }, (_, at): [number, number] => [at, 120 - at])
  const nameOf = (no: number) => ({ title: no === 99 || no === 100 ? 'Harbour' : 'A log', url: 'https://site.example/' })
  let turns = 0
  const countTurn = () => {
    turns += 1
    timer = setImmediate(countTurn)
  }
  let timer = setImmediate(countTurn)
  const ranked = await rankByNameInTurns(rows, nameOf, query, new Map())
  clearImmediate(timer)
  assert.ok(turns >= 8, `${turns} turns`)
  assert.equal(ranked, rankByName(rows, nameOf, query, new Map()))
})

names.run()
