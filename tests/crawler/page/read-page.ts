import { readdirSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ExtractionRules } from '#backend/crawler/page/extraction-rules.ts'
import { readPage, type PageReading, type PageSource } from '#backend/crawler/page/read-page.ts'

const RULES: ExtractionRules = { includeHtml: false, onlyMainContent: true, includeTags: [], excludeTags: [] }

const test = suite('read a page')

test('a page gives title, language, canonical URL, metadata, links and Markdown', () => {
  const page = read(
    `<!doctype html><html lang="en"><head><title> A  page </title><meta name="description" content="About it"><meta property="og:image" content="/a.png">
     <link rel="canonical" href="/page"></head><body><main><h1>Hello</h1><p>See <a href="/next#top">the next one</a>.</p></main></body></html>`,
  )
  assert.is(page.title, 'A page')
  assert.is(page.language, 'en')
  assert.is(page.canonicalUrl, 'https://site.example/page')
  assert.is(page.mediaType, 'text/html')
  assert.equal(page.metadata, {
    description: 'About it',
    'og:image': '/a.png',
    title: 'A page',
    language: 'en',
    canonical_url: 'https://site.example/page',
    content_type: 'text/html',
    status_code: '200',
    image: 'https://site.example/a.png',
    word_count: '6',
  })
  assert.equal(page.links, [{ url: 'https://site.example/next', text: 'the next one', nofollow: false }])
  assert.is(page.markdown, '# Hello\n\nSee [the next one](https://site.example/next#top).\n')
  assert.is(page.html, null)
})

test('values of the page are never overwritten, and hostile names are read as names', () => {
  const page = read(
    '<meta name="title" content="mine"><meta name="__proto__" content="x"><meta name="constructor" content="y"><meta name="status_code" content="teapot"><title>t</title>',
  )
  assert.is(page.metadata['title'], 'mine')
  assert.is(page.metadata['status_code'], 'teapot')
  assert.ok(Object.hasOwn(page.metadata, '__proto__'))
  assert.is(JSON.parse(JSON.stringify(page.metadata))['constructor'], 'y')
  assert.is(({} as Record<string, unknown>)['x'], undefined)
})

test('the metadata has a title even when the page has none', () => {
  assert.equal(read('<p>x').metadata['title'], null)
})

test('the main content of pages of twenty kinds stays, and their navigation does not', () => {
  const folder = new URL('../fixtures/pages/', import.meta.url)
  const names = readdirSync(folder).filter((name) => name.endsWith('.html'))
  assert.ok(names.length >= 20)
  for (const name of names) {
    const html = readFileSync(new URL(name, folder), 'utf8')
    const { markdown } = read(html, {}, { url: `https://site.example/${name}` })
    for (const wanted of new Set(html.match(/KEEP-\d+/g)))
      assert.ok(new RegExp(wanted + '\\b').test(markdown), `${name} keeps ${wanted}:\n${markdown}`)
    assert.not.ok(markdown.includes('FURNITURE'), `${name} has furniture:\n${markdown}`)
  }
})

test('everything except scripts and styles stays if the whole page is requested', () => {
  const page = read(
    '<nav>menu</nav><p>text</p><script>bad()</script><style>bad{}</style><noscript>Please enable JavaScript, bad</noscript><template>bad</template><footer>foot</footer>',
    {
      onlyMainContent: false,
    },
  )
  assert.is(page.markdown, 'menu\n\ntext\n\nfoot\n')
})

