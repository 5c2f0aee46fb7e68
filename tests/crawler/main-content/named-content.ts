/** Content in elements with class names that furniture has, too. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readPage, type PageReading } from '#backend/crawler/page/read-page.ts'

const test = suite('content that is named like furniture')

const P = '<p>The bridge over the brook carries cars again after seven months, and the old railing has been kept as it was.</p>'
/** Long enough to count in full. */
const LONG = P.replace(/<p>(.*)<\/p>/, '<p>$1 $1 $1</p>')

test('the menu of a restaurant stays, with headings or with prices', () => {
  const dish = (name: string, price: string) =>
    `<div class="menu-item"><h3 class="menu-item-title">IN ${name}</h3><span class="menu-item-price">IN ${price}</span><p>IN With bread.</p></div>`
  const headed = markdownOf(
    `<title>Menu</title><body><nav><ul class="menu"><li class="menu-item"><a href="/">OUT Home</a></li></ul></nav><main><h1>Our menu</h1>
<section class="menu-section"><h2>IN Starters</h2>${dish('Soup', '€7')}${dish('Salad', '€5')}</section>
<section class="menu-section"><h2>IN Mains</h2>${dish('Eel', '€18')}</section></main>`,
  )
  assert.is(count(headed), 11, headed)
  const lines = markdownOf(
    `<title>Menu</title><body><div class="mobile-menu">OUT Menu</div><main><h1>Our menu</h1><p>Everything is cooked here, from fish and vegetables of the valley.</p>
<ul>${['Soup', 'Salad', 'Eel'].map((name, at) => `<li class="menu-item"><span class="menu-item-name">IN ${name}</span> <span class="menu-item-price">${at + 5},00 €</span></li>`).join('')}</ul></main>`,
  )
  assert.is(count(lines), 3, lines)
  const byId = markdownOf(
    `<title>Eel house</title><body><main><h1>Eel house</h1>${LONG.repeat(3)}<div class="section" id="menu"><h2>IN Starters</h2><p>IN Soup with bread, €7</p></div></main>`,
  )
  assert.is(count(byId), 2, byId)
})

test('menus with buttons, links or only their heading, and those of a footer, are no menus of restaurants', () => {
  const markdown = markdownOf(
    `<title>Bridge</title><body><main><h1>Bridge</h1>${LONG.repeat(3)}
<div class="site-menu"><h3>OUT Menu</h3></div><div class="side-menu"><h3>OUT More</h3><a href="/a">OUT One</a><a href="/b">OUT Two</a></div>
<div class="drop-menu"><h3>OUT Language</h3><span>OUT Deutsch</span><button>Open</button></div>
</main>`,
  )
  assert.is(count(markdown), 0, markdown)
  for (const menu of ['div class="footer-menu"', 'footer class="menu"']) {
    const contact = `<${menu}><h3>OUT Contact</h3>${P.replace('The', 'OUT')}</${menu.split(' ')[0]!}>`
    const page = markdownOf(`<title>Bridge</title><body><main><h1>Bridge</h1>${LONG.repeat(2)}${contact}${LONG}</main>`)
    assert.is(count(page), 0, menu)
  }
})

test('reviews of a product stay although WooCommerce writes them like comments', () => {
  const review = (name: string) =>
    `<li class="review even thread-even depth-1"><div class="comment_container"><div class="comment-text"><p class="meta"><strong class="woocommerce-review__author">IN ${name}</strong></p>
<div class="description"><p>IN We bought six of them.</p></div></div></div></li>`
  const markdown = markdownOf(
    `<title>Chair</title><body><main><h1>Chair</h1>${LONG.repeat(4)}<div id="reviews" class="woocommerce-Reviews"><div id="comments"><h2>2 reviews</h2><ol class="commentlist">${review('Jo')}${review('Ada')}</ol></div></div></main>`,
  )
  assert.is(count(markdown), 4, markdown)
  const weblog = markdownOf(
    `<title>Chair</title><body class="category-reviews"><main class="reviews"><h1>Chair</h1>${LONG.repeat(4)}<div id="comments"><h2>2 comments</h2><ol class="commentlist"><li class="comment"><p>OUT We bought six of them.</p></li></ol></div></main>`,
  )
  assert.is(count(weblog), 0, weblog)
})

test('a text for screen readers stays if what it says is shown beside it and hidden from them', () => {
  const markdown = markdownOf(
    `<title>Chair</title><body><main><h1>Chair</h1>${LONG}<p><span class="a-offscreen">IN $239.99</span><span aria-hidden="true"><span>$</span><span>239</span><span>99</span></span></p>
<p>${P}<span class="sr-only">OUT more</span></p><p><span aria-hidden="true">»</span><span class="visually-hidden">OUT Open</span></p></main>`,
  )
  assert.is(count(markdown), 1, markdown)
  assert.not.match(markdown, /239 ?99/, markdown)
})

