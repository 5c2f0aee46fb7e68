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
    const heading = fence === '' ? /^ {0,3}(#{1,4})[ \t]+(\S.*)$/.exec(line) : null
    if (heading === null) continue
    entries.push({ level: heading[1]!.length, text: plain(heading[2]!.trimEnd().replace(CLOSING, '')) })
    if (entries.length === MOST) break
  }
  return entries
}

// Headings are untrusted and may be long, so each pattern reads a text in linear time.
const CLOSING = /(?<![ \t])[ \t]+#+$/
const LINK = /!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g
/** An escaped character, code, or emphasis: asterisks beside a letter, underscores at the edge of a word. */
const MARKS =
  /\\([!-/:-@[-`{-~])|(?<!`)(`+)(?!`)(.+?)(?<!`)\2(?!`)|(?<![\s*])\*+|\*+(?![\s*])|(?<![\p{L}\p{N}_])_+(?=[^\s_])|(?<=[^\s_])_+(?![\p{L}\p{N}_])/gu

/** The text of a heading, without link targets, emphasis marks, code marks and escapes. */
const plain = (text: string): string =>
  text
    .replace(LINK, '$1')
    .replace(LINK, '$1') // an image may be inside a link
    .replace(MARKS, (_, escaped?: string, _ticks?: string, code?: string) => escaped ?? code ?? '')
    .trim()
