/** Live blogs: their entries are short, and each has a time and an author. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readPage, type PageReading } from '#backend/crawler/page/read-page.ts'

const test = suite('main content of live blogs')

const P = '<p>The bridge over the brook carries cars again after seven months, and the old railing has been kept as it was.</p>'
const ENTRIES = [
  ['18:40', 'Cars cross the bridge', P],
  ['18:21', 'More about the railing', '<p><a href="/railing">The story of the railing</a></p>'],
  ['17:05', 'Newsletter of the mayor', '<p><a href="/bridge#1">Cars cross the bridge</a></p><p>Subscribe, she says.</p>'],
  ['16:30', 'Photo of the day', ''],
] as const
const DATA = JSON.stringify({
  '@type': 'LiveBlogPosting',
  headline: 'Bridge live',
  liveBlogUpdate: ENTRIES.map(([time, headline]) => ({
    '@type': 'BlogPosting',
    headline: `${headline} `,
    datePublished: `2021-03-04T${time}`,
  })),
})

test('entries that JSON-LD lists stay with their times and authors, also those that are only a link or a heading', () => {
  const entries = ENTRIES.map(
    ([time, headline, text]) =>
      `<div class="entry"><div class="entry-info"><time>${time}</time> <span>Mia Holt</span></div><div class="entry-content"><h3>${headline}</h3>${text}</div></div>`,
  )
  const { markdown } = read(
    `<article><h1>Bridge live</h1><div class="byline">OUT By Mia Holt, 4 March</div>${P.repeat(4)}<p><a href="/town">OUT All stories about the old town</a></p>
<div class="entries">${entries.join('')}</div></article><div class="comments"><div class="comment-body">OUT ${P}</div></div>`,
  )
  for (const [time, headline] of ENTRIES) assert.match(markdown, new RegExp(`${time}[^]*Mia Holt[^]*### ${headline}`), markdown)
  assert.match(markdown, '[The story of the railing]')
  assert.match(markdown, 'Subscribe, she says.')
  assert.not.match(markdown, 'OUT')
})

function read(body: string): PageReading {
  const html = `<!doctype html><title>Bridge live</title><script type="application/ld+json">${DATA}</script><body>${body}`
  const source = { bytes: Buffer.from(html), contentType: 'text/html', status: 200, url: 'https://site.example/2021/bridge' }
  return readPage(source, {
    includeHtml: false,
    onlyMainContent: true,
    articleFrame: true,
    includeTags: [],
    excludeTags: [],
  }) as PageReading
}

test.run()
