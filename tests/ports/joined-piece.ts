/** Files that are sent while they are produced: how their pieces are joined, and that a slow one shows signs of life. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { joinedPiece } from '#backend/platform/database/joined-piece.ts'
import { siteTree } from '#backend/sitemaps/site-texts.ts'

const pieces = suite('pieces of files')

pieces('small pieces are joined, and the last one is the rest', async () => {
  const file = (async function* () {
    for (let no = 0; no < 300; no += 1) yield 'x'.repeat(1024)
  })()
  const sizes: (number | undefined)[] = []
  for (let isEnd = false; !isEnd;) {
    const joined = await joinedPiece(file)
    sizes.push(joined.piece?.length)
    isEnd = joined.isEnd
  }
  assert.equal(sizes, [128 * 1024, 128 * 1024, 44 * 1024])
  assert.equal(await joinedPiece(file), { piece: null, isEnd: true })
})

pieces('a reader of a slow file gets what there is after a second', async () => {
  const clock = { at: 0 }
  const file = (async function* () {
    for (let no = 0; no < 4; no += 1) {
      clock.at += 600
      yield 'x'
    }
  })()
  const sizes: (number | undefined)[] = []
  for (let isEnd = false; !isEnd;) {
    const joined = await joinedPiece(file, () => clock.at)
    sizes.push(joined.piece?.length)
    isEnd = joined.isEnd
  }
  assert.equal(sizes, [2, 2, undefined])
})

pieces('the tree of a large site begins with white space every few seconds while it is sorted, and is still JSON', async () => {
  const clock = { at: 0 }
  let read = 0
  const batches = (async function* () {
    for (; read < 6; read += 1) {
      clock.at += 3000
      yield [{ url: `https://a.test/${read}` }]
    }
  })()
  let text = ''
  const signs: number[] = []
  for await (const piece of siteTree(batches, () => clock.at)) {
    if (piece.trim() === '') signs.push(read)
    text += piece
  }
  assert.equal(signs, [1, 3, 5], 'one after every six seconds')
  assert.equal(Object.keys(JSON.parse(text) as object), ['a.test'])
})

pieces.run()
