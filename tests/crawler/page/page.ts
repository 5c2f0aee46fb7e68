import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parsePage } from '#backend/crawler/page/page.ts'
import { LinkResolver } from '#backend/crawler/url/resolve-url.ts'

const test = suite('links of a page')
const urls = (html: string, url = 'https://site.example/dir/page') => parsePage(html, url).links.map((link) => link.url)

test('links are absolute, without fragments, each once', () => {
  assert.equal(urls('<a href="a">1</a><a href="a#x">2</a><a href="./a">3</a><a href="/b?q=1#y">4</a><a href="//other.example/c">5</a>'), [
    'https://site.example/dir/a',
    'https://site.example/b?q=1',
    'https://other.example/c',
  ])
})

test('links are the same for all spellings of a URL, even if a page of another site had another spelling before', () => {
  const spellings = '<a href="/">1</a><a href="https://site.example">2</a><a href="https://site.example/#top">3</a><a href="..">4</a>'
  urls('<a href="https://site.example/">1</a>', 'https://other.example/')
  for (let time = 0; time < 2; time++) assert.equal(urls(spellings), ['https://site.example/'])
  assert.equal(urls('<a href="#x">1</a><a href="">2</a>'), ['https://site.example/dir/page'])
  assert.equal(urls('<base href="/base/#b"><a href="#x">1</a>'), ['https://site.example/base/'])
})

test('two slashes name a host, also if the path of an earlier URL began with two', () => {
  urls('<a href="https://site.example//cdn.example/x">1</a>')
  assert.equal(urls('<a href="//cdn.example/x">1</a>'), ['https://cdn.example/x'])
})

test('links keep nothing of an earlier page with the same link', () => {
  parsePage('<a href="/a" rel=nofollow>first text</a>', 'https://site.example/one')
  assert.equal(parsePage('<a href="/b">b</a><a href="/a">second</a>', 'https://site.example/two').links, [
    { url: 'https://site.example/b', text: 'b', nofollow: false },
    { url: 'https://site.example/a', text: 'second', nofollow: false },
  ])
})

test('links of other schemes and broken links are left out', () => {
  const hrefs = [
    'javascript:alert(1)',
    'jAvA\tscript:alert(1)',
    'data:text/html,x',
    'mailto:a@b.example',
    'tel:1',
    'file:///etc/hostname',
    'ftp://x.example/',
    'http://',
    'http://[',
    'about:blank',
  ]
  assert.equal(urls(hrefs.map((href) => `<a href="${href}">x</a>`).join('') + '<a href=" good\n">g</a>'), ['https://site.example/dir/good'])
})

test('links are found in area and frame elements, in upper case and without quotes, but not in comments, text fields and templates', () => {
  assert.equal(
    urls(
      '<A HREF=one>1</A><map><area href="two"></map><a\nhref\n=\n\'three\'>3</a><frame src="four"><!--<a href="no1">n</a>--><textarea><a href="no2">n</a></textarea><template><a href="no3">n</a></template>',
    ).map((url) => url.slice(25)),
    ['one', 'two', 'three', 'four'],
  )
})

test('PDFs that a page shows within it are links, those that a viewer gets as a parameter too; other embedded pages are not', () => {
  const html =
    '<iframe src="/a.pdf#page=2" title="Report"></iframe><object data="b.PDF?v=1"></object><embed src="/c" type="application/pdf">' +
    '<iframe src="/web/viewer.html?file=/d.pdf"></iframe><iframe src="/view?url=/x&file=%2Fe.pdf%3Fv=2&zoom=1"></iframe><iframe src="/view?file=/f%.pdf?v=3"></iframe><iframe src="/ad"></iframe><embed src="/x.swf"><template><iframe src="/t.pdf"></iframe></template>'
  assert.equal(
    urls(html),
    ['a.pdf', 'dir/b.PDF?v=1', 'c', 'd.pdf', 'e.pdf?v=2', 'f%.pdf?v=3'].map((path) => `https://site.example/${path}`),
  )
  assert.is(parsePage(html, 'https://site.example/').links[0]?.text, 'Report')
})

test('links are found in drawings, under both attribute names, but not in templates of drawings', () => {
  const drawing = '<a xlink:href="one"><path/></a><a href="two" xlink:href="no1"><text>t</text></a><style>p</style><a href="three"></a>'
  const page = `<svg>${drawing}</svg><a xlink:href="no2">n</a><template><svg><a href="no3">n</a></svg></template><a href="four">4</a>`
  assert.equal(
    urls(page).map((url) => url.slice(25)),
    ['one', 'two', 'three', 'four'],
  )
})

