/** Main content of manuals and references, as their generators write them, reduced to the part that was read wrongly. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readMainContent as read } from '#tests/support/main-content-of.ts'

const test = suite('main content of references')

const TEXT = 'The keel of the boat was hauled out in spring, measured at twelve points, and repaired within nine days by two people. '

test('the title stays above a long table of contents in the same header, and classes of the body about that table drop nothing', () => {
  const chapters = Array.from({ length: 40 }, (_, at) => `<li><a href="#c${at}">${at}. A chapter about boats</a></li>`).join('')
  const page = `<title>Boats</title><body class="book toc2 toc-left"><div id="header"><h1>Boats</h1><div class="details"><span class="author">Ana</span></div>
<div id="toc" class="toc2"><div id="toctitle">Table of Contents</div><ul>${chapters}</ul></div></div>
<div id="content"><div class="sect1"><h2 id="c0">Keels</h2><p>${TEXT.repeat(6)}</p></div></div></body>`
  const reading = read(page)
  assert.is(reading.metadata['extraction'], undefined)
  assert.match(reading.markdown, /^# Boats\n\n## Keels\n\nThe keel [^\n]+\n$/)
})

test('a line that introduces a quotation or code stays with it', () => {
  for (const quoted of [`<blockquote><p>${TEXT}</p></blockquote>`, `<pre>moor --fast</pre>`]) {
    const page = `<title>Boats</title><body><h1>Boats</h1><p>${TEXT.repeat(6)}</p><blockquote><p>${TEXT}</p></blockquote><p>Another photo comment is similar:</p>${quoted}<p>${TEXT.repeat(6)}</p>`
    assert.match(read(page).markdown, /\n\nAnother photo comment is similar:\n\n(?:>|```)/)
  }
})

test('all entries stay in a list of members whose links lead to places in other pages', () => {
  const members = Array.from({ length: 60 }, (_, at) => {
    const link = `<span><b><a href="../widgets/boat.html#m${at}">m${at}Changed</a></b></span>`
    return at % 3 === 0 ? `<li>${link}()</li>` : `<li>${link}(const Harbour &, Qt::WindowFlags, double ) const : QVariant</li>`
  })
  const page = `<title>Boat Class | Harbour 5</title><h1>All Members</h1><p>These are all members of <a href="boat.html">Boat</a>, including inherited ones. ${TEXT}</p>
<div class="table"><table class="propsummary"><tr><td><ul>${members.join('')}</ul></td><td><ul>${members.join('')}</ul></td></tr></table></div>`
  assert.is(read(page).markdown.match(/^[-*] \*\*\[m\d/gm)?.length, 120)
})

test('a short explanation stays below code that is not in a `pre`', () => {
  const page = `<title>Gradient</title><h1>Gradient</h1><p>${TEXT.repeat(4)}</p><blockquote><table class="RktBlk"><tr><td>(get-stops)</td></tr></table></blockquote>
<div><div></div><div>Returns the photo stops</div></div>`
  assert.match(read(page).markdown, /Returns the photo stops\n$/)
})

test('an item of a reference stays if its id is its name and that name is a word for furniture', () => {
  for (const name of ['skip', 'share', 'menu', 'footer']) {
    const item = `<div id="${name}"><dt><pre><a href="#T">proc</a> ${name}(socket: Socket)</pre></dt><dd>Ends the ${name} of it.</dd></div>`
    const page = `<title>Net</title><h1>Net</h1><p>${TEXT.repeat(9)}</p><dl>${item}</dl><div id="${name}"><a href="/a">About</a></div>`
    const { markdown } = read(page)
    assert.ok(markdown.includes(`Ends the ${name} of it.`), name)
    assert.not.match(markdown, /About/)
  }
})

test('a footer whose id is not the name of anything in it is left out, although it has code or definitions', () => {
  for (const part of ['<p>Made by <code>harbour-pages</code> at night.</p>', '<dl><dt>Harbour</dt><dd>Quay 1, open at night</dd></dl>']) {
    const page = `<title>Net</title><h1>Net</h1><p>${TEXT.repeat(9)}</p><pre>row</pre><div id="footer">${part}</div>`
    assert.not.match(read(page).markdown, /at night/)
  }
})

test('the line with the name of a wiki below the title is left out', () => {
  const page = `<title>Keel - Boat Wiki</title><div id="content"><h1 id="firstHeading">Keel</h1><div id="bodyContent"><div id="siteSub">From Boat Wiki</div>
<p>${TEXT.repeat(4)}</p><table><tr><th>Length</th><td>9 m</td></tr></table></div></div>`
  assert.match(read(page).markdown, /^# Keel\n\nThe keel/)
})

test('an icon within a sentence stays, although its file is named like a button for sharing', () => {
  const page = `<title>Boats</title><h1>Boats</h1><p>${TEXT.repeat(4)}</p><p>To get the whole chart on paper, use the <span class="image"><img src="/icons/print_button.png" alt="printer"></span> icon or the menu.</p>
<p><img src="/icons/print_button.png" alt="Send"></p>`
  const { markdown } = read(page)
  assert.match(markdown, /use the !\[printer\]\(\S+\) icon/)
  assert.not.match(markdown, /Send/)
})

test('chapters stay beside the longest section of one of them', () => {
  const page = `<title>colors - Boats</title><div id="container"><h2>NAME</h2><p>colors</p><div id="parameters"><h3>Parameters:</h3><dl>${`<dt>scale</dt><dd>${TEXT}</dd>`.repeat(9)}</dl></div>
<h2>DESCRIPTION</h2><em>colors</em> has the same functions as <em><a href="c.html">c</a></em>.<h2>EXAMPLES</h2><div class="code"><pre>colors x</pre></div></div>`
  assert.match(read(page).markdown, /\n## DESCRIPTION\n\n\*colors\* has [^\n]+\n\n## EXAMPLES\n\n```\ncolors x\n```\n$/)
})

test('the documentation of parameters stays whose types are links and more than half of its text', () => {
  const page = `<title>Class: Pot</title><h1>Class: Pot</h1><p>${TEXT.repeat(9)}</p><div class="tags"><p class="tag_title">Parameters:</p>
<ul class="param"><li><span class="name">files</span> <span class="type">(<tt><a href="F.html">CodeObjects::ExtraFileObject</a></tt>)</span> a list of <a href="F.html">CodeObjects::ExtraFileObject</a></li></ul></div>`
  assert.match(read(page).markdown, /\n- files \(/)
})

test('a formula, or links to the rest of posts and to their comments, do not make a page a manual', () => {
  const paragraph = `<p>${TEXT.repeat(3)}</p>`
  const formula = `${paragraph}<p>So <script type="math/tex">x^2</script> holds.</p>${paragraph}${paragraph}`
  const posts = Array.from({ length: 6 }, (_, at) => {
    const url = `/posts/${at}`
    return `<h2><a href="${url}">Post ${at}</a></h2>${paragraph}<p><a href="${url}#more-${at}">More</a> <a href="${url}#comments">3 comments</a></p>`
  })
  for (const text of [formula, posts.join('')]) {
    const { markdown } = read(`<title>Boats</title><h1>Boats</h1>${text}<p>Photo: Ana Harbour / Agency</p>`)
    assert.match(markdown, /two people\./)
    assert.not.match(markdown, /Agency/)
  }
})

test.run()
