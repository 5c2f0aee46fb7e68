/** Articles as the themes of weblog and manual generators print them. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readPage, type PageReading } from '#backend/crawler/page/read-page.ts'

const test = suite('main content of designs')

const P = '<p>The bridge over the brook carries cars again after seven months, and the old railing has been kept as it was.</p>'
/** Long enough to count in full. */
const LONG = P.replace(/<p>(.*)<\/p>/, '<p>$1 $1 $1</p>')
const POSTING = '<meta property="og:type" content="article"><title>Bridge</title>'

test('a sentence of an article stays below a heading, above code or another heading, whatever it is about', () => {
  const text = (last: string) => `${POSTING}<body><article><h1>Bridge</h1>${P.repeat(9)}
<h2>Install</h2><p>IN The mayor of the old town had no comment on it in the year before.</p><pre><code>npm install bridge</code></pre>
<h2>1. Mill</h2><p>IN The comment of the mill is as short as it was in the year before.</p>
<h2>2. Photo</h2><p>IN Photo shops in the valley said nothing about all of it this time.</p>
<h2>3. Town</h2><p>The town is open again, and all of the people are there in the yard.</p>${last}</article>`
  const { markdown } = read(text(''))
  assert.is(markdown.match(/\bIN\b/g)?.length, 3, markdown)
  const { markdown: withBoxes } = read(
    text(
      '<h3>Comments</h3><p>OUT No comments have been written about this story yet.</p><h3>Newsletter</h3><p>OUT Subscribe to our newsletter and share it on Facebook today.</p>',
    ),
  )
  assert.not.match(withBoxes, /OUT/, withBoxes)
})

test('such a sentence stays where each paragraph has a box of its own, or is no p element', () => {
  for (const paragraph of ['<div class="block"><p>$1</p></div>', '<span data-as="p">$1</span>', '<div class="para">$1</div>']) {
    const { markdown } = read(
      `${POSTING}<body><article><h1>Bridge</h1><div class="text">${P.repeat(9)}<h2>Mill</h2><p>IN The comment of the mill is as short as it was in the year before.</p>
<h2>Photo</h2><p>IN Photo shops in the valley said nothing about all of it this time.</p><h2>Town</h2>${P}</div></article>`.replaceAll(
        /<p>(.*?)<\/p>/g,
        paragraph,
      ),
    )
    assert.is(markdown.match(/\bIN\b/g)?.length, 2, markdown)
  }
})

