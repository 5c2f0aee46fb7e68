/** JSON objects in values whose type is not known. Pure. */

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value if it is an object, else an empty one. */
export const objectOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {})
