/** Merges the values that a model extracted from the parts of one page. Pure. */

/**
 * Merges several values to one: joins lists without duplicates, merges objects key by key, and keeps the first non-empty scalar, because a
 * page says at its beginning what it is about.
 *
 * @param values  valid against the schema, in the order of the parts
 */
export function mergeValues(values: readonly unknown[]): unknown {
  const said = values.filter((value) => !isEmpty(value))
  const first = said[0]
  if (said.length < 2) return said.length === 1 ? first : (values[0] ?? null)
  if (Array.isArray(first)) return joined(said.filter((value) => Array.isArray(value)))
  if (!isObject(first)) return first
  const objects = said.filter(isObject)
  const names = new Set(objects.flatMap((value) => Object.keys(value)))
  return Object.fromEntries(
    [...names].map((name) => [name, mergeValues(objects.flatMap((value) => (Object.hasOwn(value, name) ? [value[name]] : [])))]),
  )
}

function joined(lists: unknown[][]): unknown[] {
  const seen = new Map<string, unknown>()
  for (const list of lists) for (const item of list) seen.set(JSON.stringify(item), item)
  return [...seen.values()]
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0)
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
