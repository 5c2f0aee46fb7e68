/** HTML that is kept in the Markdown of a page cannot act, and ends where it should, whichever renderer reads it. */
import { HtmlRenderer, Parser as MarkdownParser } from 'commonmark'
import * as fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { Marked } from 'marked'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { markdownOf } from '#tests/support/markdown-of.ts'
import { MARKDOWN_PIECES } from '#tests/support/markdown-pieces.ts'

const kept = suite('untrusted HTML in Markdown')

const keptMarkdownOf = (body: string): string => markdownOf(body, { htmlInMarkdown: true })

const GFM = new Marked({ gfm: true, async: false })
const PLAIN = new Marked({ gfm: false, async: false })
const RENDERERS: ((markdown: string) => string)[] = [
  (markdown) => GFM.parse(markdown) as string,
  (markdown) => PLAIN.parse(markdown) as string,
  (markdown) => new HtmlRenderer().render(new MarkdownParser().parse(markdown)),
]

const NEVER = (
  'applet area audio base body button canvas dialog embed fieldset font form frame frameset head html iframe input label legend link map ' +
  'marquee math meta noembed noframes noscript object option param plaintext portal script select source style svg template textarea title video xmp'
).split(' ')
/** All that may be there, by attribute. Renderers set `align`, `start`, `class` and `type` by themselves. */
const ATTRIBUTES =
  /^(?:align|alt|checked|cite|class|colspan|datetime|dir|disabled|href|lang|open|rowspan|scope|src|start|title|type|value)$/
const ADDRESS = /^(?:https?:\/\/|mailto:)/i