test('headings whose words stand in a box beside their anchor stay', () => {
  const heading = (words: string) =>
    `<h2 id="x" class="flex"><div><a href="#x" aria-label="Direct link to heading"></a></div><div class="grow">${words}</div></h2>`
  for (const head of ['<title>Bridge</title>', POSTING]) {
    const { markdown } = read(
      `${head}<body><main><header><h1>Bridge</h1></header><div class="grid">${P.repeat(3)}${['IN How it began', 'IN After the flood', 'IN Photo of it'].map((words) => heading(words) + P.repeat(2)).join('')}</div></main>`,
    )
    assert.is(markdown.match(/^## .*IN /gm)?.length, 3, markdown)
  }
})

test('the title stays in a box that is named after the line beside it or after its place', () => {
  for (const name of ['post-info', 'entry-meta', 'hero overlay', 'masthead', 'page-topbar social'])
    for (const head of [POSTING, '<title>Bridge | Notes</title>']) {
      const { markdown } = read(
        `${head}<body><div class="${name}"><div class="row"><a href="/c/mills">OUT Mills</a></div><h1>Bridge</h1><div class="post-meta">OUT 4 March 2021</div></div>
<article class="post-content">${P.repeat(9)}</article><div class="sidebar"><h1><a href="/">OUT Notes</a></h1><p>OUT Small texts from the valley.</p></div>`,
      )
      assert.match(markdown, /^# Bridge$/m, name)
      assert.not.match(markdown, /OUT/, `${name}\n${markdown}`)
    }
})

test('a post of two sentences loses date, author and section like a long one', () => {
  const { markdown } = read(
    `${POSTING}<body><header><a href="/">OUT Notes</a></header><article><header><a class="section" href="/c/mills">OUT Mills</a><h1>Bridge</h1><ul><li><time>2021-03-04 OUT</time></li><li>OUT Mia Holt</li><li>OUT 164 words</li></ul></header>
<div><p>The bridge over the brook carries cars again after seven months of work. Nobody in the town complained about it, and the old railing has been kept as it was.</p></div></article>`,
  )
  assert.is(
    markdown.replace(/\s+$/, ''),
    '# Bridge\n\nThe bridge over the brook carries cars again after seven months of work. Nobody in the town complained about it, and the old railing has been kept as it was.',
  )
})

test('a short post stays in a box that is named like one of a sidebar, if its title is there', () => {
  const other =
    '<div class="post"><h3><a href="/m">The mill turns again</a></h3><div>The mill turns again, and bread is baked in the old house there each day of the week.</div></div>'
  for (const head of ['<title>The bridge is open</title>', POSTING.replace('Bridge', 'The bridge is open')]) {
    const { markdown } = read(
      `${head}<body><header><h1><a href="/">OUT Notes</a></h1></header><main><div class="widget Blog"><article><h3 class="post-title">The bridge is open</h3><div class="post-body">${P}</div></article></div>
<div class="widget PopularPosts"><h3>Popular posts</h3>${other.repeat(3)}</div></main>`,
    )
    assert.match(markdown, /^### The bridge is open\n\nThe bridge over the brook/)
  }
})

test('headers of panels, cards and sections stay, also where no element is marked as the main part', () => {
  const text = P.replaceAll(/<\/?p>/g, '')
  const each = (part: (number: number) => string) => [1, 2, 3, 4].map(part).join('')
  const bodies = [
    each(
      (no) =>
        `<div class="panel"><div class="panel-heading"><h4><a data-toggle="collapse" href="#a${no}">IN Question ${no}</a></h4></div><div id="a${no}">${text}</div></div>`,
    ),
    each(
      (no) =>
        `<div class="card"><div class="card-header">IN Question ${no}</div><div class="card-body">Yes. ${no === 1 ? text : ''}</div></div>`,
    ),
    `<ul>${each((no) => `<li><div class="timeline-panel"><div class="timeline-heading"><h4>IN 200${no}</h4></div><div>${text}</div></div></li>`)}</ul>`,
    each((no) => `<section><div class="section-header"><h2>IN Part ${no}</h2></div>${P}</section>`),
    each((no) => `<section><header><h2>IN Part ${no}</h2></header>${P}</section>`),
  ]
  const frames: [string, string][] = [
    ['<div class="container">', '</div>'],
    ['<main>', '</main>'],
  ]
  for (const body of bodies)
    for (const [open, close] of frames) {
      const { markdown } = read(
        `<title>Questions</title><body><div class="page"><div class="header"><h2>OUT Site of the town</h2><p>OUT All about it</p></div>${open}<h1>Questions</h1>${body}${close}<div class="foot"><div class="header">OUT Links</div><ul><li><a href="/m">OUT Mills</a></li></ul></div></div>`,
      )
      assert.is(markdown.match(/\bIN\b/g)?.length, 4, `${body}\n${markdown}`)
      assert.not.match(markdown, /OUT/, markdown)
    }
})

test('the header of a section stays, however many paragraphs stand before the sections', () => {
  const section = (no: number) => `<section><header><h2>IN Part ${no}</h2></header>${P}</section>`
  const { markdown } = read(`<title>Parts</title><body><div><h1>Parts</h1>${P.repeat(40)}${[1, 2, 3, 4].map(section).join('')}</div>`)
  assert.is(markdown.match(/\bIN\b/g)?.length, 4, markdown)
})

/** As GitHub puts it into a page. */
const boxedHeading = (level: number, words: string) =>
  `<div class="markdown-heading" dir="auto"><h${level} class="heading-element" dir="auto">${words}</h${level}><a class="anchor" href="#a"><svg></svg></a></div>`

test('headings stay that each have a box beside the paragraphs, as on GitHub', () => {
  const body = `${boxedHeading(1, 'IN Mills')}${P}${boxedHeading(2, 'IN <a href="/i">Install</a> <img src="/badge.svg" alt="">')}${P}
${boxedHeading(2, 'IN Credits')}<p>IN By ${'<a href="/a">Mia Holt of the mill</a>, '.repeat(30)}</p>`
  const { markdown } = read(
    `<title>Home</title><body><div class="heading"><h2>OUT Site of the town</h2></div><div id="content">${body}</div></body>`,
  )
  assert.is(markdown.match(/^#+ IN\b/gm)?.length, 3, markdown)
  assert.not.match(markdown, /OUT/, markdown)
})

test('such headings, and code in a box, stay beside an element with most of the text', () => {
  const code = '<div class="highlight highlight-source-sh"><pre>IN make all</pre></div>'
  const body = `${boxedHeading(2, 'IN Install')}<p>IN First.</p>${code}${boxedHeading(2, 'IN Use')}<div class="steps">${LONG.repeat(6)}</div>`
  const { markdown } = read(`<title>Home</title><body><main><h1>IN Mills</h1>${body}</main></body>`)
  assert.is(markdown.match(/\bIN\b/g)?.length, 5, markdown)
})

test('text stays around a box of code that is longer than all of it, whatever the generator puts around code', () => {
  const code = 'assert(isRegistry(new Registry(function () {})));\nassert(!isRegistry(null));\n'.repeat(9)
  const boxes = [
    `<pre><code>${code}</code></pre>`,
    `<div class="language-js highlighter-rouge"><div class="highlight"><pre class="highlight"><code>${code}</code></pre></div></div>`,
    `<div class="highlight-python notranslate"><div class="highlight"><pre>${code}</pre></div></div>`,
    `<div class="highlight highlight-source-js"><pre>${code}</pre><div class="zeroclipboard-container"><clipboard-copy></clipboard-copy></div></div>`,
    `<div class="language-js"><button title="Copy Code" class="copy"></button><span class="lang">js</span><pre class="shiki"><code>${code}</code></pre></div>`,
  ]
  for (const name of ['article', 'main', 'div'])
    for (const box of boxes) {
      const { markdown } = read(
        `<title>is-registry | Tools</title><body><nav><a href="/">OUT Tools</a></nav><${name}><h1>is-registry</h1><p>IN Is this value a Registry?</p><h2>IN Example</h2>${box}
<h2>IN Tests</h2><p>IN Clone the repository, and run <code>npm test</code></p><h2>IN Related</h2><ul><li><a href="/a">IN A searcher</a></li></ul></${name}>`,
      )
      assert.is(markdown.match(/\bIN\b/g)?.length, 6, `${name} ${box.slice(0, 60)}\n${markdown}`)
      assert.not.match(markdown, /OUT/)
    }
})

test('cards without links stay below the text of a page', () => {
  const cards = ['Ibbie Eckart', 'Arden Vasek', 'Toribio Nerthus', 'Malvina Cilla']
    .map(
      (name) =>
        `<div class="col mb-5"><div class="text-center"><img src="/x.jpg" alt=""><h5>IN ${name}</h5><div>IN Founder</div></div></div>`,
    )
    .join('')
  const { markdown } = read(
    `<title>About us</title><body><main><h1>About us</h1>${`<section class="py-5"><h2>Our aims</h2>${LONG}</section>`.repeat(2)}<section class="py-5"><h2>Our team</h2><div class="row">${cards}</div></section></main>`,
  )
  assert.is(markdown.match(/\bIN\b/g)?.length, 8, markdown)
  const beside = read(`<title>About us</title><body><main><h1>About us</h1>${LONG.repeat(40)}<h2>Our team</h2>${cards}</main>`)
  assert.is(beside.markdown.match(/\bIN\b/g)?.length, 8, 'below many paragraphs beside them')
})

test('the bar above a page goes, with its words, though it repeats the title', () => {
  const title = 'The oldest bridge of the town is open again'
  for (const name of ['topbar', 'site-topbar', 'top-bar']) {
    const { markdown } = read(
      `${POSTING.replace('Bridge', title)}<body><div id="${name}-wrapper"><div id="${name}"><span id="breadcrumb"><span><a href="/">OUT Home</a></span><span>${title}</span></span><div id="${name}-title">OUT Post</div><span>OUT Cancel</span></div></div><div id="main-wrapper"><div id="main"><div class="post"><h1>${title}</h1><div class="post-content">${P.repeat(9)}</div></div></div></div>`,
    )
    assert.not.match(markdown, /OUT/, `${name}\n${markdown}`)
    assert.is(markdown.split(title).length, 2, markdown)
  }
})

test('separators and numbers of readers above the text do not begin it, the number of a first chapter and a formula do', () => {
  const page = (last: string) =>
    read(
      `${POSTING}<body><article><div><div><div><h1>Bridge</h1></div><div><p><a href="/u/mia">OUT Mia Holt</a></p><p>·</p><div><span>4 min read OUT</span><p>·</p><span>Mar 4, 2021 OUT</span></div></div><div><p>1,204</p><p>${last}</p></div></div>${P.repeat(5)}</div></article>`,
    ).markdown
  assert.match(page('37'), /^# Bridge\n\nThe bridge over/)
  assert.not.match(page('~ 37 |'), '37')
  assert.match(page('1.'), /^# Bridge\n\n1\\?\.\n\nThe bridge over/)
  assert.match(page('2 + 2 = 4'), /^# Bridge\n\n2 \+ 2 = 4\n\nThe bridge over/)
})

test('a picture with a caption stays above the text of an article, but not in the running text alone', () => {
  const html = `${POSTING}<body><main><h1>Bridge</h1><div class="media"><figure><img src="/a.jpg"><figcaption>IN The bridge on Friday morning</figcaption></figure></div>
<div class="author"><img src="/jo.jpg"></div><div class="text">${LONG.repeat(4)}</div></main>`
  assert.match(read(html).markdown, /IN The bridge/)
  assert.not.match(read(html).markdown, /jo\.jpg/)
  assert.not.match(read(html, false).markdown, /IN The bridge/)
})

test('a lead above the text stays by the names that newspapers of several countries give it', () => {
  for (const name of ['opener', 'perex', 'chapo', 'ingress', 'news-detail-spot', 'sapo', 'item-summary', 'bajada', 'occhiello'])
    assert.match(
      read(
        `${POSTING}<body><div><h1>Bridge</h1><div class="${name}">IN The town promises an end of the works before the next winter comes.</div><div class="text">${LONG.repeat(4)}</div></div>`,
      ).markdown,
      /IN The town/,
      name,
    )
})

test('a short chapter below a long one stays: beside its heading, or in an element of its own with such a heading', () => {
  const beside = read(
    `<title>Pump</title><body><div class="page"><h1>Pump</h1><div class="level1">${LONG.repeat(3)}</div><h2>IN Parts</h2><div class="level2"><ul><li>IN Handle</li></ul></div>
<h2>OUT Related</h2><div class="links"><a href="/a">OUT One</a> <a href="/b">OUT Two</a></div></div>`,
  ).markdown
  assert.is(beside.match(/\bIN\b/g)?.length, 2, beside)
  assert.not.match(beside, /\bOUT\b/, beside)
  const inside = read(
    `<title>Ada Moor</title><body><main><div class="page"><h1>Ada Moor</h1><div><section class="life"><h2>Life</h2>${LONG.repeat(3)}</section>
<section class="services"><h2>IN Service</h2><div><h3>IN Visit</h3><p>IN Friends may come on Friday, from five to seven in the evening.</p></div></section></div></div></main>`,
  ).markdown
  assert.is(inside.match(/\bIN\b/g)?.length, 3, inside)
})

test('a heading in a box named header stays between two texts', () => {
  const { markdown } = read(
    `<title>Reset</title><body><div>${LONG.repeat(2)}<div class="block-sub_header"><h3>IN Steps</h3></div><div class="list">Hold the red button.</div>${LONG}<div class="block-big_header"><h3>OUT More</h3></div><div><a href="/a">OUT One</a></div></div>`,
  )
  assert.match(markdown, /^### IN Steps$/m)
  assert.not.match(markdown, /### OUT/)
})

test('the header of an article stays if the title is a line in it and its first-level heading says something else', () => {
  const { markdown } = read(
    `<title>Old bridge - News</title><meta property="og:type" content="article"><body><div class="article"><div class="article__header"><div class="article__title">Old bridge</div><h1 class="article__second-title">IN Council: the works begin in spring and end before winter</h1></div><div class="article__body">${LONG.repeat(4)}</div></div>`,
  )
  assert.match(markdown, /^# IN Council/m)
})

test.run()

function read(html: string, articleFrame = true): PageReading {
  return readPage(
    { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8', status: 200, url: 'https://site.example/2021/bridge' },
    { includeHtml: false, onlyMainContent: true, articleFrame, includeTags: [], excludeTags: [] },
  ) as PageReading
}
