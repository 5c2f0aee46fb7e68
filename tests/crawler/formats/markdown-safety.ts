/** Text of a page stays text in its Markdown, whichever renderer reads it: rendered by marked, no element appears that the page did not have. */
import * as fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { Marked } from 'marked'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { markdownOf } from '#tests/support/markdown-of.ts'
import { MARKDOWN_PIECES } from '#tests/support/markdown-pieces.ts'

const safety = suite('text of a page in its Markdown')

type Shown = { name: string; attributes: Record<string, string> }

/** With GFM bare URLs become links; without it tables and struck text are text. Both are in use. */
const RENDERERS = [new Marked({ gfm: true, async: false }), new Marked({ gfm: false, async: false })]

function shown(html: string): Shown[] {
  const elements: Shown[] = []
  const parser = new Parser({ onopentag: (name, attributes) => void elements.push({ name, attributes }) })
  parser.end(html)
  return elements
}

/** The elements that a renderer may show for each element of the page. Adjacent marks of emphasis may be read as the other kind; either is fine. */
const SHOWN_AS: Record<string, string[]> = {
  a: ['a'],
  b: ['strong', 'em'],
  blockquote: ['blockquote'],
  div: ['blockquote', 'strong', 'em'],
  br: ['br'],
  em: ['em', 'strong'],
  code: ['code', 'pre'],
  dd: [],
  dt: ['strong', 'em'],
  h2: ['h2'],
  i: ['em', 'strong'],
  img: ['img'],
  li: ['li'],
  ol: ['ol'],
  pre: ['pre', 'code'],
  s: ['del'],
  sub: ['sub'],
  sup: ['sup'],
  strong: ['strong', 'em'],
  summary: ['strong', 'em'],
  table: ['table', 'thead', 'tbody', 'tr', 'th', 'td', 'br'],
  ul: ['ul'],
}
/** The only attributes that may come from a page. */
const ATTRIBUTES = new Set(['href', 'src', 'alt', 'title', 'start', 'class', 'align'])

function assertText(body: string) {
  const written = markdownOf(body)
  const allowed = new Set(['p', 'a'])
  for (const { name } of shown(body)) for (const as of SHOWN_AS[name] ?? []) allowed.add(as)
  for (const renderer of RENDERERS) {
    const html = renderer.parse(written) as string
    for (const { name, attributes } of shown(html)) {
      const where = `${JSON.stringify(body)}\nis written ${JSON.stringify(written)}\nand shown ${JSON.stringify(html)}`
      assert.ok(allowed.has(name), `<${name}> appeared: ${where}`)
      for (const [attribute, value] of Object.entries(attributes)) {
        assert.ok(ATTRIBUTES.has(attribute), `${attribute} appeared: ${where}`)
        if (attribute === 'href' || attribute === 'src') assert.match(value, /^(?:(?:https?|ftp):\/\/|mailto:|xmpp:)/i, where)
      }
    }
  }
}

