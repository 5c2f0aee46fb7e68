/** Formulas of a page appear in its Markdown as TeX, once, whatever library renders them. */
import { Marked } from 'marked'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { safeTex } from '#backend/crawler/formats/math.ts'
import { readPage, type PageReading } from '#backend/crawler/page/read-page.ts'

const formulas = suite('formulas in Markdown')

const SEMANTICS =
  '<semantics><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><annotation encoding="application/x-tex">a+b</annotation></semantics>'
const KATEX = `<span class="katex"><span class="katex-mathml"><math>${SEMANTICS}</math></span><span class="katex-html" aria-hidden="true"><span class="mord">a</span><span class="mbin">+</span><span class="mord">b</span></span></span>`
const ROOT = '<msqrt><mi>x</mi></msqrt><mo>=</mo><mfrac><mn>1</mn><mn>2</mn></mfrac>'

const CASES: [why: string, html: string, expected: string][] = [
  ['KaTeX', `<p>Let ${KATEX} be.</p>`, 'Let $a+b$ be.'],
  ['KaTeX, display formula', `<p>Let <span class="katex-display">${KATEX}</span> be.</p>`, 'Let\n\n$$\na+b\n$$\n\nbe.'],
  [
    'MathJax 2',
    '<p>x <span class="MathJax_Preview">[a]</span><span class="MathJax"><nobr>a<sup>2</sup></nobr></span><script type="math/tex">a^2</script> y</p>',
    'x $a^2$ y',
  ],
  [
    'MathJax 2, display formula',
    '<p>x</p><div class="MathJax_Display">a=b</div><script type="math/tex; mode=display">\\begin{aligned}\n a &= b \\\\\n c &= d\n\\end{aligned}</script><p>y</p>',
    'x\n\n$$\n\\begin{aligned}\na &= b \\\\\nc &= d\n\\end{aligned}\n$$\n\ny',
  ],
  [
    'MathJax 3',
    `<p>x <mjx-container jax="CHTML"><mjx-math aria-hidden="true"><mjx-mi>x</mjx-mi></mjx-math><mjx-assistive-mml><math>${ROOT}</math></mjx-assistive-mml></mjx-container>.</p>`,
    'x $\\sqrt{x} = \\frac{1}{2}$.',
  ],
  ['MathML', `<p>So <math>${ROOT}</math></p>`, 'So $\\sqrt{x} = \\frac{1}{2}$'],
  ['MathML, display formula', `<math display="block">${ROOT}</math>`, '$$\n\\sqrt{x} = \\frac{1}{2}\n$$'],
  ['MathML with TeX in alttext', '<p><math alttext="x^{2}"><msup><mi>x</mi><mn>2</mn></msup></math></p>', '$x^{2}$'],
  [
    'functions in MathML',
    '<p><math><mi>sin</mi><mi>x</mi><mo>+</mo><mi>s</mi><mi>in</mi><mo>=</mo><mtext>max</mtext></math></p>',
    '$\\sin x + s in = \\text{max}$',
  ],
  ['broken MathML', '<p>a <math><mfrac><mi>x</mi></mfrac></math> b</p>', 'a x b'],
  [
    'MediaWiki',
    '<p>The <span class="mwe-math-element"><span style="display: none;"><math alttext="{\\displaystyle E=mc^{2}}"><mi>E</mi></math></span><img src="/e.svg" class="mwe-math-fallback-image-inline" alt="{\\displaystyle E=mc^{2}}"></span> law</p>',
    'The $E=mc^{2}$ law',
  ],
  ['images of formulas', '<p>x <img class="latex" src="/x.png" alt="\\alpha"> y</p>', 'x $\\alpha$ y'],
  [
    'Sphinx',
    '<div class="math notranslate nohighlight" id="e"><span class="eqno">(1)<a class="headerlink" href="#e">¶</a></span>\\[x^2\\]</div>',
    '$$\nx^2 \\tag{1}\n$$',
  ],
  [
    'Pandoc, MkDocs',
    '<p><span class="math inline">\\(x\\)</span> <span class="arithmatex">\\(y\\)</span></p><span class="math display">\\[z\\]</span>',
    '$x$ $y$\n\n$$\nz\n$$',
  ],
  ['Stack Exchange, GitHub', '<p><span class="math-container">$x$</span> <math-renderer>$y$</math-renderer></p>', '$x$ $y$'],
  ['inline and display TeX in one paragraph', '<p>As \\(a\\) and \\[b^2\\] so</p>', 'As $a$ and $$b^2$$ so'],
  ['TeX delimiters in text', '<p>As \\(a_i\\), and</p><p>\\[ b \\]</p><p>$$c = d$$</p>', 'As $a_i$, and\n\n$$\nb\n$$\n\n$$\nc = d\n$$'],
  ['TeX delimiters without a formula', '<p>Write \\( and \\) or $$ to $$$</p>', 'Write \\\\( and \\\\) or \\$\\$ to \\$\\$\\$'],
  ['a dollar sign beside a formula', `<p>$5 for ${KATEX}</p>`, '\\$5 for $a+b$'],
  [
    'formulas in table cells',
    `<table><tr><th>A<th>B<tr><td><span class="math">\\(|a|\\)</span><td>$1</table>`,
    '| A | B |\n| --- | --- |\n| $\\vert a\\vert $ | $1 |',
  ],
  ['adjacent formulas', '<p><math alttext="a"></math><math alttext="b"></math></p>', '$a$ $b$'],
]

