/** Escapes what can only be escaped when a line of inline Markdown is complete. */

/** The placeholder at both ends of a formula until the line is sealed. Text of a page never contains it. */
export const FORMULA = '\u0001'
/** The same for a tag that stays HTML: see `kept-tags.ts`. */
export const TAG = '\u0002'

/**
 * Seals a finished line of inline Markdown against renderers that turn bare URLs into links (GFM, "Autolinks (extension)"). Such a URL runs
 * to the next white space and includes backslashes, so that in `\<` the backslash would belong to the URL and the `<` would be markup.
 * Inside a URL, characters are therefore escaped by character references, and a space separates it from code, links, pictures and line
 * breaks.
 *
 * A single `~` that could end struck text (GFM accepts one or two), and a `$` that could end a formula, get their backslash here, where the
 * whole line is known. Formulas get their dollar signs, and the placeholders of tags are removed.
 *
 * @param isPart  renderers may read the line and its neighbours as one paragraph
 */
export function sealLine(line: string, isPart = false): string {
  const hasFormula = line.includes(FORMULA)
  const hasTildes = isPair(line, '~', isPart)
  const hasDollars = isPair(line, '$', isPart || hasFormula)
  if (
    !hasFormula &&
    !hasTildes &&
    !hasDollars &&
    !line.includes(TAG) &&
    !(line.includes('\\') && line.includes('](')) &&
    !holdsAutolink(line)
  )
    return line
  const links = linkStarts(line)
  let out = ''
  // The line from here on is not written yet.
  let from = 0
  // In a word with a URL; `isBare`: no link of ours has ended in the word since. Until the end of the word, character references replace
  // backslashes; after a link only for characters that would open a tag, code or a link.
  let inAutolink = false
  let isBare = false
  const put = (at: number, text: string, skipped: number) => {
    out += line.slice(from, at) + text
    from = at + skipped
  }
  for (let at = 0; at < line.length;) {
    const code = line.charCodeAt(at)
    switch (code) {
      case 1: {
        const end = formulaEnd(line, at)
        put(at, '$', 1)
        put(end - 1, '$', 1)
        // A formula contains no markup, but a URL in it may extend beyond it.
        if (holdsAutolink(line.slice(at, end))) inAutolink = isBare = true
        at = end
        continue
      }
      case 2: {
        // A bare URL ends before a tag. Nothing inside the tag is Markdown.
        inAutolink = isBare = false
        const end = line.startsWith('<', at + 1) ? line.indexOf(TAG, at + 1) : -1
        if (end < 0) break
        put(at, '', 1)
        put(end, '', 1)
        at = end + 1
        continue
      }
      case 32:
      case LINE_FEED:
        inAutolink = isBare = false
        break
      case DOLLAR:
        if (hasDollars) put(at, isBare ? '&#36;' : '\\$', 1)
        break
      case 60:
        if (OWN_TAG.test(line.slice(at, at + 6))) inAutolink = isBare = false
        break
      case COLON:
        if (line.startsWith('://', at)) inAutolink = isBare = true
        break
      case 64:
        // E-mail addresses end at any unusual character, addresses of XMPP do not.
        if (at > 0 && line.charCodeAt(at - 1) !== 32) inAutolink = true
        break
      case 87:
      case 119:
        if (/^www\.$/i.test(line.slice(at, at + 4))) inAutolink = isBare = true
        break
      case BACKSLASH: {
        const next = line.charAt(at + 1)
        if (next === '\n') {
          if (isBare) put(at, ' ', 0)
          inAutolink = isBare = false
        } else if (isBare ? PUNCTUATION.test(next) : inAutolink && '<&[]`'.includes(next))
          put(at, next === '_' && isLone(line, at) ? '_' : (NAMED_REFERENCES[next] ?? `&#${next.charCodeAt(0)};`), 2)
        at += next === '\n' || PUNCTUATION.test(next) ? 2 : 1
        continue
      }
      case BACKTICK: {
        if (isBare) put(placeOfSpace(line, at), ' ', 0)
        inAutolink = isBare = false
        at = codeEnd(line, at)
        continue
      }
      case EXCLAMATION:
        if (isBare && links.has(at + 1)) {
          put(placeOfSpace(line, at), ' ', 0)
          inAutolink = isBare = false
        }
        break
      case OPENING:
        if (isBare && links.has(at)) {
          put(placeOfSpace(line, at), ' ', 0)
          inAutolink = isBare = false
        }
        break
      case CLOSING:
        if (links.has(-at)) {
          // Where a renderer does not recognise a link of ours, its destination is read as a bare URL.
          inAutolink = true
          isBare = false
          at = destinationEnd(line, at + 1)
          continue
        }
        break
      case TILDE:
        if (line.charCodeAt(at + 1) === TILDE) {
          const start = at
          while (line.charCodeAt(at) === TILDE) at += 1
          // A delimiter `~~` next to a tilde of the text: renderers do not strike text between three tildes (GFM, "Strikethrough").
          const escaped = isBare ? '&#126;' : '\\~'
          if (at - start > 2) put(start, escaped, 1)
          if (at - start > 3) put(at - 1, escaped, 1)
          continue
        }
        if (hasTildes && at > 0 && line.charCodeAt(at - 1) !== 32) put(at, isBare ? '&#126;' : '\\~', 1)
    }
    at += 1
  }
  return from === 0 ? line : out + line.slice(from)
}

