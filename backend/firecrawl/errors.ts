/** Errors for Firecrawl's clients: `error` becomes the message of an exception, and `code` and `details` are copied to it. */
import type { FastifyReply } from 'fastify'
import type { AppError, ErrorCode } from '#backend/errors.ts'
import { flatMessages, messagesOf } from '#backend/http/error-messages.ts'
import { asAppError, challenge, sendJson } from '#backend/http/reply.ts'

/** A refusal that only this API has. */
export class Refused extends Error {
  readonly status: number
  readonly code: string | undefined
  readonly details: unknown

  constructor(status: number, message: string, { code, details }: { code?: string; details?: unknown } = {}) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }
}

export const badRequest = (message: string, details?: unknown) => new Refused(400, message, { code: 'BAD_REQUEST', details })

export const needsModel = (what: string) =>
  badRequest(`${what} needs a language model. This server has none, and your team has not added one in its settings.`)

/** Error codes for which clients expect another status: v1 clients show the text of 400, 402, 403, 408, 409 and 500 only. */
const STATUSES: { [code in ErrorCode]?: [status: number, code?: string] } = {
  invalid_input: [400, 'BAD_REQUEST'],
  json_parse_error: [400, 'BAD_REQUEST_INVALID_JSON'],
  unsupported_media_type: [400, 'BAD_REQUEST'],
  no_active_plan: [402],
  plan_limit: [402],
  page_late: [408, 'SCRAPE_TIMEOUT'],
}
const UNAUTHORIZED: ReadonlySet<ErrorCode> = new Set(['not_authenticated', 'bad_access_token', 'unknown_api_key'])

/** Outcomes of a URL as clients know them; every other outcome is an error of the site. */
const OUTCOMES: Readonly<Record<string, [status: number, code: string]>> = {
  robots: [403, 'CRAWL_DENIAL'],
  refused_address: [403, 'CRAWL_DENIAL'],
  dns: [500, 'SCRAPE_DNS_RESOLUTION_ERROR'],
  tls: [500, 'SCRAPE_SSL_ERROR'],
  unsupported_type: [500, 'SCRAPE_UNSUPPORTED_FILE_ERROR'],
  timeout: [408, 'SCRAPE_TIMEOUT'],
  canceled: [500, 'SCRAPE_JOB_CANCELLED'],
}

export const codeOfOutcome = (outcome: string): string => OUTCOMES[outcome]?.[1] ?? 'SCRAPE_SITE_ERROR'

export function sendFirecrawlError(reply: FastifyReply, thrown: unknown): FastifyReply {
  const { status, code, details, message } = thrown instanceof Refused ? thrown : translated(reply, thrown)
  const body = { success: false, error: message, ...(code !== undefined && { code }), ...(details !== undefined && { details }) }
  return sendJson(reply, status, JSON.stringify(body))
}

function translated(reply: FastifyReply, thrown: unknown): Refused {
  const error = asAppError(thrown, reply.request)
  if (error.retryAfterSeconds !== null) reply.header('retry-after', String(error.retryAfterSeconds))
  if (UNAUTHORIZED.has(error.code)) {
    challenge(reply)
    return new Refused(401, 'Unauthorized: Invalid token')
  }
  if (error.code === 'page_unreadable') return unreadable(error)
  const [status, code] = STATUSES[error.code] ?? [error.status]
  // A slow site is not a failure of the service.
  if (status >= 500) reply.log.error({ err: error.cause ?? error }, 'request failed')
  const messages = messagesOf(error)
  return new Refused(status, messages.length === 0 ? error.message : `Bad Request: ${messages.join(' ')}`, {
    ...(code !== undefined && { code }),
    ...(error.fields !== null && { details: error.fields }),
  })
}

/** The reason is written as `outcome: detail`. */
function unreadable(error: AppError): Refused {
  const reason = flatMessages(error.fields?.['url'] ?? [])[0] ?? ''
  const outcome = /^\w+/.exec(reason)?.[0] ?? ''
  const [status, code] = OUTCOMES[outcome] ?? [500, codeOfOutcome(outcome)]
  // Clients that ask for `skipTlsVerification` must learn that it has no effect.
  const addition = outcome === 'tls' ? '. Certificates are always checked.' : ''
  return new Refused(status, `The page could not be scraped: ${reason}${addition}`, { code })
}
