/**
 * The server's first message about a form field, or about none (`non_field_errors`); undefined when there is none.
 *
 * @param error  such as an `ApiError`; null without one
 */
export function fieldError(error: { body: { errors?: unknown } } | null, field: string): string | undefined {
  const errors: unknown = error?.body.errors
  if (typeof errors !== 'object' || errors === null || Array.isArray(errors)) return undefined
  const entry = Object.entries(errors).find(([name]) => name === field)
  const message: unknown = Array.isArray(entry?.[1]) ? entry[1][0] : entry?.[1]
  return typeof message === 'string' && message !== '' ? message : undefined
}
