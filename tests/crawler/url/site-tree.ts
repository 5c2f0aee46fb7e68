import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { SitePage } from '#contract/sitemaps.ts'
import { markdownLine, treeRow, treeText } from '#backend/sitemaps/site-tree.ts'

const tree = suite('site tree')

/** The tree of pages as JSON text. */
function siteTreeJson(pages: readonly SitePage[]): string {
  const rows = pages.map(treeRow).filter((row) => row !== null)
  return [
    ...treeText(rows.toSorted((one, other) => (one.path === other.path ? one.rank - other.rank : one.path < other.path ? -1 : 1))),
  ].join('')
}

const of = (...pages: (string | [url: string, title: string])[]) =>
  JSON.parse(siteTreeJson(pages.map((page) => (typeof page === 'string' ? { url: page } : { url: page[0], title: page[1] })))) as Record<
    string,
    unknown
  >

tree('the tree nests hosts and path segments, with titles where they are known', () => {
  assert.equal(
    of(
      ['https://shop.example/', 'Blue Kettle'],
      ['https://shop.example/tea', 'All teas'],
      ['https://shop.example/tea?page=2', 'All teas, page 2'],
      ['https://shop.example/tea/green', 'Green'],
      'https://shop.example/cart/',
    ),
    {
      'shop.example': {
        __self__: { url: 'https://shop.example/', title: 'Blue Kettle' },
        tea: {
          __self__: { url: 'https://shop.example/tea', title: 'All teas' },
          __query__: [{ url: 'https://shop.example/tea?page=2', title: 'All teas, page 2' }],
          green: { __self__: { url: 'https://shop.example/tea/green', title: 'Green' } },
        },
        cart: { __self__: { url: 'https://shop.example/cart/' } },
      },
    },
  )
})

tree('the tree without pages is an empty object', () => assert.equal(of(), {}))

tree('the tree keeps ports apart, and has a repeated path once', () => {
  assert.equal(of('http://a.example:8080/x', ['http://a.example/x', 'first'], ['https://a.example/x/', 'second']), {
    'a.example:8080': { x: { __self__: { url: 'http://a.example:8080/x' } } },
    'a.example': { x: { __self__: { url: 'http://a.example/x', title: 'first' } } },
  })
})

tree('the tree puts a URL with a query among the variants, also when it comes first', () => {
  assert.equal(of('https://a.example/?b=1', 'https://a.example/', 'https://a.example/?b=2'), {
    'a.example': {
      __query__: [{ url: 'https://a.example/?b=1' }, { url: 'https://a.example/?b=2' }],
      __self__: { url: 'https://a.example/' },
    },
  })
})

const SEGMENTS: [path: string, keys: string[], url: string, why: string][] = [
  ['/caf%C3%A9', ['café'], '/café', 'escapes are decoded for display'],
  ['/a%20b', ['a b'], '/a%20b', 'a space stays escaped in the URL'],
  ['/a%2Fb', ['a/b'], '/a%2Fb', 'an encoded slash is part of the segment'],
  ['/100%25', ['100%'], '/100%25', 'an escaped percent sign is decoded once'],
  ['/%2541', ['%41'], '/%2541', 'an escaped percent sign before digits stays escaped in the URL'],
  ['/%E4%F6', ['%E4%F6'], '/%E4%F6', 'escapes that are not UTF-8 stay'],
  ['/%00%0A%E2%80%AE', ['%00%0A%E2%80%AE'], '/%00%0A%E2%80%AE', 'control and bidirectional characters stay escaped'],
  ['/a//b', ['a', '', 'b'], '/a//b', 'an empty segment is a segment'],
  ['/__self__', ['%5F%5Fself%5F%5F'], '/__self__', 'a segment named like our key __self__'],
  ['/__query__/x', ['%5F%5Fquery%5F%5F', 'x'], '/__query__/x', 'a segment named like our key __query__'],
  ['/%255F%255Fself%255F%255F', ['%255F%255Fself%255F%255F'], '/%255F%255Fself%255F%255F', 'a segment that looks like an escaped __self__'],
  ['/__proto__/constructor', ['__proto__', 'constructor'], '/__proto__/constructor', 'segments __proto__ and constructor'],
  ['/toString', ['toString'], '/toString', 'a segment named toString'],
]
for (const [path, keys, shown, why] of SEGMENTS)
  tree(`${path}: ${why}`, () => {
    const whole = of(`https://a.example${path}`)
    assert.equal(Object.keys(whole), ['a.example'])
    let node: unknown = whole['a.example']
    for (const key of keys) {
      assert.ok(Object.hasOwn(node as object, key), `${key} of ${JSON.stringify(node)}`)
      node = Object.getOwnPropertyDescriptor(node, key)?.value
    }
    assert.equal(node, { __self__: { url: `https://a.example${shown}` } })
  })

tree('a URL as displayed still leads to its page', () => {
  for (const path of ['/caf%C3%A9?q=%C3%BC%26b', '/a%2Fb%3Fc%23d', '/%2541', '/%22%3C%3E', '/%E4']) {
    const whole = siteTreeJson([{ url: `https://a.example${path}` }])
    const [shown = ''] = /https:[^"]+/.exec(whole) ?? []
    assert.is(new URL(shown).href, new URL(`https://a.example${path}`).href)
  }
})

tree('a hostile path neither changes prototypes nor loses a page', () => {
  const whole = of('https://a.example/__proto__/polluted', 'https://__proto__/', 'https://a.example/constructor/prototype/polluted')
  assert.is((Object.prototype as Record<string, unknown>)['polluted'], undefined)
  assert.is(JSON.stringify(whole).match(/__self__/g)?.length, 3)
})

tree('a path of thousands of segments is added to the tree', () => {
  const url = `https://a.example${'/x'.repeat(3000)}`
  assert.is(siteTreeJson([{ url }]).match(/"x":/g)?.length, 3000)
})

tree('invalid URLs are left out', () => assert.equal(of('nonsense', ''), {}))

const markdown = suite('site list in Markdown')

const LINES: [url: string, title: string | undefined, line: string, why: string][] = [
  ['https://a.example/', 'Home', '- [Home](https://a.example/)', 'a link'],
  ['https://a.example/x', undefined, '- https://a.example/x', 'a URL without a title'],
  ['https://a.example/x_(y)', 'Y', '- [Y](https://a.example/x_%28y%29)', 'parentheses in a URL are escaped'],
  ['https://a.example/', 'a\n\n# b', '- [a # b](https://a.example/)', 'line breaks in a title become spaces'],
  [
    'https://a.example/',
    '](https://evil.example/) ![x',
    '- [\\](https://evil.example/) !\\[x](https://a.example/)',
    'a title cannot add a link',
  ],
  [
    'https://a.example/',
    '[x](javascript:alert(1))',
    '- [\\[x&#93;(javascript:alert(1))](https://a.example/)',
    'A7: a title cannot add a link where a renderer drops backslashes',
  ],
  ['https://a.example/', '<img src=x>', '- [\\<img src=x>](https://a.example/)', 'a title cannot add an element'],
  ['https://a.example/', 'snake_case', '- [snake_case](https://a.example/)', 'ordinary words stay as they are'],
]
for (const [url, title, line, why] of LINES)
  markdown(`${line}: ${why}`, () => assert.is(markdownLine(title === undefined ? { url } : { url, title }), `${line}\n`))

tree.run()
markdown.run()
