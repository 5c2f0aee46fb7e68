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

test('lines with a date above the text are left out, sentences with a date stay', () => {
  for (const line of [
    '2024年3月5日 10時30分',
    '公開日：2024/03/05',
    '2024년 3월 5일',
    '2024. 3. 5.',
    'Publicado el 5 de marzo de 2024',
    '5 de marzo de 2024',
    'Dienstag, 5. März 2024',
    'Zuletzt aktualisiert am 5. März 2024',
    'Опубликовано 5 марта 2024',
    'تاريخ النشر: 5 مارس 2024',
    'פורסם ב-5.3.2024',
  ])
    assert.not.ok(article(RUSSIAN, { above: `<div>${line}</div>` }).includes(line), line)
  for (const line of [
    'Am 5. März 2024 wurde die Brücke geöffnet.',
    '橋は2024年3月5日に開通しました。',
    'Обновлено шоссе у моста, открыто движение.',
  ])
    assert.ok(article(RUSSIAN, { above: `<p>${line}</p>` }).includes(line), line)
})

test.run()
