import * as assert from 'uvu/assert'
import { languageOf } from '#backend/searches/own-index/stored-pages.ts'
import { foldForIndex, foldText, wordsOf } from '#backend/searches/own-index/words/words.ts'
import { makeOwnPages } from '#tests/support/engine/own-index.ts'
import { suite } from '#tests/support/suite.ts'

const languages = suite("words of other languages in the index of the team's own pages")

/** A text of a page, and queries that people type to find it. */
const FOUND: [why: string, text: string, queries: string[]][] = [
  ['a soft hyphen', 'Donau\u00addampf\u00adschiff', ['Donaudampfschiff', 'Donau\u00addampfschiff']],
  ['a zero-width space in a long name', 'getElement\u200bById', ['getElementById']],
  ['marks of direction', '\u200fשלום\u200e', ['שלום']],
  ['sharp s', 'Die Straße', ['strasse', 'STRASSE', 'STRAẞE', 'Straße']],
  ['a letter with a stroke', 'Łódź, Đà Nẵng, Tromsø', ['lodz', 'da nang', 'tromso', 'ŁÓDŹ']],
  ['letters that are two', 'Œuvre, Ærø', ['oeuvre', 'aero', 'ŒUVRE']],
  ['Turkish letters without and with a dot', 'IĞDIR ve İzmir', ['Iğdır', 'ığdır', 'izmir', 'İZMİR']],
  ['Greek in capitals', 'Οδός Αθηνών', ['ΟΔΟΣ', 'αθηνων']],
  ['decomposed Vietnamese', 'Tiếng Việt'.normalize('NFD'), ['tiếng việt', 'tieng viet']],
  ['the apostrophe of Ukrainian as a letter', 'м\u02bcята', ["м'ята", 'м’ята']],
  ['Arabic vowel signs', 'مُحَمَّدٌ', ['محمد', 'مُحمد']],
  ['stretched Arabic', 'محـــمد', ['محمد']],
  ['Arabic letters with and without a hamza', 'الإسلام', ['الاسلام', 'الإسلام']],
  ['Arabic digits', 'سنة ٢٠٢٤', ['2024', '٢٠٢٤', '۲۰۲۴']],
  ['Persian typed with Arabic letters', 'کتاب فارسی', ['كتاب فارسي', 'کتاب']],
  ['Persian with a space for the non-joiner', 'می\u200cخواهم', ['می خواهم', 'می\u200cخواهم', 'خواهم']],
  ['Hebrew points', 'שָׁלוֹם', ['שלום', 'שָׁלוֹם']],
  ['digits of Devanagari', 'वर्ष २०२४', ['2024']],
  ['a joiner of Devanagari', 'क्\u200dष', ['क्ष']],
  ['a variant of a Han character', '葛\u{e0100}城市', ['葛城', '葛\u{e0100}城']],
  ['half-width kana', 'ｶﾞｲﾄﾞ', ['ガイド']],
  ['decomposed kana and Hangul', 'ガイド 한글'.normalize('NFD'), ['ガイド', '한글']],
  ['a keycap', 'Schritt 2\ufe0f\u20e3', ['schritt 2']],
]

languages('spellings that readers take for the same word are found and marked', () => {
  const own = makeOwnPages()
  const teamId = own.team()
  own.keep(
    own.run(teamId).no,
    FOUND.map(([title, text]) => ({ title, text })),
  )
  own.follow()
  for (const [why, , queries] of FOUND)
    for (const query of queries) {
      const { hits, ignoredWords } = own.search(teamId, query)
      const hit = hits.find(({ title }) => title[0]![0] === why)
      assert.ok(hit !== undefined && ignoredWords.length === 0, `${why}: ${query}`)
      assert.ok(
        hit.snippet.some(([, isMatch]) => isMatch),
        `${why}: ${query} is marked`,
      )
    }
})

languages('a page is found by the words of its URL in their script', () => {
  const own = makeOwnPages()
  const teamId = own.team()
  own.keep(own.run(teamId).no, [
    { title: 'one', url: 'https://www.xn--mnchen-3ya.example/%E6%97%A5%E6%9C%AC?q=%E9' },
    { title: 'two', url: 'https://a.example/gr%C3%B6%C3%9Fe/100%' },
  ])
  own.follow()
  for (const [query, title] of [
    ['münchen', 'one'],
    ['日本', 'one'],
    ['größe', 'two'],
  ] as const)
    assert.equal(
      own.search(teamId, query).hits.map((hit) => hit.title[0]![0]),
      [title],
      query,
    )
})

languages('several codes of a language are one', () => {
  for (const [declared, code] of [
    ['he', 'he'],
    ['iw', 'he'],
    ['iw-IL', 'he'],
    ['in', 'id'],
    ['jpn', 'ja'],
    ['zh-Hant-TW', 'zh'],
    ['no', 'no'],
    ['xx', 'xx'],
    ['english', null],
    ['', null],
  ] as const)
    assert.is(languageOf(declared), code, declared)
})

languages('the words of pages, queries and highlights are the same', () => {
  for (const [why, text] of FOUND) {
    const marked = wordsOf(text)
      .map(({ text: word }) => word)
      .join(' ')
    assert.is(marked, foldText(text), why)
    assert.is(foldText(foldForIndex(text)), marked, why)
  }
})

languages('letters that make another word are not the same', () => {
  for (const [one, other] of [
    ['が', 'か'],
    ['บ้าน', 'บาน'],
    ['हिन्दी', 'हनद'],
    ['м’ята', 'мята'],
  ] as const)
    assert.is.not(foldText(one), foldText(other))
  assert.is(foldText('❤️'), '', 'a picture has no words')
})

languages.run()
