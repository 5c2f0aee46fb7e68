/**
 * The BlobStore in a bucket of any S3-compatible server. Requests are signed with Signature Version 4, bodies with their SHA-256, so that
 * the server rejects corrupted ones. Bucket names go into the path, which every such server supports.
 *
 * Content up to the size of one part is stored with one request; longer content as a multipart upload, which the server completes or
 * discards as a whole. So a reader never sees half of a content, and a broken upload keeps the previous one.
 */
import { createHash, randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Parser } from 'htmlparser2'
import { Agent, request } from 'undici'
import type { Dispatcher } from 'undici'
import { checkBlobKey } from './blob-store.ts'
import type { BlobContent, BlobStore } from './blob-store.ts'

/**
 * @property endpoint  origin of the server, such as `https://s3.eu-central-1.amazonaws.com`
 * @property prefix    prefix of every key: '' or segments that end with a slash
 */
export type S3Place = {
  endpoint: string
  bucket: string
  prefix: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Of temporary credentials. */
  sessionToken?: string | undefined
}

/** Servers require at least 5 MiB for every part but the last, and accept 10,000 parts: contents of up to 80 GB. */
const PART_BYTES = 8 * 1024 * 1024
const KEYS_PER_LIST = 1000
/** Attempts per request when the server is busy or the connection breaks. */
const TRIES = 4
/** Each request of an upload is tried for at least so long: its content is lost otherwise, and a server restarts in less time. */
const STORE_MS = 30_000
const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 8000
const HEADERS_TIMEOUT_MS = 30_000
const BODY_TIMEOUT_MS = 60_000
/** Most bytes of an answer that is read as text. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024
const PING_MS = 5000
/** Marks an object with the upload that made it: servers keep such headers with the object. */
const UPLOAD_MARK = 'x-amz-meta-upload'

/** The server answered with an error. */
export class S3Refusal extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.name = 'S3Refusal'
    this.status = status
    this.code = code
  }
}

type Ask = {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Uint8Array
  /** Judges the answer; its error counts as one of the request. */
  judge?: (answer: Answer) => Promise<void>
  /** For a single attempt that takes no longer. */
  mostMs?: number
}
/** Seams for tests: the wait between two attempts, and a clock for durations. */
type Time = { pause: (ms: number) => Promise<unknown>; steady: () => number }
type Answer = Dispatcher.ResponseData

