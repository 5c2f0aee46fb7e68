/** Main content of pages as real server software and generators write them, reduced to the part that was read wrongly. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readPage, type PageReading } from '#backend/crawler/page/read-page.ts'

const test = suite('main content of pages by real software')

const TEXT = 'The keel of the boat was hauled out in spring, measured at twelve points, and repaired within nine days by two people. '

test('a title in a box stays when the groups of what it names stand in the same box', () => {
  const page = `<title>Harbour: Boat Class Reference</title><div class="header"><div class="summary"><a href="#m">Public Member Functions</a> | <a href="all.html">List of all members</a></div>
<div class="headertitle"><div class="title">Boat Class Reference<div class="ingroups"><a href="group.html">Mooring</a></div></div></div></div>
<div class="contents"><p>${TEXT.repeat(4)}</p><dl><dt>Returns</dt><dd>the boat</dd></dl></div>`
  assert.match(mainOf(page), /^Boat Class Reference\n/)
})

test('footnotes stay that stand beside the element with the text', () => {
  const page = `<title>Manual</title><div id="content"><h1>Manual</h1><p>${TEXT.repeat(4)}The crane.<sup>[<a id="r1" href="#d1">1</a>]</sup></p></div>
<div id="footnotes"><hr><div class="footnote" id="d1"><a href="#r1">1</a>. It is broken.</div></div><div class="footnotes">Prices <a href="/terms">may change</a>.</div>`
  assert.match(mainOf(page), /The crane\.\[\^1\]\n+(?:---\n+)?\[\^1\]: It is broken\.\n$/)
})

test('a list of links under a heading at the end is a section of the text, also when it leads to the index and the search', () => {
  const page = `<title>Manual</title><div class="body"><section><h1>Manual</h1><p>${TEXT}</p><section><h2>Indices</h2>
<ul><li><p><a href="genindex.html">Index</a></p></li><li><p><a href="search.html">Search Page</a></p></li></ul></section></section></div>`
  assert.match(mainOf(page), /## Indices\n\n- \[Index\]\(\S+\)\n\n- \[Search Page\]\(\S+\)\n$/)
})

test('the form for comments goes below a short text, whose comments stay', () => {
  const form = `<div id="respond" class="comment-respond"><h3>Leave a comment <small><a rel="nofollow" href="#respond">Cancel reply</a></small></h3>
<form class="comment-form"><p>Your email address will not be published.</p><p><label>Comment</label> <textarea></textarea></p><p><label>Name</label> <input></p></form></div>`
  const page = (
    comments: string,
  ) => `<title>A note</title><nav><a href="/">Home</a> <a href="/about">About the yard and its people</a></nav>
<main><article><h1>A note</h1><p>The crane is broken until Friday.</p></article><div id="comments" class="comments-area">${comments}${form}</div></main>
<aside>${'<a href="/x">Another note about the yard</a> '.repeat(9)}</aside>`
  assert.is(mainOf(page('')), '# A note\n\nThe crane is broken until Friday.\n')
  const withComment = mainOf(page('<ol class="comment-list"><li class="comment">Thank you!</li></ol>'))
  assert.is(withComment, '# A note\n\nThe crane is broken until Friday.\n\n1. Thank you!\n')
})

test('a button beside the title goes', () => {
  const page = `<title>Keel - Wiki</title><main><header class="body-header"><label for="toc" role="button">Toggle the table of contents</label><h1>Keel</h1></header>
<p>${TEXT.repeat(4)}</p><dl><dt>Port</dt><dd>the left side</dd></dl></main>`
  assert.match(mainOf(page), /^# Keel\n\nThe keel/)
})

test('where a print of the page can be retrieved goes', () => {
  const page = `<title>Parts</title><main><h1>Parts</h1><p>${TEXT}</p><h2>A</h2><ul><li><a href="/anchor">Anchor</a></li></ul>
<div class="printfooter">Retrieved from "<a href="/?id=1">https://site.example/?id=1</a>"</div></main>`
  assert.match(mainOf(page), /Anchor\]\(\S+\)\n$/)
})

test('a short section of an article stays beside a longer one, a section of links does not', () => {
  const sections =
    '<section><h2>2.1</h2><ul><li>Added two functions to moor.</li><li>Fixed a crash at low tide, which came each month.</li></ul></section><section><h2>2.0</h2><p>First release.</p></section>'
  const links = '<section><h2>More</h2><p><a href="/a">Another text about the sea</a></p></section>'
  const page = `<title>Changes</title><div itemscope itemtype="http://schema.org/Article"><div itemprop="articleBody"><section><h1 itemprop="headline">Changes</h1>${sections}${links}</section></div></div>`
  const markdown = mainOf(page)
  assert.match(markdown, /## 2\.0\n\nFirst release\.\n$/)
})

test('the heading of a page stays when the name of the site stands first in its title, and the name of the site goes', () => {
  const page = (
    home: string,
    name: string,
  ) => `<title>Harbour Blog - The winter of 1961</title><header id="banner"><h1><a href="${home}">${name}</a></h1></header>
<section id="content"><header><h2 class="entry-title"><a href="page" rel="bookmark">The winter of 1961</a></h2></header><div class="entry-content"><p>${TEXT.repeat(4)}</p></div></section>`
  for (const home of ['/', 'https://site.example/docs/', './index.html'])
    assert.match(mainOf(page(home, 'Harbour Blog')), /^## \[The winter of 1961\]\(\S+\)\n\nThe keel/)
  assert.match(
    mainOf(page('/', 'Harbour Blog').replace('Harbour Blog - The winter of 1961', 'The winter of 1961 - Harbour Blog')),
    /^## \[The winter/,
  )
})

test('the labels of a search form go, those of other forms stay', () => {
  const form = (method: string) =>
    `<form ${method} action="/s"><div><a href="/help">?</a> search: <input name="q"> <label><input type="checkbox">re</label></div></form>`
  const page = (method: string) => `<title>Tree</title>${form(method)}<h1>Tree</h1><p>${TEXT.repeat(4)}</p><dl><dt>a</dt><dd>b</dd></dl>`
  assert.match(mainOf(page('method="get"')), /^# Tree/)
  assert.match(mainOf(page('')), /^# Tree/)
  const sent = `<title>Order</title><h1>Order</h1><p>${TEXT.repeat(4)}</p><form method="post"><p>Name of the boat: <input name="boat"></p></form><p>${TEXT}</p><dl><dt>a</dt><dd>b</dd></dl>`
  assert.match(mainOf(sent), /Name of the boat/)
})

test('a caption goes with its picture when the picture is hidden, and a caption of a table stays', () => {
  const entry = `<article><h2><a href="/p">Post</a></h2><figure><a href="/p" aria-hidden="true"><img src="/p.jpg" alt=""></a><figcaption>Slipway, May 2024</figcaption></figure><p>${TEXT}</p></article>`
  const markdown = mainOf(`<title>Blog</title><main><h1>Blog</h1>${entry}${entry}
<article><h2>Table</h2><figure><table><tr><th>a<th>b<tr><td>1<td>2</table><figcaption>Measures</figcaption></figure><p>${TEXT}</p></article></main>`)
  assert.not.match(markdown, /Slipway/)
  assert.match(markdown, /Measures/)
})

test('what a reference calls the tags of a method stays, a list of topics goes', () => {
  const method = (name: string, tags: string) =>
    `<h3>#${name}</h3><div class="docstring"><p>${TEXT}</p></div><div class="tags">${tags}</div>`
  const markdown = mainOf(`<title>Class: Boat</title><main><h1>Class: Boat</h1>
${method('sail', '<p class="tag_title">Parameters:</p><ul class="param"><li><span class="name">speed</span> <span class="type">(<tt>Integer</tt>)</span> — in knots</li></ul>')}
${method('moor', '<div class="examples"><p>Examples:</p><pre class="code">b.moor</pre></div>')}
${method('new', '<p>Tags:</p><ul><li><a href="/t/wood">wood</a></li><li><a href="/t/oak">oak</a></li></ul>')}<p>${TEXT.repeat(6)}</p></main>`)
  assert.match(markdown, /Parameters:\n\n- speed \(`Integer`\) — in knots/)
  assert.match(markdown, /Examples:\n\n```\nb\.moor\n```/)
  assert.not.match(markdown, /wood/)
})

test('the title of an entry stays when its class calls it a header', () => {
  const entry = (no: number) =>
    `<div class="page"><div class="page-top"><span class="author">Marta</span> <span class="header"><a href="/p${no}">Post ${no}</a></span></div><p>${TEXT}</p></div>`
  const markdown = mainOf(`<title>Wiki</title><div><p>${TEXT}</p>${entry(1)}${entry(2)}</div>`)
  assert.match(markdown, /\[Post 1\][^]*\[Post 2\]/)
})

test('a box for the results of a search goes below a text, and results of a search stay', () => {
  const box = '<div class="search-results"><h1>results matching ""</h1><ul></ul><h1>No results matching ""</h1></div>'
  assert.is(mainOf(`<title>Keel</title><main><h1>Keel</h1><p>${TEXT}</p>${box}</main>`), `# Keel\n\n${TEXT.trim()}\n`)
  const found = `<div class="search-results"><h2><a href="/keel">Keel</a></h2><p>${TEXT}</p><h2><a href="/mast">Mast</a></h2><p>${TEXT}</p></div>`
  assert.match(
    mainOf(`<title>Search</title><main><h1>Search</h1><p>Two results.</p>${found}</main>`),
    /Two results\.\n\n## \[Keel\][^]*## \[Mast\]/,
  )
})

test('code stays in the box that Prism makes for its toolbar, whose entries go', () => {
  const code =
    '<div class="code-toolbar"><pre class="language-js line-numbers" tabindex="0"><code class="language-js">keel()<span aria-hidden="true" class="line-numbers-rows"><span></span></span></code></pre><div class="toolbar"><div class="toolbar-item"><span>JavaScript</span></div><div class="toolbar-item"><button>Copy</button></div></div></div>'
  assert.is(mainOf(`<main><h1>Keel</h1><p>${TEXT}</p>${code}</main>`), `# Keel\n\n${TEXT.trim()}\n\n\`\`\`js\nkeel()\n\`\`\`\n`)
  assert.is(mainOf(`<main><h1>Keel</h1><p>${TEXT}</p><div class="toolbar"><span>Edit</span></div></main>`), `# Keel\n\n${TEXT.trim()}\n`)
})

test('headings and notes of Docusaurus stay, whose class speaks of the bar that they scroll under', () => {
  const heading = (name: string) =>
    `<h2 class="anchor anchorTarget${name}_Vzrq" id="use">Use<a href="#use" class="hash-link" title="Direct link to Use">\u200b</a></h2><p>${TEXT}</p>`
  const note =
    '<p>Keel<sup><a href="#user-content-fn-1" id="user-content-fnref-1" data-footnote-ref="true" class="anchorTargetStickyNavbar_Vzrq">1</a></sup>.</p><section data-footnotes="true" class="footnotes"><h2 class="anchor anchorTargetStickyNavbar_Vzrq sr-only" id="footnote-label">Footnotes</h2><ol><li id="user-content-fn-1"><p>Below the line. <a href="#user-content-fnref-1" data-footnote-backref="" class="data-footnote-backref">↩</a></p></li></ol></section>'
  const page = `<main><article><header><h1>Keel</h1></header><p>${TEXT}</p>${heading('StickyNavbar')}${heading('HideOnScrollNavbar')}${note}</article></main>`
  const section = `## Use\n\n${TEXT.trim()}\n\n`
  assert.is(mainOf(page), `# Keel\n\n${TEXT.trim()}\n\n${section}${section}Keel[^1].\n\n[^1]: Below the line.\n`)
})

test('paragraphs, entries and links of a lone zero-width space are empty, other such spaces stay', () => {
  const line = '<p><span data-slate-zero-width="z">\ufeff</span></p>'
  const page = `<main><h1>Keel<a href="#keel">\u200b</a></h1>${line}<p>${TEXT}</p><div>\u200b</div><p>keel\u200bson, <i>\u200bx</i></p></main>`
  assert.is(mainOf(page), `# Keel\n\n${TEXT.trim()}\n\nkeel\u200bson, *\u200bx*\n`)
})

test('what a style clips to nothing, for screen readers alone, goes: the titles that Nuxt announces', () => {
  const read = (style: string) =>
    mainOf(`<main><span><span role="alert" style="border: 0px; ${style}; height: 1px">Keel · Boats</span></span><p>${TEXT}</p></main>`)
  for (const style of ['clip: rect(0px, 0px, 0px, 0px)', 'clip:rect(0 0 0 0)', 'clip: rect(1px,1px,1px,1px)', 'clip-path: inset(50%)'])
    assert.is(read(style), `${TEXT.trim()}\n`, style)
  for (const style of ['clip: rect(0px, 60px, 200px, 0px)', 'clip-path: inset(5%)', 'clip: rect(0, 0, 0)', 'clip-path: inset(100% 0 0 0)'])
    assert.match(read(style), 'Keel · Boats', style)
})

test('values in class names of Tailwind do not name an element, other names do', () => {
  const read = (name: string) =>
    mainOf(`<main><h1 class="${name}">Keel</h1><p>${TEXT}</p><p class="${name}">Two people.</p><p>${TEXT}</p></main>`)
  for (const name of [
    'scroll-mt-[var(--navbar-height)]',
    'scroll-mt-[calc(var(--navbar-height)+1rem)] font-bold',
    'mt-(--nav-height)',
    'lg:pt-header scroll-m-navbar',
    'pl-sidebar-width',
    'data-[sidebar=open]:ml-4',
    '[.menu_&]:hidden',
    'group-data-[state=open]/sidebar:ml-4 group-hover/menu:underline',
    'print:break-inside-avoid',
  ])
    assert.is(read(name), `# Keel\n\n${TEXT.trim()}\n\nTwo people.\n\n${TEXT.trim()}\n`, name)
  for (const name of [
    'navbar mt-4',
    'menu',
    'p-footer',
    'my-footer',
    'my-sidebar',
    'ml-subscribe-form',
    'sidebar [&_a]:underline',
    'js-menu/open',
  ])
    assert.not.match(read(name), 'Two people', name)
})

test('a page of a manual in the theme of Read the Docs is no article, although the theme calls it one', () => {
  const page = `<title>Crane — Yard 2.1 documentation</title><div role="main" class="document" itemscope itemtype="http://schema.org/Article"><div itemprop="articleBody">
<section id="crane"><h1>Crane<a class="headerlink" href="#crane" title="Permalink to this heading">¶</a></h1><p>${TEXT.repeat(3)}</p>
<section id="ropes"><h2>Ropes<a class="headerlink" href="#ropes" title="Permalink to this heading">¶</a></h2><div class="admonition note"><p class="admonition-title">Note</p>
<p>See <a href="rope.html">rope</a>.</p></div><pre>crane up</pre><p>See also:</p><ul><li><p><a href="winch.html">Winch</a></p></li></ul></section></section></div></div>`
  assert.match(mainOf(page), /## Ropes\n\n> \*\*Note\*\*\n>\n> See \[rope\]\(\S+\)\.\n\n```\ncrane up\n```\n\nSee also:\n\n- \[Winch\]/)
})

test('code stays whole, whatever its highlighter and its index of names call its parts', () => {
  const page = `<title>Crane</title><h1>Crane</h1><p>${TEXT.repeat(4)}</p>
<pre class="code ruby"><span class="kw">def</span> <span class="id identifier rubyid_add_tags">add_tags</span></pre>
<pre><span></span>ROPES = 2

<div class="viewcode-block" id="CookieJar"><a class="viewcode-back" href="../crane.html#CookieJar">[docs]</a>class CookieJar:
<div class="viewcode-block" id="CookieJar.skip"><a class="viewcode-back" href="../crane.html#CookieJar.skip">[docs]</a>    def skip(self): ...</div></div></pre>`
  const markdown = mainOf(page)
  assert.match(markdown, /\ndef add_tags\n/)
  assert.match(markdown, /\nROPES = 2\n\nclass CookieJar:\n {4}def skip\(self\): \.\.\.\n/)
})

test('items and sections of a manual stay that have an id like furniture', () => {
  const page = `<title>Crane</title><h1>Crane</h1><p>${TEXT.repeat(4)}</p>
<div class="section" id="sidebar"><h2><a class="toc-backref" href="#id7">Sidebar</a></h2><p>Sidebars stand beside the text.</p></div>
<div class="section" id="comments"><h2>Comments<a class="headerlink" href="#comments" title="Permalink">¶</a></h2><p>Two dots begin a comment.</p></div>
<div class="method-detail" id="method-i-skip_rope"><div class="method-heading">skip_rope(n)</div><p>Skips a rope.</p></div>
<div class="spec value anchored" id="val-print"><a href="#val-print" class="anchor"></a><code>val print : t</code></div>
<div class="section" id="newsletter"><h2>Newsletter</h2><p>OUT of scope.</p></div>`
  const markdown = mainOf(page)
  for (const text of ['Sidebars stand', 'Two dots begin', 'Skips a rope', 'val print']) assert.match(markdown, text)
  assert.not.match(markdown, 'OUT')
})

test('titles of Doxygen and Javadoc stay whatever the title of the document says', () => {
  const doxygen = `<title>Harbour Library</title><div class="header"><div class="headertitle"><div class="title">Boat Class Reference</div></div></div><div class="contents"><p>${TEXT.repeat(4)}</p></div>`
  assert.match(mainOf(doxygen), /^Boat Class Reference\n/)
  const javadoc = `<title>Boat (Harbour 2.1 API)</title><main role="main"><div class="header"><div class="subTitle">Package <a href="package-summary.html">org.harbour</a></div>
<h2 title="Class Boat" class="title">Class Boat</h2></div><div class="contentContainer"><div class="description"><pre>public class Boat</pre><p>${TEXT.repeat(4)}</p></div></div></main>`
  assert.match(mainOf(javadoc), /^Package \[org\.harbour\]\(\S+\)\n\n## Class Boat\n/)
})

test('short parts of a page stay in a manual: synopsis, declaration, flags, members', () => {
  const part = (name: string, content: string) =>
    `<div class="${name} toggle-wrapper"><h4 id="${name}">${name}</h4><div>${content}</div></div>`
  const page = `<title>Harbour.Boat:name</title><section id="main" class="content"><section>${part('description', `<p>${TEXT.repeat(6)}</p>`)}
${part('declaration', '<pre><code>property name: string</code></pre>')}${part('flags', '<table><tr><td>Readable</td><td>yes</td></tr><tr><td>Writable</td><td>no</td></tr></table>')}</section></section>`
  assert.match(mainOf(page), /#### declaration\n\n```\nproperty name: string\n```\n\n#### flags\n\n\| Readable \| yes \|/)
  const haddock = `<title>Harbour.Boat</title><div id="content"><div id="module-header"><p class="caption">Harbour.Boat</p></div><div id="description"><p class="caption">Description</p><div class="doc"><p>Boats and their names.</p></div></div>
<div id="synopsis"><details><summary>Synopsis</summary><ul><li class="src short"><a href="#v:name">name</a> :: Boat -&gt; String</li></ul></details></div><div id="interface"><h1>Documentation</h1><div class="doc"><p>${TEXT.repeat(6)}</p><pre>name boat</pre></div></div></div>`
  assert.match(mainOf(haddock), /Boats and their names\.\n[^]*Boat -> String\n[^]*# Documentation/)
})

test('the rows of a tree by Doxygen stay, also those that a click shows', () => {
  const row = (id: string, style: string, name: string) =>
    `<tr id="row_${id}_"${style}><td class="entry"><a href="${name}.html">${name}</a></td><td class="desc">${TEXT}</td></tr>`
  const page = `<title>Harbour: Class List</title><div class="contents"><table class="directory">${row('0', '', 'harbour')}${row('0_1', ' style="display:none;"', 'Boat')}</table></div>`
  assert.match(mainOf(page), /\[Boat\]/)
})

test('the title of a module stays with its introduction, and so do the tags of its items', () => {
  const page = `<title>Boat (harbour.Harbour.Boat)</title><body class="odoc"><nav class="odoc-nav"><a href="../index.html">Up</a></nav><header class="odoc-preamble"><h1>Module <code><span>Harbour.Boat</span></code></h1><p>Boats. ${TEXT.repeat(6)}</p></header>
<div class="odoc-content"><div class="odoc-spec"><div class="spec value" id="val-name"><a href="#val-name" class="anchor"></a><code>val name : t -&gt; string</code></div><div class="spec-doc"><p>${TEXT.repeat(9)}</p>
<ul class="at-tags"><li class="raises"><span class="at-tag">raises</span> <code>Not_found</code> <p>if it has none.</p></li></ul></div></div></div></body>`
  const markdown = mainOf(page)
  assert.match(markdown, /^# Module `Harbour\.Boat`\n\nBoats\. /)
  assert.match(markdown, /- raises `Not_found`\n\n {2}if it has none\.\n$/)
  const topics = `<title>A note</title><h1>A note</h1><p>${TEXT.repeat(6)}</p><ul class="tags"><li>harbour</li><li><span>boats</span></li></ul>`
  assert.not.match(mainOf(topics), 'boats')
})

test('a list of definitions or steps stays, although its class or its name is that of furniture', () => {
  const page = `<title>Tabs</title><h1>Tabs</h1><p>${TEXT.repeat(9)}</p><dl class="widget options"><dt>-active</dt><dd>${TEXT}</dd><dt>-anchor</dt><dd>${TEXT}</dd></dl><menu><li>First: ${TEXT}</li></menu>
<menu><li><a href="/a">OUT</a></li></menu><dl class="widget"><dt><a href="/b">OUT</a></dt></dl>`
  const markdown = mainOf(page)
  for (const text of ['-active', '-anchor', 'First: ']) assert.match(markdown, text)
  assert.not.match(markdown, 'OUT')
})

test('a list of chapters stays on a short page of a manual without code', () => {
  const page = `<title>Tutorial — Yard 2.1</title><div class="body"><section id="tutorial"><h1>Tutorial<a class="headerlink" href="#tutorial" title="Permalink to this heading">¶</a></h1><p>Contents:</p>
<ul><li class="toctree-l1"><a href="layout.html">Layout</a></li><li class="toctree-l1"><a href="ropes.html">Ropes</a></li></ul><p>${TEXT.repeat(2)}</p><p>${TEXT.repeat(2)}</p><p>${TEXT.repeat(2)}</p></section></div>`
  assert.match(mainOf(page), /Contents:\n\n- \[Layout\]\(\S+\)\n- \[Ropes\]/)
})

test('the name, the logo and the search of a project above a page by Doxygen go', () => {
  const page = `<title>Harbour: Boat Class Reference</title><div id="top"><div id="titlearea"><table><tr id="projectrow"><td id="projectlogo"><img alt="Logo" src="logo.png"></td>
<td><div id="projectname">OUT Harbour&nbsp;<span id="projectnumber">2.1</span></div><div id="projectbrief">OUT Boats and cranes</div></td></tr></table></div></div>
<div id="MSearchSelectWindow">OUT</div><div class="header"><div class="headertitle"><div class="title">Boat Class Reference</div></div></div>
<div class="contents"><table><tr><td><a href="a.html">name</a>()</td><td><a href="b.html">Boat</a></td></tr><tr><td><a href="c.html">crew</a>()</td><td><a href="b.html">Boat</a></td></tr></table></div>`
  const markdown = mainOf(page)
  assert.match(markdown, /^Boat Class Reference\n/)
  assert.not.match(markdown, /OUT|Logo/)
})

test('the title of a module type and of a class type stays with its introduction', () => {
  for (const kind of ['Module type', 'Class type']) {
    const page = `<title>S (harbour.Harbour.S)</title><body class="odoc"><header class="odoc-preamble"><h1>${kind} <code>Harbour.S</code></h1><p>Boats.</p></header>
<div class="odoc-content"><p>${TEXT.repeat(9)}</p></div></body>`
    assert.match(mainOf(page), `# ${kind} \`Harbour.S\`\n\nBoats.`)
  }
})

test('the name of a site is no title of an item, although it begins like a kind or has the class and the tip of a title', () => {
  for (const [name, header] of [
    ['Library Journal', '<header><h1>Library Journal</h1></header>'],
    ['Boat Blog', '<div class="header"><h1 class="title" title="Boat Blog">Boat Blog</h1></div>'],
  ])
    for (const title of [`News of May | ${name}`, 'News of May'])
      assert.not.match(mainOf(`<title>${title}</title>${header}<div><h2>News of May</h2><p>${TEXT.repeat(6)}</p></div>`), name!)
  const javadoc = `<title>Boat (Harbour 2.1 API)</title><div class="header"><h2 title="クラスBoat" class="title">クラスBoat</h2></div><div class="contentContainer"><p>${TEXT.repeat(6)}</p></div>`
  assert.match(mainOf(javadoc), /^## クラスBoat\n/)
})

test('topics of a note go, in a list of definitions and with a sign before each, too', () => {
  const note = `<title>A note</title><h1>A note</h1><p>${TEXT.repeat(9)}</p>`
  for (const topics of [
    '<dl class="tags"><dt>Tagged with:</dt><dd><a href="/sea">Sea</a></dd></dl>',
    '<ul class="tags"><li><span>#</span>sea</li><li><span>#</span>boats</li></ul>',
  ])
    assert.not.match(mainOf(note + topics), /sea/i)
  const tags = '<dl class="tags"><dt>See also</dt><dd>the page of <a href="/sea">the sea</a></dd></dl>'
  assert.match(mainOf(note + tags), 'the page of')
})

test('an element whose name is that of furniture is dropped although it begins with a link to itself, or its heading has a permalink', () => {
  for (const id of ['comments', 'sidebar'])
    for (const heading of [`<a href="#${id}">Two of them</a>`, `Two of them <a href="#${id}">#</a>`]) {
      const text = `<div id="${id}"><h3>${heading}</h3><p>OUT ${TEXT}</p></div>`
      assert.not.match(mainOf(`<title>A note</title><article><h1>A note</h1><p>${TEXT.repeat(9)}</p>${text}</article>`), 'OUT')
    }
})

test('the bar above code is dropped if it stands in the same block, and so are words for screen readers', () => {
  const code =
    '<code><div class="line">crane.<span class="menu">menu</span>()</div><div class="line">up()<span class="sr-only">OUT</span></div></code>'
  for (const bar of ['<div class="toolbar"><span>OUT</span></div>', '<div class="code-menu"><a href="#">OUT</a></div>']) {
    const markdown = mainOf(`<title>Crane</title><h1>Crane</h1><p>${TEXT.repeat(4)}</p><pre>${bar}${code}</pre>`)
    assert.match(markdown, /\n```\ncrane\.menu\(\)\nup\(\)\n```\n$/)
  }
})

function mainOf(html: string): string {
  const source = { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8', status: 200, url: 'https://site.example/docs/page' }
  const rules = { includeHtml: false, onlyMainContent: true, articleFrame: true, includeTags: [], excludeTags: [] }
  return (readPage(source, rules) as PageReading).markdown
}

test.run()
