/** Forms of a word are found, in the index file and in PostgreSQL. */
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { OwnSearchAnswer } from '#backend/searches/own-index/find-pages.ts'
import { openForReading } from '#backend/searches/own-index/index-file.ts'
import { readQuery } from '#backend/searches/own-index/read-query.ts'
import { hasStems, stemOf } from '#backend/searches/own-index/words/stemmers.ts'
import { openVocabulary } from '#backend/searches/own-index/words/vocabulary.ts'
import { foldText } from '#backend/searches/own-index/words/words.ts'
import { formTest, languagesOfSample, rangeOfForms } from '#backend/searches/own-index/words/word-forms.ts'
import { makeOwnPages } from '#tests/support/engine/own-index.ts'
import { withPostgresPages } from '#tests/support/engine/postgres-own-pages.ts'
import { suite } from '#tests/support/suite.ts'

const forms = suite('forms of words')

const FORMS: readonly [language: string, pairs: string][] = [
  [
    'en',
    'crawl crawling, crawls crawled, study studies, stop stopped, use using, index indexes, migration migrating, install installation',
  ],
  ['de', 'Vertrag Verträge, Haus Häuser, einstellen Einstellungen, Benutzer Benutzern'],
  ['fr', 'journal journaux, installée installer, hôte hôtes'],
  ['es', 'información informaciones, archivo archivos'],
  ['pt', 'informação informações'],
  ['ru', 'новый новые, файл файлы, конфигурация конфигураций'],
  ['sv', 'bil bilar'],
  ['bg', 'театър театри, филтър филтри, център центърът'],
]
const OTHER_WORDS: readonly [language: string, pairs: string][] = [
  [
    'en',
    'universe university, import important, author authority, organ organization, internal international, past paste, general generate',
  ],
  ['de', 'Vertrag verträglich'],
  ['pl', 'pakiet pakiety'],
]

const pairsOf = (pairs: string) => pairs.split(', ').map((pair) => foldText(pair).split(' ') as [string, string])

forms('words that differ by an inflection are forms of one word, and in its range of the vocabulary', () => {
  for (const [language, pairs] of FORMS)
    for (const [one, other] of pairsOf(pairs))
      for (const [word, form] of [
        [one, other],
        [other, one],
      ] as const) {
        const [from, to] = rangeOfForms(word, [language])!
        assert.ok(formTest(word, [language])(form) && form >= from && form < to, `${language}: ${word} ${form} (${from})`)
      }
})

forms('words that only begin alike are not forms of one word, even if a stemmer says so', () => {
  for (const [language, pairs] of OTHER_WORDS)
    for (const [one, other] of pairsOf(pairs)) assert.not(formTest(one, [language])(other), `${language}: ${one} ${other}`)
})

forms('no word makes a stemmer fail, whatever the language of its page', () => {
  const languages = 'ar bg da de el en es fi fr ga hi hu hy id it lt nb ne nl pt ro ru sr sv ta tr uk'.split(' ')
  const letters = ['abcdeilnorstuy', 'абвгдеийклмнортуъыья', 'αεικλνοςστυ', 'ابتدرلمنوي', 'कतनमरलािीे', 'தநமரலாிு', 'ակնրւե', 'ション']
  const word = fc.oneof(...letters.map((some) => fc.string({ unit: fc.constantFrom(...Array.from(some)), minLength: 1, maxLength: 30 })))
  fc.assert(
    fc.property(word, fc.constantFrom('', 'ър', 'ation', 'en', 'ии'), fc.constantFrom(...languages), (given, ending, language) => {
      assert.type(stemOf(given + ending, language), 'string')
      assert.ok(hasStems(language))
    }),
    { numRuns: 2000 },
  )
})

forms('a language counts if a fifth of the pages with a word are in it and it has stems', () => {
  const sample = new Map([
    ['en', 60],
    ['de', 20],
    ['fr', 5],
    ['pl', 15],
    [null, 900],
  ])
  assert.equal(languagesOfSample(sample), ['en', 'de'])
  assert.equal(languagesOfSample(new Map()), [])
})

const PAGES = [
  { title: 'Crawl a site in winter', language: 'en' },
  { title: 'Crawling of sites in winter', language: 'en' },
  { title: 'A ship crawls home', language: 'en' },
  { title: 'The universe', language: 'en' },
  { title: 'Not a harbour', language: 'en' },
  { title: 'Notes on the harbour', language: 'en' },
  { title: 'Der Vertrag', language: 'de' },
  { title: 'Verträglich mit der Note', language: 'de' },
  { title: 'Sites of crawlspace', language: 'en' },
]

