/** What a shape complains about, in words by which a caller can correct itself. */

type Issue = { code?: unknown; message: string; path: readonly PropertyKey[]; [more: string]: unknown }

/** zod's own words where a shape has none. */
const WORDLESS = 'Invalid input'
const MOST_NAMES = 10
const MOST_CHARACTERS = 300

/**
 * The words of the shape itself where it has some; else what the issue says of type, bounds and choices.
 *
 * @param given  what was checked, whole
 * @param noun   what the caller calls a part of it
 */
export function wordsOf(issue: Issue, given: unknown, noun: 'argument' | 'field'): string {
  const { code, message, path } = issue
  if (message !== WORDLESS) return message
  if (code === 'invalid_type' && path.length > 0 && valueAt(given, path) === undefined) return `This ${noun} is required.`
  if (code === 'invalid_type') return `This must be of type ${String(issue['expected'])}.`
  if (code === 'unrecognized_keys')
    return `There are no such ${noun}s: ${(issue['keys'] as string[]).slice(0, MOST_NAMES).join(', ').slice(0, MOST_CHARACTERS)}.`
  if (code === 'too_small') return `This must ${boundOf(issue, 'at least', issue['minimum'])}.`
  if (code === 'too_big') return `This must ${boundOf(issue, 'at most', issue['maximum'])}.`
  if (code === 'invalid_value') return `This must be one of ${(issue['values'] as unknown[]).join(', ').slice(0, MOST_CHARACTERS)}.`
  if (code === 'invalid_union') return wordsOfChoice((issue['errors'] ?? []) as Issue[][], valueAt(given, path), noun) ?? message
  return message
}

/** A value that may be of several shapes: the words of the one that it comes nearest to, or the types of all. */
function wordsOfChoice(shapes: readonly (readonly Issue[])[], value: unknown, noun: 'argument' | 'field'): string | null {
  const isOtherType = ([first]: readonly Issue[]) => first === undefined || (first.code === 'invalid_type' && first.path.length === 0)
  const [nearest] = shapes.filter((issues) => !isOtherType(issues)).sort((one, other) => one.length - other.length)
  if (nearest !== undefined) {
    const { path } = nearest[0]!
    return `${path.length === 0 ? '' : `${path.join('.')}: `}${wordsOf(nearest[0]!, value, noun)}`
  }
  const types = new Set(shapes.flatMap(([first]) => (first === undefined ? [] : [String(first['expected'])])))
  return types.size === 0 ? null : `This must be of type ${[...types].join(' or ')}.`
}

function boundOf({ origin }: Issue, side: string, bound: unknown): string {
  const things = origin === 'string' ? ' characters' : origin === 'array' ? ' items' : ''
  return `${things === '' ? 'be' : 'have'} ${side} ${String(bound)}${things}`
}

const valueAt = (given: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined),
    given,
  )
