/** Compounds: two words of a query that a page writes as one, in both stores. */
import * as assert from 'uvu/assert'
import type { OwnSearchAnswer } from '#backend/searches/own-index/find-pages.ts'
import { makeOwnPages } from '#tests/support/engine/own-index.ts'
import { withPostgresPages } from '#tests/support/engine/postgres-own-pages.ts'
import { suite } from '#tests/support/suite.ts'

const compounds = suite('compounds')

const PAGES = [
  { title: 'Datenbanksicherung', language: 'de' },
  { title: 'Die Sicherung einer Datenbank', language: 'de' },
  { title: 'Arbeitsplatz und Werkstatt', language: 'de' },
  { title: 'Vertragsrecht', language: 'de' },
  { title: 'Das Recht und der Vertrag', language: 'de' },
  { title: 'A webserver of the harbour', language: 'en' },
]

const FOUND: readonly [query: string, found: number[], why: string][] = [
  ['Datenbank Sicherung', [1, 0], 'the words as they were written come first'],
  ['Arbeit Platz', [2], 'with a letter between the parts'],
  ['Vertrag Recht', [4, 3], 'both'],
  ['Recht', [4], 'a part alone finds no compounds'],
  ['web server', [5], 'in any language'],
  ['Sicherung Datenbank', [1], 'only in the order of the query'],
  ['"Datenbank" Sicherung', [1], 'a quoted word is literal'],
  ['how do I start a web server', [5], 'in a question'],
]

async function finds(store: string, find: (query: string) => Promise<OwnSearchAnswer> | OwnSearchAnswer) {
  for (const [query, expected, why] of FOUND) {
    const { hits } = await find(query)
    const found = hits.map(({ title }) => PAGES.findIndex((page) => page.title === title.map(([text]) => text).join('')))
    assert.equal(found, expected, `${store}, ${query}: ${why}`)
  }
  const [first] = (await find('web server')).hits
  assert.equal(
    first!.title.filter(([, isMatch]) => isMatch).map(([text]) => text),
    ['webserver'],
    'the compound is marked',
  )
}

compounds('two words that a page writes as one are found in the index file', async () => {
  const own = makeOwnPages()
  const teamId = own.team()
  own.keep(own.run(teamId).no, PAGES)
  own.follow()
  await finds('index file', (query) => own.search(teamId, query))
})

compounds('two words that a page writes as one are found in PostgreSQL', () =>
  withPostgresPages(PAGES, (find) => finds('PostgreSQL', find)),
)

compounds.run()
