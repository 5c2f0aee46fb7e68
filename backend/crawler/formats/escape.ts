/** Text that stays text in Markdown: what could be taken for markup gets a backslash before it. */

// What characters ask for. Others, and all beyond 160, stand as they are.
const SPACE = 1
const WHITE = 2
const REMOVED = 3
const MARK = 4
const KINDS = new Uint8Array(161)
KINDS.fill(REMOVED, 0, 32)
KINDS[127] = REMOVED
for (const code of [9, 10, 12, 13, 160]) KINDS[code] = WHITE
KINDS[32] = SPACE
for (const mark of '\\`*_[]<&~') KINDS[mark.charCodeAt(0)] = MARK

const MAX_LABEL = 400

/** White space made single, controls removed, and a backslash before each character that Markdown would otherwise take for its own. */
export function escapeText(text: string): string {
  let out = ''
  // The text from here on is not written yet.
  let from = 0
  let isSpaced = false
  // The next closing bracket, once it was looked for.
  let close = -1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const kind = code <= 160 ? KINDS[code]! : 0
    if (kind === 0) isSpaced = false
    else if (kind === SPACE && !isSpaced) isSpaced = true
    else if (kind === MARK) {
      isSpaced = false
      if (code === OPENING && close < at) {
        close = text.indexOf(']', at + 1)
        if (close < 0) close = Infinity
      }
      if (needsEscape(text, at, code, close)) {
        out += text.slice(from, at) + '\\'
        from = at
      }
    } else {
      if (at > from) out += text.slice(from, at)
      from = at + 1
      if (kind === WHITE && !isSpaced) {
        out += ' '
        isSpaced = true
      }
    }
  }
  return from === 0 && out === '' ? text : out + text.slice(from)
}

