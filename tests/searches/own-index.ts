import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { makeOwnPages } from '#tests/support/own-index.ts'
import type { NewPage } from '#tests/support/own-index.ts'

const index = suite('the index of own pages')

const titles = (answer: { hits: { title: [string, boolean][] }[] }) => answer.hits.map(({ title }) => title.map(([text]) => text).join(''))

/** One team with these pages, followed. */
function withPages(pages: NewPage[]) {
  const own = makeOwnPages()
  const teamId = own.team()
  const run = own.run(teamId)
  own.keep(run.no, pages)
  own.follow()
  return { ...own, teamId, runOne: run, find: (query: string, ...rest: [] | [object]) => titles(own.search(teamId, query, ...rest)) }
}

const filler = 'The harbour lies quiet in the morning and boats go out when the tide allows it. '.repeat(5)

index('a match in the title weighs more than one in a heading, that more than the address, that more than the text', () => {
  const { find, close } = withPages([
    { title: 'in the text', text: `${filler} Anchors. ${filler}` },
    { title: 'in a heading', text: `# Anchors\n\n${filler}${filler}` },
    { title: 'in the address', url: 'https://site.example/anchors', text: filler + filler },
    { title: 'Anchors', text: filler + filler },
    { title: 'in the description', description: 'About anchors', text: filler + filler },
    { title: 'nowhere', text: filler + filler },
  ])
  const found = find('anchors')
  assert.is(found[0], 'Anchors')
  assert.is(found.at(-1), 'in the text')
  assert.equal(found.toSorted(), ['Anchors', 'in a heading', 'in the address', 'in the description', 'in the text'])
  close()
})

const PAGES: NewPage[] = [
  { title: 'one', text: 'The quick brown fox jumps over the lazy dog' },
  { title: 'two', text: 'A brown and quick animal' },
  { title: 'three', text: 'Foxes are quickly tired, Crème brûlée is not; STRASSE and Straße' },
  { title: 'four', text: '東京都は日本の首都です。データベース' },
  { title: 'five', text: '数据库管理系统 is a database' },
  { title: 'six', text: '데이터베이스를 검색합니다' },
  { title: 'seven', text: 'Привет Ёлка, ΑΘΗΝΑ και Αθήνα' },
  { title: 'eight', text: 'node.js and C++ and snake_case and e-mail, Word™ and ½' },
  { title: 'nine', text: 'ระบบฐานข้อมูล' },
]
const TABLE: [query: string, found: string[], why: string][] = [
  ['quick brown', ['one', 'two'], 'all words, in any order'],
  ['quick purple', [], 'all of them'],
  ['"quick brown"', ['one'], 'a phrase'],
  ['"quick brown', ['one'], 'a phrase that nobody closed'],
  ['“quick brown”', ['one'], 'a phrase in other quotes'],
  ['brown -fox', ['two'], 'without a word'],
  ['brown -"quick brown"', ['two'], 'without a phrase'],
  ['-fox', [], 'nothing but an exclusion'],
  ['quick*', ['one', 'three', 'two'], 'the beginning of a word'],
  ['fox*', ['one', 'three'], 'and another'],
  ['q*', [], 'one letter is a word'],
  ['QUICK BROWN', ['one', 'two'], 'letter case'],
  ['creme brulee', ['three'], 'accents'],
  ['CRÈME', ['three'], 'accents in capitals'],
  ['東京', ['four'], 'Japanese, a part of a word'],
  ['首都', ['four'], 'Japanese, in the middle'],
  ['京東', [], 'in another order it is another word'],
  ['ベース', ['four'], 'Katakana'],
  ['数据库', ['five'], 'Chinese'],
  ['数据库 database', ['five'], 'Chinese and English'],
  ['검색', ['six'], 'Korean, without its ending'],
  ['ёлка', ['seven'], 'Russian'],
  ['αθηνα', ['seven'], 'Greek'],
  ['node.js', ['eight'], 'a name with a dot'],
  ['snake_case', ['eight'], 'a name with an underscore'],
  ['word', ['eight'], 'a sign is no part of a word'],
  ['ข้อมูล', ['nine'], 'Thai, a part of a word'],
  ['', [], 'nothing'],
  ['   ', [], 'blanks'],
  ['*', [], 'a star'],
  ['"" - "" -', [], 'marks alone'],
  ['quick OR animal', [], 'an operator is a word'],
  ['title:one', [], 'no way to a column'],
  ['brown NEAR(fox)', [], 'nor to a function'],
  ["brown' OR 1=1 --", [], 'nor to a statement'],
]

index('queries find what they say', () => {
  const { find, close } = withPages(PAGES)
  for (const [query, found, why] of TABLE) assert.equal(find(query).toSorted(), found, `${query}: ${why}`)
  close()
})

index.run()
