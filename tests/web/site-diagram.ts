import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { blocksOf, neighbourOf, pathTo, rootOf } from '#web/runs/shared/site-diagram.ts'
import type { Block } from '#web/runs/shared/site-diagram.ts'
import { pagesOf, siteNodes } from '#web/runs/shared/site-tree.ts'

const page = (path: string) => ({ __self__: { url: `https://shop.example${path}` } })
const many = (count: number, at: string) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`${at}${n}`, page(`/${at}${n}`)]))
const small = siteNodes({ 'shop.example': { ...page('/'), tea: { ...page('/tea'), ...many(6, 'leaf') }, about: page('/about') } })
/** 50,000 pages: a folder with 30,000 of them, two hundred with a hundred each. */
const large = siteNodes({
  'shop.example': {
    products: many(30_000, 'p'),
    ...Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`shelf${n}`, many(100, 'x')])),
  },
})
const names = (blocks: readonly Block[], column: number) => blocks.filter((block) => block.column === column).map(({ name }) => name)

const diagram = suite('the diagram of a site')

diagram('the diagram draws a block for each folder and page, the largest first', () => {
  const blocks = blocksOf(rootOf(small), 20)
  assert.equal(names(blocks, 0), ['shop.example'])
  assert.equal(names(blocks, 1), ['tea', 'about'])
  assert.equal(names(blocks, 2), ['leaf0', 'leaf1', 'leaf2', 'leaf3', 'leaf4', 'leaf5'])
  assert.equal(names(blocks, 3), [])
  const [tea, about] = blocks.filter(({ column }) => column === 1)
  assert.ok(tea && about && tea.height > 3 * about.height, 'seven pages are higher than one')
})

diagram('the diagram draws few blocks for 50,000 pages, none too low to read, none beyond its folder', () => {
  assert.is(pagesOf(rootOf(large)), 50_000)
  for (const rows of [1, 7, 20, 40]) {
    const blocks = blocksOf(rootOf(large), rows)
    assert.ok(blocks.length <= 4 * rows, `${blocks.length} blocks in ${rows} rows`)
    for (const block of blocks) {
      assert.ok(block.height >= 1 - 1e-9, `${block.name} is ${block.height} rows high`)
      const folder = blocks.find(({ column, id }) => column === block.column - 1 && id === block.parent)
      if (block.column > 0) assert.ok(folder && block.top >= folder.top - 1e-9, `${block.name} begins in its folder`)
      if (folder) assert.ok(block.top + block.height <= folder.top + folder.height + 1e-9, `${block.name} ends in its folder`)
    }
  }
})

diagram('pages without space are one block with their number, so that none is missing', () => {
  for (const rows of [1, 7, 20]) {
    const columns = blocksOf(rootOf(large), rows).filter(({ column }) => column === 1)
    assert.is(
      columns.reduce((sum, { pages }) => sum + pages, 0),
      50_000,
    )
  }
  assert.equal(names(blocksOf(rootOf(large), 3), 1), ['products', 'shelf0', '199 more'])
  assert.equal(names(blocksOf(rootOf(large), 1), 1), ['201 entries'])
})

diagram('the diagram opens a folder, and goes back', () => {
  const root = rootOf(large)
  const path = pathTo(root, '/shop.example/shelf17')
  assert.equal(
    path.map(({ segment }) => segment),
    ['shop.example', 'shelf17'],
  )
  assert.equal(names(blocksOf(path[1]!, 3), 1), ['x0', 'x1', '98 more'])
  assert.equal(pathTo(root, '/shop.example/nothing'), [root])
})

diagram('several hosts share one root block, and each host is below it', () => {
  const root = rootOf(siteNodes({ 'a.example': page('/'), 'b.example': { ...page('/'), tea: page('/tea') } }))
  const blocks = blocksOf(root, 10)
  assert.equal([names(blocks, 0), names(blocks, 1), names(blocks, 2)], [['All hosts'], ['b.example', 'a.example'], ['tea']])
  assert.equal(
    pathTo(root, '/b.example/tea').map(({ segment }) => segment),
    ['All hosts', 'b.example', 'tea'],
  )
})

diagram('arrow keys lead to the block beside, above and below', () => {
  const blocks = blocksOf(rootOf(small), 20)
  const named = (name: string) => blocks.find((block) => block.name === name)!
  const to = (from: string, key: string) => neighbourOf(blocks, named(from), key)?.name
  assert.is(to('shop.example', 'ArrowRight'), 'tea')
  assert.is(to('tea', 'ArrowRight'), 'leaf0')
  assert.is(to('leaf3', 'ArrowLeft'), 'tea')
  assert.is(to('tea', 'ArrowDown'), 'about')
  assert.is(to('about', 'ArrowUp'), 'tea')
  assert.is(to('leaf0', 'End'), 'leaf5')
  assert.is(to('leaf5', 'Home'), 'leaf0')
  for (const [from, key] of [
    ['about', 'ArrowRight'],
    ['about', 'ArrowDown'],
    ['shop.example', 'ArrowLeft'],
    ['tea', 'Enter'],
  ] as const)
    assert.is(to(from, key), undefined, `${key} from ${from}`)
})

diagram.run()
