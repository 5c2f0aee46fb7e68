/** Reading a page takes time in proportion to its size, whatever its markup repeats. */
import { suite } from 'uvu'
import type { PageRules } from '#backend/crawler/page/page-rules.ts'
import { createPageParser } from '#backend/crawler/page/parse-page.ts'
import type { PageParser } from '#backend/crawler/page/parse-page.ts'
import { compileGlob } from '#backend/crawler/url/glob.ts'
import { parseRobots } from '#backend/crawler/robots/robots.ts'
import { createSitemapReader } from '#backend/crawler/sitemap/sitemap-xml.ts'
import { assertLinear, filled } from '#tests/support/linear.ts'

const sitemapReader = () =>
  createSitemapReader({ contentType: null, fileUrl: 'http://a.example/', onPage: () => undefined, onSitemap: () => undefined })

const linear = suite('time that a page takes to read')

const RULES: PageRules = {
  name: 'run',
  extraction: { includeHtml: true, onlyMainContent: true, includeTags: [], excludeTags: [] },
  scope: { allowedDomains: [], includePaths: [], excludePaths: [], seedHosts: ['a.test'] },
  includeLinks: true,
  salt: Buffer.alloc(16),
  maxBytes: 32 * 1024 * 1024,
}
const parse = (read: PageParser, html: string) => () =>
  read({
    id: 1,
    rules: 'run',
    body: new Uint8Array(Buffer.from(html)),
    contentEncoding: '',
    contentType: 'text/html; charset=utf-8',
    status: 200,
    url: 'http://a.test/x/y',
  })

const PARAGRAPH = `<p>${'words of a paragraph, '.repeat(20)}.</p>`
/** Two ways to read a hostile part: in an article, where the rules for text between paragraphs apply, and alone, where all of it is written. */
const READINGS = {
  'in an article': {
    read: createPageParser(RULES),
    start: `<title>The title of this long page</title><meta property="og:type" content="article"><article>${PARAGRAPH.repeat(8)}`,
  },
  'as a whole': { read: createPageParser({ ...RULES, extraction: { ...RULES.extraction, onlyMainContent: false } }), start: '' },
  'with HTML in its Markdown': {
    read: createPageParser({ ...RULES, extraction: { ...RULES.extraction, onlyMainContent: false, htmlInMarkdown: true } }),
    start: '',
  },
}

const ELEMENTS =
  'a abbr article aside b blockquote body br button caption center cite code col dd del details dfn dialog dir div dl dt em fieldset figcaption figure ' +
  'font footer form frameset h1 h2 h3 h6 head header hr html i iframe img input kbd label legend li link listing main map mark math menu meta nav ' +
  'noscript object ol optgroup option p pre q rp rt ruby s samp script search section select small span strike strong style sub summary sup svg table ' +
  'tbody td template textarea tfoot th thead time title tr tt u ul var video wbr x-y'
