import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { deleteBlobs } from '#backend/platform/blobs/blob-store.ts'
import { checkBlobs, openBlobs } from '#backend/platform/blobs/open-blobs.ts'
import { blobConformance } from '#tests/support/engine/blob-conformance.ts'
import { s3Blobs } from '#backend/platform/blobs/s3-blobs.ts'
import { startS3 } from '#tests/support/stubs/servers.ts'

const server = await startS3()
// Ends with this process: every suite of the file uses it.
const openPlace = () => server.placeOf(`t${randomUUID()}/`)

blobConformance('in a bucket', async () => {
  const blobs = openBlobs({ kind: 's3', ...openPlace() })
  return { blobs, close: () => deleteBlobs(blobs, '') }
})

const bucket = suite('blobs in a bucket')

async function* chunksOf(content: Buffer, bytes: number) {
  for (let at = 0; at < content.length; at += bytes) yield content.subarray(at, at + bytes)
}

bucket('content of several parts is read back unchanged, and an interrupted upload leaves nothing', async () => {
  const blobs = openBlobs({ kind: 's3', ...openPlace() })
  const content = Buffer.alloc(17 * 1024 * 1024 + 3, 'sixteen bytes...')
  for (const given of [content, chunksOf(content, 1_000_003)]) {
    assert.equal(await blobs.put('runs/1/large', given), { bytes: content.length })
    const found = await blobs.get('runs/1/large')
    const parts: Buffer[] = []
    for await (const chunk of found!.content) parts.push(chunk as Buffer)
    assert.ok(Buffer.concat(parts).equals(content))
  }
  const broken = async function* () {
    yield content
    throw new Error('the sender is gone')
  }
  await rejects(blobs.put('runs/1/broken', broken()), /the sender is gone/)
  const keys: string[] = []
  for await (const { key } of blobs.list('')) keys.push(key)
  assert.equal(keys, ['runs/1/large'])
  await deleteBlobs(blobs, '')
})

bucket('a list that takes several answers is complete, and has no keys of another prefix', async () => {
  const place = openPlace()
  const blobs = openBlobs({ kind: 's3', ...place })
  const keys = Array.from({ length: 1005 }, (_, at) => `runs/1/${String(at).padStart(4, '0')}`)
  for (let at = 0; at < keys.length; at += 32) await Promise.all(keys.slice(at, at + 32).map((key) => blobs.put(key, Buffer.from('x'))))
  const found: string[] = []
  for await (const { key } of blobs.list('runs/1/')) found.push(key)
  assert.equal(found.toSorted(), keys)
  for await (const { key } of openBlobs({ kind: 's3', ...openPlace() }).list('')) assert.unreachable(key)
  await deleteBlobs(blobs, '')
})

bucket('the check at start distinguishes a wrong secret, a wrong bucket and a silent server', async () => {
  const place = { kind: 's3', ...openPlace() } as const
  const warnings: string[] = []
  const check = (wrong: object) => checkBlobs({ ...place, ...wrong }, (_, message) => void warnings.push(message))
  await check({})
  await rejects(check({ secretAccessKey: 'not the secret' }), /403 SignatureDoesNotMatch/)
  await rejects(check({ bucket: 'nowhere' }), /404 NoSuchBucket/)
  assert.equal(warnings, [])
  await check({ endpoint: await closedPort() })
  assert.equal(warnings.length, 1)
})

bucket('a request to a busy or slow server is retried with the same bytes; a missing bucket differs from a missing key', async () => {
  const refusals: [status: number, code: string][] = [
    [503, 'SlowDown'],
    [400, 'RequestTimeout'],
  ]
  const bodies: string[] = []
  const stub = createServer(async (request, reply) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    bodies.push(Buffer.concat(chunks).toString())
    if (request.method === 'GET') return reply.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>')
    const [status, code] = refusals.shift() ?? [200]
    reply.writeHead(status).end(code && `<Error><Code>${code}</Code></Error>`)
  })
  await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(stub.address() as AddressInfo).port}`
  const blobs = openBlobs({ kind: 's3', ...openPlace(), endpoint })
  assert.equal(await blobs.put('runs/1/a', Buffer.from('again')), { bytes: 5 })
  assert.equal(bodies, ['again', 'again', 'again'])
  await rejects(blobs.get('runs/1/a'), /NoSuchBucket/)
  stub.closeAllConnections()
  stub.close()
})

bucket(
  'content is stored although the server is away for twenty seconds; after a longer outage, the next content is given up sooner',
  async () => {
    let tries = 0
    let isAway = true
    const stub = createServer((request, reply) => {
      tries += 1
      request.resume().on('end', () => reply.writeHead(isAway ? 503 : 200).end('<UploadId>1</UploadId>'))
    })
    await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve))
    const endpoint = `http://127.0.0.1:${(stub.address() as AddressInfo).port}`
    let time = 0
    let backAt = 0
    const pause = async (ms: number) => {
      time += ms
      isAway = time < backAt
    }
    const blobs = s3Blobs({ ...openPlace(), endpoint }, { steady: () => time, pause })
    stub.unref()
    for (const bytes of [4, 9 * 1024 * 1024]) {
      ;[backAt, isAway] = [time + 20_000, true]
      assert.equal(await blobs.put('runs/1/a', Buffer.alloc(bytes)), { bytes })
      assert.ok(time >= backAt)
    }
    const from = time
    ;[backAt, isAway] = [Infinity, true]
    await rejects(blobs.put('runs/1/b', Buffer.from('lost')), /503/)
    assert.ok(time - from >= 30_000 && time - from < 45_000, `${time - from} ms`)
    for (const request of [() => blobs.put('runs/1/c', Buffer.from('lost')), () => blobs.get('runs/1/a')]) {
      tries = 0
      await rejects(request(), /503/)
      assert.is(tries, 4)
    }
    stub.closeAllConnections()
    stub.close()
  },
)

bucket.after(() => server.close())
bucket.run()

async function rejects(work: Promise<unknown>, expected: RegExp): Promise<void> {
  await work.then(
    () => assert.unreachable(),
    (fault: Error) => assert.match(fault.message, expected),
  )
}

async function closedPort(): Promise<string> {
  const closed = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => closed.once('listening', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  return `http://127.0.0.1:${port}`
}
