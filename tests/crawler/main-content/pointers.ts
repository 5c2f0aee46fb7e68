/** Lists of other pages below a text, and dialogs of consent services. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readPage, type PageReading } from '#backend/crawler/page/read-page.ts'

const test = suite('lists of other pages')

const TEXT = '<p>The bridge over the brook carries cars again after seven months, and the old railing has been kept as it was.</p>'.repeat(
  6,
)
const CARDS = ['One', 'Two']
  .map((name) => `<div class="css-2"><a href="/${name}"><h4>CARD ${name}</h4></a><p>CARD All about it.</p></div>`)
  .join('')

test('cards below a heading that announces other pages are dropped on pages that are no articles, whatever their class names', () => {
  for (const heading of [
    'Keep reading',
    'Similar items',
    'You may also like',
    'Das könnte dir auch gefallen',
    'Articles similaires',
    '関連記事',
  ])
    assert.not.match(read(`${TEXT}<div class="css-1"><h3>${heading}</h3><div>${CARDS}</div></div>`), /CARD|###/, heading)
})

test('other lists stay: below other headings, on a front page, without a text above; so do texts with few links and recipes', () => {
  const list = (heading: string) => `<div class="css-1"><h3>${heading}</h3><div>${CARDS}</div></div>`
  assert.match(read(`${TEXT}${list('See also')}`), /CARD/)
  assert.match(read(`${TEXT}${list('More stories')}`, 'https://site.example/'), /CARD/)
  assert.match(read(list('Related articles')), /CARD/)
  assert.match(read(`${TEXT}<h3>Related products</h3><p>IN We make pumps for all of them, from wood to steel.</p>${TEXT}`), /IN We/)
  assert.match(
    read(`${TEXT}<h3>Other questions</h3><div><h4>IN Who pays?</h4>${TEXT}${TEXT}<p>See <a href="/toll">the toll</a>.</p></div>`),
    /IN Who/,
  )
  assert.match(
    read(`${TEXT}<h3>Similar recipes</h3><div><h4><a href="/soup">Soup</a></h4><ul class="ingredients"><li>IN Water</li></ul></div>`),
    /IN Water/,
  )
})

test('dialogs of consent services are left out', () => {
  for (const name of [
    'id="didomi-host"',
    'class="iubenda-cs-container"',
    'id="tarteaucitronRoot"',
    'class="qc-cmp2-container"',
    'id="klaro"',
    'class="cc-window cc-banner"',
  ])
    assert.not.match(
      read(`${TEXT}<div ${name}><p>OUT We and our partners would like to know all about you and your friends.</p></div>`),
      /OUT/,
      name,
    )
})

const read = (html: string, url = 'https://site.example/a/page') =>
  (
    readPage(
      {
        bytes: new Uint8Array(Buffer.from(`<!doctype html><title>Bridge</title><body><h1>Bridge</h1>${html}`)),
        contentType: 'text/html; charset=utf-8',
        status: 200,
        url,
      },
      { includeHtml: false, onlyMainContent: true, articleFrame: true, includeTags: [], excludeTags: [] },
    ) as PageReading
  ).markdown

test.run()