const LABELS = [
  'Read more:',
  'Related',
  'Lire aussi',
  'Leia também',
  'Mehr zum Thema',
  'Leggi anche',
  'Читайте также',
  'Lees ook',
  'Czytaj także',
  'Advertisement',
  'Share this',
  'Published 3 May 2020',
  'By John Smith',
  'Tags',
  'Copyright',
  'Subscribe now',
  'Photo credit: x',
  'Fig. 1',
  'a',
]
const CLASSES = ['caption', 'related', 'sidebar', 'byline', 'comments', 'header', 'toc', 'dek', 'share', 'article-body', 'photo gallery']
const FRAGMENTS: string[] = [
  ...ELEMENTS.split(' ').flatMap((name) => [
    `<${name}>text</${name}>`,
    `<${name}>x`,
    `<${name}><p>Words and <a href=/q>a link</a></p></${name}>`,
  ]),
  ...LABELS.flatMap((label) =>
    ['p', 'div', 'h3', 'li', 'figure', 'ul', 'header'].flatMap((name) => [
      `<${name}>${label}</${name}>`,
      `<${name}><a href=/N>${label}</a></${name}>`,
    ]),
  ),
  ...CLASSES.flatMap((name) => [
    `<div class="${name}"><p>Some text that is longer than thirty characters</p></div>`,
    `<div class="${name}">text`,
    `<div class="${name}"><img src=a.png alt=x><p>text</p></div>`,
  ]),
  '<time datetime=2020-01-01></time>',
  '<time class=updated>',
  '<i itemprop=author></i>',
  '<i itemprop=author>',
  '<a rel=author></a>',
  '<i class=byline></i>',
  '<i class=date><i></i>',
  '<p itemscope><meta itemprop=author content=x>',
  '<script type=application/ld+json>{"@type":"Article","author":{"@id":"N"}}</script>',
  '<script type=application/ld+json>[[[{"@graph":[</script>',
  '&amp;',
  '&foo',
  '&',
  '<',
  '</',
  '</x>',
  '</p>',
  '<!-- x -->',
  '<!--',
  '<![CDATA[',
  '<?',
  '<a b=c d=e f>',
  '<a b="',
  '[',
  ']',
  '[x]',
  '*',
  '_',
  '_a',
  '\\',
  '`',
  '~',
  '~a',
  '!',
  '|',
  '# ',
  '<br>',
  '<br>- x',
  'http://a.b/',
  'http://a.b/*x',
  'www.',
  'a@b ',
  '[x](y)',
  ' ',
  '\n',
  '\u00a0',
  '\u202e',
  '<a href="/N">x</a>',
  '<img src=/N.png alt="words N">',
  '<a href=/N><img src=/N.png alt="["></a>',
  '<tr><td>a<td>b',
  '<table><tr><td>',
  '<td>x',
  '<tr><td rowspan=9999 colspan=99>a',
  '<ul><li>x',
  '<li><p>a</p><p>b</p>',
  '<dt>x<dd>y',
  '<pre>x\n</pre>',
  '<code>`</code>',
  '<code>x</code>',
  '<b><i>',
  '<b>x<i>y</b>z</i>',
  '<b>x<br></b>',
  '<b><div>x</b>',
  '<form><div>x</form>',
  '<div><table><td>x</div></h2>',
  '<div class="one two three four five six seven N"><p>Comment x</p>',
  '<title>x</title>',
  '<meta name=aN content=b>',
  '<base href=/>',
  '<area href=/N>',
  '<a href="#x">¶</a>',
  '<h2>Head</h2><p>Short</p>',
  '<figure><img src=N><figcaption>words</figcaption></figure>',
  '<p style="display:none">x</p>',
  '<p class="c N">x</p>',
  '<div class="teaser"><h3><a href=/N>x</a></h3><p>y</p></div>',
  '<section><article><h3>x</h3><a href=/N>y</a></article></section>',
  '<p></p>',
  '<div>',
  '<script type="application/ld+json">{"@type":"X"}</script>',
  '<div itemscope itemprop=x><span itemprop=n>t</span>',
  '<a href=/N><div>x</div></a>',
  '<math><mi>x</mi></math>',
  '<math><msup><mi>x</mi>',
  '<math><mi>N',
  '<span class=katex><math><mi>x</mi></math></span>',
  '<span class=katex>x',
  '<span class=math>\\\\(x',
  '<span class=MathJax>x</span><script type="math/tex">x</script>',
  '<script type="math/tex; mode=display">x',
  '\\(x',
  '\\\\(x',
  '\\[x\\\\]',
  '$',
  '$$x_N$$ ',
  '$$x',
  '*x*N',
  '<b>x</b>',
  '<b>x</b><i>y</i>',
  '<em>a<strong>',
  '<sup>N</sup>',
  '<ruby>x<rt>y</ruby>',
  '<code>N</code>',
  '<img src=N><noscript><img alt=x src=N.jpg></noscript>',
  '<noscript><img alt=x>',
  '<p>x<sup id=rN><a href="#nN">1</a></sup></p><p id=nN>y <a href="#rN">z</a></p>',
  '<a href="#n">1</a>',
  '<li id=n>x<a href="#n">1</a>',
  '<div class="admonition note"><p class="admonition-title">x</p><p>y</p></div>',
  '<div class="admonition note">x',
  '<div class="admonition note"><div>',
  '<div role=tabpanel>x</div>',
  '<div class=tabs-container><ul role=tablist><li role=tab>x</ul><div role=tabpanel>y</div></div>',
  '<div role=tabpanel>',
  '<div class=fragment><div class=line>x</div></div>',
  '<pre><span class=lineno>N</span> x\n</pre>',
  '<span class=lineno>1</span>',
  '<table><tr><td class=linenos>1<td>x</table>',
  '<tr><td class=linenos>1<td>x',
  '<table class=RktBlk><tr><td>x',
  '<table><tr><td>1 2<td><pre>x</pre></table>',
  '<div role=table><div role=row><i role=cell>1</i><i role=cell>2</i></div></div>',
  '<div role=table><div role=row><div role=cell>x</div><div role=cell>',
  '<div role=table>',
  '<div role=row><div role=cell>x</div>',
  '<div class="summary-table two-column-summary"><div>x</div><div>y',
  '<p><code>x<br>y</code></p>',
  '<code>x<br>',
  '<details><summary><a href=/N>x</a><h3>y</h3>z</summary></details>',
  '<summary><h3>x</h3><a href=/N>',
  '<li><input type=checkbox disabled>x',
  '<iframe src="/embed/N" title=x></iframe>',
  '<blockquote>x',
  '<details><summary>x</summary>',
  '<details><u>',
  '<dl><dd><dl><dt>x',
  '<table><tr><td><ul><li>x</ul>',
  '<table><tr><td colspan=2>x<td><div>y',
  '<kbd><a href=#N><u>',
  '<a href=/N>',
  '<a href="https://x.com/intent/post?N">x</a>',
  '<td>a b',
  '<li><section><b>',
  '<td><table><b>',
  '<td><b>',
  '<b>x<br> <br>',
  '<x-N>',
  '<u title="*`[|">x</u>',
]

