/** The headings of a Markdown text, levels 1 to 4, in order. Code blocks have none. Pure. */

export type OutlineEntry = { level: number; text: string }

/** How many headings are listed. */
const MOST = 200

export function outlineOf(markdown: string): OutlineEntry[] {
  const entries: OutlineEntry[] = []
  let fence = ''
  for (const line of markdown.split('\n')) {
    const marks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (marks !== undefined && (fence === '' || (marks[0] === fence[0] && marks.length >= fence.length))) {
      fence = fence === '' ? marks : ''
      continue
    }
    const heading = fence === '' ? /^ {0,3}(#{1,4})[ \t]+(.+?)[ \t]*#*$/.exec(line) : null
    if (heading === null) continue
    entries.push({ level: heading[1]!.length, text: plain(heading[2]!) })
    if (entries.length === MOST) break
  }
  return entries
}

/** The text of a heading, without link targets, emphasis marks and escapes. */
const plain = (text: string): string =>
  text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`]+/g, '')
    .replace(/\\([\\`*_{}[\]()#+.!<>|~-])/g, '$1')
    .trim()
