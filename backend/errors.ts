/** Errors of callers: one class, one catalogue. The code is for the source, logs and docs/errors.md; the message is for people. */
import type { FieldErrors } from '#contract/endpoint.ts'

export const ERRORS = {
  invalid_input: { status: 400, message: 'Invalid input data.' },
  payment_failed: { status: 400, message: 'The payment page could not be opened: the payment provider does not answer.' },
  json_parse_error: { status: 400, message: 'JSON parse error' },
  not_authenticated: { status: 401, message: 'Authentication credentials were not provided.' },
  bad_access_token: { status: 401, message: 'Given token not valid for any token type' },
  bad_refresh_token: { status: 401, message: 'Token is invalid or expired' },
  unknown_api_key: { status: 401, message: 'Unknown API key.' },
  forbidden: { status: 403, message: 'You do not have permission to perform this action.' },
  bad_link: { status: 403, message: 'This link is not valid or has expired.' },
  email_not_verified: { status: 403, message: 'Please verify your email address first.' },
  no_active_plan: { status: 403, message: 'This team has no active plan.' },
  plan_limit: { status: 403, message: 'The plan of this team does not allow that.' },
  plan_refused: { status: 403, message: 'This plan cannot be chosen.' },
  bad_payment_signature: { status: 403, message: 'Signature does not match.' },
  not_found: { status: 404, message: 'Not found.' },
  invalid_page: { status: 404, message: 'Invalid page.' },
  no_result: { status: 404, message: 'This job has no result yet.' },
  no_sitemap: { status: 404, message: 'This crawl has no sitemap yet.' },
  method_not_allowed: { status: 405, message: 'This method is not allowed here.' },
  idempotency_conflict: { status: 409, message: 'This Idempotency-Key was used with another body.' },
  deletion_refused: { status: 409, message: 'This cannot be deleted yet.' },
  body_too_large: { status: 413, message: 'Request body is too large.' },
  target_too_long: { status: 414, message: 'The URL of the request has more than 8192 characters.' },
  unsupported_media_type: { status: 415, message: 'Unsupported media type in request.' },
  page_unreadable: { status: 422, message: 'The page could not be read.' },
  throttled: { status: 429, message: 'Request was throttled.' },
  unexpected: { status: 500, message: 'An unexpected error occurred.' },
  provider_unavailable: { status: 503, message: 'The sign-in provider does not answer. Please try again.' },
  page_late: { status: 504, message: 'The page was not read in time.' },
  storage_full: { status: 507, message: 'The disk of the service is full: nothing can be stored until there is space again.' },
  unavailable: { status: 503, message: 'The service is busy or its database does not answer. Please try again.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof ERRORS

/**
 * A request that is not allowed or not possible. Feature functions throw it, `api.ts` converts it to a response.
 *
 * `fields` maps a field to its messages for a 400; without it a 400 carries `[]`.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly fields: FieldErrors | null
  readonly retryAfterSeconds: number | null

  constructor(
    code: ErrorCode,
    {
      message,
      fields = null,
      retryAfterSeconds = null,
      cause,
    }: { message?: string; fields?: FieldErrors | null; retryAfterSeconds?: number | null; cause?: unknown } = {},
  ) {
    super(message ?? ERRORS[code].message, { cause })
    this.name = 'AppError'
    this.code = code
    this.fields = fields
    this.retryAfterSeconds = retryAfterSeconds
  }

  get status(): number {
    return ERRORS[this.code].status
  }
}

/** An operator's command that cannot be executed; the message is for the operator. */
export class Refusal extends Error {}

/** A 400 for one field. */
export const fieldError = (field: string, message: string) => new AppError('invalid_input', { fields: { [field]: [message] } })
