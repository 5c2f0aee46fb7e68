import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { metadataGroups } from '#web/runs/crawl/page-texts.ts'

const test = suite('metadata of a page on screen')

test('derived values come first, in a fixed order; metadata elements follow in the order of the page', () => {
  const { known, elements } = metadataGroups({
    viewport: 'x',
    'og:title': 'T',
    word_count: '3',
    title: null,
    authors: 'Ann',
    author: 'Ann',
  })
  assert.equal(known, [
    ['title', null],
    ['authors', 'Ann'],
    ['word_count', '3'],
  ])
  assert.equal(elements, [
    ['viewport', 'x'],
    ['og:title', 'T'],
  ])
})

test('an author that differs from the derived one, __proto__ and constructor are listed as metadata elements', () => {
  const metadata = JSON.parse('{"author":"desk","authors":"Ann","__proto__":"x","constructor":"y"}') as Record<string, string>
  assert.equal(
    metadataGroups(metadata).elements.map(([key]) => key),
    ['author', '__proto__', 'constructor'],
  )
  assert.equal(metadataGroups({}), { known: [], elements: [] })
})

test.run()
