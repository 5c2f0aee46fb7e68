/** HTML that documentation generators, highlighters and editors make from Markdown is turned into that Markdown again. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { markdownOf } from '#tests/support/markdown-of.ts'

const generators = suite('HTML of generators')

type Case = [maker: string, html: string, expected: string]

const CODE: Case[] = [
  [
    'rustdoc',
    '<div class="example-wrap"><pre class="rust rust-example-rendered"><code><span class="kw">let </span>x;</code></pre></div>',
    '```rust\nlet x;\n```',
  ],
  [
    'Scribble',
    '<h3>7<tt>&nbsp;</tt>Use</h3><blockquote class="SCodeFlow"><table class="RktBlk"><tr><td><span class="RktPn">(</span><a href="/d">f</a></td></tr><tr><td><span class="hspace">&nbsp;&nbsp;</span>x)</td></tr></table></blockquote>',
    '### 7 Use\n\n> ```\n> (f\n>   x)\n> ```',
  ],
  ['Prism', '<pre class="language-css"><code class="language-css">a {}</code></pre>', '```css\na {}\n```'],
  ['highlight.js', '<pre><code class="hljs python">x</code></pre>', '```python\nx\n```'],
  [
    'Pandoc',
    '<div class="sourceCode"><pre class="sourceCode haskell"><code class="sourceCode haskell">x</code></pre></div>',
    '```haskell\nx\n```',
  ],
  [
    'Rouge',
    '<div class="language-ruby highlighter-rouge"><div class="highlight"><pre class="highlight"><code>x</code></pre></div></div>',
    '```ruby\nx\n```',
  ],
  [
    'Rouge, line numbers in a table within a code element',
    '<div class="language-ruby highlighter-rouge"><div class="highlight"><code><table class="rouge-table"><tbody><tr><td class="rouge-gutter gl"><pre class="lineno">1\n2\n</pre></td><td class="rouge-code"><pre>a\n  b\n</pre></td></tr></tbody></table></code></div></div>',
    '```ruby\na\n  b\n```',
  ],
  [
    'Hexo, with a class of the theme',
    '<figure class="theme-code highlight js"><table><tr><td class="gutter"><pre><span class="line">1</span><br></pre></td><td class="code"><pre><span class="line">x</span><br></pre></td></tr></table></figure>',
    '```js\nx\n```',
  ],
  ['MediaWiki', '<div class="mw-highlight mw-highlight-lang-lua mw-content-ltr"><pre>x</pre></div>', '```lua\nx\n```'],
  ['SyntaxHighlighter', '<pre class="brush: js; gutter: false">x</pre>', '```js\nx\n```'],
  ['GitLab', '<pre class="code highlight" lang="ruby"><code>x</code></pre>', '```ruby\nx\n```'],
  ['nested <pre>', '<pre class="language-go"><pre>x</pre></pre>', '```go\nx\n```'],
  ['a language name that is not ASCII', '<pre><code class="language-föö">x</code></pre>', '```föö\nx\n```'],
  ['no language name', '<pre class="wp-block-code"><code class="has-text">x</code></pre>', '```\nx\n```'],
  [
    'Pygments, inline line numbers',
    '<pre><span class="linenos">1</span>a = 1\n<span class="linenos">2</span>b = 2\n</pre>',
    '```\na = 1\nb = 2\n```',
  ],
  [
    'Pygments, line numbers in a table',
    '<table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>1\n2</pre></div></td><td class="code"><div class="highlight-c"><pre>a\n  b\n</pre></div></td></tr></table>',
    '```c\na\n  b\n```',
  ],
  [
    'Hugo, line numbers in a table',
    '<div class="highlight"><div class="chroma"><table class="lntable"><tr><td class="lntd"><pre class="chroma"><code><span class="lnt">1\n</span><span class="lnt">2\n</span></code></pre></td><td class="lntd"><pre class="chroma"><code class="language-go" data-lang="go">a\nb\n</code></pre></td></tr></table></div></div>',
    '```go\na\nb\n```',
  ],
  [
    'Hugo, inline line numbers',
    '<pre class="chroma"><code class="language-go" data-lang="go"><span class="line"><span class="ln">1</span><span class="cl">a\n</span></span><span class="line"><span class="ln">2</span><span class="cl">b\n</span></span></code></pre>',
    '```go\na\nb\n```',
  ],
  [
    'highlightjs-line-numbers',
    '<pre><code class="hljs js"><table class="hljs-ln"><tr><td class="hljs-ln-numbers" data-line-number="1">1</td><td class="hljs-ln-code">a</td></tr><tr><td class="hljs-ln-numbers" data-line-number="2">2</td><td class="hljs-ln-code">  b</td></tr></table></code></pre>',
    '```js\na\n  b\n```',
  ],
  [
    'GitHub',
    '<table class="highlight"><tr><td class="blob-num" data-line-number="1"></td><td class="blob-code">a</td></tr><tr><td class="blob-num" data-line-number="2"></td><td class="blob-code">b</td></tr></table>',
    '```\na\nb\n```',
  ],
  [
    'Doxygen',
    '<div class="fragment"><div class="line"><a id="l1"></a><span class="lineno">    1</span> <span class="kw">int</span> f() {</div>\n<div class="line"><span class="lineno">    2</span>   <span class="kw">return</span> 1;</div>\n<div class="line"><span class="lineno">    3</span> }</div>\n</div>',
    '```\nint f() {\n  return 1;\n}\n```',
  ],
  ['reveal.js, a slide fragment', '<div class="fragment"><p>a</p></div>', 'a'],
  [
    'VitePress',
    '<div class="language-ts"><button title="Copy"></button><span class="lang">ts</span><pre class="shiki"><code><span class="line">a</span>\n<span class="line">b</span></code></pre></div>',
    '```ts\na\nb\n```',
  ],
  [
    'a data table with numbers in its first column',
    '<table><tr><td>1</td><td>a</td></tr><tr><td>2</td><td>b</td></tr></table>',
    '| 1 | a |\n| --- | --- |\n| 2 | b |',
  ],
]

const NOTES: Case[] = [
  [
    'Sphinx',
    '<div class="admonition warning"><p class="admonition-title">Warning</p><p>a</p><p>b</p></div>',
    '> **Warning**\n>\n> a\n>\n> b',
  ],
  [
    'MkDocs, mdbook-admonish',
    '<div class="admonition tip"><p class="admonition-title">Do <em>this</em></p><pre><code>x</code></pre></div>',
    '> **Do *this***\n>\n> ```\n> x\n> ```',
  ],
  ['MkDocs, collapsible', '<details class="note"><summary>More</summary><p>a</p></details>', '> **More**\n>\n> a'],
  [
    'Docusaurus',
    '<div class="theme-admonition theme-admonition-tip admonition_xJq3 alert alert--success"><div class="admonitionHeading_Gvgb"><span class="admonitionIcon_Rf37"><svg></svg></span>tip</div><div class="admonitionContent_BuS1"><p>a</p></div></div>',
    '> **Tip**\n>\n> a',
  ],
  [
    'Rspress',
    '<div class="rspress-directive tip"><div class="rspress-directive-title">Fresh</div><div class="rspress-directive-content"><p>a</p></div></div><details class="rspress-directive details"><summary class="rspress-directive-title">Why</summary><div class="rspress-directive-content"><p>b</p></div></details>',
    '> **Fresh**\n>\n> a\n\n**Why**\n\nb',
  ],
  ['VitePress', '<div class="danger custom-block"><p class="custom-block-title">STOP</p><p>a</p></div>', '> **STOP**\n>\n> a'],
  [
    'AsciiDoc, text title',
    '<div class="admonitionblock note"><table><tr><td class="icon"><div class="title">Note</div></td><td class="content"><div class="paragraph"><p>a</p></div></td></tr></table></div>',
    '> **Note**\n>\n> a',
  ],
  [
    'AsciiDoc, icon',
    '<div class="admonitionblock caution"><table><tr><td class="icon"><i class="fa icon-caution" title="Caution"></i></td><td class="content">a</td></tr></table></div>',
    '> **Caution**\n>\n> a',
  ],
  ['DocBook', '<div class="important"><h3 class="title">Wichtig</h3><p>a</p></div>', '> **Wichtig**\n>\n> a'],
  ['rustdoc, mdBook', '<div class="warning">a</div>', '> **Warning**\n>\n> a'],
  [
    'mdBook',
    '<blockquote class="blockquote-tag blockquote-tag-note"><p class="blockquote-tag-title"><svg></svg>Note</p><p>a</p></blockquote>',
    '> **Note**\n>\n> a',
  ],
  [
    'GitHub',
    '<div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title"><svg></svg>Tip</p><p>a</p></div>',
    '> **Tip**\n>\n> a',
  ],
  ['Doxygen', '<dl class="section warning"><dt>Warning</dt><dd>a</dd></dl>', '> **Warning**\n>\n> a'],
  [
    'Javadoc',
    '<div class="deprecation-block"><span class="deprecated-label">Deprecated.</span><div class="deprecation-comment">a</div></div>',
    '> **Deprecated.**\n>\n> a',
  ],
  ['Hugo, Docsy', '<div class="alert alert-warning" role="alert"><h4 class="alert-heading">Look</h4><p>a</p></div>', '> **Look**\n>\n> a'],
  ['Hugo, Book', '<blockquote class="book-hint warning"><p>a</p></blockquote>', '> **Warning**\n>\n> a'],
  [
    'Hugo, Relearn',
    '<div class="box notices cstyle tip"><div class="box-label"><i class="fa"></i> Tip</div><div class="box-content"><p>a</p></div></div>',
    '> **Tip**\n>\n> a',
  ],
  [
    'Starlight',
    '<aside aria-label="Note" class="starlight-aside starlight-aside--note"><p class="starlight-aside__title">Note</p><div><p>a</p></div></aside>',
    '> **Note**\n>\n> a',
  ],
  ['an alert without a type', '<div class="alert"><p>a</p></div>', 'a'],
]

const FOOTNOTES: Case[] = [
  [
    'Pandoc, GitHub, Hugo',
    '<p>a<sup id="fnref:1"><a href="#fn:1" class="footnote-ref" role="doc-noteref">1</a></sup>, b<sup id="fnref:2"><a href="#fn:2">2</a></sup></p><section class="footnotes"><hr><ol><li id="fn:1"><p>One <em>note</em>. <a href="#fnref:1" class="footnote-backref">↩︎</a></p></li><li id="fn:2"><p>Ibid.&#160;<a href="#fnref:2">↩</a></p></li></ol></section>',
    'a[^1], b[^2]\n\n---\n\n[^1]: One *note*.\n\n[^2]: Ibid. ↩',
  ],
  [
    'MediaWiki',
    '<p>a<sup id="cite_ref-x_1-0" class="reference"><a href="#cite_note-x-1"><span class="cite-bracket">[</span>1<span class="cite-bracket">]</span></a></sup> b<sup id="cite_ref-x_1-1"><a href="#cite_note-x-1">[1]</a></sup></p><ol class="references"><li id="cite_note-x-1"><span class="mw-cite-backlink">^ <a href="#cite_ref-x_1-0"><sup><i><b>a</b></i></sup></a> <a href="#cite_ref-x_1-1"><sup>b</sup></a></span> <span class="reference-text">A <a href="/b">book</a></span></li></ol>',
    'a[^1] b[^1]\n\n[^1]: A [book](https://site.example/b)',
  ],
  [
    'Sphinx',
    '<p>a <a class="footnote-reference brackets" href="#id2" id="id1" role="doc-noteref"><span class="fn-bracket">[</span>1<span class="fn-bracket">]</span></a></p><aside class="footnote brackets" id="id2" role="doc-footnote"><span class="label"><span class="fn-bracket">[</span><a role="doc-backlink" href="#id1">1</a><span class="fn-bracket">]</span></span><p>A note.</p></aside>',
    'a [^1]\n\n[^1]: A note.',
  ],
  [
    'AsciiDoc',
    '<p>a<sup class="footnote">[<a id="_footnoteref_1" class="footnote" href="#_footnotedef_1" title="View footnote.">1</a>]</sup></p><div id="footnotes"><hr><div class="footnote" id="_footnotedef_1"><a href="#_footnoteref_1">1</a>. A note.</div></div>',
    'a[^1]\n\n---\n\n[^1]: A note.',
  ],
  [
    'DocBook',
    '<p>a<a href="#ftn.id1" class="footnote" id="id1"><sup class="footnote">[1]</sup></a></p><div class="footnotes"><div id="ftn.id1" class="footnote"><p><a href="#id1" class="para"><sup class="para">[1] </sup></a>A note.</p></div></div>',
    'a[^1]\n\n[^1]: A note.',
  ],
  [
    'links between a table of contents and its headings',
    '<p><a id="t" href="#s">1</a></p><h2 id="s"><a href="#t">Part</a></h2>',
    '[1](https://site.example/d/p#s)\n\n## Part',
  ],
  [
    'a link to a note that does not link back',
    '<p>a<sup><a href="#n">1</a></sup></p><ol><li id="n">A note.</li></ol>',
    'a[1](https://site.example/d/p#n)\n\n1. A note.',
  ],
  [
    'a footnote that is only a javascript: URL',
    '<p>a<sup id="r"><a href="#n">1</a></sup>(b)</p><p id="n">javascript:alert(1) <a href="#r">↩</a></p>',
    'a[^1]\\(b)\n\n[^1]: javascript:alert(1) ↩',
  ],
]

const PARAGRAPHS: Case[] = [
  [
    'Mintlify',
    '<div><span data-as="p">a <b>b</b></span>\n<span data-as="p">c</span><ul><li><span data-as="p">d</span></li></ul></div>',
    'a **b**\n\nc\n\n- d',
  ],
  ['paragraphs by their role', '<div><span class="x" role="paragraph">a</span><span class="x" role="paragraph">b</span></div>', 'a\n\nb'],
]

const OTHERS: Case[] = [
  [
    'GitHub task list',
    '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" disabled checked> a</li><li class="task-list-item"><input type="checkbox" disabled> b</li></ul>',
    '- [x] a\n- [ ] b',
  ],
  [
    'task list items with paragraphs and labels',
    '<ul><li><p><input type="checkbox" disabled> a</p></li><li><label class="task-list-control"><input type="checkbox" disabled checked><span></span></label> b</li></ul>',
    '- [ ] a\n\n- [x] b',
  ],
  ['a filter checkbox of a shop', '<ul><li><input type="checkbox" name="f"> Red</li></ul>', '- Red'],
  [
    'videos',
    '<p>a</p><iframe src="https://tube.example/embed/x1" title="A [film]" allowfullscreen></iframe><video title="B" controls><source src="/b.mp4" type="video/mp4">no</video>',
    'a\n\n[A \\[film\\]](https://tube.example/embed/x1) [B](https://site.example/b.mp4)',
  ],
  [
    'iframes that are not videos',
    '<p>a<iframe src="https://ads.example/x"></iframe><iframe src="https://x.example/player" width="1" height="1"></iframe></p>',
    'a',
  ],
  [
    'diagrams of Mermaid that a script draws',
    '<p>a</p><div class="mermaid">\ngraph LR\n    X--&gt;Y\n</div><pre class="mermaid">graph TD\n  A</pre><div class="mermaid"><svg><text>X</text></svg></div>',
    'a\n\n```mermaid\ngraph LR\n    X-->Y\n```\n\n```mermaid\ngraph TD\n  A\n```',
  ],
  [
    'a div with the id mermaid is no code',
    '<table><tr><th>X</th><th>Y</th></tr><tr><td><div id="mermaid">a <b>b</b></div></td><td>c</td></tr></table>',
    '| X | Y |\n| --- | --- |\n| a **b** | c |',
  ],
  [
    'frames of a frameset are links',
    '<frameset cols="20%,80%"><frame src="toc.html" title="Contents [all]"><frameset><frame name="main" src="/intro.html"><frame src="about:blank"><frame title=" " src="https://other.example/a/end.html?x"></frameset><noframes>no</noframes></frameset>',
    '- [Contents \\[all\\]](https://site.example/d/toc.html)\n- [main](https://site.example/intro.html)\n- [end.html](https://other.example/a/end.html?x)',
  ],
  [
    'tabs with roles (Docusaurus, Starlight)',
    '<div class="tabs-container"><ul role="tablist" class="tabs"><li role="tab">npm</li><li role="tab">Yarn</li></ul><div class="margin-top--md"><div role="tabpanel"><pre>a</pre></div><div role="tabpanel" hidden><pre>b</pre></div></div></div>',
    '**npm**\n\n```\na\n```\n\n**Yarn**\n\n```\nb\n```',
  ],
  [
    'tabs of MkDocs',
    '<div class="tabbed-set tabbed-alternate"><input type="radio"><input type="radio"><div class="tabbed-labels"><label for="a">C</label><label for="b">C++</label></div><div class="tabbed-content"><div class="tabbed-block"><p>a</p></div><div class="tabbed-block"><p>b</p></div></div></div>',
    '**C**\n\na\n\n**C++**\n\nb',
  ],
  [
    'tabs of sphinx-design',
    '<div class="sd-tab-set"><input type="radio"><label class="sd-tab-label" for="x">Linux</label><div class="sd-tab-content"><p>a</p></div><input type="radio"><label class="sd-tab-label">Mac</label><div class="sd-tab-content"><p>b</p></div></div>',
    '**Linux**\n\na\n\n**Mac**\n\nb',
  ],
  [
    'code groups of VitePress',
    '<div class="vp-code-group"><div class="tabs"><input type="radio"><label>a.js</label><input type="radio"><label>a.ts</label></div><div class="blocks"><div class="language-js active"><span class="lang">js</span><pre><code>a</code></pre></div><div class="language-ts"><span class="lang">ts</span><pre><code>b</code></pre></div></div></div>',
    '**a.js**\n\n```js\na\n```\n\n**a.ts**\n\n```ts\nb\n```',
  ],
  [
    'tabs of Bootstrap (Docsy)',
    '<ul class="nav nav-tabs" role="tablist"><li><button id="t1" role="tab" data-bs-target="#p1" aria-controls="p1">Bash</button></li><li><button id="t2" role="tab">Fish</button></li></ul><div class="tab-content"><div class="tab-pane active" id="p1" role="tabpanel"><p>a</p></div><div class="tab-pane" role="tabpanel" aria-labelledby="t2"><p>b</p></div></div>',
    '**Bash**\n\na\n\n**Fish**\n\nb',
  ],
]

for (const [what, cases] of Object.entries({
  code: CODE,
  admonitions: NOTES,
  footnotes: FOOTNOTES,
  paragraphs: PARAGRAPHS,
  'task lists, videos and tabs': OTHERS,
}))
  generators(`HTML of generators becomes the Markdown that it was made from: ${what}`, () => {
    for (const [maker, html, expected] of cases) assert.is(markdownOf(html), expected + '\n', maker)
  })

generators.run()
