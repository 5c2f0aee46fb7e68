/** Directives of a page for crawlers: `<meta name="robots">` and the header `X-Robots-Tag`. Only whether its links are followed matters here. */
import type { SaidByAnswer } from './answer-links.ts'

/** Directives with a value behind a colon; any other name before a colon is that of a crawler. */
const VALUED = /^(?:unavailable_after|max-(?:snippet|image-preview|video-preview))$/i
const NAMED = /^\s*([a-z_*][\w-]*)\s*:(.*)$/is
const NONE_FOLLOWED = /^\s*(?:nofollow|none)\s*$/i

/** Whether a page asks all crawlers not to follow its links. */
export function followsNone(metadata: Record<string, string | null>, { robotsTag }: SaidByAnswer): boolean {
  for (const name in metadata)
    if (name.length === 6 && name.toLowerCase() === 'robots' && asksAll((metadata[name] ?? '').split(/[\s,]+/))) return true
  return robotsTag !== undefined && robotsTag.split('\n').some((line) => asksAll(line.split(',')))
}

/** Reads one list; directives behind the name of a crawler are only for that one. */
function asksAll(directives: string[]): boolean {
  let isForAll = true
  for (const directive of directives) {
    const [, name = '', value = ''] = NAMED.exec(directive) ?? []
    const isAgent = name !== '' && !VALUED.test(name)
    if (isAgent) isForAll = name === '*'
    if (isForAll && NONE_FOLLOWED.test(isAgent ? value : directive)) return true
  }
  return false
}
