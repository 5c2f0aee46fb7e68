import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CHANGES } from '#contract/crawls.ts'
import { preferredLanguage } from '#contract/languages.ts'
import { languageChange, languageCookie } from '#web/state/language.ts'
import { formatsOf } from '#web/texts/formats.ts'
import * as de from '#web/texts/de/index.ts'
import * as en from '#web/texts/en/index.ts'

const language = suite('the language of the page')

const page = { cookies: 'theme=dark', language: 'en', browserLanguages: ['en-GB', 'de'] }

language('a choice is stored in a cookie, and the page reloads if it is in another language', () => {
  assert.equal(languageChange('de', page), { cookie: languageCookie('de'), reloads: true })
  assert.equal(languageChange('en', page), { cookie: languageCookie('en'), reloads: false })
  assert.match(languageCookie('de'), /^language=de; path=\/; max-age=31536000; samesite=lax$/)
  assert.match(languageCookie('de', '/crawl'), 'path=/crawl;')
})

language('an unchanged choice does not reload the page', () => {
  assert.equal(languageChange('de', { ...page, cookies: 'theme=dark; language=de' }), { cookie: null, reloads: false })
  assert.equal(languageChange(null, page), { cookie: null, reloads: false })
})

language('without a choice the page follows the browser again', () => {
  const chosen = { ...page, cookies: 'language=de', language: 'de' }
  assert.equal(languageChange(null, chosen), { cookie: languageCookie(null), reloads: true })
  assert.match(languageCookie(null), 'max-age=0')
  assert.is(languageChange(null, { ...chosen, browserLanguages: ['de-AT', 'en'] }).reloads, false)
  assert.is(languageChange(null, { ...chosen, browserLanguages: ['fr'] }).reloads, false, 'no language of ours: it may stay')
})

language('the browser’s languages are read in order of their weights', () => {
  const rows: [string | undefined, string | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['fr', undefined],
    ['de-CH, fr;q=0.9', 'de'],
    ['en;q=0.5, de;q=0.8', 'de'],
    ['de;q=0', undefined],
    ['denmark', undefined],
  ]
  for (const [header, expected] of rows) assert.is(preferredLanguage(header), expected, header)
})

language('numbers, plurals and lists follow the rules of the language', () => {
  const english = formatsOf('en')
  const german = formatsOf('de')
  const pages = { one: 'page', other: 'pages' }
  assert.equal(
    [0, 1, 2, 1204].map((n) => english.count(n, pages)),
    ['0 pages', '1 page', '2 pages', '1,204 pages'],
  )
  assert.is(german.count(1204, { one: 'Seite', other: 'Seiten' }), '1.204 Seiten')
  assert.equal([english.fixed(1.25, 1), german.fixed(1.25, 1)], ['1.3', '1,3'])
  assert.equal(
    [english, german].flatMap(({ percent }) => [percent(0.6667), percent(1), percent(1, 1), percent(12.5)]),
    ['66.7 %', '100 %', '100.0 %', '1,250 %', '66,7 %', '100 %', '100,0 %', '1.250 %'],
  )
  assert.equal([english.list(['a', 'b']), german.list(['a', 'b', 'c'])], ['a and b', 'a, b und c'])
})

language('no German text is empty, and none is English by mistake', () => {
  // The same in both languages: names, and words that German has from English.
  const same: string[] = []
  const catalogue: Record<string, Record<string, unknown>> = { ...de }
  let total = 0
  for (const [area, texts] of Object.entries(en))
    for (const [name, text] of Object.entries(texts as Record<string, unknown>)) {
      const german = catalogue[area]?.[name]
      assert.is(typeof german, typeof text, `${area}.${name}`)
      if (typeof text !== 'string' || typeof german !== 'string') continue
      total += 1
      assert.is(german.trim() === '', text.trim() === '', `${area}.${name} is empty`)
      // A sentence is never the same in both.
      if (german === text && text.split(/[ -]/).length > 3 && !/^[\w.~/]+[./]|:\/\//.test(text)) same.push(`${area}.${name}: ${text}`)
    }
  assert.ok(total > 400)
  assert.equal(same, [])
})

language('each language has a word for each kind of change between crawls, and for an item of a list', () => {
  for (const { crawlOverview, plugins } of [en, de]) {
    assert.equal(Object.keys(crawlOverview.changes), [...CHANGES])
    assert.is.not(plugins.item, '')
  }
  for (const change of CHANGES) assert.is.not(de.crawlOverview.changes[change], en.crawlOverview.changes[change])
  assert.is.not(de.plugins.item, en.plugins.item)
})

language('one further kind of a thing is one', () => {
  assert.equal([1, 2].map(en.crawlOverview.others), ['1 other', '2 others'])
})

language.run()