/** How many characters back delimiters of emphasis are counted. */
const MOST_BEFORE = 2000

/** Where to put the space that ends a bare URL before code or a link: before emphasis that opens there, after emphasis that closes. */
function placeOfSpace(line: string, at: number): number {
  const mark = /(?<!\\)(\*{1,3}|_{1,2}|~~)$/.exec(line.slice(Math.max(at - 4, 0), at))?.[0]
  if (mark === undefined) return at
  const [one = ''] = mark
  const before = line
    .slice(Math.max(at - MOST_BEFORE, 0), at - mark.length)
    .match(new RegExp(`(?<![\\\\${one}])${RegExp.escape(mark)}(?!${RegExp.escape(one)})`, 'g'))
  return (before?.length ?? 0) % 2 === 0 ? at - mark.length : at
}

/** Tags in our own Markdown, for which CommonMark has no syntax. A bare URL ends before a tag. */
const OWN_TAG = /^<(?:br|\/?su[bp])>/

/** Does the line contain the character twice, or once while the lines around it may contain another? */
function isPair(line: string, character: string, isPart: boolean): boolean {
  const first = line.indexOf(character)
  return first >= 0 && (isPart || line.indexOf(character, first + 1) >= 0)
}

/**
 * Does `://`, `www.` or an e-mail address occur outside of link destinations? GFM and similar renderers turn it into a link. Measured: a
 * tenth of the time that one regular expression for all three takes.
 */
function holdsAutolink(line: string): boolean {
  for (let at = line.indexOf('://'); at >= 0; at = line.indexOf('://', at + 3)) {
    const isDestination = line.startsWith('](http', at - 6) || line.startsWith('](https', at - 7)
    if (!isDestination) return true
  }
  return holdsWww(line) || holdsEmail(line)
}

/** Searches for dots: they are rarer than the letter w. */
function holdsWww(line: string): boolean {
  for (let at = line.indexOf('.', 3); at >= 0; at = line.indexOf('.', at + 1)) {
    if ((line.charCodeAt(at - 1) | 32) !== 119 || (line.charCodeAt(at - 2) | 32) !== 119 || (line.charCodeAt(at - 3) | 32) !== 119) continue
    if (!line.startsWith('](http://', at - 12) && !line.startsWith('](https://', at - 13)) return true
  }
  return false
}

function holdsEmail(line: string): boolean {
  for (let at = line.indexOf('@'); at >= 0; at = line.indexOf('@', at + 1))
    if (at > 0 && /^\w@\w/.test(line.slice(at - 1, at + 2))) return true
  return false
}

/** An underscore after a word opens no emphasis. */
function isLone(line: string, at: number): boolean {
  return /[\p{L}\p{N}]/u.test(line.charAt(at - 1)) && line.charAt(at + 2) !== '_' && !line.startsWith('\\_', at + 2)
}

