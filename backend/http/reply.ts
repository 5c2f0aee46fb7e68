/** Sends answers: exact media types, one shape for every error, and no internal details in errors. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorBody } from '#contract/endpoint.ts'
import { AppError } from '#backend/errors.ts'
import { troubleOf } from '#backend/platform/database/trouble.ts'
import { tooManyBytes, unsupportedType } from './json-body.ts'

/** An answer that is already JSON text. Lists of stored documents use it: parsing and serialising them again would take seconds. */
export type RawJson = { readonly rawJson: string | Buffer }

/** Marks JSON text as a finished answer, which is not validated against the endpoint's shape. */
export const rawJson = (text: string | Buffer): RawJson => ({ rawJson: text })

export const isRawJson = (answer: unknown): answer is RawJson => typeof answer === 'object' && answer !== null && 'rawJson' in answer

/**
 * Sends JSON text as exactly `application/json`.
 *
 * As bytes: Fastify adds a charset to the type of every text, and published clients compare the whole header.
 */
export function sendJson(reply: FastifyReply, status: number, text: string | Buffer): FastifyReply {
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  return reply
    .code(status)
    .header('content-type', 'application/json')
    .send(typeof text === 'string' ? Buffer.from(text) : text)
}

/** Sends nothing: no body, no type. */
export const sendEmpty = (reply: FastifyReply, status = 204): FastifyReply => reply.code(status).removeHeader('content-type').send()

/** Sends any error in the contract's format. An internal error is logged, and its details are not sent. */
export function sendError(reply: FastifyReply, thrown: unknown): FastifyReply {
  const error = asAppError(thrown, reply.request)
  // A slow site is not a failure of the service.
  if (error.status >= 500 && error.code !== 'page_late') reply.log.error({ err: error.cause ?? error }, 'request failed')
  // What is only busy, such as a full queue of hashes, is worth a retry.
  const retryAfter = error.retryAfterSeconds ?? (error.status === 503 ? BUSY_RETRY_SECONDS : null)
  if (retryAfter !== null) reply.header('retry-after', String(retryAfter))
  if (error.status === 401) challenge(reply)
  const body: ErrorBody = { code: error.status, errors: errorsOf(error), message: error.message }
  return sendJson(reply, error.status, JSON.stringify(body))
}

/** Says how to authenticate, which every 401 must (RFC 9110, 15.5.2); some clients fail without it. */
export function challenge(reply: FastifyReply): void {
  reply.header('www-authenticate', 'Bearer realm="API key"')
}

function errorsOf({ code, fields, status }: AppError): ErrorBody['errors'] {
  if ((status !== 400 && status !== 422) || code === 'json_parse_error') return null
  return fields ?? []
}

const BUSY_RETRY_SECONDS = 1
/** Space has to be freed first, by a person. */
const FULL_RETRY_SECONDS = 30

/**
 * Converts errors of the framework and of the database by their codes; everything else is an internal error.
 *
 * @param request  whose type and limit the message names
 */
export function asAppError(thrown: unknown, request?: Pick<FastifyRequest, 'headers' | 'routeOptions'>): AppError {
  if (thrown instanceof AppError) return thrown
  const code = codeOf(thrown)
  const trouble = troubleOf(thrown)
  if (trouble === 'full') return new AppError('storage_full', { cause: thrown, retryAfterSeconds: FULL_RETRY_SECONDS })
  // Locked for too long, read-only or broken: the caller may try again, and an operator must act.
  if (trouble === 'busy') return new AppError('unavailable', { cause: thrown, retryAfterSeconds: BUSY_RETRY_SECONDS })
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return request === undefined ? new AppError('body_too_large') : tooManyBytes(request.routeOptions.bodyLimit)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupportedType(request?.headers['content-type'])
  // The caller disconnected during the body, as Fastify marks it: the answer will not be read.
  if (code === 'ECONNRESET' && typeof thrown === 'object' && thrown !== null && 'statusCode' in thrown && thrown.statusCode === 400)
    return new AppError('json_parse_error')
  // A body whose length differs from its Content-Length.
  if (code.startsWith('FST_ERR_CTP_')) return new AppError('json_parse_error')
  return new AppError('unexpected', { cause: thrown })
}

const codeOf = (thrown: unknown): string =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''
