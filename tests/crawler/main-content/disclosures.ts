/** Buttons that are the labels of texts, and the texts that they unfold, are content; other buttons are not. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readPage } from '#backend/crawler/page/read-page.ts'
import type { ExtractionRules } from '#backend/crawler/page/extraction-rules.ts'
import type { PageReading } from '#backend/crawler/page/read-page.ts'
import { assertLinear, filled } from '#tests/support/linear.ts'

const disclosures = suite('texts that a button unfolds')

const RULES = { includeHtml: false, onlyMainContent: true, includeTags: [], excludeTags: [] }
const INTRO = 'We answer the questions on tea that people ask us most often, in their own words.'

/** The Markdown between two paragraphs. */
function read(part: string, rules: ExtractionRules = RULES): string {
  const html = `<title>Tea</title><main><h1>Tea</h1><p>${INTRO}</p>${part}<p>Write to us about everything else.</p></main>`
  const source = { bytes: new TextEncoder().encode(html), contentType: 'text/html', status: 200, url: 'http://a.test/' }
  const { markdown } = readPage(source, rules) as PageReading
  return markdown.split(INTRO)[1]!.split('Write to us')[0]!.trim()
}

const SHOWN: [what: string, html: string, markdown: string][] = [
  [
    'a button that controls a hidden part',
    '<div><button aria-expanded="false" aria-controls="a">How hot?</button><div id="a" hidden><p>At 80 degrees.</p></div></div>',
    '**How hot?**\n\nAt 80 degrees.',
  ],
  [
    'several of them side by side',
    '<button aria-expanded="false" aria-controls="a">How hot?</button><div id="a" hidden>At 80 degrees.</div><button aria-expanded="false" aria-controls="b">How long?</button><div style="display:none"><div id="b">Three minutes.</div></div>',
    '**How hot?**\n\nAt 80 degrees.\n\n**How long?**\n\nThree minutes.',
  ],
  [
    'a button and its part in a box of their own',
    '<div><div><button aria-expanded="true"><span>How hot?</span><svg><path/></svg></button></div><div>At 80 degrees.</div></div>',
    '**How hot?**\n\nAt 80 degrees.',
  ],
  [
    'a button in a heading',
    '<div><h3><button aria-expanded="false">How hot?</button></h3><div role="region" hidden>At 80 degrees.</div></div>',
    '### How hot?\n\nAt 80 degrees.',
  ],
  [
    'a heading in a button',
    '<div><button aria-expanded="false"><h3>How hot?</h3></button><div hidden>At 80 degrees.</div></div>',
    '### How hot?\n\nAt 80 degrees.',
  ],
  [
    'a button in a term',
    '<div><dt><button aria-expanded="false" aria-controls="a">How hot?</button></dt><dd id="a" hidden>At 80 degrees.</dd></div>',
    '**How hot?**\n\nAt 80 degrees.',
  ],
  [
    'an element with the role of a button',
    '<div><div role="button" aria-expanded="false">How hot?</div><div hidden>At 80 degrees.</div></div>',
    'How hot?\n\nAt 80 degrees.',
  ],
  [
    'buttons in a row that only their class names',
    '<button class="accordion">How hot?</button><div class="panel"><p>At 80 degrees.</p></div><button class="accordion">How long?</button><div class="panel" style="display: none"><p>Three minutes.</p></div>',
    '**How hot?**\n\nAt 80 degrees.\n\n**How long?**\n\nThree minutes.',
  ],
  [
    'a button of Alpine',
    '<div x-data="{ open: false }"><button @click="open = !open" :aria-expanded="open">How hot?</button><p x-show="open">At 80 degrees.</p></div>',
    '**How hot?**\n\nAt 80 degrees.',
  ],
  [
    'the operations of Swagger UI',
    '<div class="opblock"><div class="opblock-summary"><button aria-expanded="false" class="opblock-summary-control"><span>GET</span><div><span data-path="/teas"><a><span>/teas</span></a></span><div>List teas</div></div></button><button aria-label="Copy path"></button></div></div>',
    '**GET /teas List teas**',
  ],
  [
    'details of Docusaurus, which a script folds',
    '<details class="details_lb9f alert alert--info" data-collapsed="true"><summary>How hot?</summary><div style="display: none; overflow: hidden; height: 0px;"><div>At 80 degrees.</div></div></details>',
    '> **How hot?**\n>\n> At 80 degrees.',
  ],
  [
    'the answers of Redoc',
    '<h3>Responses</h3><div><button><strong>200 </strong><div><p>A list of teas</p></div></button></div>',
    '### Responses\n\n**200** A list of teas',
  ],
]
for (const [what, html, markdown] of SHOWN) disclosures(`${what}: label and text are read`, () => assert.is(read(html), markdown))