/** Maps the position where a link or picture opens to that where its text closes, and the negative of the second to the first. */
function linkStarts(line: string): Map<number, number> {
  const found = new Map<number, number>()
  const open: number[] = []
  for (let at = 0; at < line.length;) {
    const code = line.charCodeAt(at)
    if (code === BACKTICK) {
      at = codeEnd(line, at)
      continue
    }
    if (code === 1) {
      at = formulaEnd(line, at)
      continue
    }
    if (code === BACKSLASH && PUNCTUATION.test(line.charAt(at + 1))) at += 1
    else if (code === OPENING) open.push(at)
    else if (code === CLOSING) {
      const start = open.pop()
      if (start !== undefined && line.charCodeAt(at + 1) === PARENTHESIS) {
        found.set(start, at).set(-at, start)
        at = destinationEnd(line, at + 1)
        continue
      }
    }
    at += 1
  }
  return found
}

/**
 * The position after the parenthesis that closes a destination of ours: a URL in angle brackets or with paired parentheses, perhaps a
 * title.
 */
function destinationEnd(line: string, open: number): number {
  let at = open + 1
  if (line.charCodeAt(at) === 60) {
    at = line.indexOf('>', at)
    if (at < 0) return line.length
  }
  let depth = 1
  for (; at < line.length; at += 1) {
    const code = line.charCodeAt(at)
    if (code === PARENTHESIS) depth += 1
    else if (code === 41) {
      depth -= 1
      if (depth === 0) return at + 1
    } else if (code === QUOTE) {
      at = line.indexOf('"', at + 1)
      if (at < 0) break
    }
  }
  return line.length
}

/**
 * Escapes the brackets in the text of a link so that they pair up, except those of pictures. Next to a picture, and before a parenthesis,
 * brackets become character references: marked removes the backslashes of brackets before it looks for links inside.
 *
 * Brackets in code are not brackets of the link (CommonMark, 6.1), and a backslash would be shown. Only `]:` without a `[` before it gets one
 * nevertheless: it could end the label of a link reference definition (CommonMark, 4.7).
 */
export function escapeBrackets(label: string): string {
  if (!label.includes('[') && !label.includes(']')) return label
  const pictures = linkStarts(label)
  let out = ''
  let from = 0
  let codeTo = 0
  for (let at = 0; at < label.length; at += 1) {
    if (label.charCodeAt(at) === 1) at = formulaEnd(label, at)
    const isEscaped = label.charCodeAt(at) === BACKSLASH
    if (isEscaped) at += 1
    const code = label.charCodeAt(at)
    if (code === BACKTICK && !isEscaped && at >= codeTo) {
      codeTo = codeEnd(label, at)
      if (!/^[^[]*\]:/.test(label.slice(at, codeTo))) at = codeTo - 1
      continue
    }
    if (code !== OPENING && code !== CLOSING) continue
    if (!isEscaped && pictures.has(code === OPENING ? at : -at)) continue
    out += label.slice(from, isEscaped ? at - 1 : at)
    from = at
    if (pictures.size > 0 || (code === CLOSING && label.charCodeAt(at + 1) === PARENTHESIS)) {
      out += `&#${code};`
      from = at + 1
    } else out += '\\'
  }
  return out + label.slice(from)
}

function formulaEnd(line: string, start: number): number {
  const end = line.indexOf(FORMULA, start + 1)
  return end < 0 ? line.length : end + 1
}

/** The position after the code span that starts at a backtick; each one that is written here has its end. */
function codeEnd(line: string, start: number): number {
  let end = start
  while (line.charCodeAt(end) === BACKTICK) end += 1
  const fence = end - start
  for (let at = line.indexOf('`', end); at >= 0; at = line.indexOf('`', at)) {
    const run = at
    while (line.charCodeAt(at) === BACKTICK) at += 1
    if (at - run === fence) return at
  }
  return end
}

const PUNCTUATION = /[!-/:-@[-`{-~]/
const NAMED_REFERENCES: Record<string, string> = { '<': '&lt;', '&': '&amp;' }
const LINE_FEED = 10
const EXCLAMATION = 33
const QUOTE = 34
const DOLLAR = 36
const PARENTHESIS = 40
const COLON = 58
const OPENING = 91
const BACKSLASH = 92
const CLOSING = 93
const BACKTICK = 96
const TILDE = 126
