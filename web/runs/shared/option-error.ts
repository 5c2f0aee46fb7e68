/** The server's first message about one option of a request, or undefined. Pure. */
import type { ApiError } from '#web/api/client.ts'

/** @param group  where the request keeps its options, `options` or `search_options` */
export function optionError(error: ApiError | null, name: string, group = 'options'): string | undefined {
  const errors: unknown = error?.body.errors
  const options = inside(errors, group)
  return firstText(inside(options, name))
}

const inside = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>)[name] : undefined

/** The first text anywhere inside, such as in the errors of an answer. */
export function firstText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return undefined
  for (const one of Object.values(value)) {
    const text = firstText(one)
    if (text !== undefined) return text
  }
  return undefined
}
