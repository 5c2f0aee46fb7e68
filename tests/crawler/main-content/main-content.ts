import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ExtractionRules } from '#backend/crawler/page/extraction-rules.ts'
import { readPage, type PageReading } from '#backend/crawler/page/read-page.ts'

const test = suite('main content')

const P = '<p>The bridge over the brook carries cars again after seven months, and the old railing has been kept as it was.</p>'
const TEXT = P.repeat(4)
/** Long enough to count in full. */
const LONG = P.replace(/<p>(.*)<\/p>/, '<p>$1 $1 $1</p>')

/** Parts removed from an article: each row's `OUT` goes, each `IN` stays. */
const ARTICLES: [why: string, body: string][] = [
  [
    'section link, headline and byline go, the subheading stays',
    '<a href="/s">OUT Section</a><h1>OUT Title of it</h1><h2>IN A line under the headline that says it again in other words</h2><div>By OUT Mia, 4 March 2021</div>' +
      TEXT,
  ],
  ['breadcrumbs before the text', '<div><a href="/">OUT Home</a> › <a href="/n">OUT News</a> ›</div>' + TEXT],
  ['a short line in the header of the article', '<article><header><p>OUT It is open.</p></header>' + TEXT + '</article>'],
  [
    'a lead below headline and date in the header of the article',
    '<article><header><h1>OUT Title of it</h1><p>OUT 4 March 2021</p><p class="standfirst">IN The town has opened its oldest bridge again after months of work.</p></header>' +
      TEXT +
      '</article>',
  ],
  ['a headline that differs from the title', '<h1>IN Something else altogether</h1>' + TEXT],
  [
    'section headings below the headline',
    `<h1>OUT Title of it</h1><h2>IN What was done to the bridge and by whom it was done</h2>${TEXT}<h2>IN What it cost</h2>${TEXT}`,
  ],
  ['a short first paragraph', '<h1>OUT Title of it</h1><p>IN Hello.</p>' + TEXT],
  ['a heading with nothing below it', TEXT + '<h3>OUT Comments</h3><div></div>'],
  [
    'tags and credits below the text',
    TEXT +
      '<div>OUT Topics</div><ul><li><a href="/t/1">OUT bridge</a></li><li><a href="/t/2">OUT brook</a></li></ul><p>OUT Reporting by A. B.; editing by C. D.</p>'
        .replace('OUT Rep', 'Rep')
        .replace('A. B.', 'OUT'),
  ],
  [
    'a list of sources below the text',
    TEXT +
      '<h2>IN Sources</h2><ul><li><a href="https://a.example/">IN first</a></li><li><a href="https://b.example/">IN second</a></li></ul>',
  ],
  ['a short last paragraph', TEXT + '<p>IN That is all.</p>'],
  [
    'cells of a data table, with and without header cells',
    LONG.repeat(3) +
      ['<th><p>IN Pad<th><p>IN Use<th>Purpose', '<td>Pad<td>IN Use<td>Purpose']
        .map(
          (first) =>
            `<table><tr>${first}${[1, 2, 3, 4].map((no) => `<tr><td><p>${no}<td><p>IN source<td><p>Raw video capture, connected to the interface ${no}`).join('')}</table>`,
        )
        .join(''),
  ],
  [
    'a column beside the text that is mostly links, whatever its class',
    `<div><div class="one"><h1>IN Another title</h1>${P.repeat(9)}</div><div class="two"><h3>OUT Most viewed</h3>${'<div><a href="/x">OUT Another mill burnt down in May</a></div>'.repeat(20)}${P.replace('The', 'OUT').repeat(4)}</div></div>`,
  ],
  [
    'a heading above a lower heading',
    `<div>${TEXT}<ul><li><a href="/a">OUT</a></li></ul><div><h2>IN Section</h2></div><div><h3>IN Part</h3></div>${P}</div>`,
  ],
  [
    'slides: pictures with a heading and a text, not with a caption alone',
    TEXT +
      `<figure><h2>IN 1. The mill</h2><img src="/1.jpg"><figcaption>${P.replace('The', 'IN')}</figcaption></figure>`.repeat(3) +
      `<figure><img src="/2.jpg"><figcaption>OUT The bridge in May.</figcaption></figure>${TEXT}`,
  ],
  ['parts of a recipe, whatever else their names say', `<div class="recipe-ingredients print-links"><b>IN</b> 350 g sugar</div>${TEXT}`],
  [
    'the steps of a recipe, each in a box of its own',
    `<div>${LONG.repeat(9)}<ul>${['IN Stir', 'IN Comment on the photo', 'IN Chill'].map((text) => `<li><div class="recipe-instruction-text"><span>${text}</span></div></li>`).join('')}</ul></div>`,
  ],
  [
    'sentences in boxes of their own, with advertisements between them',
    `<div>${LONG.repeat(9)}<ul>${['The mill is open again, and all of the people are there in the yard.', 'Comment from the mayor was expected on Monday, and nothing came.', 'The town is open again, and all of the people are there in the yard.'].map((text) => `<li><div>IN ${text}</div><div class="ad-slot">OUT</div></li>`).join('')}</ul></div>`,
  ],
  [
    'a lead that is called a teaser and has a link',
    `<div class="teaser-text">${LONG.replace('</p>', ' <a href="/x">IN</a></p>').repeat(2)}</div>${LONG.repeat(9)}`,
  ],
  [
    'a last paragraph that is a heading for its size',
    `${TEXT}<h3>IN The bridge over the brook carries cars again after seven months, and the old railing has been kept as it was. The mayor says that it will be closed again in May, for three weeks at the most, since two of its lamps do not burn yet.</h3>`,
  ],
  [
    'links and icons for sharing, but not quotations and pictures to share',
    `${TEXT}<div><div><a href="https://www.facebook.com/sharer/sharer.php?u=x">OUT teilen</a> <a href="mailto:?subject=x">OUT mail</a> <a href="https://twitter.com/intent/tweet?url=x"><img src="/i/tweet-button.png" alt="OUT"></a><img src="/img/share/facebook-icon.png" alt="OUT"></div></div>` +
      `<p>Send it to a friend <a href="https://wa.me/?text=x">IN by this link</a>, or tell them about it yourself.</p><blockquote><a href="https://twitter.com/share?text=x">IN The bridge carries cars again after seven months</a></blockquote>` +
      `<p><a href="https://pinterest.com/pin/create/button/?url=x"><img src="/bridge-pin.jpg" alt="IN"></a></p>${TEXT}`,
  ],
  [
    'lines that are headings only by their class or style, or because they are bold',
    `<div>${TEXT}<ul><li><a href="/a">OUT</a></li></ul><div><strong>IN 2. Plant</strong></div>${P}<div><span class="step-title">IN Water</span></div>${P}<div style="font-size:13px; font-weight:bold"><a name="light">IN</a> 3. Light</div>${P}</div>`,
  ],
  [
    'a short sentence between paragraphs, whatever it is about',
    `<div>${TEXT.repeat(6)}<p>IN The mill had no comment on the opening of the bridge.</p><p>IN Photo shops of the valley said nothing about all of it (<a href="/s">7</a>).</p>${TEXT}<h2>IN Later</h2><p>IN Subscribe was all that the mayor said to the people there.</p>${P}` +
      `<ul>${P.replaceAll('p>', 'li>')}<li>IN Comment from the mayor was expected on Monday, and nothing came.</li>${P.replaceAll('p>', 'li>')}</ul></div>`,
  ],
  [
    'short paragraphs above the element with most of the text, but not below it',
    `<div><p>IN The town says that the bridge is open again for all of the carts.</p><p>OUT Short</p><div>${LONG.repeat(6)}</div><p>OUT The town hall is closed on all Mondays and Tuesdays in May.</p></div>`,
  ],
  [
    'links in the first and the last line of a text without paragraphs',
    `<div>The <a href="/m">IN mill</a>'s old bridge over the brook carries cars again after seven months and after some more days, as the <a href="/h">IN town hall</a> says.<br><br>${LONG.replaceAll(/<\/?p>/g, '')}<hr>${LONG.replaceAll(/<\/?p>/g, '')}<br><br>All about it is on the pages of the <a href="/o">IN old town</a>.</div>`,
  ],
  [
    'paragraphs that the page marks as its text one by one',
    `<div><div><p itemprop="articleBody"><a href="/p">IN The mayor of the old town</a> spoke.</p></div><div><h3>OUT Related</h3><ul><li><a href="/r">OUT Mill</a></li></ul></div><div>${LONG.replace('<p>', '<p itemprop="articleBody">').repeat(6)}</div></div>`,
  ],
  [
    'comments of readers, in boxes of their own and in other languages',
    TEXT +
      ['visitor_comment_content', 'comentarios_lectores', 'articleComments', 'commentaires']
        .map((name) => `<div class="${name}">OUT ${P}</div>`)
        .join(''),
  ],
  [
    'what a class of a framework hides, except for parts that unfold',
    `${TEXT}<div class="badge hidden">OUT ${P}</div><div class="more-text hidden">IN ${P}</div><div class="hidden md:block">IN ${P}</div>${TEXT}`,
  ],
  [
    'a “Read more” list between paragraphs',
    TEXT +
      '<h3>Read more OUT</h3><ul><li>OUT why <a href="/1">the OUT mill</a></li><li>OUT <a href="/2">the OUT barn closed</a></li></ul>' +
      TEXT,
  ],
  [
    'teasers of other articles below the text',
    TEXT +
      '<h3>You may also like OUT</h3>' +
      '<div class="t"><a href="/1">OUT One</a><p>OUT The beginning of it that goes on for a while.</p></div>'.repeat(2),
  ],
  [
    'a section called “Related work”',
    TEXT + '<h2>IN Related work</h2><p>IN Others built bridges before, see <a href="/x">the list of IN all bridges</a>.</p>' + TEXT,
  ],
  [
    'a box that asks readers to subscribe',
    TEXT + '<div class="box"><div>Subscribe OUT</div><div><a href="/n">Get OUT</a> every morning</div></div>' + TEXT,
  ],
  ['an advertisement', TEXT + '<div>Advert</div><p>Advertisement OUT</p>' + TEXT],
  ['author and date as list items', '<h1>OUT Title of it</h1><ul><li>By OUT Mia</li><li>4 March 2021, 10:30</li></ul>' + TEXT],
  ['reading time', '<h1>OUT Title of it</h1><p>Reading time OUT: 2 minutes</p>' + TEXT],
  ['a shortcode left in the text', TEXT + '<p>[button link="/kit" type="big"] OUT Send us yours[/button]</p>' + TEXT],
  [
    'an author biography in italics and a credit line',
    TEXT +
      '<p><em>OUT Mia writes about bridges, and her book on </em><a href="/b"><em>brooks</em></a><em> is in the shops now.</em></p><p>OUT Ada and Mia contributed to this report.</p>',
  ],
  [
    'a last paragraph partly in italics',
    TEXT + '<p><em>IN The bridge</em> stands where it stood, see <a href="/b">the plan</a>, and nothing else of it has changed.</p>',
  ],
  [
    'a hover card of a person',
    TEXT +
      '<p>IN The mayor <span class="who"><a href="/mia">IN Mia Bach</a><span class="card"><span><img src="/mia.jpg"><a href="/mia">OUT Mia Bach</a> <a href="/1">OUT Mayor opens the new hall of the town</a> <a href="/2">OUT Mayor answers questions of the council</a></span></span></span> IN cut the ribbon at noon.</p>',
  ],
  [
    'a numbered list with a link in each item',
    TEXT +
      `<ol>${'<li><b>IN The mill turns again</b> after a long dispute over the wheel, and bread is baked each day. <a href="/m">Read it</a></li>'.repeat(3)}<li><a href="/b">IN The barn was sold to a farmer from the next valley</a></li></ol>`,
  ],
  ['an image caption', TEXT + '<figure><img src="a.jpg"><figcaption>OUT The bridge in May</figcaption></figure>' + TEXT],
  [
    'a numbered caption: “Figure 1: …”',
    TEXT + '<figure><img src="a.jpg"><figcaption>Figure 1: IN plan of the bridge</figcaption></figure>' + TEXT,
  ],
  [
    'a column with id right-rail',
    `<div class="page"><div class="entry">${P}${P}</div><div class="box" id="right-rail"><h3>OUT Guides</h3>${P.replace('The', 'OUT')}</div></div>`,
  ],
  [
    'a long column with class content-secondary below the text',
    `<div class="page"><div class="entry">${TEXT}${P}</div><div class="content-secondary"><h3>OUT Top</h3>${P.replace('The', 'OUT').repeat(2)}</div></div>`,
  ],
  [
    'a sign-up box above a page wrapper with class ad-wallpaper',
    `<div class="bar"><p>OUT Enter your address and your code to set up alerts, which you get each morning.</p></div><div class="ad-wallpaper"><div>${TEXT}${TEXT}</div></div>`,
  ],
  [
    'the rest of the text in an element with id read-more',
    `<div class="story">${LONG.repeat(3)}<div id="read-more">${LONG.replace('The', 'IN').repeat(5)}</div></div>`,
  ],
  [
    'a row with a class for its printed form',
    `<div class="row row--print-overwrite"><p>IN ${P.slice(3)}</div>${LONG.repeat(9)}<div class="logo--print">OUT</div>`,
  ],
  ['a teaser with class read-more', `${TEXT}<div class="read-more">OUT Another text about the mill on the brook</div>${TEXT}`],
  [
    'text in a box with class c-sidebar-layout',
    `<div class="c-sidebar-layout--140">${LONG.replace('The', 'IN').repeat(5)}</div><div class="entry">${LONG.repeat(3)}</div>`,
  ],
  ['an image in a newsletter box below the text', `${TEXT}<div><p><img src="1.jpg" alt="OUT mill"> Newsletter OUT</p></div>`],
  ['a code caption', TEXT + '<figure><pre>x</pre><figcaption>IN How to call it</figcaption></figure>' + TEXT],
]