/** Queries, the page that is first, and the others, in any order. */
const FOUND: readonly [query: string, first: number | null, others: number[], why: string][] = [
  ['crawling', 1, [0, 2], 'the form as it was written is first'],
  ['crawl', 0, [1, 2], 'longer forms as well'],
  ['crawls', 2, [0, 1], 'and shorter ones'],
  ['crawl winter', 0, [1], 'all words must be there, in any form'],
  ['how do ships crawl', 2, [], 'the words of a question too'],
  ['ship crawled', 2, [], 'a form that is on no page'],
  ['"crawling"', 1, [], 'a phrase is literal'],
  ['crawl -crawls', 0, [1], 'an excluded word is literal'],
  ['crawli*', 1, [], 'the beginning of a word is literal'],
  ['Verträge', 6, [], 'a word that is on no page, in another language'],
  ['university', null, [], 'another word with the same stem'],
  ['notes', 5, [7], 'in English, "not" is no form of it, as it would be in German'],
]

async function finds(store: string, find: (query: string) => Promise<OwnSearchAnswer> | OwnSearchAnswer) {
  for (const [query, first, others, why] of FOUND) {
    const { hits } = await find(query)
    const found = hits.map(({ title }) => PAGES.findIndex((page) => page.title === title.map(([text]) => text).join('')))
    assert.equal([found[0] ?? null, found.slice(1).toSorted((one, other) => one - other)], [first, others], `${store}, ${query}: ${why}`)
  }
  const [first] = (await find('crawled')).hits
  assert.ok(
    first!.title.some(([text, isMatch]) => isMatch && /^crawl/i.test(text)),
    'the form that was found is marked',
  )
  assert.is((await find('crawled')).suggestion, null, 'a word with forms is not misspelled')
}

forms('other forms of a word are found in the index file, after the form as it was written', async () => {
  const own = makeOwnPages()
  const teamId = own.team()
  own.keep(own.run(teamId).no, PAGES)
  own.follow()
  await finds('index file', (query) => own.search(teamId, query))
  const typing = (query: string) => own.search(teamId, query, {}, { isTyping: true }).count
  assert.is(typing('crawling'), 3, 'while the user may still be writing the word')
  assert.is(typing('crawlin'), 1, 'but not of a beginning that is no word')
})

/** Words with one beginning, of which none is a form of another. */
const LETTERS = Array.from('abcdefghijklmnopqrst')
const NEIGHBOURS = LETTERS.flatMap((one) => LETTERS.flatMap((two) => LETTERS.map((three) => `test${one}${two}${three}x`)))

forms('a word with thousands of neighbours does not use up the time of the others', () => {
  const own = makeOwnPages()
  const teamId = own.team()
  own.keep(own.run(teamId).no, [{ title: 'crawl crawling crawls tests' }, { text: NEIGHBOURS.slice(0, 1000).join(' ') }])
  own.follow()
  const index = openForReading(own.file, { cacheKiB: 1024 })!
  let time = 0
  // A millisecond for each word.
  const { addForms } = openVocabulary(index, { teamNo: 1, language: null, now: () => (time += 1) })
  const { terms } = addForms(readQuery('tests crawled'))
  assert.equal(terms[1]!.forms.toSorted(), ['crawl', 'crawling', 'crawls'])
  index.close()
})

forms('a word with thousands of neighbours does not use up the places of the others in PostgreSQL', () =>
  withPostgresPages([{ title: 'a test of walks' }, { title: NEIGHBOURS.join(' ') }], async (find) => {
    for (const query of ['tests walked', 'walked tests']) {
      const { hits, ignoredWords } = await find(query)
      assert.equal([hits.map(({ url }) => url), ignoredWords], [['https://site.example/1'], []], query)
    }
  }),
)

forms('if the time is over while the forms are ranked, the pages with the word as it was written are found', () => {
  const own = makeOwnPages()
  const teamId = own.team()
  const written = 600
  own.keep(
    own.run(teamId).no,
    Array.from({ length: 700 }, (_, at) => ({ title: at < written ? 'Crawling' : 'Crawls' })),
  )
  own.follow()
  /** How many pages are found when the clock jumps after so many looks at it. */
  const foundWithin = (looks: number) => {
    const read = performance.now.bind(performance)
    let left = looks
    performance.now = () => read() + (left-- > 0 ? 0 : 60_000)
    try {
      return own.search(teamId, 'crawling').count
    } finally {
      performance.now = read
    }
  }
  const counts = Array.from({ length: 20 }, (_, looks) => foundWithin(looks))
  assert.is(counts.at(-1), 700, 'with enough time, all are found')
  assert.equal(
    [...new Set(counts)].toSorted((one, other) => one - other),
    [written, 700],
    'with less, those with the word as it was written',
  )
})

forms('other forms of a word are found in PostgreSQL in the same order', () =>
  withPostgresPages(PAGES, (find) => finds('PostgreSQL', find)),
)

forms.run()
