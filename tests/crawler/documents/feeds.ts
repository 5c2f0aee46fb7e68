/** Feeds: elements of extensions beside the feed's own, plain titles, relative URLs (RFC 4287; RSS 2.0; XML Base). */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { insideWithBase } from '#backend/crawler/documents/read-document.ts'
import { readDocument } from '#tests/support/read-document.ts'

const test = suite('feeds')

const rss = (items: string) => `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${items}</channel></rss>`
const atom = (entries: string) => `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title>${entries}</feed>`
async function readFeed(xml: string) {
  const answer = await readDocument(Buffer.from(xml), { contentType: 'text/xml', url: 'https://n.example/feeds/all.xml' })
  if (answer.kind !== 'page') throw new Error(answer.detail)
  return answer
}
const markdownOf = async (xml: string) => (await readFeed(xml)).markdown

test('an episode of a podcast is read completely, also after its picture', async () => {
  const episode =
    '<item><title>Tides</title><itunes:image href="https://n.example/1.jpg"/><link>https://n.example/1</link><itunes:author>Ada</itunes:author>' +
    '<description>About tides</description><pubDate>Fri, 01 Mar 2024 10:00:00 GMT</pubDate></item>'
  assert.is(
    await markdownOf(rss(`<itunes:image href="https://n.example/all.jpg"/><description>All news</description>${episode}`)),
    '# News\n\nAll news\n\n## [Tides](https://n.example/1)\n\n2024-03-01T10:00:00Z · Ada\n\nAbout tides\n',
  )
})

test('titles and texts of pictures and podcasts count only where the entry has none of its own', async () => {
  const picture =
    '<media:content url="https://n.example/1.jpg"><media:title>a boat</media:title><media:description>Photo</media:description></media:content>'
  const itunes = '<itunes:title>Two of two</itunes:title><itunes:summary>Short</itunes:summary>'
  assert.is(
    await markdownOf(
      rss(`<item>${picture}<title>One</title><description>Text</description></item><item>${itunes}<title>Two</title></item>`),
    ),
    '# News\n\n## One\n\nText\n\n## Two\n\nShort\n',
  )
  assert.is(await markdownOf(atom(`<entry><media:group>${picture}</media:group></entry>`)), '# News\n\n## a boat\n\nPhoto\n')
})

test('a title that says it is plain text keeps its angle brackets', async () => {
  assert.is(
    await markdownOf(atom('<entry><title type="text">Sort a vector&lt;T&gt; fast</title></entry>')),
    '# News\n\n## Sort a vector\\<T> fast\n',
  )
})

test('an xml:base longer than any URL is ignored, and so is one that would make its base as long', async () => {
  const entry = (base: string) => `<entry xml:base="${base}"><title>One</title><link href="one"/></entry>`
  for (const base of [`${'x'.repeat(3000)}/`, `${'x'.repeat(1500)}/`]) {
    const xml = atom(entry(base)).replace('<feed', `<feed xml:base="https://blog.example/${'y'.repeat(1000)}/"`)
    assert.match(await markdownOf(xml), /https:\/\/blog\.example\/y{1000}\/one/)
  }
})

test('links in a text with a long base do not fill the memory', () => {
  const html = insideWithBase('<a href="one">1</a>'.repeat(10_000), `https://blog.example/${'x'.repeat(2000)}/`)
  assert.ok(html.length < 5_000_000, `${html.length} characters`)
})

test('relative URLs refer to the xml:base around them', async () => {
  const entry =
    '<entry><title>One</title><link href="2024/one"/><content type="html" xml:base="2024/one/">&lt;p&gt;&lt;a href="#note"&gt;1&lt;/a&gt; &lt;img src="a.png" alt="A"&gt;&lt;/p&gt;</content></entry>'
  assert.is(
    await markdownOf(atom(entry).replace('<feed', '<feed xml:base="https://blog.example/"')),
    '# News\n\n## [One](https://blog.example/2024/one)\n\n[1](https://blog.example/2024/one/#note) ![A](https://blog.example/2024/one/a.png)\n',
  )
})

test('a date of publication counts before a date of change, and a link before a guid, in any order', async () => {
  assert.is(
    await markdownOf(
      atom('<entry><title>One</title><updated>2024-05-01T00:00:00Z</updated><published>2024-03-01T00:00:00Z</published></entry>'),
    ),
    '# News\n\n## One\n\n2024-03-01T00:00:00Z\n',
  )
  assert.is(
    await markdownOf(rss('<item><title>One</title><guid>https://n.example/?p=1</guid><link>https://n.example/one</link></item>')),
    '# News\n\n## [One](https://n.example/one)\n',
  )
})

test('an entry from another feed keeps its own title, and has the author of that feed if it names none', async () => {
  const source = '<source><title>Other</title><link href="https://o.example/"/><author><name>Bea</name></author></source>'
  assert.is(
    await markdownOf(atom(`<entry>${source}<title>One</title><link href="https://o.example/1"/></entry>`)),
    '# News\n\n## [One](https://o.example/1)\n\nBea\n',
  )
})

test('the date of a feed is an instant like those of other documents', async () => {
  const { metadata } = await readFeed(rss('<lastBuildDate>Fri, 01 Mar 2024 10:00:00 GMT</lastBuildDate><item><title>One</title></item>'))
  assert.is(metadata['modified_time'], '2024-03-01T10:00:00Z')
})

test.run()
