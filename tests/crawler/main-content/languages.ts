import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readPage, type PageReading } from '#backend/crawler/page/read-page.ts'

const test = suite('main content in other languages')

const JAPANESE = '橋は七か月ぶりに開通し、車が通れるようになりました。古い欄干はそのまま残されています。'.repeat(6)
const RUSSIAN = 'Мост снова открыт для машин после семи месяцев работ, а старые перила сохранены. '.repeat(6)

/** The Markdown of an article with something above and below its text. */
function article(text: string, { above = '', below = '' }: { above?: string; below?: string }): string {
  const html = `<meta property="og:type" content="article"><h1>T</h1>${above}<p>${text}</p><p>${text}</p>${below}`
  const page = readPage(
    { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8', status: 200, url: 'https://site.example/' },
    { includeHtml: false, onlyMainContent: true, includeTags: [], excludeTags: [] },
  ) as PageReading
  return page.markdown
}

test('paragraphs in another script stay if an English word in them would begin a label', () => {
  for (const [text, paragraph] of [
    [JAPANESE, '最後に、この記事の share は自由です。'],
    [JAPANESE, 'Shareは自由です。'],
    [RUSSIAN, 'Для этого используйте tags и всё.'],
  ] as const)
    assert.ok(article(text, { below: `<p>${paragraph}</p>` }).includes(paragraph), paragraph)
  for (const [text, paragraph] of [
    [JAPANESE, 'これは by Tanaka さんの橋です。'],
    [RUSSIAN, 'Вот published 5 книг.'],
  ] as const)
    assert.ok(article(text, { above: `<p>${paragraph}</p>` }).includes(paragraph), paragraph)
  assert.not.ok(article(RUSSIAN, { below: '<p>— Tags: мост</p>' }).includes('мост'), 'a label')
})

test.run()
