import type { ApiError } from './client.ts'

/** The server's first message about a form field, or undefined. */
export function fieldError(error: ApiError | null, field: string): string | undefined {
  const errors: unknown = error?.body.errors
  if (typeof errors !== 'object' || errors === null || Array.isArray(errors)) return undefined
  const entry = Object.entries(errors).find(([name]) => name === field)
  const words: unknown = Array.isArray(entry?.[1]) ? entry[1][0] : entry?.[1]
  return typeof words === 'string' ? words : undefined
}