function markdownOf(html: string, onlyMainContent = false): string {
  const page = readPage(
    { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8', status: 200, url: 'https://site.example/d/p' },
    { includeHtml: true, onlyMainContent, includeTags: [], excludeTags: [] },
  ) as PageReading
  assert.not.match(page.html!, /<script/)
  return page.markdown
}

formulas('a formula appears as TeX, once', () => {
  for (const [why, html, expected] of CASES) assert.is(markdownOf(html), expected + '\n', why)
})

formulas('a formula is part of the main content', () => {
  const text = 'Words of a paragraph that is long enough to be read as one. '.repeat(6)
  for (const [why, html, expected] of CASES.slice(0, 10)) {
    const written = markdownOf(
      `<title>T</title><nav><a href="/">Home</a></nav><main><h1>T</h1><p>${text}</p>${html}<p>${text}</p></main>`,
      true,
    )
    assert.ok(written.includes(expected), `${why}: ${written}`)
  }
})

formulas('a formula contains nothing that a renderer without formulas reads as markup', () => {
  const hostile =
    '<img src=x onerror=alert(1)> [x](javascript:alert(1)) ![y](z) `a` &lt;b> *c* [d]: javascript:x [^1] </p> ~~e~~ <!-- $z$ \\'
  for (const tex of [
    hostile,
    hostile.split(' ').join('\n'),
    '- a\n- b',
    '+ a',
    '# a',
    '> a',
    '1. a',
    '= a\n===',
    '| - |\n| - |',
    '~~~\na',
    '```\na',
    '---',
  ])
    for (const html of [
      `<p>http://a.example/<math alttext="\\x ${escaped(tex)}"></math>&lt;img src=x></p>`,
      `<math display="block"><semantics><annotation encoding="application/x-tex">${escaped(tex)}</annotation></semantics></math>`,
    ])
      for (const gfm of [true, false]) {
        const written = markdownOf(html)
        const shown = new Marked({ gfm, async: false }).parse(written) as string
        for (const [, name] of shown.matchAll(/<([a-z][a-z\d]*)/gi)) assert.ok(name === 'p' || name === 'a', `<${name}> from ${written}`)
        assert.not.match(shown, /href="(?!http:\/\/a\.example)/)
      }
})

formulas('a formula keeps its meaning after unsafe parts are replaced', () => {
  assert.is(safeTex('{\\displaystyle a<b}', false), 'a< b')
  assert.is(safeTex('\\begin{align*}a&b\\end{align*}', true), '\\begin{align*}a& b\\end{align*}')
  assert.is(safeTex('\\text{if $x$}', false), '\\text{if \\(x\\)}')
  assert.is(safeTex('a % comment\n+ b', true), 'a + b')
  assert.is(safeTex('x_1^2', false), 'x_1^2')
})

const escaped = (text: string) => text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`)

formulas.run()