// oxlint-disable-next-line no-control-regex -- as a page has one that is no binary file
const escaped = (text: string) => text.replace(/[&<>"\u0002]/g, (character) => `&#${character.charCodeAt(0)};`)

const VECTORS = [
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '<svg/onload=alert(1)>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '</p><img src=x onerror=alert(1)>',
  '<!-- --><img src=x onerror=alert(1)>',
  '<?x ?><![CDATA[x]]><img src=x onerror=alert(1)>',
  '<javascript:alert(1)>',
  '[x](javascript:alert(1))',
  '![x](javascript:alert(1))',
  '[x]: javascript:alert(1)',
  '&lt;img src=x onerror=alert(1)&gt;',
  '```\n<img src=x onerror=alert(1)>',
  '|a|b|\n|-|-|\n|<img src=x onerror=alert(1)>|c|',
]
const BEFORE = [
  '',
  'http://a.example/',
  'https://a.example/?q=',
  'HTTP://a.example',
  'ftp://a.example/',
  'www.a.example/',
  'WWW.a.example',
  'a@b.example',
  'mailto:a@b.example',
  'xmpp:a@b.example/',
  'http://a.example/\\',
  'http://a.example/(',
  'http://a.example/`',
  '`',
  '\\',
  '\\www.a.example/',
  '!',
]
/** Ways to join a URL and the text behind it: directly, with an empty element between them, or with an element around one of them. */
const JOINTS: ((before: string, after: string) => string)[] = [
  (before, after) => before + after,
  (before, after) => `${before}<b></b>${after}`,
  (before, after) => `<b>${before}</b>${after}`,
  (before, after) => `${before}<code>${after}</code>`,
  (before, after) => `${before}<i>${after}</i>`,
  (before, after) => `<a href="/x">${before}${after}</a>`,
  (before, after) => `<a href="/x">${before}</a>${after}`,
  (before, after) => `${before}<a href="/x">${after}</a>`,
  (before, after) => `${before}<img src="/x" alt="${after}">`,
  (before, after) => `<s>${before}</s><code>${after}</code>`,
  (before, after) => `${before}<br>${after}`,
]
const BLOCKS: ((inline: string) => string)[] = [
  (inline) => `<p>${inline}</p>`,
  (inline) => `<h2>${inline}</h2>`,
  (inline) => `<ul><li>${inline}</li></ul>`,
  (inline) => `<blockquote>${inline}</blockquote>`,
  (inline) => `<table><tr><th>${inline}</th><th>x</th></tr><tr><td>${inline}</td><td><p>${inline}</p><p>y</p></td></tr></table>`,
  (inline) => `<dl><dt>${inline}</dt><dd>${inline}</dd></dl>`,
  (inline) => `<dl><dt>x</dt><dd><pre>${inline}</pre></dd><dd><ul><li><pre>${inline}\n\ny</pre></li></ul></dd></dl>`,
  (inline) => `<a href="/card"><div>${inline}</div></a>`,
  (inline) => `<details><summary>${inline}</summary></details>`,
  (inline) => `<div class="admonition note"><p class="admonition-title">${inline}</p><p>${inline}</p></div>`,
  (inline) => `<p>x<sup id="r"><a href="#n">1</a></sup></p><div id="n"><p>${inline} <a href="#r">1</a></p></div>`,
  (inline) => `<ul><li><blockquote><pre>${inline}</pre></blockquote></li></ul>`,
]

safety('A7: text after a URL that a renderer turns into a link becomes no element', () => {
  for (const before of BEFORE)
    for (const vector of VECTORS)
      for (const joint of JOINTS) for (const block of BLOCKS) assertText(block(joint(escaped(before), escaped(vector))))
})

safety('A7: the page of the first bug report becomes a link and text', () => {
  const written = markdownOf('<p>See http://a.example/&lt;img src=x onerror=alert(1)&gt;</p>')
  assert.is(written, 'See http://a.example/&lt;img src=x onerror=alert(1)>\n')
})

safety('A7: characters after the end of a URL are escaped with a backslash', () => {
  assert.is(markdownOf('<p>http://a.example/ &lt;img&gt; [x](y) *z*</p>'), 'http://a.example/ \\<img> \\[x\\](y) \\*z\\*\n')
  assert.is(markdownOf('<p>http://a.example/a_b_(c)/_d</p>'), 'http://a.example/a_b_(c)/&#95;d\n')
  assert.is(
    markdownOf('<p>see http://a.example/<br>and <a href="http://b.example/">www.b.example/</a><code>x</code></p>'),
    'see http://a.example/ \\\nand [www.b.example/](http://b.example/)`x`\n',
  )
})

safety('an alignment named like a member of Object.prototype is ignored', () => {
  const row = (cell: string) => `<tr><${cell} align="constructor">a</${cell}><${cell} align="right">b</${cell}></tr>`
  assert.is(markdownOf(`<table>${row('th')}${row('td')}</table>`), '| a | b |\n| --- | ---: |\n| a | b |\n')
})

safety('A7: removing a control character does not create markup', () => {
  for (const [html, written] of [
    ['<p>\\&#2;&lt;img src=x onerror=alert(1)&gt;</p>', '\\\\\\<img src=x onerror=alert(1)>\n'],
    ['<p>[x]&#2;(javascript:alert(1))</p>', '\\[x\\](javascript:alert(1))\n'],
    ['<p>&amp;&#1;lt;img src=x onerror=alert(1)&gt;</p>', '\\&lt;img src=x onerror=alert(1)>\n'],
    ['<p>&lt;&#127;img src=x onerror=alert(1)&gt;</p>', '\\<img src=x onerror=alert(1)>\n'],
    ['<p>[&#2;^1] a &#2; b</p>', '\\[^1] a b\n'],
  ] as const) {
    assert.is(markdownOf(html), written)
    assertText(html)
  }
})

safety('A7: code with backticks in a link, and code behind it, end no link and open no other', () => {
  for (const html of [
    '<p><a href="/x"><code>`</code></a><code>](javascript:alert(1))</code></p>',
    '<p><a href="/x"><code>``](javascript:alert(1))</code></a></p>',
    '<p><code><a href="/x">``](javascript:alert(1))</a></code></p>',
    '<p><a href="/x"><code>```</code></a><code>&lt;img src=x onerror=alert(1)></code></p>',
    '<a href="/x"><div><code>`</code> <code>](javascript:alert(1))</code></div></a>',
  ])
    assertText(html)
})

safety('A7: a footnote in angle brackets becomes no link in renderers without footnotes', () => {
  const note = (text: string) => `<p>x<sup id="r"><a href="#n">1</a></sup></p><div id="n"><p>${text} <a href="#r">1</a></p></div>`
  for (const [text, written] of [
    ['&lt; javascript:alert(1)&gt;', '< javascript:alert(1)> ↩'],
    ['&lt; javascript:alert(1)&gt; (a)', '< javascript:alert(1)> (a) ↩'],
    ['&lt;&lt;img src=x onerror=alert(1)&gt;', '<\\<img src=x onerror=alert(1)> ↩'],
    ['&lt; 5 of them', '< 5 of them'],
  ] as const) {
    assert.is(markdownOf(note(text)), `x[^1]\n\n[^1]: ${written}\n`)
    assertText(note(text))
  }
})

safety('A7: code at the start of a footnote is code in renderers without footnotes', () => {
  const code = '<pre>&lt;img src=x onerror=alert(1)&gt;\n\ny</pre>'
  for (const inner of [
    code,
    `<ul><li>${code}</ul>`,
    `<blockquote>${code}</blockquote>`,
    `<dl><dt></dt><dd>${code}</dl>`,
    `<div><div>${code}`,
  ])
    assertText(`<dl><dt>x</dt><dd>${inner}</dd></dl>`)
  assert.is(markdownOf('<dl><dt>x</dt><dd><pre>y</pre></dd><dd>z</dd></dl>'), '**x**\n\n  ```\n  y\n  ```\n: z\n')
})

const PIECES = fc.constantFrom(
  ...MARKDOWN_PIECES,
  '://',
  'http:',
  '//a.example/',
  'img src=x>',
  'lt;img>',
  '&#60;img>',
  '#60;',
  '[x]',
  '``',
  '__',
  '^',
  '| - | - |',
  '===',
  '\r',
  '\t',
  '\u00a0',
  ';',
  '?',
  '[ ]',
)
const TEXT = fc.array(PIECES, { maxLength: 6 }).map((pieces) => escaped(pieces.join('')))
const INLINE = fc.letrec<{ inline: string; run: string }>((tie) => ({
  inline: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    TEXT,
    fc
      .tuple(fc.constantFrom('b', 'i', 's', 'code', 'span', 'u', 'sup', 'sub', 'strong', 'em'), tie('run'))
      .map(([name, inner]) => `<${name}>${inner}</${name}>`),
    tie('run').map((inner) => `<a href="/x">${inner}</a>`),
    TEXT.map((alt) => `<img src="/y" alt="${alt}">`),
    fc.constant('<br>'),
  ),
  run: fc.array(tie('inline'), { maxLength: 4 }).map((parts) => parts.join('')),
})).run
const PAGE = fc.array(
  fc.tuple(fc.constantFrom(...BLOCKS), INLINE).map(([block, inline]) => block(inline)),
  { minLength: 1, maxLength: 3 },
)

safety('A7: no random page has text that becomes markup', () => {
  fc.assert(
    fc.property(PAGE, (blocks) => assertText(blocks.join(''))),
    { numRuns: 3000, seed: 7 },
  )
})

safety('A7: no random file of comma-separated values has text that becomes markup', () => {
  fc.assert(
    fc.property(fc.array(fc.array(PIECES, { maxLength: 5 }), { minLength: 4, maxLength: 9 }), (cells) => {
      const rows = cells.map((pieces) => `"${pieces.join('').replaceAll('"', '""')}","x"`)
      const written = markdownOf(rows.join('\n'), { contentType: 'text/csv' })
      for (const renderer of RENDERERS)
        for (const { name } of shown(renderer.parse(written) as string))
          assert.ok(
            ['table', 'thead', 'tbody', 'tr', 'th', 'td', 'p', 'a', 'br'].includes(name),
            `<${name}> from ${JSON.stringify(written)}`,
          )
    }),
    { numRuns: 500, seed: 7 },
  )
})

safety.run()