/** @param close  where the bracket closes that opens at `at`, Infinity when it does not */
function needsEscape(text: string, at: number, code: number, close: number): boolean {
  switch (code) {
    case 92: {
      const after = charAt(text, at + 1)
      // The white space may go, and a mark of ours may stand there.
      return after === '' || after === ' ' || PUNCTUATION.test(after)
    }
    case 96:
      return true
    case 42:
      return !isFree(text, at)
    case 95:
      return !isWithinWord(text, at) && !isFree(text, at)
    case OPENING: {
      if (close - at > MAX_LABEL || charAt(text, at + 1) === ' ') return false
      const after = charAt(text, close + 1)
      return after === '' || after === '[' || after === '(' || after === ':'
    }
    case 93: {
      const after = charAt(text, at + 1)
      return after === '(' || after === '[' || after === ':'
    }
    case 60: {
      const after = charAt(text, at + 1)
      return after === '' || /[a-z/!?]/i.test(after)
    }
    case 38:
      return /^&(?:[a-z][a-z0-9]{1,31}|#\d{1,7}|#x[0-9a-f]{1,6});/i.test(text.slice(at, at + 36))
    case 126:
      return charAt(text, at + 1) === '~' || charAt(text, at - 1) === '~'
    default:
      return false
  }
}

/** Does it stand by itself between two words? White space at an end of the text may go, and a mark of ours may stand there. */
function isFree(text: string, at: number): boolean {
  return charAt(text, at - 1) === ' ' && charAt(text, at + 1) === ' ' && isVisible(charAt(text, at - 2)) && isVisible(charAt(text, at + 2))
}

function isVisible(character: string): boolean {
  return character !== ' ' && character !== ''
}

/** White space is a space here, as it will be; nothing before the start and behind the end. */
function charAt(text: string, at: number): string {
  const kind = KINDS[text.charCodeAt(at)]
  return kind === WHITE ? ' ' : text.charAt(at)
}

/** Do words stand on both sides of a run of underscores? A long run is a line to write on, and no part of a name. */
function isWithinWord(text: string, at: number): boolean {
  let before = at - 1
  let after = at + 1
  while (at - before < 4 && text.charCodeAt(before) === UNDERSCORE) before -= 1
  while (after - at < 4 && text.charCodeAt(after) === UNDERSCORE) after += 1
  return isWord(charAt(text, before)) && isWord(charAt(text, after))
}

function isWord(character: string): boolean {
  return character !== '' && /[\p{L}\p{N}]/u.test(character)
}

/** Escapes what would make a heading, list, quote or rule of a paragraph's line. */
export function escapeLineStarts(text: string): string {
  const escaped = escapeLineStart(text)
  return escaped.includes('\n') ? escaped.replace(/\n(.+)/g, (_, line: string) => '\n' + escapeLineStart(line)) : escaped
}

function escapeLineStart(line: string): string {
  const code = line.charCodeAt(0)
  // Letters and most of what is beyond ASCII start no block.
  if (code > 62 && code < 91) return line
  if (code > 95 && code !== BAR && code !== TILDE) return line
  if (code >= 48 && code <= 57) return line.replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
  if (/^(?:[+>]|#{1,6}(?=\s|$)|-(?=[\s-]|$)|\*(?=\s|$)|=+\s*$|~~~|_[_ ]*$|\[[ xX]\](?=\s|$))/.test(line)) return '\\' + line
  // The second line of a table.
  if ((code === BAR || code === COLON) && /^[|: -]*-[|: -]*$/.test(line)) return '\\' + line
  return line
}

/** `://`, `www.` and e-mail addresses outside destinations of links: what GFM and its relatives make a link of without being asked. */
const BARE_ADDRESS = /(?<!\]\(https?):\/\/|(?<!\]\(https?:\/\/)www\.|\w@\w/i

/**
 * Seals a finished line of inline Markdown against renderers that link bare addresses (GFM, "Autolinks (extension)"). Such an address runs
 * to the next white space and takes every backslash in, so that `\<` inside it would be an address and a live `<`. Inside it characters
 * are escaped by character references, and code, links, pictures and line breaks of ours are kept apart from it by a space.
 *
 * A single `~` that could end struck text (GFM takes one as well as two) gets its backslash here, where the whole line is known.
 *
 * @param isPart  renderers may read the line and its neighbours as one paragraph
 */
export function sealLine(line: string, isPart = false): string {
  const hasTildes = line.includes('~') && (isPart || line.indexOf('~') !== line.lastIndexOf('~'))
  if (!hasTildes && !(line.includes('](') && line.includes('\\')) && !BARE_ADDRESS.test(line)) return line
  const links = linkStarts(line)
  let out = ''
  // The line from here on is not written yet.
  let from = 0
  // In a word with an address; `isBare`: no link of ours has ended in it since. Until the word's end escapes are references: behind a link
  // only those that keep tags, code and links out.
  let inAddress = false
  let isBare = false
  let lastCode = -1
  const put = (at: number, text: string, skipped: number) => {
    out += line.slice(from, at) + text
    from = at + skipped
  }
  for (let at = 0; at < line.length;) {
    const code = line.charCodeAt(at)
    switch (code) {
      case 32:
      case LINE_FEED:
        inAddress = isBare = false
        break
      case 60:
        if (line.startsWith('<br>', at)) inAddress = isBare = false
        break
      case COLON:
        if (line.startsWith('://', at)) inAddress = isBare = true
        break
      case 64:
        // E-mail addresses end at anything strange, those of XMPP do not.
        if (at > 0 && line.charCodeAt(at - 1) !== 32) inAddress = true
        break
      case 87:
      case 119:
        if (/^www\.$/i.test(line.slice(at, at + 4))) inAddress = isBare = true
        break
      case BACKSLASH: {
        const next = line.charAt(at + 1)
        if (next === '\n') {
          if (isBare) put(at, ' ', 0)
          inAddress = isBare = false
        } else if (isBare ? PUNCTUATION.test(next) : inAddress && '<&[]`'.includes(next))
          put(at, next === '_' && isLone(line, at) ? '_' : (NAMED_REFERENCES[next] ?? `&#${next.charCodeAt(0)};`), 2)
        at += next === '\n' || PUNCTUATION.test(next) ? 2 : 1
        continue
      }
      case BACKTICK: {
        if (isBare) put(at, ' ', 0)
        inAddress = isBare = false
        lastCode = at
        at = codeEnd(line, at)
        continue
      }
      case EXCLAMATION:
        if (isBare && links.has(at + 1)) {
          put(at, ' ', 0)
          inAddress = isBare = false
        }
        break
      case OPENING:
        if (isBare && links.has(at)) {
          put(at, ' ', 0)
          inAddress = isBare = false
        }
        break
      case CLOSING:
        if (links.has(-at)) {
          // Where a renderer does not see a link of ours, its destination is a bare address: marked misses some with code in them.
          inAddress = true
          isBare = lastCode > links.get(-at)!
          at = line.indexOf(')', at) + 1
          if (at === 0) at = line.length
          continue
        }
        break
      case TILDE:
        if (line.charCodeAt(at + 1) === TILDE) {
          while (line.charCodeAt(at) === TILDE) at += 1
          continue
        }
        if (hasTildes && at > 0 && line.charCodeAt(at - 1) !== 32) put(at, isBare ? '&#126;' : '\\~', 1)
    }
    at += 1
  }
  return from === 0 ? line : out + line.slice(from)
}

/** An underscore behind a word opens no emphasis. */
function isLone(line: string, at: number): boolean {
  return /[\p{L}\p{N}]/u.test(line.charAt(at - 1)) && line.charAt(at + 2) !== '_' && !line.startsWith('\\_', at + 2)
}

/** Where the links and pictures of a line open and, under the negative place, where their texts close; each leads to the other. */
function linkStarts(line: string): Map<number, number> {
  const found = new Map<number, number>()
  const open: number[] = []
  for (let at = 0; at < line.length;) {
    const code = line.charCodeAt(at)
    if (code === BACKTICK) {
      at = codeEnd(line, at)
      continue
    }
    if (code === BACKSLASH && PUNCTUATION.test(line.charAt(at + 1))) at += 1
    else if (code === OPENING) open.push(at)
    else if (code === CLOSING) {
      const start = open.pop()
      if (start !== undefined && line.charAt(at + 1) === '(') found.set(start, at).set(-at, start)
    }
    at += 1
  }
  return found
}

/**
 * Escapes the brackets of a link's text, but for those of pictures in it, so that they pair up. Beside a picture, and before a parenthesis,
 * they become references: marked takes the backslashes of brackets out of a text before it looks for links inside.
 */
export function escapeBrackets(label: string): string {
  if (!label.includes('[') && !label.includes(']')) return label
  const pictures = linkStarts(label)
  let out = ''
  let from = 0
  for (let at = 0; at < label.length; at += 1) {
    const isEscaped = label.charCodeAt(at) === BACKSLASH
    if (isEscaped) at += 1
    const code = label.charCodeAt(at)
    if (code !== OPENING && code !== CLOSING) continue
    if (!isEscaped && pictures.has(code === OPENING ? at : -at)) continue
    out += label.slice(from, isEscaped ? at - 1 : at)
    from = at
    if (pictures.size > 0 || (code === CLOSING && label.charAt(at + 1) === '(')) {
      out += `&#${code};`
      from = at + 1
    } else out += '\\'
  }
  return out + label.slice(from)
}

/** Behind the code span that starts at a backtick; every one that is written here has its end. */
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
const COLON = 58
const OPENING = 91
const BACKSLASH = 92
const CLOSING = 93
const UNDERSCORE = 95
const BACKTICK = 96
const BAR = 124
const TILDE = 126