test('the main content of an article is its running text', () => {
  for (const [why, body] of ARTICLES) check(why, `<meta property="og:type" content="article"><title>Title of it</title><body>${body}`)
})

/** On other pages these and more parts stay. */
const OTHERS: [why: string, body: string][] = [
  [
    'a list without links beside the text, but neither identifiers nor a filter',
    `<div><div>${LONG.repeat(4)}</div><div><ul><li>IN 350 g of white sugar</li><li>500 ml of cold milk</li><li>4 spoons of flour, and a little more</li></ul></div><div><ul><li>OUT-narrow-browser-and-phone</li><li>medium-browser-and-portrait-tablet</li><li>landscape-tablet</li></ul></div><div><input><ol><li>OUT By alphabet</li><li>By inheritance of the classes</li><li>Hide all of them</li><li>Show all of them</li></ol></div></div>`,
  ],
  ['a headline and a short first paragraph', `<h1>IN Title of it</h1><p>IN Short.</p>${TEXT}`],
  ['a “See also” list', `${TEXT}<h3>IN See also</h3><ul><li><a href="/1">IN the mill</a> of the brook</li></ul>`],
  [
    'an image caption and a download link',
    `${TEXT}<figure><img src="a.jpg"><figcaption>IN The bridge</figcaption></figure><p><a href="/d">IN Download the plan</a></p>${TEXT}`,
  ],
  [
    'a table of contents that links to other pages',
    `<h1>IN Book</h1>${TEXT}<div class="toc"><ul><li><a href="/c1">IN One</a></li><li><a href="/c2">IN Two</a></li></ul></div>`,
  ],
  [
    'a table of contents that links within the page',
    `<h1>IN Book</h1><div class="toc"><ul><li><a href="#c1">OUT One</a></li></ul></div>${TEXT}`,
  ],
  [
    'a legal notice on the title page of a book',
    `<div class="titlepage"><h1>IN Book</h1><h3 class="author">IN Mia</h3><div class="legalnotice">${TEXT}OUT</div></div><div class="toc"><dl>${'<dt><a href="/c">IN Chapter of the book about bridges</a></dt>'.repeat(30)}</dl></div>`,
  ],
  ['a page that is a legal notice', `<div class="legalnotice"><p>IN</p>${TEXT}</div>`],
  [
    'a section with nothing but links',
    `<section><h2>IN One</h2>${TEXT}</section><section><h2>IN Two</h2><ul><li><a href="/1">IN a</a></li></ul></section>`,
  ],
  [
    'several articles, one of them long',
    `<article class="post-1"><h2>IN One</h2>${TEXT}${TEXT}</article><article class="post-2"><h2>IN Two</h2><p>IN Short.</p></article>`,
  ],
  [
    'several articles without class names',
    `<article><h2>IN One</h2>${TEXT}${TEXT}</article><article><h2>IN Two</h2><p>IN Short.</p></article>`,
  ],
  [
    'a section with id FOR-SHARE-COMMENTS',
    `<div><div class="sect2" id="FOR-SHARE-COMMENTS"><h3>IN Comments</h3><p>IN They start with two dashes.</p></div>${TEXT}</div>`,
  ],
  ['a page header with the headline', `<div class="page-header"><h1>IN Title of it</h1><p>IN Facts</p></div><div>${TEXT}</div>`],
  [
    'the contents and the links to other chapters that Scribble writes around a chapter',
    `<div class="tocset"><div class="tocview"><table><tr><td>1</td><td><a href="/1">OUT One</a></td></tr></table></div></div><div class="maincolumn"><div class="main"><div class="navsettop"><a href="/2">OUT prev</a></div><h3>IN Title of it</h3>${TEXT}</div></div>`,
  ],
  [
    'a page header whose headline links to a subpage',
    `<div class="page-header"><h1><a href="/q/1">IN Title of it</a></h1></div><div>${TEXT}</div>`,
  ],
  [
    'a page header whose headline links to the home page',
    `<div class="page-header"><h1><a href="/">OUT Title of it</a></h1></div><div>${TEXT}</div>`,
  ],
  [
    'a hidden accordion panel that a button opens',
    `<h3><button aria-controls="a">IN Where?</button></h3><div class="accordion-panel" hidden><p>IN Here.</p></div>${TEXT}`,
  ],
  ['a hidden box that no button opens', `<div class="note" hidden><p>OUT Here.</p></div>${TEXT}`],
  [
    'an article with the title of the page, beside a long column',
    `<div class="all"><div class="one"><article><h1>IN Title of it</h1>${TEXT}${TEXT}</article></div><div class="two"><h3>OUT More</h3>${P.replace('The', 'OUT').repeat(4)}</div></div>`,
  ],
  [
    'declaration, description and members of an API item, above a long list of methods',
    '<main><section><h1>IN Enum Title of it</h1><pre class="item-decl"><code>IN pub enum Title {}</code></pre>' +
      '<details class="top-doc" open><summary>Description</summary><p>IN See <a href="/m">IN the module</a>.</p></details>' +
      '<h2>IN Variants</h2><div class="variants"><section><h3>IN None</h3></section><div>IN No value.</div></div>' +
      `<h2>IN Methods</h2><div class="list">${LONG.repeat(4)}</div></section></main>`,
  ],
  [
    'numbered chapters whose ids are “Comments” and “Feedback”',
    `<div class="section" id="Text"><h2>1.1 Text IN</h2>${TEXT}${TEXT}</div>` +
      '<div class="section" id="Comments"><div class="header"><p>Next: <a href="/n">N</a></p></div><h2>10.2 Comments IN</h2><p>IN Are ignored.</p></div>' +
      '<div class="section" id="Feedback"><h2>1.5 Feedback IN</h2><p>IN Is welcome.</p></div>',
  ],
  ['a comments section without a number', `<div>${LONG.repeat(3)}</div><div id="comments"><h3>OUT Comments</h3><p>OUT First!</p></div>`],
  [
    'notes between the title and the first section of a reference',
    `<div id="doc"><h2>IN Streams</h2><blockquote>IN Stability: 1</blockquote><p>IN An implementation of the <a href="https://s.example/">Standard</a>.</p><section><h3>IN Overview</h3>${LONG.repeat(3)}</section></div>`,
  ],
  ['a cookie banner', `<div class="cookie-banner"><p>OUT We use cookies.</p></div>${TEXT}`],
]

