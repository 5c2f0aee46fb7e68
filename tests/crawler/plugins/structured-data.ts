/** The plugin for structured data: what it finds, and how it withstands hostile pages. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { PageJob } from '#backend/crawler/page/page-rules.ts'
import type { ExtractionRules } from '#backend/crawler/page/extraction-rules.ts'
import type { PageReading } from '#backend/crawler/page/read-page.ts'
import { readPage } from '#backend/crawler/page/read-page.ts'
import { givenOptions } from '#backend/crawler/plugins/plugin-schema.ts'
import { pluginPage } from '#backend/crawler/plugins/plugin-page.ts'
import { structuredData } from '#backend/crawler/plugins/structured-data.ts'

const PAGE = 'https://shop.example/tea/'
const RULES: ExtractionRules = { includeHtml: false, onlyMainContent: true, includeTags: [], excludeTags: [] }

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

/** The plugin's result for a document, as read back from the store. */
function extract(html: string, options: Record<string, unknown> = {}, contentType = 'text/html; charset=utf-8'): Json {
  const bytes = new Uint8Array(Buffer.from(html))
  const reading = readPage({ bytes, contentType, status: 200, url: PAGE }, RULES) as PageReading
  const job: PageJob = { id: 1, rules: 'run', body: bytes, contentEncoding: '', contentType, status: 200, url: PAGE }
  const given = structuredData.extract!(pluginPage(job, bytes, reading), givenOptions(structuredData.options, options))
  return given === undefined ? undefined : JSON.parse(JSON.stringify(given))
}

const block = (json: string, type = 'application/ld+json') => `<script type="${type}">${json}</script>`

const jsonLd = suite('JSON-LD of a page')

for (const [html, items, notes, why] of [
  [block('{"@type":"Product","name":"Tea"}'), [{ '@type': 'Product', name: 'Tea' }], undefined, 'a block'],
  [
    block('{"a":1}') + '<p>between</p>' + block('[{"b":2},{"c":3}]'),
    [{ a: 1 }, { b: 2 }, { c: 3 }],
    undefined,
    'all blocks, lists by item',
  ],
  [block('{"a":1}', 'Application/LD+JSON; charset=utf-8'), [{ a: 1 }], undefined, 'a type in capitals with a parameter'],
  [block('{"a":1}', 'application/json') + block('{"a":1}', 'text/javascript'), undefined, undefined, 'other scripts are not JSON-LD'],
  [block('<!-- {"a":1} -->'), [{ a: 1 }], undefined, 'JSON-LD inside of a comment'],
  [block('//<![CDATA[\n{"a":1}\n//]]>'), [{ a: 1 }], undefined, 'JSON-LD inside of CDATA'],
  [block('{"a":"two\nlines\tand a tab"}'), [{ a: 'two lines and a tab' }], undefined, 'line breaks in the middle of a text'],
  [block('{"a":"&lt;b&gt; & <i>"}'), [{ a: '&lt;b&gt; & <i>' }], undefined, 'text of scripts is not markup'],
  [block('{"a":') + block('{"b":2}'), [{ b: 2 }], ['JSON-LD block 1 is not valid JSON'], 'a broken block is left out and noted'],
  [block('') + block('  '), undefined, ['JSON-LD block 1 is not valid JSON', 'JSON-LD block 2 is not valid JSON'], 'an empty block'],
  [block('"text"') + block('7') + block('null'), undefined, undefined, 'values that are not items'],
  [`<template>${block('{"a":1}')}</template>`, undefined, undefined, 'a template is not part of the page'],
  [`<svg><title>x</title></svg>${block('{"a":1}')}`, [{ a: 1 }], undefined, 'JSON-LD after an SVG'],
  [
    block('{"@graph":[{"@type":"A"},{"@type":"B"}]}'),
    [{ '@graph': [{ '@type': 'A' }, { '@type': 'B' }] }],
    undefined,
    'a graph stays as it is',
  ],
] as const)
  jsonLd(why, () => {
    const found = extract(html)
    assert.equal([found?.json_ld, found?.notes], [items, notes])
  })

const TYPED =
  block('{"@type":["Thing","Product"],"n":1}') + block('{"@graph":[{"@type":"schema:Article","n":2},{"@type":"WebSite"},{"n":3}]}')
for (const [types, items, why] of [
  [[], 2, 'no types: all items'],
  [['product'], [{ '@type': ['Thing', 'Product'], n: 1 }], 'one of several types, in any letter case'],
  [['https://schema.org/Article'], [{ '@type': 'schema:Article', n: 2 }], 'a member of a graph'],
  [['Recipe'], undefined, 'a type that no item has'],
] as const)
  jsonLd(`only requested types are read: ${why}`, () => {
    const found = extract(TYPED, { types })?.json_ld
    if (typeof items === 'number') assert.is(found.length, items)
    else assert.equal(found, items)
  })

