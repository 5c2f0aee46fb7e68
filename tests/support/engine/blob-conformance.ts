/** What every adapter of the BlobStore port must do. */
import { setImmediate } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { MAX_BLOB_KEY, deleteBlobs } from '#backend/platform/blobs/blob-store.ts'
import type { BlobStore } from '#backend/platform/blobs/blob-store.ts'

/** @param make  returns an empty store, and how to close it */
export function blobConformance(name: string, make: () => Promise<{ blobs: BlobStore; close: () => Promise<void> }>): void {
  const conformance = suite(`blobs, ${name}`)
  const test = (title: string, body: (blobs: BlobStore) => Promise<void>) =>
    conformance(title, async () => {
      const { blobs, close } = await make()
      try {
        await body(blobs)
      } finally {
        await close()
      }
    })

  test('content is read back unchanged, from bytes and from a stream, empty and large', async (blobs) => {
    const large = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251))
    for (const [key, content] of [
      ['a', Buffer.from('one part')],
      ['a/b', Buffer.from('two parts')],
      ['runs/1/x.png', Buffer.from([0, 255, 13, 10])],
      ['runs/1/deep/er/still', Buffer.alloc(0)],
      ['runs/2/large', large],
    ] as const) {
      assert.equal(await blobs.put(key, content), { bytes: content.length }, key)
      assert.equal(await read(blobs, key), content, key)
      assert.equal(await blobs.put(key, pieces(content)), { bytes: content.length }, key)
      assert.equal(await read(blobs, key), content, key)
      const found = await blobs.get(key)
      assert.is(found?.bytes, content.length)
      found?.content.destroy()
    }
  })

  test('an unknown key is null, also if it is the prefix of another', async (blobs) => {
    await blobs.put('runs/1/a/b', Buffer.from('x'))
    for (const key of ['runs', 'runs/1', 'runs/1/a', 'runs/1/a/b/c', 'runs/1/a.b', 'runs/11/a/b'])
      assert.is(await blobs.get(key), null, key)
    await blobs.put('runs/1/a', Buffer.from('beside its own longer form'))
    assert.is(String(await read(blobs, 'runs/1/a/b')), 'x')
  })

  test('a second write replaces the content; an interrupted write keeps the first content, and leaves no partial content', async (blobs) => {
    await blobs.put('runs/1/a', Buffer.from('first'))
    await blobs.put('runs/1/a', Buffer.from('second'))
    const broken = async function* () {
      yield Buffer.from('third, of which')
      await setImmediate()
      throw new Error('the sender is gone')
    }
    for (const key of ['runs/1/a', 'runs/1/new'])
      await blobs.put(key, broken()).then(
        () => assert.unreachable(),
        (fault: Error) => assert.is(fault.message, 'the sender is gone'),
      )
    assert.is(String(await read(blobs, 'runs/1/a')), 'second')
    assert.is(await blobs.get('runs/1/new'), null)
    assert.equal(await keys(blobs, ''), ['runs/1/a'])
  })

  test('after several concurrent writes of one key the content of one is stored, complete', async (blobs) => {
    const contents = Array.from({ length: 8 }, (_, at) => Buffer.alloc(20_000, at))
    await Promise.all(contents.map((content) => blobs.put('runs/1/a', pieces(content))))
    const found = await read(blobs, 'runs/1/a')
    assert.ok(contents.some((content) => content.equals(found)))
  })

  test('a list has the keys of its prefix, with their sizes, and no others', async (blobs) => {
    const all = ['a', 'runs/1/a', 'runs/1/b/c', 'runs/1/b/d', 'runs/12/a', 'runs/2/a', 'exports/1/a', 'run']
    for (const key of all) await blobs.put(key, Buffer.from(key))
    for (const prefix of ['', 'run', 'runs/', 'runs/1', 'runs/1/', 'runs/1/b', 'runs/1/b/', 'exports/', 'nothing/here/'])
      assert.equal(await keys(blobs, prefix), all.filter((key) => key.startsWith(prefix)).toSorted(), prefix)
    for await (const { key, bytes } of blobs.list('')) assert.is(bytes, key.length, key)
  })

  test('deleting keeps other keys and may be repeated; a whole prefix can be deleted', async (blobs) => {
    for (const key of ['runs/1/a', 'runs/1/b', 'runs/12/a']) await blobs.put(key, Buffer.from('x'))
    await blobs.delete('runs/1/a')
    await blobs.delete('runs/1/a')
    await blobs.delete('never/was/there')
    assert.is(await blobs.get('runs/1/a'), null)
    assert.equal(await keys(blobs, ''), ['runs/1/b', 'runs/12/a'])
    await deleteBlobs(blobs, 'runs/1/')
    assert.equal(await keys(blobs, ''), ['runs/12/a'])
    await blobs.put('runs/1/a', Buffer.from('again'))
    assert.is(String(await read(blobs, 'runs/1/a')), 'again')
  })

  test('a read that has begun gets its content to the end, whatever is written meanwhile', async (blobs) => {
    const content = Buffer.alloc(500_000, 7)
    await blobs.put('runs/1/a', content)
    const found = await blobs.get('runs/1/a')
    const chunks = found!.content.iterator()
    const first = (await chunks.next()).value as Buffer
    await blobs.put('runs/1/a', Buffer.from('new'))
    const rest: Buffer[] = [first]
    for await (const chunk of chunks) rest.push(chunk as Buffer)
    assert.ok(Buffer.concat(rest).equals(content))
  })

  test('every operation refuses an invalid key', async (blobs) => {
    const bad = [
      '',
      '/',
      '/a',
      'a/',
      'a//b',
      '..',
      '../a',
      'a/../b',
      'a/..',
      '.hidden',
      'a/.b',
      'A',
      'a b',
      'a\\b',
      'a~b',
      'a\0b',
      'ä',
      'c:/a',
      'x'.repeat(MAX_BLOB_KEY + 1),
    ]
    for (const key of bad)
      for (const verb of [() => blobs.put(key, Buffer.from('x')), () => blobs.get(key), () => blobs.delete(key)])
        await verb().then(
          () => assert.unreachable(JSON.stringify(key)),
          (fault: Error) => assert.instance(fault, TypeError, `${JSON.stringify(key)}: ${fault.message}`),
        )
    assert.equal(await keys(blobs, ''), [])
    await blobs.put(`runs/1/${'x'.repeat(MAX_BLOB_KEY - 7)}`, Buffer.from('the longest'))
  })

  conformance.run()
}

async function* pieces(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += 9001) {
    yield content.subarray(at, at + 9001)
    await setImmediate()
  }
}

async function read(blobs: BlobStore, key: string): Promise<Buffer> {
  const found = await blobs.get(key)
  if (found === null) throw new Error(`there is no ${key}`)
  const chunks: Buffer[] = []
  for await (const chunk of found.content) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function keys(blobs: BlobStore, prefix: string): Promise<string[]> {
  const found: string[] = []
  for await (const { key } of blobs.list(prefix)) found.push(key)
  return found.toSorted()
}