test('the main content of any other page is all that it shows', () => {
  for (const [why, body] of OTHERS) check(why, `<title>Title of it</title><body>${body}`)
})

/** Pages whose class names or attributes once made the rules drop all of their text. A page with text is never empty. */
const WHOLE: [why: string, html: string][] = [
  ['a body with class cookie-banner', `<body class="gdpr-consent cookie-banner">${TEXT}`],
  ['an app with class privacy-overlay', `<body><div id="app" class="privacy-overlay">${TEXT}</div>`],
  ['a React stream segment in a hidden box', `<body><div hidden id="S:0">${TEXT}</div>`],
  ['text that is hidden until found', `<body><div hidden="until-found">${TEXT}</div>`],
  ['a body with aria-hidden', `<body aria-hidden="true">${TEXT}`],
  ['a body with display: none', `<body style="display:none">${TEXT}`],
  ['a custom property named --footer-display', `<body><div style="--footer-display: none">${TEXT}</div>`],
  ['an article in a wrapper with class sidebar_right', `<body><div class="sidebar_right"><article>${TEXT}</article></div>`],
  [
    'an article with classes category-popular and sharebar',
    `<body><article class="category-popular tag-newsletter sharebar">${TEXT}</article><p>Foot</p>`,
  ],
  ['a main element with class menu', `<body><main class="menu">${TEXT}</main>`],
]