const microdata = suite('microdata of a page')
const scope = (inner: string, more = '') => `<div itemscope itemtype="https://schema.org/Product" ${more}>${inner}</div>`

for (const [inner, properties, why] of [
  ['<h1 itemprop=name> Green\n <b>tea</b></h1>', { name: ['Green tea'] }, 'text, white space made single'],
  ['<a itemprop=url href="../milk?a=1">x</a>', { url: ['https://shop.example/milk?a=1'] }, 'a URL, made absolute'],
  [
    '<img itemprop=image src=/t.png><link itemprop=image href=/u.png>',
    { image: ['https://shop.example/t.png', 'https://shop.example/u.png'] },
    'an image and a link',
  ],
  ['<a itemprop=url href="javascript:alert(1)">x</a><a itemprop=url href="data:text/html,x">', {}, 'no other schemes'],
  ['<meta itemprop=sku content="A&amp;1">', { sku: ['A&1'] }, 'metadata, references decoded'],
  [
    '<span itemprop=priceCurrency content=USD>$</span><span itemprop=price content=1000.00>1,000.00</span><a itemprop=url href=/a content=b>c</a>',
    { priceCurrency: ['USD'], price: ['1000.00'], url: ['https://shop.example/a'] },
    'the exact value beside a text, as in the examples of schema.org',
  ],
  ['<data itemprop=price value=4.50>four</data><meter itemprop=rate value=3>', { price: ['4.50'], rate: ['3'] }, '<data> and <meter>'],
  [
    '<time itemprop=d datetime=2026-03-04>today</time><time itemprop=e>noon</time>',
    { d: ['2026-03-04'], e: ['noon'] },
    '<time> with and without datetime',
  ],
  ['<p itemprop="a b a">x</p><p itemprop=a>y</p>', { a: ['x', 'y'], b: ['x'] }, 'several names, several values'],
  ['<p itemprop=a>x<script>no()</script><style>p{}</style></p>', { a: ['x'] }, 'no scripts in a text'],
  [
    '<div itemprop=offers itemscope itemtype="https://schema.org/Offer"><b itemprop=price>5</b></div>',
    { offers: [{ type: ['https://schema.org/Offer'], properties: { price: ['5'] } }] },
    'a nested item',
  ],
  ['<p itemprop=__proto__>x</p><p itemprop=constructor>y</p>', { constructor: ['y'] }, 'names __proto__ and constructor'],
] as const)
  microdata(why, () => {
    // Compared as text: the comparison ignores a member called constructor.
    assert.is(JSON.stringify(extract(scope(inner)).microdata), JSON.stringify([{ type: ['https://schema.org/Product'], properties }]))
  })

microdata('itemref finds properties in other places, in the order of the page', () => {
  const html =
    '<p id=one itemprop=a>1</p><div itemscope itemref="two one nowhere"><p itemprop=a>2</p></div><div id=two><p itemprop=a>3</p></div>'
  assert.equal(extract(html).microdata, [{ type: [], properties: { a: ['1', '2', '3'] } }])
})

microdata('only items of a requested type are read; URLs are resolved against the base of the page', () => {
  const html = `<base href="https://cdn.example/x/">${scope('<a itemprop=url href=y>')}<div itemscope itemtype="https://schema.org/Person"></div>`
  assert.equal(extract(html, { types: ['Product'] }).microdata, [
    { type: ['https://schema.org/Product'], properties: { url: ['https://cdn.example/x/y'] } },
  ])
})

const cards = suite('cards of a page')
cards('Open Graph and Twitter values keep their names; a repeated name has a list', () => {
  const html =
    '<meta property="og:title" content=" Green  tea "><meta property="og:image" content=/a><meta property="og:image" content=/b><meta name="twitter:card" content=summary><meta name=description content=x><meta property="og:empty" content=""><meta property="article:published_time" content=2026>'
  assert.equal(extract(html), {
    open_graph: { 'og:title': 'Green tea', 'og:image': ['/a', '/b'], 'article:published_time': '2026' },
    twitter: { 'twitter:card': 'summary' },
  })
})

const whole = suite('structured data as a whole')
const ALL = `<meta property="og:title" content=t>${block('{"a":1}')}${scope('<p itemprop=n>x</p>')}`
for (const [options, keys] of [
  [{}, ['json_ld', 'microdata', 'open_graph']],
  [{ json_ld: false }, ['microdata', 'open_graph']],
  [{ microdata: false, open_graph: false }, ['json_ld']],
] as const)
  whole(`the extraction with ${JSON.stringify(options)} has ${keys.join(', ')}`, () =>
    assert.equal(Object.keys(extract(ALL, options)), keys),
  )