export function s3Blobs(
  { endpoint, bucket, prefix, region, accessKeyId, secretAccessKey, sessionToken }: S3Place,
  { pause, steady }: Time = { pause: wait, steady: () => performance.now() },
) {
  /** The last content could not be stored: until one is, others are not tried for longer than other requests. */
  let isDown = false
  const agent = new Agent({ headersTimeout: HEADERS_TIMEOUT_MS, bodyTimeout: BODY_TIMEOUT_MS, connections: 32 })
  return { put, get, delete: remove, list, ping } satisfies BlobStore & { ping: () => Promise<void> }

  /** Asks the server for one key, once. Throws when it refuses, does not answer soon, or is no S3 server. */
  async function ping(): Promise<void> {
    const text = await textOf(await ask({ method: 'GET', query: { 'list-type': '2', 'max-keys': '1', prefix }, mostMs: PING_MS }))
    if (!text.includes('<ListBucketResult')) throw new Error('it answers, but not as an S3 server')
  }

  async function put(key: string, content: BlobContent): Promise<{ bytes: number }> {
    checkBlobKey(key)
    if (content instanceof Uint8Array && content.length <= PART_BYTES) {
      await drain(await ask({ method: 'PUT', key, body: content }))
      return { bytes: content.length }
    }
    const parts = partsOf(content instanceof Uint8Array ? [content] : content)
    const first = (await parts.next()).value ?? Buffer.alloc(0)
    const second = await parts.next()
    if (second.done) {
      await drain(await ask({ method: 'PUT', key, body: first }))
      return { bytes: first.length }
    }
    return putInParts(key, first, second.value, parts)
  }

  async function putInParts(key: string, first: Uint8Array, second: Uint8Array, rest: AsyncGenerator<Uint8Array>) {
    const mark = randomUUID()
    const begun = await ask({ method: 'POST', key, query: { uploads: '' }, headers: { [UPLOAD_MARK]: mark } })
    const uploadId = textsOf(await textOf(begun), 'UploadId')[0]
    if (uploadId === undefined) throw new Error('the S3 server began an upload without giving its id')
    const tags: string[] = []
    let bytes = 0
    const send = async (part: Uint8Array) => {
      const answer = await ask({ method: 'PUT', key, query: { partNumber: String(tags.length + 1), uploadId }, body: part })
      tags.push(String(answer.headers['etag']))
      bytes += part.length
      await drain(answer)
    }
    try {
      await send(first)
      await send(second)
      for await (const part of rest) await send(part)
      await combine(key, { mark, tags, uploadId })
      return { bytes }
    } catch (fault) {
      // A part that remains costs storage but is invisible; a lifecycle rule of the bucket removes it.
      await ask({ method: 'DELETE', key, query: { uploadId } }).then(drain, () => undefined)
      throw fault
    }
  }

  /**
   * Makes the uploaded parts an object. If an answer is lost and the request repeated, Amazon's server answers again that it is done, but
   * others answer that there is no such upload: then the object itself shows which upload made it.
   */
  async function combine(key: string, { mark, tags, uploadId }: { mark: string; tags: readonly string[]; uploadId: string }) {
    const named = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`).join('')
    const body = Buffer.from(`<CompleteMultipartUpload>${named}</CompleteMultipartUpload>`)
    try {
      await ask({ method: 'POST', key, query: { uploadId }, body, judge: refuseFailedCombination })
    } catch (fault) {
      if ((await markOf(key)) !== mark) throw fault
    }
  }

  /** The mark of the upload that made the object; null without one, or when the server does not tell. */
  async function markOf(key: string): Promise<string | null> {
    try {
      const answer = await ask({ method: 'HEAD', key })
      await drain(answer)
      const mark = answer.headers[UPLOAD_MARK]
      return typeof mark === 'string' ? mark : null
    } catch {
      return null
    }
  }

  async function get(key: string): Promise<{ bytes: number; content: Readable } | null> {
    checkBlobKey(key)
    const answer = await orNull(ask({ method: 'GET', key }))
    if (answer === null) return null
    // A reader still gets the error. Destroying an unread body must not count as one.
    answer.body.on('error', () => undefined)
    return { bytes: Number(answer.headers['content-length']), content: answer.body }
  }

  async function remove(key: string): Promise<void> {
    checkBlobKey(key)
    const answer = await orNull(ask({ method: 'DELETE', key }))
    if (answer !== null) await drain(answer)
  }

  async function* list(begin: string): AsyncGenerator<{ key: string; bytes: number }> {
    let after: string | undefined
    do {
      const query = { 'list-type': '2', 'max-keys': String(KEYS_PER_LIST), prefix: prefix + begin }
      const text = await textOf(
        await ask({ method: 'GET', query: { ...query, ...(after !== undefined && { 'continuation-token': after }) } }),
      )
      const [keys, sizes] = [textsOf(text, 'Key', 'Contents'), textsOf(text, 'Size', 'Contents')]
      for (const [at, key] of keys.entries()) yield { key: key.slice(prefix.length), bytes: Number(sizes[at]) }
      after = textsOf(text, 'NextContinuationToken')[0]
    } while (after !== undefined)
  }

  /** Sends one request, with retries when the server is busy or cannot be reached. Throws `S3Refusal` for an error response. */
  async function ask({ method, key, query = {}, headers = {}, body, judge, mostMs }: Ask): Promise<Answer> {
    const isUpload = method === 'PUT' || method === 'POST'
    const mayEndAt = isUpload && !isDown ? steady() + STORE_MS : -Infinity
    const url = new URL(`${endpoint}/${bucket}${key === undefined ? '' : `/${prefix}${key}`}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const digest = createHash('sha256')
      .update(body ?? '')
      .digest('hex')
    for (let tries = 1; ; tries += 1)
      try {
        // Signed for each attempt: a signature is valid for minutes.
        const signer = new AwsV4Signer({
          method,
          url: url.href,
          headers: { ...headers, 'x-amz-content-sha256': digest, ...(body && { 'content-type': 'application/octet-stream' }) },
          accessKeyId,
          secretAccessKey,
          ...(sessionToken !== undefined && { sessionToken }),
          service: 's3',
          region,
        })
        const signed = await signer.sign()
        const answer = await request(signed.url.href, {
          method,
          headers: Object.fromEntries(signed.headers),
          ...(body && { body }),
          dispatcher: agent,
          ...(mostMs !== undefined && { signal: AbortSignal.timeout(mostMs) }),
        })
        if (answer.statusCode >= 300) throw await refusalOf(answer)
        await judge?.(answer)
        if (isUpload) isDown = false
        return answer
      } catch (fault) {
        if (mostMs !== undefined || (fault instanceof S3Refusal && !isTemporary(fault))) throw fault
        if (tries >= TRIES && steady() >= mayEndAt) {
          isDown ||= isUpload
          throw fault
        }
        await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1)) * (0.5 + Math.random()))
      }
  }
}