/** Contents of `noscript` elements and templates: each row's `OUT` goes, each `IN` stays. */
const WITHOUT_SCRIPTS: [why: string, html: string, markdown: string][] = [
  ['text in noscript', '<noscript><p>IN The list of trains.</p></noscript>', 'IN The list of trains.\n'],
  ['a link in noscript', '<noscript><a href="/all">IN All trains</a></noscript>', '[IN All trains](https://site.example/all)\n'],
  ['a request to enable JavaScript', '<p>IN</p><noscript>Bitte aktivieren Sie JavaScript. OUT</noscript>', 'IN\n'],
  [
    'a tracking pixel',
    '<p>IN</p><noscript><img height="1" width="1" style="display:none" src="https://c.example/tr?id=1"></noscript>',
    'IN\n',
  ],
  ['a tracking pixel without a size', '<p>IN</p><noscript><p><img src="//c.example/matomo.php?idsite=1" alt=""></p></noscript>', 'IN\n'],
  ['a tracking iframe', '<p>IN</p><noscript><iframe src="https://c.example/ns.html"></iframe></noscript>', 'IN\n'],
  [
    'a noscript image replaces its placeholder',
    '<p>IN</p><div><img src="data:image/gif;base64,R0l" alt="x"><noscript><img src="/a.jpg" alt="Bridge"></noscript></div>',
    'IN\n\n![Bridge](https://site.example/a.jpg)\n',
  ],
  [
    'a noscript image that the page has already',
    '<p>IN</p><div><img src="/a.jpg" alt="Bridge"><noscript><img src="/a.jpg" alt="Bridge"></noscript></div>',
    'IN\n\n![Bridge](https://site.example/a.jpg)\n',
  ],
  [
    'a noscript image without a placeholder',
    '<p>IN</p><div class="image"><noscript><img src="/a.webp"></noscript></div>',
    'IN\n\n![](https://site.example/a.webp)\n',
  ],
  [
    'a declarative shadow root',
    '<x-card><template shadowrootmode="open"><style>p{}</style><p>IN <a href="/b">b</a></p></template></x-card><p>IN</p>',
    'IN [b](https://site.example/b)\n\nIN\n',
  ],
  ['a template without a shadow root', '<template><p>OUT</p></template><p>IN</p>', 'IN\n'],
  ['a template with another mode than open and closed', '<template shadowrootmode="maybe"><p>OUT</p></template><p>IN</p>', 'IN\n'],
]

for (const [why, html, markdown] of WITHOUT_SCRIPTS)
  test(`a page is read as it is without scripts: ${why}`, () => {
    assert.is(read(`<body>${html}`, { onlyMainContent: false }).markdown, markdown)
  })

test('links in noscript elements and declarative shadow roots are followed', () => {
  const { links } = read(
    '<body><noscript><a href="/a">a</a></noscript><x-y><template shadowrootmode="open"><a href="/b">b</a></template></x-y><template><a href="/c">c</a></template>',
  )
  assert.equal(
    links.map(({ url }) => url),
    ['https://site.example/a', 'https://site.example/b'],
  )
})

test('the HTML is the filtered HTML from which the Markdown was made', () => {
  const page = read('<nav>menu</nav><main><p title="a&quot;b">1 &lt; 2<script>x</script></p><img src=a.png></main>', { includeHtml: true })
  assert.is(page.html, '<main><p title="a&quot;b">1 &lt; 2</p><img src="a.png"></main>')
})

test('a refresh within ten seconds is followed, a later one is not', () => {
  const refreshOf = (content: string) => read(`<meta http-equiv="Refresh" content="${content}">`).refresh
  for (const [content, expected, why] of [
    ['0; url=/next', 'https://site.example/next', 'zero seconds and a URL'],
    ["3;URL='next#x'", 'https://site.example/next', 'quotes and a fragment'],
    ['10, next', 'https://site.example/next', 'a comma, without url='],
    ['11; url=/next', null, 'after more than ten seconds'],
    ['5', null, 'reloads the page itself'],
    ['0; url=javascript:alert(1)', null, 'a javascript: URL'],
    ['.5;url=/next', 'https://site.example/next', 'half a second without a zero'],
    ['12345678901;url=/next', null, 'a number without end'],
    ['soon; url=/next', null, 'no number'],
  ] as const)
    assert.is(refreshOf(content), expected, why)
  const two = '<meta http-equiv="refresh" content="soon"><meta http-equiv="refresh" content="0;url=/next">'
  assert.is(read(two).refresh, 'https://site.example/next', 'the first that can be read')
})

test('takes a refresh and a canonical URL from the headers of the answer, too', () => {
  const said = (link: string, html = '') => read(html, {}, { said: { link } }).canonicalUrl
  assert.is(read('', {}, { said: { refresh: '1; url=next' } }).refresh, 'https://site.example/next')
  for (const [link, expected, why] of [
    ['</one>; rel="canonical"', 'https://site.example/one', 'quoted'],
    ['<https://other.example/one>; rel=canonical', 'https://other.example/one', 'without quotes'],
    ['</a,b>; rel=preload; as="a,b", </one>;title="x; rel=y";REL="Next Canonical"', 'https://site.example/one', 'one of several'],
    ['</one>; rel="canonical"; anchor="/other"', null, 'of another resource'],
    ['</one>; rel="uncanonical"; title="canonical"', null, 'another relation'],
    ['</one; rel="canonical"', null, 'without an end'],
    ['<javascript:1>; rel=canonical', null, 'another scheme'],
  ] as const)
    assert.is(said(link), expected, why)
  assert.is(said('</one>; rel=canonical', '<link rel=canonical href=/two>'), 'https://site.example/two', 'the page itself counts first')
  const text = readPage(
    {
      bytes: Buffer.from('words'),
      contentType: 'text/plain',
      status: 200,
      url: 'https://site.example/',
      said: { link: '</one>; rel=canonical' },
    },
    { includeHtml: false, onlyMainContent: true, includeTags: [], excludeTags: [] },
  ) as PageReading
  assert.equal([text.canonicalUrl, text.metadata['canonical_url']], ['https://site.example/one', 'https://site.example/one'])
})

