import { randomBytes } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createZip } from '#backend/crawls/zip-writer.ts'
import { unzip } from '#tests/support/unzip.ts'

const zips = suite('zip archives')

const LARGE = Buffer.from(randomBytes(600_000).toString('hex'))
const SMALL = Buffer.from('a short text')

async function* parts(...contents: Buffer[]) {
  yield* contents
}

/** Whether other work gets a turn of the event loop before the bytes are there. */
async function givesTurns(bytes: () => Promise<unknown>): Promise<boolean> {
  let turns = 0
  const counting = setImmediate(() => (turns += 1))
  await bytes()
  clearImmediate(counting)
  return turns > 0
}

zips('a large entry is compressed outside of the event loop, and so is a large part of a stream', async () => {
  assert.ok(await givesTurns(() => Promise.resolve(createZip().entry('large', 0, LARGE))))
  assert.not.ok(await givesTurns(() => Promise.resolve(createZip().entry('small', 0, SMALL))), 'for a small one, the way there costs more')
  const source = createZip().stream('large', 0, parts(LARGE))
  await source.next()
  assert.ok(await givesTurns(() => source.next()))
})

zips('large and small entries and streams are read back as they were', async () => {
  const zip = createZip()
  const pieces = [await zip.entry('large', 0, LARGE), await zip.entry('small', 0, SMALL)]
  for await (const piece of zip.stream('stream', 0, parts(SMALL, LARGE, SMALL))) pieces.push(piece)
  pieces.push(...zip.end())
  const entries = await unzip(Buffer.concat(pieces))
  assert.equal([...entries.keys()], ['large', 'small', 'stream'])
  assert.is(entries.get('large'), LARGE.toString())
  assert.is(entries.get('small'), SMALL.toString())
  assert.is(entries.get('stream'), Buffer.concat([SMALL, LARGE, SMALL]).toString())
})

zips.run()
