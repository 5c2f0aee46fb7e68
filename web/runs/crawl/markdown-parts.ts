/** Splits Markdown into parts that can be rendered one by one, with the same result as the whole. Pure. */

/**
 * Splits between blocks only: after a blank line, outside of fenced code, and before an unindented line that cannot continue a list item or
 * a quotation.
 *
 * @param size  a part ends at the first such place after this many characters
 */
export function* markdownParts(markdown: string, size: number): Generator<string> {
  let start = 0
  let fence = ''
  let isBlankBefore = false
  for (let from = 0; from < markdown.length;) {
    const end = markdown.indexOf('\n', from)
    const to = end === -1 ? markdown.length : end + 1
    const line = markdown.slice(from, to)
    if (from - start >= size && fence === '' && isBlankBefore && STARTS_BLOCK.test(line)) {
      yield markdown.slice(start, from)
      start = from
    }
    const mark = FENCE.exec(line)?.[1] ?? ''
    if (fence === '') fence = mark
    else if (mark.startsWith(fence) && line.trim() === mark) fence = ''
    isBlankBefore = line.trim() === ''
    from = to
  }
  if (start < markdown.length) yield markdown.slice(start)
}

const FENCE = /^\s*(?:[-*+>]\s+|\d+[.)]\s+)*(`{3,}|~{3,})/
const STARTS_BLOCK = /^(?![-*+>|]|\d+[.)]\s)\S/

/** The definitions of links, `[name]: target`, one a line. */
export const definitionsIn = (markdown: string): string => markdown.match(DEFINITION)?.join('\n') ?? ''

/** A name ends at the next bracket or line: of a row of brackets, each would be searched to the end of the text. */
const DEFINITION = /^ {0,3}\[[^[\]\n\r\u2028\u2029]+\]: +\S.*$/gm