test('nesting, many nodes, many entities and open comments do not lose text', () => {
  const hostile: [string, string][] = [
    ['nested elements', '<p>MARK</p>' + '<div>'.repeat(100_000) + 'deep'],
    ['nested blockquotes', '<p>MARK</p>' + '<blockquote>'.repeat(20_000) + 'deep'],
    ['nested lists', '<p>MARK</p>' + '<ul><li>'.repeat(20_000) + 'deep'],
    ['nested tables', '<p>MARK</p>' + '<table>x<tr><td>'.repeat(20_000)],
    ['font elements', '<p>MARK</p>' + Array.from({ length: 700 }, (_, at) => `<font color=${at}>`).join('') + '<p>x'.repeat(700)],
    ['many attributes', '<p>MARK</p><p ' + Array.from({ length: 100_000 }, (_, at) => `a${at}=1 `).join('') + '>x</p>'],
    ['many entities', '<p>MARK</p><p>' + '&#x41;&amp;'.repeat(100_000) + '</p>'],
    ['an unfinished comment', '<p>MARK</p><a href="good">g</a><!-- <a href="hidden">h</a><script>'],
    ['open brackets', '<p>MARK</p>' + '['.repeat(1_000_000)],
    ['nested code blocks', '<p>MARK</p>' + '<pre>x'.repeat(20_000)],
    ['stray end tags', '<p>MARK</p>' + '<b>'.repeat(100_000) + '</i>'.repeat(100_000)],
    ['NUL bytes', '<p>MARK a\0b</p><a\0 href="x\0y">z</a>'],
  ]
  for (const [why, html] of hostile) assert.ok(read(html, { onlyMainContent: false }).markdown.includes('MARK'), why)
})

test('title, description, links and Markdown are cut at their limits', () => {
  const page = read(
    `<title>${'tä'.repeat(500_000)}</title><meta name="description" content="${'d'.repeat(500_000)}">` +
      Array.from({ length: 11_000 }, (_, at) => `<a href="l${at}">x</a>`).join('') +
      `<a href="/${'a'.repeat(3000)}">long</a><p>${'word '.repeat(1_200_000)}</p>`,
    { onlyMainContent: false },
  )
  assert.ok(Buffer.byteLength(page.title ?? '') <= 1024)
  assert.ok(Buffer.byteLength(page.metadata['description'] ?? '') <= 2048)
  assert.is(page.links.length, 10_000)
  assert.is(page.linksDropped, 1001)
  assert.ok(Buffer.byteLength(page.markdown) <= 4 * 1024 * 1024)
})

test('characters that disguise text are removed from titles', () => {
  assert.is(read('<title>inv\u202Eoice\u2066 \u200bgpj.exe\u0007</title>').title, 'invoice gpj.exe')
  assert.is(read('<title>pay\u200cpal\u200c</title>').title, 'paypal')
})

test('non-joiners that belong to the spelling of a word stay in titles, descriptions and texts of links', () => {
  const words = ['می\u200cخواهم', 'शक्\u200cति']
  for (const word of words) {
    const page = read(`<title>${word}</title><meta name="description" content="${word}"><a href="/a">${word}</a>`)
    assert.equal([page.title, page.metadata['description'], page.links[0]?.text], [word, word, word])
  }
})

test.run()

function read(html: string, rules: Partial<ExtractionRules> = {}, source: Partial<PageSource> = {}): PageReading {
  const outcome = readPage(
    { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8', status: 200, url: 'https://site.example/', ...source },
    { ...RULES, ...rules },
  )
  assert.not.instance(outcome, Promise)
  const reading = outcome as PageReading
  assert.is(reading.kind, 'page')
  return reading
}
