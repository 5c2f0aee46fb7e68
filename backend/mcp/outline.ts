/** The headings of a Markdown text, so that an agent can read just the part of a long page that it needs. Pure. */

export type Section = { section: number; level: number; heading: string; offset: number; chars: number }

const MOST_SECTIONS = 200
const MOST_HEADING = 120

/**
 * Headings in order, numbered from 1. A section ends where the next heading of its level or above begins.
 *
 * Finds ATX headings outside of fenced code (CommonMark, 4.2 and 4.5): the crawler writes no others.
 */
export function outlineOf(markdown: string): Section[] {
  const found: { level: number; heading: string; offset: number }[] = []
  let fence: string | null = null
  for (let offset = 0; offset < markdown.length;) {
    const end = markdown.indexOf('\n', offset)
    const line = markdown.slice(offset, end < 0 ? markdown.length : end)
    const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (marker !== undefined) {
      if (fence === null) fence = marker
      else if (marker.startsWith(fence)) fence = null
    } else if (fence === null) {
      const [, marks = '', text = ''] = /^(#{1,6}) (.*)$/.exec(line) ?? []
      if (marks !== '') found.push({ level: marks.length, heading: text.trim().slice(0, MOST_HEADING), offset })
    }
    offset = end < 0 ? markdown.length : end + 1
  }
  return found.slice(0, MOST_SECTIONS).map((one, at) => {
    const next = found.slice(at + 1).find(({ level }) => level <= one.level)
    return { section: at + 1, ...one, chars: (next?.offset ?? markdown.length) - one.offset }
  })
}
