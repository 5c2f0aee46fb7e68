/** Indents JSON without parsing it, because numbers in JavaScript cannot hold all digits of a long number. */

const MAX_DEPTH = 200
const SPACE = 32
const QUOTE = 34
const COMMA = 44
const COLON = 58
const OPEN_BRACKET = 91
const BACKSLASH = 92
const CLOSED_BRACKET = 93
const OPEN_BRACE = 123
const CLOSED_BRACE = 125

/**
 * Indents JSON by two spaces, as `JSON.stringify` does. Numbers stay as they are written (64-bit ids have more digits than a number of
 * JavaScript), and so does the order of the keys. Characters that are escaped without need become readable.
 *
 * @returns  null for a text that is no JSON, or is nested too deep
 */
export function indentJson(text: string): string | null {
  try {
    const indented = indent(text)
    // Last, because it takes seconds for a text of brackets alone.
    if (indented !== null) JSON.parse(text)
    return indented
  } catch {
    return null
  }
}

/** Throws for some texts that are no JSON; for others the result means nothing. */
function indent(text: string): string | null {
  let indented = ''
  let line = '\n'
  let depth = 0
  let isEmpty = false
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code <= SPACE) at += 1
    else if (code === CLOSED_BRACE || code === CLOSED_BRACKET) {
      depth -= 1
      line = line.slice(0, -2)
      indented += isEmpty ? text[at] : line + text[at]
      isEmpty = false
      at += 1
    } else if (code === COMMA) {
      indented += `,${line}`
      at += 1
    } else if (code === COLON) {
      indented += ': '
      at += 1
    } else {
      // The first value of a list or object begins a line.
      if (isEmpty) indented += line
      isEmpty = code === OPEN_BRACE || code === OPEN_BRACKET
      if (isEmpty) {
        if (++depth > MAX_DEPTH) return null
        line += '  '
      }
      const end = isEmpty ? at + 1 : code === QUOTE ? endOfString(text, at) : endOfWord(text, at)
      const token = text.slice(at, end)
      indented += code === QUOTE && token.includes('\\') ? JSON.stringify(JSON.parse(token)) : token
      at = end
    }
  }
  return indented
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? text.length : end + 1
}

function isEscaped(text: string, quote: number): boolean {
  let at = quote
  while (text.charCodeAt(at - 1) === BACKSLASH) at -= 1
  return (quote - at) % 2 === 1
}

function endOfWord(text: string, start: number): number {
  let at = start
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code <= SPACE || code === COMMA || code === CLOSED_BRACE || code === CLOSED_BRACKET) break
  }
  return at
}
