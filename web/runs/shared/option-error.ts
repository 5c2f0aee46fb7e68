/** The server's errors about the options of a request. Pure. */
import type { ErrorBody } from '#contract/endpoint.ts'
import { objectOf } from '#web/api/json-object.ts'
import type { FormErrors } from '#web/api/use-form.ts'

/**
 * The server's first message about each field of a request and about each of its options, for `useForm`.
 *
 * @param group  where the request keeps its options: `options` or `search_options`
 */
export const optionErrors =
  (group: string) =>
  ({ errors }: ErrorBody): FormErrors => {
    const { [group]: options, ...fields } = objectOf(errors)
    const found = { ...fields, ...(Array.isArray(options) ? { [group]: options as unknown } : objectOf(options)) }
    return Object.fromEntries(Object.entries(found).map(([name, messages]) => [name, firstText(messages)]))
  }

/** The first text anywhere inside a value, such as the errors of an answer. */
export function firstText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return undefined
  for (const one of Object.values(value)) {
    const text = firstText(one)
    if (text !== undefined) return text
  }
  return undefined
}