const LEFT_OUT: [what: string, html: string][] = [
  ['a button that only does something', '<div><button>Copy</button><div hidden>Copied to the clipboard.</div></div>'],
  ['a button with a box in it', '<div><button><div>Add to cart</div></button></div>'],
  ['a menu', '<div><button aria-expanded="false" aria-haspopup="menu">More</button><div hidden>Copy the page as text.</div></div>'],
  ['a list of links', '<div><button aria-expanded="false">English</button><ul hidden><li><a href="/de">Deutsch</a></ul></div>'],
  [
    'a hidden navigation',
    '<div><button aria-expanded="false" aria-controls="n">Menu</button><nav id="n" hidden>All of our teas.</nav></div>',
  ],
  ['a hidden dialog', '<div><button aria-expanded="false">Cite</button><div role="dialog" hidden>Cite it as tea of today.</div></div>'],
  [
    'hidden comments',
    '<div><button aria-expanded="false">3 comments</button><div class="comments" hidden>First! Second and third.</div></div>',
  ],
  [
    'a button that controls something else',
    '<button aria-expanded="false" aria-controls="x">Share</button><i hidden>Not shown to anyone.</i>',
  ],
]
for (const [what, html] of LEFT_OUT) disclosures(`${what} is left out`, () => assert.is(read(html), ''))

disclosures('class names of accordions name the buttons before their parts, and no others', () => {
  const shown = (name: string) => read(`<button class="${name}">How hot?</button><div>At 80 degrees.</div>`)
  for (const name of ['accordion active', 'faq__question', 'btn accordion-button', 'faq-accordion-toggle', 'question', 'question-title'])
    assert.is(shown(name), '**How hot?**\n\nAt 80 degrees.', name)
  for (const name of ['ask-question', 'btn question-vote', 'accordion-expand-all', 'faq-search', 'collapsible-close'])
    assert.is(shown(name), 'At 80 degrees.', name)
})

disclosures(
  'the parts of an accordion stay whose role is a list of tabs: Bootstrap 3, Elementor, jQuery UI, and without roles for its parts',
  () => {
    const part = (name: string, panel: string) => `<div class="accordion" role="tablist">${name}${panel}</div>`
    const panel = '<div id="c" role="tabpanel" aria-labelledby="h"><div>At 80 degrees.</div></div>'
    const tab = 'role="tab" id="h" aria-controls="c" aria-expanded="false"'
    assert.is(read(part(`<div ${tab}><h4><a role="button" href="#c">How hot?</a></h4></div>`, panel)), '#### How hot?\n\nAt 80 degrees.')
    assert.is(read(part(`<div ${tab}><a tabindex="0">How hot?</a></div>`, panel)), '**How hot?**\n\nAt 80 degrees.')
    assert.is(
      read(part(`<h3 ${tab}>How hot?</h3>`, panel.replace('<div ', '<div style="display:none" '))),
      '### How hot?\n\nAt 80 degrees.',
    )
    const long = 'At 80 degrees, and never more than that, because the tea would become bitter within a minute or two.'
    assert.is(
      read(part('<h3><button aria-controls="c">How hot?</button></h3>', `<div id="c"><p>${long}</p></div>`)),
      `### How hot?\n\n${long}`,
    )
    const tabs = read(`<div><div role="tablist"><button ${tab}>How hot?</button></div>${panel}</div>`)
    assert.is(tabs, '**How hot?**\n\nAt 80 degrees.')
  },
)

disclosures('a button in a term of a definition list is the term', () => {
  const term =
    '<dt><button aria-expanded="false" aria-controls="a"><span>How hot?</span></button></dt><dd id="a" hidden><p>At 80 degrees.</p></dd>'
  for (const html of [`<dl>${term}</dl>`, `<dl><div>${term}</div></dl>`]) assert.is(read(html), '**How hot?**\n: At 80 degrees.', html)
})

disclosures('the label is read on the whole page and with HTML in the Markdown, too', () => {
  const html = '<div><button aria-expanded="false">How hot?</button><p hidden>At 80 degrees.</p></div>'
  const asked = '**How hot?**\n\nAt 80 degrees.'
  assert.is(read(html, { ...RULES, onlyMainContent: false }), asked)
  assert.is(read(html, { ...RULES, htmlInMarkdown: true }), asked)
})

for (const fragment of [
  '<button aria-expanded=false>x</button>',
  '<button aria-expanded=false>x</button><div hidden>y</div>',
  '<div><button aria-expanded=false>',
  '<i hidden>y</i>',
  '<i hidden></i><b>',
  '<button><div>',
])
  disclosures(`takes time in proportion to the length: ${fragment}`, () =>
    assertLinear(fragment, (size) => {
      const html = filled(fragment, size)
      return () => read(html)
    }),
  )

disclosures.run()
