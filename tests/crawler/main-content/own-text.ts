/** Main content of pages that consist of their author's own text: read-mes and pages of manuals. Nothing of that text may be missing. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readPage, type PageReading } from '#backend/crawler/page/read-page.ts'

const test = suite('main content of texts by one author')

const TEXT = 'The keel of the boat was hauled out in spring, measured at twelve points, and repaired within nine days by two people. '

test('pictures keep their links and long alt texts on pages that do not declare themselves articles: badges, formulas', () => {
  const formula = 'A formula, '.repeat(12).trim()
  const page = (
    head: string,
  ) => `<title>moor</title>${head}<h1>moor</h1><p>${TEXT.repeat(4)}<a href="https://ci.example/moor"><img src="https://ci.example/moor.svg" alt="Build"></a>
<a href="/t" title="All the tides of a year">Tides</a>: <img src="/f.png" alt="${formula}"></p><p>${TEXT.repeat(4)}</p>`
  const markdown = mainOf(page(''))
  assert.match(markdown, /\[!\[Build\]\(https:\/\/ci\.example\/moor\.svg\)\]\(https:\/\/ci\.example\/moor\)/)
  assert.match(markdown, /\[Tides\]\(\S+ "All the tides of a year"\): !\[A formula, /)
  assert.match(mainOf(page('<meta property="og:type" content="article">')), /people\. !\[Build\]\(\S+\) \[Tides\]\(\S+\): !\[\]/)
})

test('one entry of a list does not go alone, whatever it is about', () => {
  const entries = ['Server', 'Request', 'Reply'].map(
    (name) => `<li><a href="${name}.html">${name}</a>: Describes the ${name} that is passed into each handler.</li>`,
  )
  const page = `<title>moor</title><h1>moor</h1><p>${TEXT.repeat(6)}</p><h2>Parts</h2><ul>${entries.join('')}<li>Plugins: Describes how plugins are loaded into the server.</li></ul><p>${TEXT.repeat(2)}</p>`
  assert.match(mainOf(page), /\[Reply\]\(\S+\): Describes the Reply that is passed into each handler\./)
})

test('the chapters below a short text stay where a generator of manuals wrote the page', () => {
  const chapters = '<ul class="section-toc"><li><a href="a.html">Mooring a boat</a></li><li><a href="b.html">Tides</a></li></ul>'
  const paging = '<p>Next: <a href="n.html" rel="next">Keels</a>, Up: <a href="index.html" rel="up">Top</a></p><hr>'
  const page = (generator: string) =>
    `<title>Boats</title><meta name="Generator" content="${generator}">${paging}<h2>8 Boats</h2><p>${TEXT.repeat(6)}</p>${chapters}${paging}`
  for (const generator of ['makeinfo', 'LaTeX2HTML v2022.2'])
    assert.match(mainOf(page(generator)), /^## 8 Boats\n\nThe keel [^\n]+\n\n- \[Mooring a boat\]\(\S+\)\n- \[Tides\]\(\S+\)\n/)
})

test('sections of a manual stay beside a longer one by such a generator, with author and date of the book', () => {
  const page = `<title>MOOR</title><meta name="generator" content="DocBook XSL Stylesheets Vsnapshot"><div class="navheader"><a href="p.html">Prev</a></div>
<div class="refentry"><div class="titlepage"><h1>MOOR</h1><p class="pubdate">2022-12-17</p></div><div class="refsynopsisdiv"><h2>Synopsis</h2><pre>MOOR boat\n${TEXT.repeat(9)}</pre></div>
<div class="refsect1"><h2>Description</h2><p>It is an alias.</p></div><div class="refsect1"><h2>See Also</h2><a href="anchor.html">ANCHOR</a></div></div>`
  const markdown = mainOf(page)
  assert.match(markdown, /^# MOOR\n\n2022-12-17\n\n## Synopsis\n/)
  assert.match(markdown, /## Description\n\nIt is an alias\.\n\n## See Also\n\n\[ANCHOR\]\(\S+\)\n$/)
})

test('a table of contents stays if most of its links lead to other pages, though the first leads to this one', () => {
  const page = (other: string) => `<title>Boats</title><h1>Boats</h1><div class="toc"><dl>
<dt><a href="page#keel">Keel</a></dt><dt><a href="${other}#bow">Bow</a></dt><dt><a href="${other}#mast">Mast</a></dt></dl></div><h2 id="keel">Keel</h2><p>${TEXT.repeat(6)}</p>`
  assert.match(mainOf(page('page2')), /\[Bow\]\(\S+\)[^]*\[Mast\]/)
  assert.not.match(mainOf(page('page')), 'Bow')
})

test('a sidebar within the text stays, also where its class has capitals', () => {
  const page = `<TITLE>Boats</TITLE><H1>Boats</H1><P>${TEXT.repeat(6)}</P><TABLE CLASS="SIDEBAR"><TR><TD><DIV CLASS="SIDEBAR"><P>When not to moor:</P><UL><LI>${TEXT.repeat(2)}</LI></UL></DIV></TD></TR></TABLE><P>${TEXT.repeat(3)}</P>`
  assert.match(mainOf(page), 'When not to moor:')
})

test('tags of a predicate stay that consist of links to other predicates', () => {
  const page = (tags: string) =>
    `<title>lists</title><h1>lists</h1><p>${TEXT.repeat(6)}</p><dl><dt>moor/2</dt><dd>${TEXT}<dl class="tags">${tags}</dl></dd></dl>`
  assert.match(mainOf(page('<dt class="tag">See also</dt><dd><a href="lists.html#append/3">append/3</a></dd>')), '[append/3](')
  assert.match(mainOf(page('<dt class="tag">deprecated</dt><dd>Use <a href="lists.html#incr/1">increment/1</a>.</dd>')), 'Use [incr')
})

test('texts with the elements of programs and keys are manuals, which lose no short line', () => {
  for (const name of ['tt', 'samp', 'kbd', 'var']) {
    const page = `<title>moor</title><p><b>moor</b></p><p>${TEXT.repeat(6)}</p><p><${name}>moor boat-name berth-name [options...]</${name}></p><p>Comment on the tide.</p>`
    assert.match(mainOf(page), /moor boat-name berth-name [^]*Comment on the tide\.\n$/)
  }
})

test('code stays above an element with most of the text, however short it is', () => {
  const page = `<title>moor</title><h2>Commands</h2>The syntax of a command is<pre>
  <a href="#name">name</a> := command
</pre>and nothing else.<div><h2>Repetition</h2><p>${TEXT.repeat(6)}</p></div>`
  assert.match(mainOf(page), /The syntax of a command is\n\n```\n +name := command\n```\n\nand nothing else\.\n/)
})

function mainOf(html: string): string {
  const bytes = new TextEncoder().encode(html)
  const rules = { includeHtml: false, onlyMainContent: true, articleFrame: true, includeTags: [], excludeTags: [] }
  return (
    readPage({ bytes, contentType: 'text/html; charset=utf-8', status: 200, url: 'https://site.example/docs/page' }, rules) as PageReading
  ).markdown
}

test.run()
