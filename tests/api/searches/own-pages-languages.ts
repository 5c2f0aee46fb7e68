import * as assert from 'uvu/assert'
import { createBatchCrawl } from '#contract/crawls.ts'
import { searchOwnPages } from '#contract/own-pages.ts'
import { startApp } from '#tests/support/app.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { until } from '#tests/support/until.ts'
import { suite } from '#tests/support/suite.ts'

const own = suite("the search over a team's own pages in other languages")

/** A text of a page, and what people type to find it. Both databases must find the same. */
const FOUND: [text: string, ...queries: string[]][] = [
  ['Die Donau\u00addampf\u00adschiff Straße', 'donaudampfschiff', 'strasse'],
  ['Łódź i Kraków', 'lodz', 'krakow'],
  ['Iğdır ve İzmir', 'IĞDIR', 'izmir'],
  ['Tiếng Việt ở Đà Nẵng'.normalize('NFD'), 'tiếng việt', 'da nang'],
  ['الإسلامُ في سنة ٢٠٢٤', 'الاسلام', '2024'],
  ['کتاب می\u200cخواهم', 'كتاب', 'می خواهم'],
  ['שָׁלוֹם עולם', 'שלום'],
  ['ｶﾞｲﾄﾞと葛\u{e0100}城市', 'ガイド', '葛城'],
  ['데이터를 검색합니다', '검색', '"데이터를 검색"'],
  ['ระบบฐานข้อมูล', 'ข้อมูล'],
  ['м\u02bcята і їжа', "м'ята", 'їжа'],
]

own('words are found in every spelling that readers take for the same', async () => {
  const site = await startSite(Object.fromEntries(FOUND.map(([text], at) => [`/${at}`, pageOf(text)])))
  const app = await startApp({ engine: true })
  const as = await app.signIn()
  await app.call(createBatchCrawl, { as, body: { urls: FOUND.map((_, at) => site.url(`/${at}`)) } })
  const find = async (q: string) => (await app.call(searchOwnPages, { as, query: { q } })).body
  await until(async () => (await find('')).index.indexed === FOUND.length)
  for (const [at, [, ...queries]] of FOUND.entries())
    for (const query of queries) {
      const { ignored_words, results } = await find(query)
      assert.equal([results.map(({ url }) => url), ignored_words], [[site.url(`/${at}`)], []], query)
    }
})

own.run()
