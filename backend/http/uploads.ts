/**
 * Accepts bodies with a file: a form whose part `options` is the endpoint's JSON body, and whose part `file` is the file. Such a body stays
 * in memory until it is answered and read, so the teams of an owner may have two at once, and all teams together sixteen.
 */
import { finished } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bodySizeOf } from '#contract/sizes.ts'
import type { BodySize } from '#contract/sizes.ts'
import { AppError } from '#backend/errors.ts'
import { parseBody, tooManyBytes, unsupportedType } from './json-body.ts'
import { readMultipart } from './multipart.ts'

export type Upload = {
  filename: string
  contentType: string
  bytes: Uint8Array<ArrayBuffer>
  /** Settles when the file is no longer needed, which may be after the answer: until then it occupies memory, and keeps its place. */
  inUse?: Promise<unknown>
}

const PLACES = 16
const OF_SHARE = 2
const AGAIN_SECONDS = 1

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route accepts a form with a file. */
    isUpload?: boolean
  }
  interface FastifyRequest {
    upload: Upload | null
  }
}

/** In this plugin and below, forms are parsed where the endpoint accepts them, and rejected elsewhere. */
export function acceptUploads(app: FastifyInstance): void {
  /** The shares of the requests in progress. */
  const shares: string[] = []
  const places = new WeakSet<FastifyRequest>()
  app.decorateRequest('upload', null)
  app.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, payload: AsyncIterable<Buffer>) => {
    const { config } = request.routeOptions
    const type = request.headers['content-type'] ?? ''
    if (config.isUpload !== true) throw unsupportedType(type)
    takePlace(request)
    const size = bodySizeOf(config as { size?: BodySize })
    const parts = readMultipart(await gather(request, payload), type)
    const file = parts.find(({ name }) => name === 'file')
    if (file === undefined || file.filename === null || file.filename.trim() === '')
      throw new AppError('invalid_input', { fields: { file: ['This field is required.'] } })
    if (file.bytes.length === 0) throw new AppError('invalid_input', { fields: { file: ['The file is empty.'] } })
    request.upload = { filename: file.filename.trim(), contentType: file.contentType, bytes: file.bytes }
    const options = parts.find(({ name }) => name === 'options')?.bytes
    return options === undefined ? {} : parseBody('application/json', options, size)
  })
  // `onResponse` is not called when the caller disconnects before the answer; `onSend` and the end of the response come in every case.
  app.addHook('onSend', async (request, reply, payload) => {
    if (places.delete(request)) finished(reply.raw, () => void leavePlace(request))
    return payload
  })

  async function leavePlace(request: FastifyRequest): Promise<void> {
    const inUse = request.upload?.inUse
    request.upload = null
    await inUse?.catch(() => undefined)
    shares.splice(shares.indexOf(shareOf(request)), 1)
  }

  function takePlace(request: FastifyRequest): void {
    const share = shareOf(request)
    if (shares.length >= PLACES || shares.filter((each) => each === share).length >= OF_SHARE)
      throw new AppError('throttled', { retryAfterSeconds: AGAIN_SECONDS })
    shares.push(share)
    places.add(request)
  }
}

async function gather(request: FastifyRequest, payload: AsyncIterable<Buffer>): Promise<Buffer<ArrayBuffer>> {
  const { bodyLimit } = request.routeOptions
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of payload) {
      bytes += chunk.length
      if (bytes > bodyLimit) throw tooManyBytes(bodyLimit)
      chunks.push(chunk)
    }
  } catch (cause) {
    // The caller disconnected: the answer will not be read, and nothing of the service failed.
    throw (cause as NodeJS.ErrnoException).code === 'ECONNRESET' ? new AppError('json_parse_error', { cause }) : cause
  }
  return Buffer.concat(chunks)
}

const shareOf = ({ actor }: FastifyRequest) => (actor !== null && 'share' in actor ? actor.share : '')