/** With `RequestTimeout` a server says, by status 400, that the body came too slowly. */
const isTemporary = ({ code, status }: S3Refusal) => status >= 500 || status === 429 || code === 'RequestTimeout'

/** The status may be 200 although the body is an error: combining the parts takes a while. */
async function refuseFailedCombination(answer: Answer): Promise<void> {
  const text = await textOf(answer)
  const code = /<Error[\s>]/.test(text) ? (textsOf(text, 'Code')[0] ?? 'unknown') : null
  if (code !== null) throw new S3Refusal(500, code, `the S3 server could not combine the parts (${code})`)
}

/** Splits content into pieces of one part each; the last may be shorter. */
async function* partsOf(content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of content)
    for (let at = 0; at < chunk.length;) {
      const piece = chunk.subarray(at, at + PART_BYTES - bytes)
      pieces.push(piece)
      at += piece.length
      bytes += piece.length
      if (bytes < PART_BYTES) continue
      yield Buffer.concat(pieces)
      pieces = []
      bytes = 0
    }
  if (bytes > 0) yield Buffer.concat(pieces)
}

async function refusalOf(answer: Answer): Promise<S3Refusal> {
  const text = await textOf(answer).catch(() => '')
  const code = textsOf(text, 'Code')[0] ?? String(answer.statusCode)
  const said = textsOf(text, 'Message')[0]
  return new S3Refusal(
    answer.statusCode,
    code,
    `the S3 server answered ${answer.statusCode} ${code}${said === undefined ? '' : `: ${said.slice(0, 200)}`}`,
  )
}

async function textOf(answer: Answer): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    if ((bytes += chunk.length) > MAX_TEXT_BYTES) throw new Error('the S3 server sent an answer that is too long')
  }
  return Buffer.concat(chunks).toString()
}

/** The texts of all elements with a name, in order; with `parent`, only of those inside such an element. */
function textsOf(xml: string, name: string, parent?: string): string[] {
  const found: string[] = []
  const path: string[] = []
  const parser = new Parser(
    {
      onopentag: (tag) => {
        path.push(tag)
        if (isWanted()) found.push('')
      },
      ontext: (text) => {
        if (isWanted()) found[found.length - 1] += text
      },
      onclosetag: () => void path.pop(),
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return found

  function isWanted(): boolean {
    return path.at(-1) === name && (parent === undefined || path.at(-2) === parent)
  }
}

async function orNull(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer
  } catch (fault) {
    if (fault instanceof S3Refusal && fault.status === 404 && fault.code !== 'NoSuchBucket') return null
    throw fault
  }
}

/** Reads the rest of an answer, so that its connection can be reused. */
const drain = (answer: Answer): Promise<void> => answer.body.dump()