test('the main content of a page with text is never empty, whatever its class names are', () => {
  for (const [why, html] of WHOLE) {
    const { markdown } = read(`<title>Bridge</title>${html}`)
    assert.is(markdown.split('The bridge over the brook').length - 1, 4, `${why}\n${markdown}`)
  }
})

test('the metadata says if milder rules were used', () => {
  const { markdown, metadata } = read(`<title>Bridge</title><body><div class="newsletter-subscribe"><p>OUT</p></div><nav>${TEXT}</nav>`)
  assert.ok(markdown.includes('The bridge'), markdown)
  assert.is(metadata['extraction'], 'all')
  assert.not.ok('extraction' in read(`<title>Bridge</title><body>${TEXT}`).metadata)
})

test('tags to exclude stay excluded when milder rules are used', () => {
  const { markdown } = read(`<title>Bridge</title><body><section>secret</section><nav>${TEXT}</nav>`, ['section'])
  assert.ok(markdown.includes('The bridge'), markdown)
  assert.not.match(markdown, /secret/)
})

test('a header stays if it names what the page is about, below a small heading and without spaces', () => {
  const name = '<a href="index.html">Gtk</a><span></span>Button'
  const page = (heading: string) =>
    `<title>Gtk.Button</title><body><section id="main"><header>${heading}</header><div>${TEXT}</div></section>`
  assert.match(read(page(`<h3>Class</h3><h1>${name}</h1>`)).markdown, /^### Class\n\n# \[Gtk]\(.*\)Button\n/)
  assert.not.match(read(page('<h3>Class</h3><h1></h1>')).markdown, 'Class')
})

test('the lead that a page repeats as its description stays, even above the text', () => {
  const lead = 'After seven months of work the town has opened its oldest bridge again, for cars and for carts.'
  const html = `<meta property="og:type" content="article"><meta name="description" content="${lead}"><title>Bridge</title><body>
<header><nav><a href="/">Home</a></nav><p>${lead}</p></header><article>${TEXT}</article>`
  assert.ok(read(html).markdown.startsWith(lead), read(html).markdown)
})

test('a lead with a link stays, also below another line', () => {
  const lead = (link: string) => `Photo: the town has opened its ${link} again, after seven months of work on it.`
  const html = `<meta property="og:type" content="article"><meta name="description" content="${lead('oldest bridge')}"><title>Title of it</title><body>
<div><div class="line">Bridges » the town has spent more money than it has had in all of the years before.</div><p class="first">${lead('<a href="/b">oldest bridge</a>')}</p>${TEXT}</div>`
  assert.match(read(html).markdown, '[oldest bridge](https://site.example/b)')
})

test('only the lead is restored from a removed box, and its neighbours stay removed', () => {
  const lead = 'The town has opened its oldest bridge again after seven months of work.'
  const box = `<div class="share-tools"><div class="pane"><h6>OUT Share it</h6><div><p>${lead}</p><p>OUT Cancel</p></div><p>OUT Sent!</p></div></div>`
  const { markdown } = read(
    `<meta property="og:type" content="article"><meta name="description" content="${lead}"><title>Title of it</title><body>${box}<div>${TEXT}</div>`,
  )
  assert.match(markdown, lead)
  assert.not.match(markdown, 'OUT')
})

test('an article keeps its headline, lead and captions if they are requested, else only its running text', () => {
  const html = `<meta property="og:type" content="article"><title>The oldest bridge is open | Site</title><body><a href="/s">Section</a><h1>The oldest bridge is open</h1>
<p class="standfirst">The town has opened its oldest bridge again after seven months of work on it.</p><div>By Mia, 4 March 2021</div>
<figure><img src="a.jpg"><figcaption>The bridge in May</figcaption></figure>${TEXT}<div class="related"><a href="/o">The mill</a></div>`
  const whole = read(html, [], { articleFrame: true }).markdown
  assert.ok(whole.startsWith('# The oldest bridge is open\n\nThe town has opened its oldest bridge again after seven months'), whole)
  assert.match(whole, /The bridge in May/)
  assert.not.match(whole, /Section|By Mia|The mill/)
  const bare = read(html).markdown
  assert.ok(bare.startsWith('The town has opened its oldest bridge again after seven months'), bare)
  assert.not.match(bare, /# The oldest bridge|The bridge in May|Section|By Mia|The mill/)
})

/** Class names for the wrapper of the text. */
const NAMES =
  'gdpr-consent cookie-banner privacy-overlay onetrust-loaded modal-open newsletter menu-open nav-open login search-results widget-page comments footer-fixed related ' +
  'subscribe ads sidebar_right popup social sharebar legal byline author caption image gallery toc header offscreen print tag-newsletter category-popular promo teaser sponsored'
/** Other texts beside the wrapper. */
const BESIDE =
  '<aside class="related"><a href="/m"><h3>The mill</h3></a><p>After a long dispute the wheel of the mill turns again, and bread is baked.</p></aside><footer><p>All rights reserved.</p></footer>'

test('the main content stays whatever the class of its wrapper is', () => {
  const frames: ((name: string) => string)[] = [
    (name) => `<body class="${name}">${TEXT}`,
    (name) => `<body id="${name}">${TEXT}`,
    (name) => `<body><div id="app" class="${name}"><header><a href="/">Site</a></header><main>${TEXT}</main></div>`,
    (name) => `<body><div class="${name}">${TEXT}</div>${BESIDE}`,
    (name) => `<body><article class="${name}"><h1>Bridge</h1>${TEXT}</article>${BESIDE}`,
    (name) => `<body><main id="${name}">${TEXT}</main>${BESIDE}`,
    (name) => `<body><main><h1>Bridge</h1><section class="${name}">${TEXT}</section></main>${BESIDE}`,
    (name) => `<body><table><tr><td><a href="/">Home</a></td><td class="${name}">${TEXT}</td></tr></table>`,
    (name) => `<body><form class="${name}">${TEXT}</form>`,
  ]
  for (const head of ['', '<meta property="og:type" content="article">'])
    for (const name of NAMES.split(' '))
      for (const frame of frames) {
        const html = `${head}<title>Bridge</title>${frame(name)}`
        assert.is(read(html).markdown.split('The bridge over the brook').length - 1, 4, html.replaceAll(P, '…'))
      }
})

test('the main content stays whatever element or role its wrapper has', () => {
  for (const [open, close] of [
    ['<header><h1>Bridge</h1>', '</header>'],
    ['<h1>Bridge</h1><h2 class="subtitle"><div>', '</div></h2>'],
    ['<h1>Bridge</h1><div itemprop="description">', '</div>'],
    ['<div itemprop="headline">', '</div>'],
    ['<aside>', '</aside>'],
    ['<footer>', '</footer>'],
    ['<nav>', '</nav>'],
    ['<dialog open>', '</dialog>'],
    ['<div role="dialog">', '</div>'],
    ['<div role="complementary">', '</div>'],
    ['<div role="banner">', '</div>'],
    ['<div role="navigation">', '</div>'],
    ['<figure><img src="a.jpg">', '</figure>'],
    ['<figure><img src="a.jpg"><figcaption>', '</figcaption></figure>'],
    ['<a href="/x">', '</a>'],
    ['<details><summary>More</summary>', '</details>'],
    ['<div aria-hidden="true">', '</div>'],
    ['<div style="visibility:hidden">', '</div>'],
    ['<div id="root"><template id="B:0"></template></div><div hidden id="S:0">', '</div>'],
    ['<x-app><template shadowrootmode="open">', '</template></x-app>'],
    ['<div id="root"></div><noscript>', '</noscript>'],
  ])
    for (const head of ['', '<meta property="og:type" content="article">']) {
      const { markdown } = read(`${head}<title>Bridge</title><body>${open}${TEXT}${close}`)
      assert.is(markdown.split('The bridge over the brook').length - 1, 4, `${head}${open}\n${markdown}`)
    }
})

test('class names that are joined without a separator are recognised, and a teaser without a link is the lead', () => {
  const { markdown } = read(
    `<meta property="og:type" content="article"><title>Bridge</title><body><article><div class="article-teaser"><p>IN After seven months of work the town has opened its oldest bridge again.</p></div>${TEXT}${TEXT}</article>
<div class="relatedlinks"><p>OUT The mill turns <a href="/m">again</a>, and bread is baked each day of the week.</p></div><div class="cookielayer"><p>OUT We bake cookies for everybody who asks for one.</p></div>`,
  )
  assert.not.match(markdown, /OUT/)
  assert.match(markdown, /^IN After/)
})

test('microdata marks a page as an article', () => {
  const page = (count: number) =>
    read(
      `<title>Bridge</title><body>${`<div itemscope itemtype="https://schema.org/NewsArticle"><figure><img src="a.jpg"><figcaption>Caption</figcaption></figure>${TEXT}</div>`.repeat(count)}`,
    ).markdown
  assert.not.match(page(1), /Caption/)
  assert.match(page(2), /Caption/)
})

test("an article's text is the text that the page declares, however short it is", () => {
  const other =
    '<div class="line"><a href="/x">OUT The mill turns again after a long dispute</a><ul><li>By OUT Mia</li><li>11/20/2019 01:14 PM</li></ul></div>'
  const notice = `<div class="foot"><p>OUT ${'Questions are answered by our desk from Sunday to Thursday, by telephone, by fax or by letter. '.repeat(6)}</p></div>`
  const page = (body: string) =>
    read(`<meta property="og:type" content="article"><title>Bridge</title><body><div><h1>Bridge</h1><p class="lead">IN The town has opened its oldest bridge again after months of work.</p>
<div><img src="a.jpg"></div>${body}<div class="lines">${other.repeat(9)}</div>${notice}</div>`).markdown
  const short =
    '<p>IN The bridge over the brook carries cars again after seven months, and the old railing has been kept as it was.</p>'.repeat(3)
  const declared = page(`<div><div itemprop="articleBody">${short}</div></div>`)
  assert.not.match(declared, /OUT/, declared)
  assert.is(declared.match(/\bIN\b/g)?.length, 4, declared)
  assert.match(declared, /a\.jpg/)
  // A nearly empty element, or one of several, declares nothing.
  for (const body of [
    `<div itemprop="articleBody">Bridge</div>${TEXT}`,
    `<div itemprop="articleBody">${TEXT}</div><div itemprop="articleBody">${TEXT}IN</div>`,
  ])
    assert.ok(page(body).split('The bridge over the brook').length > 4, body)
})

test('a headline in a box inside its heading stays', () => {
  const html = `<meta property="og:type" content="article"><title>Old bridge open again</title><body><h1><div><span>The mayor opens the oldest bridge</span></div></h1>${TEXT}`
  assert.ok(read(html, [], { articleFrame: true }).markdown.startsWith('# The mayor opens the oldest bridge\n'))
})

test('JSON-LD says that a page is an article', () => {
  const data = '<script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle"}</script>'
  const { markdown } = read(
    `<title>Bridge</title>${data}<body><figure><img src="a.jpg"><figcaption>OUT in May</figcaption></figure>${TEXT}`,
  )
  assert.not.match(markdown, /OUT/)
})

test('words in separate elements keep the spaces between them', () => {
  assert.match(read(`<body><p>Foo<span> </span>Bar</p>${TEXT}`).markdown, /Foo Bar/)
  assert.match(read(`<body><p><code><span>def</span><span> </span><span>main</span></code></p>${TEXT}`).markdown, /`def main`/)
})

test('teasers of other pages are removed from an article in many languages', () => {
  for (const pointer of [
    'Lesen Sie auch: <a href="/a">Die Mühle</a>',
    'Lea también: <a href="/a">El molino</a>',
    'À lire : <a href="/a">Le moulin</a>',
    'Czytaj też: <a href="/a">Die Mühle</a>',
    'Читайте также: <a href="/a">Die Mühle</a>',
    'Διαβάστε επίσης: <a href="/a">Die Mühle</a>',
    'Čtěte také: <a href="/a">Die Mühle</a>',
    'Xem thêm: <a href="/a">Die Mühle</a>',
    '関連記事：<a href="/a">水車がまた回る（Mühle）</a>',
    'اقرأ أيضا: <a href="/a">Die Mühle</a>',
  ]) {
    const { markdown } = read(
      `<meta property="og:type" content="article"><title>Bridge</title><body><div>${TEXT}<p>${pointer}</p>${TEXT}</div>`,
    )
    assert.not.match(markdown, /Mühle|molino|moulin/, pointer)
    assert.is(markdown.split('The bridge over the brook').length - 1, 8, pointer)
  }
})

test.run()

function read(html: string, excludeTags: string[] = [], rules: Partial<ExtractionRules> = {}): PageReading {
  return readPage(
    { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8', status: 200, url: 'https://site.example/2021/bridge' },
    { includeHtml: false, onlyMainContent: true, includeTags: [], excludeTags, ...rules },
  ) as PageReading
}

function check(why: string, html: string) {
  const page = readPage(
    { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8', status: 200, url: 'https://site.example/2021/bridge' },
    { includeHtml: false, onlyMainContent: true, includeTags: [], excludeTags: [] },
  ) as PageReading
  assert.not.match(page.markdown, /OUT/, why)
  assert.is(page.markdown.match(/\bIN\b/g)?.length ?? 0, html.match(/\bIN\b/g)?.length ?? 0, `${why}\n${page.markdown}`)
  assert.match(page.markdown, /bridge|Chapter/, why)
}
