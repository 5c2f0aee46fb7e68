/** Messages for validation issues that tell callers how to correct their input. */

type Issue = { code?: unknown; message: string; path: readonly PropertyKey[]; [more: string]: unknown }

/** zod's own message when a shape has none. */
const WORDLESS = 'Invalid input'
const MOST_NAMES = 10
const MOST_CHARACTERS = 300

/**
 * The shape's own message if it has one; else a message made from the issue's type, bounds or choices.
 *
 * @param given  the whole input
 * @param noun   what callers call a part of it
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
  if (code === 'invalid_value') return oneOfWords(issue['values'] as unknown[])
  if (code === 'invalid_union') return wordsOfChoice((issue['errors'] ?? []) as Issue[][], valueAt(given, path), noun) ?? message
  return message
}

/** For a union: the message of the closest alternative, or the types of all. */
function wordsOfChoice(shapes: readonly (readonly Issue[])[], value: unknown, noun: 'argument' | 'field'): string | null {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  // An object is none of a list of words, so the alternative with fields is closer.
  const isOther = isObject ? ['invalid_type', 'invalid_value'] : ['invalid_type']
  const isOtherType = ([first]: readonly Issue[]) =>
    first === undefined || (isOther.includes(String(first.code)) && first.path.length === 0)
  const [nearest] = shapes.filter((issues) => !isOtherType(issues)).sort((one, other) => one.length - other.length)
  if (nearest !== undefined) {
    const [issue] = nearest as [Issue]
    if (isWord(issue)) return wordsOfLists(shapes.flatMap(([first]) => (first !== undefined && isWord(first) ? [first] : [])))
    const { path } = issue
    return `${path.length === 0 ? '' : `${path.join('.')}: `}${wordsOf(issue, value, noun)}`
  }
  const types = new Set(shapes.flatMap(([first]) => (first?.code === 'invalid_type' ? [String(first['expected'])] : [])))
  return types.size === 0 ? null : `This must be of type ${[...types].join(' or ')}.`
}

/** The value itself is none of some words. */
const isWord = ({ code, path }: Issue) => code === 'invalid_value' && path.length === 0

/** For lists of words: the own message of one, or the words of all. */
function wordsOfLists(lists: readonly Issue[]): string {
  const own = lists.find(({ message }) => message !== WORDLESS)
  return own?.message ?? oneOfWords(lists.flatMap(({ values }) => values as unknown[]))
}

const oneOfWords = (values: readonly unknown[]) => `This must be one of ${values.join(', ').slice(0, MOST_CHARACTERS)}.`

function boundOf({ origin }: Issue, side: string, bound: unknown): string {
  const thing = origin === 'string' ? 'character' : origin === 'array' ? 'item' : null
  return thing === null ? `be ${side} ${String(bound)}` : `have ${side} ${String(bound)} ${thing}${bound === 1 ? '' : 's'}`
}

const valueAt = (given: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined),
    given,
  )
