/**
 * Real servers for tests. Each is given by its URL (`TEST_REDIS_URL`, `TEST_S3_URL`), or started here: Redis or Valkey from the
 * machine, the S3 server from a development dependency. A missing server fails the test; it is never skipped.
 */
import { execFileSync, spawn } from 'node:child_process'
import { createHash, createHmac } from 'node:crypto'
import type { Hash, Hmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, request as askHttp } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { SignatureV4 } from '@smithy/signature-v4'
import { startFauxqs } from 'fauxqs'
import { Redis } from 'ioredis'
import type { S3Place } from '#backend/platform/blobs/s3-blobs.ts'

const HOW_TO_GET_REDIS =
  'These tests need a Redis or Valkey: set TEST_REDIS_URL to one that may be emptied, or install it (Debian: apt-get install redis-server, macOS: brew install valkey), and have redis-server or valkey-server in the PATH'

export type RedisServer = {
  url: string
  /** SIGSTOP and SIGCONT, or an end without saving; null for a server that was not started here. */
  pid: number | null
  flush(): Promise<void>
  close(): Promise<void>
}

/** A Redis or Valkey of its own, empty and without a disk. */
export async function startRedis(): Promise<RedisServer> {
  const given = process.env['TEST_REDIS_URL']
  if (given) {
    await flushAll(given)
    return { url: given, pid: null, flush: () => flushAll(given), close: async () => undefined }
  }
  const program = ['valkey-server', 'redis-server'].find(isThere)
  if (program === undefined) throw new Error(HOW_TO_GET_REDIS)
  const folder = mkdtempSync(join(tmpdir(), 'seine-redis-'))
  const port = await freePort()
  const options = { port, bind: '127.0.0.1', save: '', appendonly: 'no', dir: folder, 'maxmemory-policy': 'noeviction' }
  const child = spawn(
    program,
    Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await new Promise<void>((resolve, reject) => {
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (/ready to accept connections/i.test(said)) resolve()
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}: ${said}`)))
  })
  // It ends with this process, and does not keep it alive.
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  child.unref()
  ;(child.stdout as unknown as { unref(): void }).unref()
  const url = `redis://127.0.0.1:${port}`
  return {
    url,
    pid: child.pid ?? null,
    flush: () => flushAll(url),
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return
      process.off('exit', kill)
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.ref()
      kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function flushAll(url: string): Promise<void> {
  const redis = new Redis(url)
  await redis.flushall()
  await redis.quit()
}

export type S3Server = { placeOf(prefix: string): S3Place; close(): Promise<void> }

/**
 * A server of the S3 protocol, behind a proxy that checks signatures with AWS's own signer.
 *
 * `TEST_S3_URL` is written `http://KEY:SECRET@HOST:PORT/BUCKET?region=REGION`, with an existing bucket.
 */
export async function startS3(): Promise<S3Server> {
  const given = process.env['TEST_S3_URL']
  if (given) {
    const { origin, pathname, username, password, searchParams } = new URL(given)
    const region = searchParams.get('region') ?? 'us-east-1'
    const keys = { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) }
    const bucket = pathname.split('/')[1] ?? ''
    return { placeOf: (prefix) => ({ endpoint: origin, bucket, prefix, region, ...keys }), close: async () => undefined }
  }
  const keys = { accessKeyId: 'TESTKEY', secretAccessKey: 'a secret of the tests' }
  const region = 'eu-test-1'
  const server = await startFauxqs({ port: 0, logger: false, init: { buckets: ['blobs'] } })
  const door = await startSignatureProxy({ keys, region, target: server.port })
  return {
    placeOf: (prefix) => ({ endpoint: door.url, bucket: 'blobs', prefix, region, ...keys }),
    async close() {
      await door.close()
      await server.stop()
    },
  }
}

/** Forwards correctly signed requests unchanged; answers others as S3 does. */
async function startSignatureProxy({
  keys,
  region,
  target,
}: {
  keys: { accessKeyId: string; secretAccessKey: string }
  region: string
  target: number
}) {
  const signer = new SignatureV4({ credentials: keys, region, service: 's3', sha256: Sha256, uriEscapePath: false, applyChecksum: false })
  const server = createHttpServer(async (request, reply) => {
    const body = await buffer(request)
    const { headers, method = '', url = '' } = request
    const fault = await faultOf({ body, headers, method, url })
    if (fault !== null) return reply.writeHead(403).end(`<Error><Code>${fault}</Code><Message>refused</Message></Error>`)
    const onward = askHttp({ host: '127.0.0.1', port: target, method, path: url, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(reply)
    })
    onward.on('error', () => reply.destroy())
    onward.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }

  async function faultOf({ body, headers, method, url }: { body: Buffer; headers: IncomingHttpHeaders; method: string; url: string }) {
    const { authorization = '', 'x-amz-content-sha256': digest, 'x-amz-date': date = '' } = headers
    if (digest !== createHash('sha256').update(body).digest('hex')) return 'XAmzContentSHA256Mismatch'
    const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? []
    const { pathname, searchParams } = new URL(url, 'http://door')
    const [, year, month, day, hour, minute, second] = /^(....)(..)(..)T(..)(..)(..)Z$/.exec(String(date)) ?? []
    const signingDate = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
    if (Math.abs(Date.now() - signingDate.getTime()) > 15 * 60_000) return 'RequestTimeTooSkewed'
    const signed = await signer.sign(
      {
        method,
        protocol: 'http:',
        hostname: String(headers.host).split(':')[0]!,
        path: pathname,
        query: Object.fromEntries(searchParams),
        headers: Object.fromEntries(names.map((name) => [name, String(headers[name])])),
      },
      { signingDate },
    )
    const signatureOf = (text: string | undefined) => /Signature=([0-9a-f]+)/.exec(text ?? '')?.[1]
    const mine = signatureOf(signed.headers['authorization'])
    return mine !== undefined && mine === signatureOf(authorization) ? null : 'SignatureDoesNotMatch'
  }
}

/** SHA-256, and HMAC with a secret, as the signer wants them. */
class Sha256 {
  readonly #hash: Hash | Hmac
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as string | Uint8Array)
  }
  update(data: string | Uint8Array) {
    this.#hash.update(data)
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }
  reset() {
    throw new Error('is not used')
  }
}

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
