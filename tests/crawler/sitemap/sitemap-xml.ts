import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createSitemapReader, readLastmod } from '#backend/crawler/sitemap/sitemap-xml.ts'
import type { SitemapEntry } from '#backend/crawler/sitemap/sitemap-xml.ts'

const reader = suite('sitemap reader')

type Read = { contentType?: string; chunk?: number; limits?: { maxBytes: number; maxEntries: number }; isCut?: boolean }

/** Reads a file in pieces of a few bytes. */
function read(file: string | Buffer, { contentType, chunk = 7, limits, isCut }: Read = {}) {
  const pages: SitemapEntry[] = []
  const files: SitemapEntry[] = []
  const made = createSitemapReader({
    contentType: contentType ?? null,
    fileUrl: 'http://a.example/maps/file.xml',
    onPage: (entry) => pages.push(entry),
    onSitemap: (entry) => files.push(entry),
    ...(limits && { limits }),
  })
  const bytes = Buffer.from(file as string)
  for (let at = 0; at < bytes.length; at += chunk) if (!made.write(bytes.subarray(at, at + chunk))) break
  return {
    ...made.end(isCut),
    pages: pages.map(({ url }) => url),
    files: files.map(({ url }) => url),
    dates: pages.map(({ lastmod }) => lastmod),
  }
}

