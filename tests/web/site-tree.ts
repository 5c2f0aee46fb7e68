import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { branchIds, countPages, matching, siteNodes, visibleRows } from '#web/runs/shared/site-tree.ts'

const TREE = {
  'shop.example': {
    __self__: { url: 'https://shop.example/', title: 'Blue Kettle' },
    tea: {
      __self__: { url: 'https://shop.example/tea', title: 'All teas' },
      __query__: [{ url: 'https://shop.example/tea?page=2', title: 'All teas, page 2' }],
      green: { __self__: { url: 'https://shop.example/tea/green', title: 'Green' } },
      'k%C3%A4se': { __self__: { url: 'https://shop.example/tea/k%C3%A4se' } },
    },
    '%5F%5Fself%5F%5F': { __self__: { url: 'https://shop.example/__self__' } },
  },
}
const nodes = siteNodes(TREE)
const segments = (list: readonly { segment: string }[]) => list.map(({ segment }) => segment)

const tree = suite('the tree of a site')

tree('the tree has a branch for each segment, decoded', () => {
  assert.equal(segments(nodes), ['shop.example'])
  assert.equal(segments(nodes[0]?.children ?? []), ['tea', '__self__'])
  assert.equal(segments(nodes[0]?.children[0]?.children ?? []), ['green', 'käse'])
})

tree('each branch counts the pages below it, variants included', () => {
  assert.is(nodes[0]?.descendants, 5)
  assert.is(nodes[0]?.children[0]?.descendants, 3)
  assert.is(countPages(nodes), 6)
})

tree('open branches are shown, variants first, with positions for screen readers', () => {
  const rows = visibleRows(nodes, new Set(['/shop.example', '/shop.example/tea']))
  assert.equal(
    rows.map((row) => `${row.level} ${row.kind === 'node' ? row.node.segment : 'query'} ${row.place}/${row.size}`),
    ['1 shop.example 1/1', '2 tea 1/2', '3 query 1/3', '3 green 2/3', '3 käse 3/3', '2 __self__ 2/2'],
  )
  assert.is(visibleRows(nodes, new Set()).length, 1)
  assert.equal(branchIds(nodes), ['/shop.example', '/shop.example/tea'])
})

for (const [text, expected, why] of [
  ['green', ['/shop.example', '/shop.example/tea', '/shop.example/tea/green'], 'a segment'],
  ['PAGE 2', ['/shop.example', '/shop.example/tea', '/shop.example/tea?0'], 'the title of a variant, in any case'],
  ['nothing like it', [], 'nothing'],
] as const)
  tree(`a search keeps the path to ${why}`, () => {
    const found = matching(nodes, text)
    assert.equal(
      visibleRows(found, new Set(branchIds(found))).map(({ id }) => id),
      [...expected],
    )
  })

tree('invalid trees are ignored', () => {
  const odd = JSON.parse('{"a":7,"b":null,"c":[1],"d":{"__self__":{"url":3},"__query__":"x"}}') as Parameters<typeof siteNodes>[0]
  assert.equal(segments(siteNodes(odd)), ['d'])
  assert.is(countPages(siteNodes(odd)), 0)
})

tree.run()
