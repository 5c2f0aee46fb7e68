/** The regular expressions of a crawl or map, with a limit for their work. */
import { RegexTooHeavy, compileRegex } from './linear-regex.ts'
import type { RegexWork } from './linear-regex.ts'

/** Most work of all texts together: about a quarter of a second. */
const MOST_WORK = 1_000_000
/** Each text adds so much to what is left, about a millisecond. */
const WORK_OF_TEXT = 5000

type Refusal = { rule: 'include_paths' } | { rule: 'exclude_paths'; pattern: string }

/**
 * Compiles expressions for judging many texts: none of `exclude` may match, and one of `include` must, if there are any. A text that takes
 * too much work is refused.
 *
 * @returns  a judge; null = accepted
 */
export function compileRegexes({ exclude, include }: { include: readonly string[]; exclude: readonly string[] }) {
  const includes = include.map(compileRegex)
  const excludes = exclude.map((pattern) => ({ pattern, matches: compileRegex(pattern) }))
  const work: RegexWork = { left: MOST_WORK }
  return (text: string): Refusal | null => {
    work.left = Math.min(MOST_WORK, Math.max(0, work.left) + WORK_OF_TEXT)
    for (const { matches, pattern } of excludes) if (within(() => matches(text, work), true)) return { rule: 'exclude_paths', pattern }
    const isIncluded = includes.length === 0 || within(() => includes.some((matches) => matches(text, work)), false)
    return isIncluded ? null : { rule: 'include_paths' }
  }
}

function within(match: () => boolean, otherwise: boolean): boolean {
  try {
    return match()
  } catch (fault) {
    if (fault instanceof RegexTooHeavy) return otherwise
    throw fault
  }
}