const A = 'http://a.example/1'
const B = 'http://a.example/2'
const url = (loc: string, more = '') => `<url><loc>${loc}</loc>${more}</url>`
const urlset = (inner: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${inner}</urlset>`

const FILES: [file: string | Buffer, pages: string[], kind: string | null, problem: string | null, why: string][] = [
  [urlset(url(A) + url(B)), [A, B], 'urlset', null, 'a plain urlset'],
  [`\ufeff \n${urlset(url(A))}`, [A], 'urlset', null, 'a byte order mark and white space first'],
  [urlset(url(`\n <![CDATA[${A}?x=1&y=2]]> `)), [`${A}?x=1&y=2`], 'urlset', null, 'CDATA and white space'],
  [urlset(url('http://a.example/?x=1&amp;y=2')), ['http://a.example/?x=1&y=2'], 'urlset', null, 'an escaped ampersand'],
  [urlset(url('http://a.example/?x=1&y=2')), ['http://a.example/?x=1&y=2'], 'urlset', null, 'an unescaped ampersand'],
  [`<s:urlset xmlns:s="x"><s:url><s:loc>${A}</s:loc></s:url></s:urlset>`, [A], 'urlset', null, 'a namespace prefix'],
  [
    urlset(`<url><loc>${A}</loc><image:image><image:loc>${B}</image:loc></image:image></url>`),
    [A],
    'urlset',
    null,
    'an image in an entry is not a page',
  ],
  [urlset(`<url><image:loc>${B}</image:loc><loc>${A}</loc></url>`), [A], 'urlset', null, 'an image before the page of an entry'],
  [urlset(`<url><loc>${A}</loc><url><loc>${B}</loc></url>`), [A, B], 'urlset', null, 'an entry that is not closed'],
  [urlset(url('')), [], 'urlset', null, 'an entry without a URL'],
  [urlset(url(A) + url(B)).slice(0, -20), [A], 'urlset', 'broken', 'truncated inside an entry'],
  [`<!DOCTYPE urlset [<!ENTITY a "b">]>${urlset(url(A))}`, [], null, 'doctype', 'a document type'],
  [`<?xml version="1.0"?><!doctype x SYSTEM "file:///etc/passwd">${urlset(url(A))}`, [], null, 'doctype', 'a document type in lower case'],
  ['<!doctype html><html><a href="/a">a</a></html>', [], null, 'not_sitemap', 'an HTML page'],
  ['<html><body><url><loc>http://a.example/</loc></url></body></html>', [], null, 'not_sitemap', 'an HTML page without a document type'],
  ['', [], null, 'not_sitemap', 'an empty file'],
  ['<', [], null, 'not_sitemap', 'a single <'],
  [`${A}\r\n\n  ${B} \nnot one\n/neither`, [A, B], 'text', null, 'a text file with a URL per line'],
  [`\ufeff${A}`, [A], 'text', null, 'a text file with a byte order mark'],
  ['just words', [], 'text', 'not_sitemap', 'a text file without URLs'],
  [
    Buffer.from(`\ufeff${urlset(url('http://a.example/ż')).replace('UTF-8', 'UTF-16')}`, 'utf16le'),
    ['http://a.example/ż'],
    'urlset',
    null,
    'UTF-16',
  ],
  [
    Buffer.from(urlset(url('http://a.example/caf\xe9')).replace('UTF-8', 'ISO-8859-1'), 'latin1'),
    ['http://a.example/café'],
    'urlset',
    null,
    'an encoding that the XML declaration names',
  ],
  [
    `<rss><channel><link>${B}</link><item><title>t</title><link>${A}</link><pubDate>Wed, 04 Mar 2026 09:12:30 GMT</pubDate></item></channel></rss>`,
    [A],
    'rss',
    null,
    'an RSS feed: its items, not its own link',
  ],
  [
    `<feed xmlns="http://www.w3.org/2005/Atom"><link href="${B}"/><entry><link rel="self" href="${B}"/><link href="${A}"/><updated>2026-03-04T09:12:30Z</updated></entry></feed>`,
    [A],
    'atom',
    null,
    'an Atom feed',
  ],
  [urlset(url('/1')), ['/1'], 'urlset', null, 'a relative URL stays as it is: the protocol has none'],
  [
    `<feed><entry><link href="/1"/></entry><entry><link href="//b.example/"/></entry></feed>`,
    [A, 'http://b.example/'],
    'atom',
    null,
    'relative URLs of an Atom feed',
  ],
  [
    `<feed xml:base="/x/"><entry><link href="1"/></entry><entry xml:base="http://b.example/"><link href="2"/></entry></feed>`,
    ['http://a.example/x/1', 'http://b.example/2'],
    'atom',
    null,
    'an Atom feed with bases of its own',
  ],
  [
    `<rss><channel><item><guid>${A}</guid></item><item><guid isPermaLink="false">${B}</guid></item><item><guid>7</guid></item><item><guid>${A}?guid</guid><link>${B}</link></item></channel></rss>`,
    [A, B],
    'rss',
    null,
    'items of RSS without a link: an id that is a URL counts',
  ],
]
for (const [file, pages, kind, problem, why] of FILES) {
  for (const chunk of [1, 13, 100_000])
    reader(`a file in pieces of ${chunk}: ${why}`, () => {
      const got = read(file, { chunk })
      assert.equal([got.pages, got.kind, got.problem], [pages, kind, problem])
    })
}

reader('a charset of UTF-16 does not count for a file without a zero byte', () => {
  assert.equal(read(urlset(url(A)), { contentType: 'application/xml; charset=utf-16' }).pages, [A])
})

reader('an index names files, not pages', () => {
  const got = read(`<sitemapindex><sitemap><loc>${A}</loc><lastmod>2026-03-04</lastmod></sitemap></sitemapindex>`)
  assert.equal([got.files, got.pages, got.kind], [[A], [], 'index'])
})

reader('entities are not expanded, and an endless tag is not buffered', () => {
  assert.equal(read(urlset(url('http://a.example/&f;'))).pages, ['http://a.example/&f;'])
  const got = read(`<urlset><url x="${'y'.repeat(3 * 1024 * 1024)}"`, { chunk: 65_536 })
  assert.is(got.problem, 'broken')
  const deep = read(`<urlset>${'<a>'.repeat(1000)}`, { chunk: 1000 })
  assert.is(deep.problem, 'broken')
})

reader('a limit ends the reading, and the entries before it are kept', () => {
  const three = urlset(url(A) + url(B) + url(`${A}3`))
  assert.equal(read(three, { limits: { maxBytes: 1e6, maxEntries: 2 } }).problem, 'too_many')
  assert.equal(read(three, { limits: { maxBytes: 1e6, maxEntries: 2 } }).pages, [A, B])
  const cut = read(three, { limits: { maxBytes: 170, maxEntries: 9 } })
  assert.equal([cut.problem, cut.pages], ['too_large', [A]])
})

const DATES: [text: string, lastmod: string | null][] = [
  ['2026-03-04', '2026-03-04'],
  ['2026-03-04T09:12Z', '2026-03-04T09:12:00Z'],
  ['2026-03-04T09:12:30+01:00', '2026-03-04T09:12:30+01:00'],
  ['2026-03-04 09:12:30.5 +0100', '2026-03-04T09:12:30.5+01:00'],
  ['2026-03-04T09:12:30', '2026-03-04T09:12:30'],
  ['Wed, 04 Mar 2026 09:12:30 GMT', '2026-03-04T09:12:30Z'],
  ['2026-02-30', null],
  ['2026-03-04T25:00:00Z', null],
  ['2026', null],
  ['yesterday', null],
  ['0', null],
  ['', null],
]
for (const [text, lastmod] of DATES) reader(`lastmod "${text}" is read as ${lastmod}`, () => assert.is(readLastmod(text), lastmod))

reader.run()