// oxlint-disable-next-line no-control-regex -- as a page has them that is no binary file
const escaped = (text: string) => text.replace(/[&<>"\u0001\u0002]/g, (character) => `&#${character.charCodeAt(0)};`)
const MARK = '\u0002'

/** Checks that the rendered page has only elements of the original, and no active ones. */
function assertInert(body: string, allowed: Set<string> | null = null) {
  const written = keptMarkdownOf(body)
  // What marks tags while a line is written. Code may hold it by itself.
  if (!body.includes(escaped(MARK))) assert.not.ok(written.includes(MARK), JSON.stringify(body))
  for (const render of RENDERERS) {
    const html = render(written)
    const where = `${JSON.stringify(body)}\nis written ${JSON.stringify(written)}\nand shown ${JSON.stringify(html)}`
    const parser = new Parser({
      onopentag(name, attributes) {
        assert.not.ok(NEVER.includes(name) && !(name === 'input' && attributes['type'] === 'checkbox'), `<${name}>: ${where}`)
        if (allowed !== null) assert.ok(allowed.has(name), `<${name}> appeared: ${where}`)
        for (const [key, value] of Object.entries(attributes)) {
          assert.match(key, ATTRIBUTES, `${key}: ${where}`)
          if (key === 'class') assert.match(value, /^language-/, where)
          if (key === 'href' || key === 'src' || key === 'cite') assert.match(value, ADDRESS, where)
        }
      },
      oncomment: () => assert.unreachable(`a comment: ${where}`),
      onprocessinginstruction: () => assert.unreachable(`a declaration: ${where}`),
    })
    parser.end(html)
  }
}

const AROUND: ((inner: string) => string)[] = [
  (inner) => inner,
  (inner) => `<p>a ${inner} b</p>`,
  (inner) => `<div>a ${inner} b</div>`,
  (inner) => `<details><summary>a ${inner}</summary><p>${inner}</p></details>`,
  (inner) => `<ul><li><div>a ${inner}</div>${inner}</li><li>b ${inner}</li></ul>`,
  (inner) => `<blockquote><div>a</div>${inner}</blockquote>${inner}`,
  (inner) => `<table><tr><td colspan=2>a ${inner}</td><td><ul><li>${inner}</ul></td></tr></table>`,
  (inner) => `<table><tr><th>a</th><th>b</th></tr><tr><td>${inner}</td><td>c</td></tr></table>`,
  (inner) => `<dl><dt>a ${inner}</dt><dd><div>b</div><p>${inner}</p></dd></dl>`,
  (inner) => `<h2>a ${inner}</h2>`,
  (inner) => `<my-box>a ${inner}</my-box>`,
  (inner) => `<u><div>a</div><p>${inner}</p></u>`,
]

kept('elements that run, load, submit or hide something are always removed', () => {
  for (const name of NEVER)
    for (const around of AROUND) {
      assertInert(around(`<${name} src="https://evil.example/x" href="/x" onload="alert(1)">x</${name}>`))
      assertInert(around(`<${name}>`))
    }
  for (const inner of [
    '<!-- x --><!doctype html><?php echo 1 ?><![CDATA[x]]>',
    '<svg><style><img src=x onerror=alert(1)></style></svg>',
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
    '<template shadowrootmode=open><script>alert(1)</script><u onclick=alert(1)>x</u></template>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">x</p></noscript>',
    '<img src=x onerror=alert(1)><img src="javascript:alert(1)"><img src="data:image/svg+xml,<svg onload=alert(1)>">',
    '<my-frame src="https://evil.example/" href="https://evil.example/" data-x="1">x</my-frame>',
    '<include-fragment src="https://evil.example/">x</include-fragment><portal src=//evil.example>x</portal>',
  ])
    for (const around of AROUND) assertInert(around(inner))
})

kept('only attributes known to be harmless are kept', () => {
  const all =
    'id=a name=b class=c style="position:fixed" onclick=alert(1) onmouseover=alert(1) ONFOCUS=alert(1) autofocus tabindex=1 contenteditable accesskey=x ' +
    'is=x-y slot=z part=w data-x=1 aria-label=x role=button hidden popover=auto ping=/x target=_blank download formaction=javascript:alert(1) ' +
    'background=/x srcdoc=x srcset=/x poster=/x action=/x xmlns=x xlink:href=javascript:alert(1) itemprop=x title=t lang=de dir=rtl'
  for (const name of [
    'u',
    'kbd',
    'x-y',
    'constructor',
    'time',
    'abbr',
    'div',
    'details',
    'td',
    'a',
    'q',
    'section',
    'figcaption',
    'table',
    'img',
  ])
    for (const around of AROUND) assertInert(around(`<${name} ${all}>x</${name}>`))
  assert.is(keptMarkdownOf(`<p><u ${all}>x</u></p>`), '<u title="t" lang="de" dir="rtl">x</u>\n')
})

kept('URLs of unsafe schemes are always removed', () => {
  const schemes = [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    '&#1;javascript:alert(1)',
    'java&#9;script:alert(1)',
    'javascript&colon;alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:x',
    'ftp://a.example/',
    'tel:+1',
    'mailto:a@b.example',
    '//evil.example/x',
    '',
  ]
  for (const scheme of schemes)
    for (const around of AROUND) {
      // A link of Markdown may lead to a telephone.
      if (!scheme.startsWith('tel:')) assertInert(around(`<a href="${scheme}">x</a>`))
      assertInert(around(`<a href="${scheme}"></a><q cite="${scheme}">x</q><ins cite="${scheme}">y</ins><img src="${scheme}" alt="x">`))
      assertInert(`<div><a href="${scheme}">x</a><iframe src="${scheme}" allowfullscreen></iframe></div>`)
    }
})

kept('a value cannot end its attribute or its tag, or start Markdown around it', () => {
  const values = [
    `"><script>alert(1)</script>`,
    `' onclick='alert(1)`,
    `" onclick="alert(1)`,
    '`x` *y* **z** _w_ ~~v~~ [x](javascript:alert(1)) ![x](y) | x | $y$',
    'x\n\n<img src=x onerror=alert(1)>\n\ny',
    '\n# x\n- y\n> z',
    '\\',
    '\\"',
    '&quot;&gt;&lt;script>alert(1)</script>',
    '&amp;quot;&amp;gt;',
    '<!-- x',
    ']]>',
    '\u0002<img src=x onerror=alert(1)>\u0002',
    'http://a.example/ www.a.example a@b.example',
  ]
  for (const value of values)
    for (const around of AROUND) {
      assertInert(around(`<abbr title="${escaped(value)}">x</abbr> y`))
      assertInert(around(`<a href="/?${escaped(value)}"></a> y`))
      assertInert(around(`<a href="/?${escaped(value)}" title="${escaped(value)}">x</a> <img src="/x" alt="${escaped(value)}">`))
    }
})

kept('A7: text stays text, whether a renderer reads its surroundings as HTML or as Markdown', () => {
  const texts = [
    '</div><script>alert(1)</script>',
    '</details></summary></td></table><img src=x onerror=alert(1)>',
    '<!-- x',
    '<![CDATA[',
    '<?x',
    '[x](javascript:alert(1))',
    '![x](javascript:alert(1))',
    '[x]: javascript:alert(1)',
    '<javascript:alert(1)>',
    '&lt;script&gt;',
    '&ltscript>',
    '`<u>`',
    '```\n<img src=x onerror=alert(1)>\n```',
    'http://a.example/<img src=x onerror=alert(1)>',
    '\u0002<img src=x onerror=alert(1)>\u0002',
    '# x',
  ]
  const names = 'p a u div details summary ul ol li blockquote table tbody thead tr td th dl dt dd h2 my-box strong em code pre'
  for (const text of texts)
    for (const around of AROUND) {
      assertInert(around(escaped(text)), new Set(names.split(' ')))
      assertInert(around(`<kbd>${escaped(text)}</kbd>${escaped(text)}`), new Set([...names.split(' '), 'kbd']))
    }
  for (const text of texts) {
    const [start, inner, end] = keptMarkdownOf(`<div>${escaped(text)}</div>`)
      .trimEnd()
      .split('\n')
    assert.equal([start, end], ['<div>', '</div>'])
    assert.not.match(inner!, /^[#`~]/, 'nothing that looks for headings or code line by line finds any')
    for (const render of RENDERERS) {
      const found: string[] = []
      const parser = new Parser({ onopentag: (name, { href = '' }) => void (name === 'p' || ADDRESS.test(href) || found.push(name)) })
      parser.end(render(inner!))
      assert.equal(found, [], inner)
    }
  }
})

kept('A7: text after HTML stays Markdown, whatever element both stand in', () => {
  const text = '&lt;img src=x onerror=alert(1)&gt;'
  for (const body of [
    `<ul><li><table><tr><td colspan=2></table><blockquote><div></div>${text}</blockquote></ul>`,
    `<ul><li>a<ul><li><div>b</div></ul><blockquote>${text}</blockquote></ul>`,
    `<ul><li><blockquote><div>a</div></blockquote><ol start=2><li>${text}</ol></ul>`,
    `<ul><li><div>a</div><h2>${text}</h2><pre>${text}</pre>${text}<li>${text}<li><ins><p>b</ins><li>${text}</ul>`,
    `<ol><li><div>a</div><li>${text}<li><x-y><p>b</x-y>${text}</ol>`,
    // Marked takes a tag that is alone on its line for HTML within an entry.
    `<ul><li><u>${text}<br></u><ul><li><u>${text}</u></ul></ul>`,
    `<ul><li><div>a</div><table><tr><th>x<th>y<tr><td>${text}<td>${text}</table></ul>`,
  ])
    assertInert(body, new Set('ul ol li br blockquote div h2 pre code p u ins x-y table thead tbody tr th td'.split(' ')))
})

kept('elements that the page left open are closed in order', () => {
  for (const body of [
    '<u><kbd>a',
    '<p><u>a<p>b</u>c',
    '<details><summary>a<p>b',
    '<div>a<u>b</div>c</u>',
    '<table><tr><td colspan=2>a<ul><li>b',
    '<ins><p>a<ins><p>b',
    '</u></div></details>a',
    '<dl><dt>a<dd>b<dl><dt>c',
    '<u><a href=/x>a<u><a href=/y>b',
  ]) {
    const written = keptMarkdownOf(body)
    const open: string[] = []
    for (const [, slash, name] of written.matchAll(/<(\/?)([a-z]+)[^>]*>/g)) {
      if (slash === '') open.push(name!)
      else assert.is(open.pop(), name, written)
    }
    assert.equal(open, [], written)
    assertInert(body)
  }
})

kept('even the deepest nesting and cut Markdown end in complete tags', () => {
  for (const name of [
    'u',
    'details',
    'x-y',
    'div',
    'ins',
    'table><tr><td colspan=2',
    'dl><dd',
    'blockquote><div>a</div><div',
    'li><u',
    'kbd><a href=/x',
  ])
    assertInert(`<${name}>a<p>b`.repeat(3000))
  const cut = keptMarkdownOf(`<div>${'<abbr title="words">a</abbr> '.repeat(30)}</div>`.repeat(6000))
  assert.ok(cut.length > 4_000_000 && cut.length <= 4 * 1024 * 1024)
  assert.match(cut, /(?:<div>|<\/div>|<\/abbr>)\n$/)
})

const PIECES = fc.constantFrom(...MARKDOWN_PIECES, '</div>', 'lt;', '\u0001')
const TEXT = fc.array(PIECES, { maxLength: 5 }).map((pieces) => escaped(pieces.join('')))
const LINE = ['u', 'kbd', 'del', 'mark', 'q', 'x-y', 'b', 'em', 's', 'code', 'sup', 'small', 'span', 'time']
const BLOCK = [
  'div',
  'p',
  'details',
  'summary',
  'section',
  'ins',
  'x-y',
  'blockquote',
  'figure',
  'li',
  'address',
  'h3',
  'pre',
  'form',
  'footer',
]
const FRAMES = [
  '<ul><li>%</li></ul>',
  '<ul><li>x</li><li>%</li><li>%</li></ul>',
  '<ol start=2><li>%</li><li>x</li></ol>',
  '<dl><dt>x</dt><dd>%</dd></dl>',
  '<table><tr><td colspan=2>%</td></tr></table>',
  '<table><tr><th>x</th><th>y</th></tr><tr><td>%</td><td>z</td></tr></table>',
  '<a href="/card"><div>%</div></a>',
  '<div class="admonition note"><p class="admonition-title">x</p>%</div>',
  '<p>x<sup id="r"><a href="#n">1</a></sup></p><ol><li id="n"><p>x</p>%<a href="#r">1</a></li></ol>',
]
const PAGE = fc.letrec<{ inline: string; line: string; block: string; page: string }>((tie) => ({
  inline: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    TEXT,
    fc.tuple(fc.constantFrom(...LINE), TEXT, tie('line')).map(([name, title, inner]) => `<${name} title="${title}">${inner}</${name}>`),
    fc.tuple(TEXT, tie('line')).map(([query, inner]) => `<a href="/?${query}">${inner}</a>`),
    fc.constantFrom('<br>', '<wbr>', '<a href="/x"></a>', '<u></u>'),
  ),
  line: fc.array(tie('inline'), { maxLength: 3 }).map((parts) => parts.join('')),
  block: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    tie('line'),
    fc.tuple(fc.constantFrom(...BLOCK), tie('page')).map(([name, inner]) => `<${name}>${inner}</${name}>`),
    fc.tuple(fc.constantFrom(...FRAMES), tie('page')).map(([frame, inner]) => frame.replaceAll('%', () => inner)),
  ),
  page: fc.array(tie('block'), { maxLength: 3 }).map((parts) => parts.join('')),
})).page
const SHOWN = new Set(
  [
    ...LINE,
    ...BLOCK,
    'a',
    'br',
    'wbr',
    'strong',
    'em',
    'ul',
    'ol',
    'dl',
    'dt',
    'dd',
    'table',
    'thead',
    'tbody',
    'tr',
    'td',
    'th',
    'hr',
    'input',
    'h2',
  ].filter((name) => !['form', 'span'].includes(name)),
)

kept('no random page has text that becomes markup, or markup that runs something', () => {
  fc.assert(
    fc.property(PAGE, (body) => assertInert(body, SHOWN)),
    { numRuns: 4000, seed: 7 },
  )
})

kept.run()
