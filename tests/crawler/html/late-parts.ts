/** What a server sends late, behind the rest of the page, stands where its scripts would put it. */
import { createElement as h, Suspense, use } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { placeLateParts } from '#backend/crawler/html/late-parts.ts'
import { readPage } from '#backend/crawler/page/read-page.ts'
import type { PageReading } from '#backend/crawler/page/read-page.ts'
import { assertLinear, filled } from '#tests/support/linear.ts'

const late = suite('late parts of a page')

const RULES = { includeHtml: false, onlyMainContent: true, includeTags: [], excludeTags: [] }

function read(html: string): PageReading {
  const source = { bytes: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8', status: 200, url: 'http://a.test/' }
  return readPage(source, RULES) as PageReading
}

/** A page of React whose parts arrive in the order of the numbers, read as a crawler reads it. */
async function streamed(): Promise<PageReading> {
  const arrivals = Array.from({ length: 5 }, () => Promise.withResolvers<string>())
  const Part = ({ no }: { no: number }) => use(arrivals[no]!.promise)
  const waiting = (element: string, no: number, fallback: string) =>
    h(Suspense, { fallback: h(element, null, fallback) }, h(element, null, h(Part, { no })))
  const stream = await renderToReadableStream(
    h(
      'body',
      null,
      h('h1', null, 'Trains'),
      waiting('p', 2, 'Loading the first paragraph …'),
      h('p', null, 'The second paragraph is there at once.'),
      h(Suspense, { fallback: h('p', null, 'Loading the middle …') }, h('p', null, h(Part, { no: 1 })), waiting('p', 3, 'Loading …')),
      h('ul', null, waiting('li', 0, 'Loading an entry …'), h('li', null, 'An entry.')),
      h(
        'table',
        null,
        h('thead', null, h('tr', null, h('th', null, 'Train'), h('th', null, 'Platform'))),
        h('tbody', null, h('tr', null, h('td', null, 'First'), h('td', null, '1')), [
          h(
            Suspense,
            { key: 'row', fallback: h('tr', null, h('td', { colSpan: 2 }, 'Loading a row …')) },
            h('tr', null, h('td', null, h(Part, { no: 4 })), h('td', null, '2')),
          ),
        ]),
      ),
      h('p', null, 'The last words.'),
    ),
  )
  let html = ''
  const ended = stream.pipeTo(new WritableStream({ write: (bytes) => void (html += Buffer.from(bytes).toString()) }))
  for (const [no, arrival] of arrivals.entries()) {
    arrival.resolve(`Part ${no} has arrived.`)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await ended
  assert.match(html, '$RC("')
  return read(html)
}

late('parts of React stand in their places, in whatever order they arrived', async () => {
  const { markdown } = await streamed()
  assert.is(
    markdown.trim(),
    `# Trains

Part 2 has arrived.

The second paragraph is there at once.

Part 1 has arrived.

Part 3 has arrived.

- Part 0 has arrived.
- An entry.

| Train | Platform |
| --- | --- |
| First | 1 |
| Part 4 has arrived. | 2 |

The last words.`,
  )
})

const PLACES: [what: string, html: string, placed: string][] = [
  [
    'a part with style sheets and a nonce',
    '<p>a<!--$?--><template id="B:0"></template>…<!--/$--></p><div hidden id="S:0"><b>x</b></div><style>i{}</style><script nonce="n">$RR("B:0","S:0",[["/a.css"]])</script>',
    '<p>a<!--$?--><b>x</b><!--/$--></p><style>i{}</style><script nonce="n">$RR("B:0","S:0",[["/a.css"]])</script>',
  ],
  [
    'a part of a part, with a name before its number',
    '<!--$?--><template id="aB:0"></template>…<!--/$--><div hidden id="aS:0">x<template id="aP:1"></template>z</div><div hidden id="aS:1">y</div><script>$RS("aS:1","aP:1")</script><script>$RC("aB:0","aS:0")</script>',
    '<!--$?-->xyz<!--/$--><script>$RS("aS:1","aP:1")</script><script>$RC("aB:0","aS:0")</script>',
  ],
  [
    'boundaries in what is shown until then',
    '<!--$?--><template id="B:0"></template>a<!--$-->b<!--/$-->c<!--/$-->d<div hidden id="S:0">x</div><script>$RC("B:0","S:0")</script>',
    '<!--$?-->x<!--/$-->d<script>$RC("B:0","S:0")</script>',
  ],
  [
    'parts of Solid with one script for both',
    'a<template id="pl-1"></template>…<!--pl-1-->b<template id="pl-2"></template>…<!--pl-2-->c<template id="1">x<template id="pl-11"></template>…<!--pl-11--></template><template id="2">y</template><script>$df("1");$df("2")</script><template id="11">z</template><script>$df("11")</script>',
    'axzbyc<script>$df("1");$df("2")</script><script>$df("11")</script>',
  ],
]
for (const [what, html, placed] of PLACES) late(`${what} are put where the script puts them`, () => assert.is(placeLateParts(html), placed))

const KEPT: [what: string, html: string][] = [
  ['a part that has no place', '<p>a</p><div hidden id="S:0">x</div><script>$RC("B:0","S:0")</script>'],
  ['a place whose end is missing', '<!--$?--><template id="B:0"></template>…<div hidden id="S:0">x</div><script>$RC("B:0","S:0")</script>'],
  ['a place whose part has not arrived', '<!--$?--><template id="B:0"></template>…<!--/$--><script>$RC("B:0","S:0")</script>'],
  ['a part that is cut off', '<!--$?--><template id="B:0"></template>…<!--/$--><div hidden id="S:0">x<script>$RC("B:0","S:0")</script>'],
  ['a part of which no script speaks', '<!--$?--><template id="B:0"></template>…<!--/$--><div hidden id="S:0">x</div>'],
]
for (const [what, html] of KEPT) late(`${what}: the page stays as it is`, () => assert.is(placeLateParts(html), html))

late('links and metadata of late parts belong to the page', () => {
  const { canonicalUrl, links, title } = read(
    '<html><head></head><body><div hidden><!--$?--><template id="B:0"></template><!--/$--></div><p><!--$?--><template id="B:1"></template><a href="/no">Loading</a><!--/$--></p><p><a href="/last">Last</a></p>' +
      '<div hidden id="S:1"><a href="/first">First</a></div><script>$RC("B:1","S:1")</script><div hidden id="S:0"><title>Late</title><link rel="canonical" href="/late"></div><script>$RC("B:0","S:0")</script>',
  )
  assert.equal([title, canonicalUrl], ['Late', 'http://a.test/late'])
  assert.equal(
    links.map(({ url }) => url),
    ['http://a.test/first', 'http://a.test/last'],
  )
})

for (const fragment of [
  '<!--$?--><template id="B:N"></template><!--/$--><div hidden id="S:N">x</div><script>$RC("B:N","S:N")</script>',
  '<div hidden id="S:N"><!--$?--><template id="B:N"></template><!--/$--></div><script>$RC("B:N","S:N")</script>',
  '<!--$?--><template id="B:N"></template><div hidden id="S:N"><script>$RC("B:N","S:N")',
  '<template id="N"><template id="pl-N"></template><!--pl-N-->$df("N")',
  '$RC("B:0","S:0")<div hidden id="S:0"><template id="B:0">',
])
  late(`takes time in proportion to the length: ${fragment}`, () =>
    assertLinear(fragment, (size) => {
      const html = filled(fragment, size)
      return () => placeLateParts(html)
    }),
  )

late('a page of parts with one name, each with a place for the next, is read in linear time', () =>
  assertLinear('parts of one name', (size) => {
    const part = '<div hidden id="S:0">x<!--$?--><template id="B:0"></template>…<!--/$--></div>'
    const html = `<!--$?--><template id="B:0"></template>…<!--/$-->${filled(part, size)}<script>$RC("B:0","S:0")</script>`
    return () => read(html)
  }),
)

late('a long chain of parts in parts is placed', () => {
  const count = 5000
  const part = (no: number) => `<div hidden id="S:${no}"><i>${no}</i><!--$?--><template id="B:${no + 1}"></template>…<!--/$--></div>`
  const call = (no: number) => `<script>$RC("B:${no}","S:${no}")</script>`
  const parts = Array.from({ length: count }, (_, no) => part(no) + call(no)).join('')
  const placed = placeLateParts(`<!--$?--><template id="B:0"></template>…<!--/$-->${parts}`)
  assert.equal(
    [...placed.matchAll(/<i>(\d+)/g)].map(([, no]) => Number(no)),
    Array.from({ length: count }, (_, no) => no),
  )
  assert.is(placed.split('…').length - 1, 1)
})

late.run()