whole('a page without structured data has no extraction, nor has a document of another type', () => {
  assert.is(extract('<p>Words only</p>'), undefined)
  assert.is(extract('{"@type":"Product"}', {}, 'application/json'), undefined)
  assert.is(extract(ALL, { json_ld: false, microdata: false, open_graph: false }), undefined)
})

const hostile = suite('structured data of a hostile page')

hostile('T18 members called __proto__ are dropped, and change nothing', () => {
  const found = extract(block('{"__proto__":{"polluted":1},"a":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}'))
  assert.is(JSON.stringify(found), '{"json_ld":[{"a":{"constructor":{"prototype":{"polluted":1}}}}]}')
  assert.is(({} as { polluted?: number }).polluted, undefined)
})

for (const [html, note, why] of [
  [block('['.repeat(100_000) + ']'.repeat(100_000)), 'JSON-LD block 1 is nested too deep', 'deep lists'],
  [block('{"a":'.repeat(60_000) + '1' + '}'.repeat(60_000)), 'JSON-LD block 1 is nested too deep', 'deep objects'],
  [block(`"${'x'.repeat(600 * 1024)}"`), 'JSON-LD block 1 is too large', 'a large block'],
  [block(`[${'1,'.repeat(60_000)}1]`), 'JSON-LD block 1 has too many values', 'many values'],
  [block('{}').repeat(150), 'There are more than 100 JSON-LD blocks', 'many blocks'],
] as const)
  hostile(`JSON-LD is limited: ${why}`, () => {
    const found = extract(html + block('{"after":1}'))
    assert.ok(found.notes.includes(note), JSON.stringify(found).slice(0, 300))
  })

hostile('all blocks together are limited: each block beyond the limit is noted', () => {
  const { json_ld: items, notes } = extract(block(`{"a":"${'x'.repeat(400 * 1024)}"}`).repeat(4))
  assert.is(items.length, 2)
  assert.equal(notes, ['JSON-LD block 3 is too large', 'JSON-LD block 4 is too large'])
})

for (const [html, why] of [
  [
    '<div itemscope id=a itemref=b><p itemprop=n>1</p></div><div id=b itemprop=x itemscope itemref=a></div><div id=c itemscope itemref=b></div>',
    'two items that refer to each other',
  ],
  ['<div itemscope id=a itemref=a><p itemprop=n>1</p></div>', 'one item that refers to itself'],
  ['<div itemscope itemref=b></div><div id=b itemprop=x itemscope itemref=b></div>', 'an item below that refers to itself'],
  [
    '<div itemscope itemref=b></div><div id=b itemprop=x itemscope itemref=c></div><div id=c itemprop=y itemscope itemref=b></div>',
    'a cycle of two items below a third',
  ],
] as const)
  hostile(`items that refer to themselves are cut: ${why}`, () => {
    const found = extract(html)
    assert.ok(found.microdata.length > 0)
    assert.ok(JSON.stringify(found).length < 2000)
  })

hostile('a circular reference is noted', () => {
  const html =
    '<div itemscope itemref=b></div><div id=b itemprop=x itemscope itemref=c></div><div id=c itemprop=y itemscope itemref=b></div>'
  assert.equal(extract(html).notes, ['Microdata that contains itself is left out'])
})

const doubledReferences = (name: string) =>
  `<div itemscope itemref="l0 r0"></div>${Array.from({ length: 60 }, (_, n) => ['l', 'r'].map((side) => `<div id=${side}${n} ${name} itemscope itemref="l${n + 1} r${n + 1}"></div>`).join('')).join('')}`
for (const [html, why] of [
  [doubledReferences('itemprop=x'), 'items that refer to two others each, 60 levels deep'],
  [doubledReferences('itemprop=""'), 'items without names that refer to two others each, 60 levels deep'],
  [`<div itemscope>${'<div itemprop=a>text of some length '.repeat(500)}</div>`, '500 nested text properties'],
  [`<div itemscope><p itemprop="${Array.from({ length: 10_000 }, (_, n) => `n${n}`).join(' ')}">x</div>`, '10,000 names of one property'],
  [`<div itemscope itemprop=x>`.repeat(5000), '5,000 nested items'],
  [`<div itemscope>${'<b itemprop=a>x</b>'.repeat(30_000)}</div>`, 'many properties'],
  [`<div itemscope itemref="a">`.repeat(2000) + '<p id=a>' + '<b>'.repeat(400), '2,000 nested items with the same reference'],
] as const)
  hostile(`structured data is limited: ${why}`, () => {
    const text = JSON.stringify(extract(html) ?? null)
    assert.ok(text.length < 2 * 1024 * 1024, `${text.length} characters`)
  })

for (const one of [jsonLd, microdata, cards, whole, hostile]) one.run()
