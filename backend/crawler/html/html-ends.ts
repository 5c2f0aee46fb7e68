/** Where scripts and comments end. */

const EXCLAMATION = 33
const GREATER = 62
const SCRIPT_MARKS = /<!--|-->|<\/?script(?=[\s/>])/gi

/**
 * Where the end tag of the script stands whose text starts at `start`; -1 when it has none. In a comment, a script inside of the script has
 * an end tag of its own (HTML, 13.2.5.17 to 13.2.5.31).
 */
export function scriptEnd(html: string, start: number): number {
  let inComment = false
  let inInner = false
  SCRIPT_MARKS.lastIndex = start
  for (let mark = SCRIPT_MARKS.exec(html); mark !== null; mark = SCRIPT_MARKS.exec(html)) {
    const text = mark[0]
    if (text === '-->') inComment = inInner = false
    else if (text === '<!--') {
      inComment = true
      // Its two dashes may be those of its end.
      SCRIPT_MARKS.lastIndex -= 2
    } else if (text[1] !== '/') inInner = inComment
    else if (inInner) inInner = false
    else return mark.index
  }
  return -1
}

/** Behind the end of the comment whose text starts at `start`. `<!-->` and `<!--->` are comments already. */
export function commentEnd(html: string, start: number): number {
  if (html.charCodeAt(start) === GREATER) return start + 1
  if (html.startsWith('->', start)) return start + 2
  for (let at = html.indexOf('--', start); at >= 0; at = html.indexOf('--', at + 1)) {
    const next = html.charCodeAt(at + 2)
    if (next === GREATER) return at + 3
    if (next === EXCLAMATION && html.charCodeAt(at + 3) === GREATER) return at + 4
  }
  return html.length
}
