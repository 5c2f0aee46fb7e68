import { createServer, request as send } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { deleteBlobs } from '#backend/platform/blobs/blob-store.ts'
import { askBucket, openBlobs } from '#backend/platform/blobs/open-blobs.ts'
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

bucket('the question to the bucket distinguishes a wrong secret, a wrong bucket, a silent server and another server', async () => {
  const place = { kind: 's3', ...openPlace() } as const
  const wrong = async (other: object) => (await askBucket({ ...place, ...other })!()) ?? 'nothing'
  assert.is(await wrong({}), 'nothing')
  assert.match(
    await wrong({ secretAccessKey: 'not the secret' }),
    /^BLOB_STORE names the bucket .*, but .* 403 SignatureDoesNotMatch.*: correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/,
  )
  assert.match(await wrong({ bucket: 'nowhere' }), /404 NoSuchBucket.*: create the bucket, or correct BLOB_STORE\. Files of pages cannot/)
  assert.match(await wrong({ endpoint: await closedPort() }), /, which cannot be reached \(.*ECONNREFUSED.*\): files of pages cannot/)
  const page = createServer((_request, reply) => void reply.end('<html>A page</html>'))
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(page.address() as AddressInfo).port}`
  assert.match(await wrong({ endpoint }), /it answers, but not as an S3 server/)
  page.close()
  assert.is(askBucket({ kind: 'folder', folder: '/nowhere' }), null)
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

bucket('an upload whose last answer is lost is stored, and is not reported as failed', async () => {
  let lost = 0
  const { close, endpoint } = await before(openPlace().endpoint, ({ method, url }) => {
    const isLost = method === 'POST' && /[?&]uploadId=/.test(url!) && lost === 0
    if (isLost) lost += 1
    return isLost
  })
  const place = openPlace()
  const content = Buffer.alloc(9 * 1024 * 1024, 'x')
  try {
    const blobs = openBlobs({ kind: 's3', ...place, endpoint })
    assert.equal(await blobs.put('runs/1/large', content), { bytes: content.length })
    assert.is(lost, 1)
    assert.is((await openBlobs({ kind: 's3', ...place }).get('runs/1/large'))?.bytes, content.length)
  } finally {
    close()
  }
})

bucket('an upload that the server has discarded is reported as failed, although an earlier object has its key', async () => {
  const place = openPlace()
  const blobs = openBlobs({ kind: 's3', ...place })
  await blobs.put('runs/1/large', Buffer.alloc(9 * 1024 * 1024, 'x'))
  const { close, endpoint } = await before(openPlace().endpoint, ({ method, url }, reply) => {
    if (method !== 'POST' || !/[?&]uploadId=/.test(url!)) return false
    reply.writeHead(404).end('<Error><Code>NoSuchUpload</Code></Error>')
    return true
  })
  try {
    const put = openBlobs({ kind: 's3', ...place, endpoint }).put('runs/1/large', Buffer.alloc(9 * 1024 * 1024, 'y'))
    await rejects(put, /NoSuchUpload/)
  } finally {
    close()
  }
})

bucket('temporary credentials are sent with their session token', async () => {
  const sent: [token: unknown, isSigned: boolean][] = []
  const stub = createServer(({ headers }, reply) => {
    sent.push([headers['x-amz-security-token'], /SignedHeaders=[^,]*x-amz-security-token/.test(headers.authorization!)])
    reply.end('')
  })
  await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(stub.address() as AddressInfo).port}`
  await openBlobs({ kind: 's3', ...openPlace(), endpoint, sessionToken: 'of a role' }).put('runs/1/a', Buffer.from('x'))
  assert.equal(sent, [['of a role', true]])
  stub.closeAllConnections()
  stub.close()
})

bucket('a ping asks once', async () => {
  await s3Blobs(openPlace()).ping()
  await rejects(s3Blobs({ ...openPlace(), bucket: 'nowhere' }).ping(), /NoSuchBucket/)
  const pause = () => assert.unreachable() as never
  await rejects(s3Blobs({ ...openPlace(), endpoint: await closedPort() }, { pause, steady: () => 0 }).ping(), /ECONNREFUSED/)
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

/**
 * A server that forwards requests.
 *
 * @param answers  true: it has answered itself, or the answer of the server behind is lost
 */
async function before(behind: string, answers: (request: IncomingMessage, reply: ServerResponse) => boolean) {
  const stub = createServer((request, reply) => {
    const isLost = answers(request, reply)
    if (reply.writableEnded) return void request.resume()
    const { headers, method, url } = request
    const forwarded = send(new URL(url!, behind), { method: method!, headers }, (answer) => {
      if (isLost) answer.resume().on('end', () => reply.destroy())
      else answer.pipe(reply.writeHead(answer.statusCode!, answer.headers))
    })
    request.pipe(forwarded)
  })
  await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve))
  const close = () => {
    stub.closeAllConnections()
    stub.close()
  }
  return { close, endpoint: `http://127.0.0.1:${(stub.address() as AddressInfo).port}` }
}

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