test('the title is the text of the first title element that has any', () => {
  const titleOf = (html: string) => parsePage(html, 'https://site.example/').title
  assert.is(titleOf('<title>Guide</title><title>App</title><p>x</p><title>Other</title>'), 'Guide')
  assert.is(titleOf('<title> </title><title>A &amp; B</title>'), 'A & B')
  assert.is(titleOf('<svg><title>Icon</title></svg><template><title>No</title></template><title>Page</title>'), 'Page')
})

test('an empty canonical link names no page', () => {
  const canonicalOf = (html: string) => parsePage(html, 'https://site.example/a/b').canonicalUrl
  assert.is(canonicalOf('<base href="/"><link rel="canonical" href="">'), null)
  assert.is(canonicalOf('<link rel="canonical" href=" "><link rel="canonical" href="/a/c">'), 'https://site.example/a/c')
})

test('links are resolved against the first base of the page, but against none in a template or a drawing', () => {
  const others =
    '<base href="/no/"><link rel="canonical" href="/no"><meta name="a" content="no"><meta http-equiv="refresh" content="0;url=/no">'
  const page = parsePage(`<template>${others}</template><svg><base href="/no/"></svg><a href="t">t</a>`, 'https://site.example/')
  assert.equal([page.links[0]?.url, page.canonicalUrl, page.refresh, page.metadata], ['https://site.example/t', null, null, {}])
  assert.equal(urls('<base href="/sub/"><base href="/wrong/"><a href="t">t</a>'), ['https://site.example/sub/t'])
  assert.equal(urls('<base href="data:text/plain,x"><a href="/good">g</a>'), ['https://site.example/good'])
})

test('links have their shortest text, else the alt text of their image, else their title', () => {
  const { links } = parsePage(
    `<a href="/1">a long name</a><a href="/1">name</a><a href="/2"><img src=x alt="picture"></a><a href="/3" title="titled"></a><a href="/4"></a><a href="/5">${'w\u200bo '.repeat(100)}</a>`,
    'https://site.example/',
  )
  assert.equal(
    links.slice(0, 4).map((link) => link.text),
    ['name', 'picture', 'titled', ''],
  )
  assert.is(links[4]?.text.length, 100)
})

test('links to a URL are nofollow only when each of them is', () => {
  const { links } = parsePage(
    '<a rel="nofollow" href="/1">1</a><a rel="sponsored NoFollow" href="/2">2</a><a href="/2">2</a>',
    'https://site.example/',
  )
  assert.equal(
    links.map((link) => link.nofollow),
    [true, false],
  )
})

test('the fast path and the slow path resolve links as URL parsing does', () => {
  const base = 'https://site.example/dir/page?q'
  const resolver = new LinkResolver(base, null)
  const hrefs =
    "/a a ./a ../a /a/../b /a/./b a/b/.. /%2e%2e/a /a%20b /a b /ä ?x=1 a?b=/../c a:b /a:b x/y;z /a\\b //h/p HTTP://SITE.example/x https://site.example:443/x https://site.example https://site.example/a?b#c /a'b?c'd /{a} /a|b a/%2E/b".split(
      ' ',
    )
  for (const href of hrefs) {
    const expected = URL.parse(href, base)!
    expected.hash = ''
    assert.is(resolver.resolve(href), /^https?:$/.test(expected.protocol) ? expected.href : null, href)
  }
})

test('H6: the first 10,000 links are kept, and the others are counted', () => {
  const links = (count: number) => Array.from({ length: count }, (_, at) => `<li><a href="/${at}">x</a>`).join('')
  const page = parsePage(`${links(200_000)}<a href="/0">again</a>`, 'https://site.example/')
  assert.is(page.links.length, 10_000)
  assert.equal([page.links[0]!.url, page.links.at(-1)!.url], ['https://site.example/0', 'https://site.example/9999'])
  assert.is(page.linksDropped, 190_001)
})

test('H6: repetitions of one URL do not use up the limit of links', () => {
  const same = '<a href="/same">x</a>'.repeat(15_000)
  const page = parsePage(`${same}<a href="/other">x</a>`, 'https://site.example/')
  assert.equal(
    page.links.map(({ url }) => url),
    ['https://site.example/same', 'https://site.example/other'],
  )
  assert.is(page.linksDropped, 0)
})

test.run()
