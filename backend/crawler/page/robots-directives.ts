/** Directives of a page for crawlers: `<meta name="robots">`, one with our name, and the header `X-Robots-Tag`. Only whether its links are followed matters here. */
import { PRODUCT_TOKEN } from '#backend/crawler/robots/robots.ts'
import type { SaidByAnswer } from './answer-links.ts'

/** The names by which directives address this crawler: all crawlers, or its own. */
const OUR_ELEMENTS = new Set(['robots', PRODUCT_TOKEN.toLowerCase()])
const OUR_LENGTHS = new Set([...OUR_ELEMENTS].map((name) => name.length))
const OUR_PREFIXES = new Set(['*', PRODUCT_TOKEN.toLowerCase()])

/** Directives with a value behind a colon; any other name before a colon is that of a crawler. */
const VALUED = /^(?:unavailable_after|max-(?:snippet|image-preview|video-preview))$/i
const NAMED = /^\s*([a-z_*][\w-]*)\s*:(.*)$/is
const NONE_FOLLOWED = /^\s*(?:nofollow|none)\s*$/i

/** Whether a page asks this crawler, or all crawlers, not to follow its links. */
export function followsNone(metadata: Record<string, string | null>, { robotsTag }: SaidByAnswer): boolean {
  for (const name in metadata)
    if (OUR_LENGTHS.has(name.length) && OUR_ELEMENTS.has(name.toLowerCase()) && asksUs((metadata[name] ?? '').split(/[\s,]+/))) return true
  return robotsTag !== undefined && robotsTag.split('\n').some((line) => asksUs(line.split(',')))
}

/** Reads one list; directives behind the name of a crawler are only for that one. */
function asksUs(directives: string[]): boolean {
  let isForUs = true
  for (const directive of directives) {
    const [, name = '', value = ''] = NAMED.exec(directive) ?? []
    const isAgent = name !== '' && !VALUED.test(name)
    if (isAgent) isForUs = OUR_PREFIXES.has(name.toLowerCase())
    if (isForUs && NONE_FOLLOWED.test(isAgent ? value : directive)) return true
  }
  return false
}