for (const [where, { read, start }] of Object.entries(READINGS))
  linear(`H7: the time grows linearly with the size, whatever is repeated ${where}`, async () => {
    for (const fragment of FRAGMENTS)
      await assertLinear(`${JSON.stringify(fragment)} ${where}`, (size) => parse(read, start + filled(fragment, size)))
  })

linear('H7: the time grows linearly with the size for robots files, sitemaps and patterns of paths', async () => {
  for (const line of ['Allow: /N*a*b$\n', 'User-agent: xN\n', '#', ':', 'Disallow: ', 'Crawl-delay: 1\n'])
    await assertLinear(`robots ${line}`, (size) => {
      const text = filled(line, size)
      return () => parseRobots(text, 'seine')
    })
  for (const piece of ['<url><loc>http://a.test/N</loc></url>', '<a>', '<!-- ', '&amp;', '<![CDATA[', 'http://a.test/N\n', ' '])
    await assertLinear(`sitemap ${piece}`, (size) => {
      const bytes = Buffer.from(`<urlset>${filled(piece, size)}`)
      return () => {
        const reader = sitemapReader()
        for (let at = 0; at < bytes.length; at += 1000) reader.write(bytes.subarray(at, at + 1000))
        reader.end()
      }
    })
  await assertLinear('the base of a feed and its relative URLs', (size) => {
    const bytes = Buffer.from(`<feed xml:base="/${'x'.repeat(size)}/">${filled('<entry><link href="N"/></entry>', size)}`)
    return () => {
      const reader = sitemapReader()
      reader.write(bytes)
      reader.end()
    }
  })
  for (const pattern of ['/*a*a*a*a*a*b', '/[ab]*[ab]*c', '*?*?*?x'])
    await assertLinear(`pattern ${pattern}`, (size) => {
      const matches = compileGlob(pattern)
      const value = '/' + 'a'.repeat(size)
      return () => matches(value)
    })
})

linear.run()
