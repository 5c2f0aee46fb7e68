/** Messages for refused requests before sign-in. Pure. */
import { fieldError } from '#web/api/field-error.ts'
import * as t from '#texts/session.ts'

/** The parts of an `ApiError` that determine the message. */
export type Refusal = { status: number; body: { errors?: unknown; message?: unknown }; retryAfter: number | null; said?: string }

/**
 * One sentence for the top of a form: how long to wait on 429, errors that belong to no field, else the message.
 *
 * @param fields    have their own messages; the sentence is undefined when the server only reported these
 * @param fallback  for server errors, whose messages are for the operator
 */
export function refusalMessage(refusal: Refusal, fallback: string, fields: readonly string[] = []): string | undefined {
  const { status, body, retryAfter } = refusal
  if (status === 429) return t.tooManyAttemptsPleaseWait(retryAfter === null ? t.aLittle : waitText(retryAfter))
  if (status >= 500) return fallback
  const general = fieldError(refusal, 'non_field_errors')
  if (general !== undefined) return general
  if (fields.some((field) => fieldError(refusal, field) !== undefined)) return undefined
  return typeof body.message === 'string' && body.message !== '' ? body.message : fallback
}

/** `30 seconds`, `2 minutes`, `3 hours`: rounded up, because a try that is too early prolongs the wait. */
export function waitText(seconds: number): string {
  const [count, inWords] = seconds <= 90 ? [seconds, t.seconds] : seconds <= 90 * 60 ? [seconds / 60, t.minutes] : [seconds / 3600, t.hours]
  return inWords(Math.max(1, Math.ceil(count)))
}