test('quotations in a forum and boxes with facts stay although they are aside elements; repeated words of the text do not', () => {
  const thread = markdownOf(
    `<title>Leak</title><body><main><h1>Leak</h1><div class="post"><p>The hull leaks at night, and only in winter.</p></div>
<div class="post"><aside class="quote no-group"><div class="title">Jo:</div><blockquote><p>IN and only in winter</p></blockquote></aside>${P}</div></main>`,
    'https://site.example/t/leak/5',
  )
  assert.is(count(thread), 1, thread)
  const wiki = markdownOf(
    `<title>Ada</title><body><main><h1>Ada</h1><div class="text"><aside class="portable-infobox pi-theme" role="region"><h2>Ada</h2><div><h3>Boat</h3><div>IN The Heron</div></div></aside>${LONG.repeat(3)}<aside class="pull-quote"><p>OUT seven months</p></aside></div></main>`,
  )
  assert.is(count(wiki), 1, wiki)
})

test('the answers of an accordion stay although their class is that of a menu', () => {
  const markdown = markdownOf(
    `<title>Clay</title><body><main><h1>Clay</h1>${LONG.repeat(2)}<ul class="accordion-items"><li class="accordion-item"><h4><button class="accordion-item__click-target" aria-expanded="false"><span>IN Is it safe?</span></button></h4>
<div class="accordion-item__dropdown" role="region"><p>IN Yes, all of it is tested each year.</p></div></li></ul><div class="dropdown"><span>OUT Sort</span></div></main>`,
  )
  assert.is(count(markdown), 2, markdown)
})

test('a box with advice stays at the end of a page', () => {
  const markdown = markdownOf(
    `<title>Pump</title><body><main><div class="grid">${LONG.repeat(4)}<div class="hint hint-warning"><div>IN Never run it dry.</div></div></div></main>`,
  )
  assert.is(count(markdown), 1, markdown)
})

test('words with a tooltip stay in their sentence, and the text of the tooltip is left out', () => {
  const text = 'The boat was hauled out in spring, measured at twelve points, and repaired within nine days. '
  const page = `<title>Boats</title><main><h1>Boats</h1><p>${text.repeat(4)}</p><p>The <a class="tooltip" href="/keel">keel</a> and the <span class="tooltip">mast<span class="tooltiptext">OUT</span></span> of the boat
were new, and <abbr class="popover-link">DIN</abbr>, <a class="tooltip" href="/bow"><span>(front)</span> bow</a>, too.</p><pre>row</pre><div><a class="tooltip" href="/oar">oar</a>, rope</div></main>`
  const markdown = markdownOf(page)
  assert.match(markdown, /The \[keel\]\(\S+\) and the mast of the boat were new, and DIN, \[\(front\) bow\]\(\S+\), too\./)
  assert.match(markdown, /\[oar\]\(\S+\), rope/)
  count(markdown)
})

test('a text for screen readers stays if it is all that a cell of a table says', () => {
  const text = 'The boat was hauled out in spring, measured at twelve points, and repaired within nine days. '
  const cell = '<td><svg aria-hidden="true"></svg><span><span class="sr-only">Included</span></span></td>'
  const page = `<title>Plans</title><main><h1>Plans</h1><p>${text.repeat(4)}</p><table><tr><th>Plan</th><th>A</th></tr><tr><td>Support</td>${cell}</tr><tr><td>Rope <span class="sr-only">OUT</span></td><td>9 m</td></tr></table></main>`
  const markdown = markdownOf(page)
  assert.match(markdown, /\| Support \| Included \|\n\| Rope \| 9 m \|/)
  count(markdown)
})

test('pictures stay whose links open them in a box', () => {
  const text = 'The boat was hauled out in spring, measured at twelve points, and repaired within nine days. '
  const page = `<title>Boats</title><main><h1>Boats</h1><p>${text.repeat(4)}</p><p><a class="lightbox" href="/1.jpg"><img src="/s1.jpg"></a></p>
<div><a class="popup-image" href="/2.webp"><img src="/s2.jpg"></a><a class="modal social" href="/share"><img src="/share.jpg"></a></div><p>${text.repeat(3)}</p></main>`
  const markdown = markdownOf(page)
  assert.match(markdown, /!\[\]\(\S+\/s1\.jpg\)\n\n!\[\]\(\S+\/s2\.jpg\)\n/)
  assert.not.match(markdown, /share/)
})

const markdownOf = (html: string, url = 'https://site.example/a/page') =>
  (
    readPage(
      { bytes: new Uint8Array(Buffer.from(`<!doctype html>${html}`)), contentType: 'text/html; charset=utf-8', status: 200, url },
      { includeHtml: false, onlyMainContent: true, articleFrame: true, includeTags: [], excludeTags: [] },
    ) as PageReading
  ).markdown

/** Counts what must stay, and checks that nothing stays that must not. */
function count(markdown: string): number {
  assert.not.match(markdown, /\bOUT\b/, markdown)
  return markdown.match(/\bIN\b/g)?.length ?? 0
}

test.run()
