/** The searchable text of a stored page: its title, headings, description, URL and main content, as plain text. */
import { domainToUnicode } from 'node:url'
import type { StoredDocument } from '#backend/crawler/page/page-body.ts'

export type PageText = { title: string; headings: string; description: string; address: string; body: string }

/** More of a page is not searched: it is a list or a dump, and its first part shows what it is about. */
const LONGEST_TEXT = 400_000

/**
 * @param page      the row
 * @param document  the result document; null: the page is found only by title and URL
 */
export function pageText(page: { url: string; title: string | null }, document: Partial<StoredDocument> | null): PageText {
  const metadata = document?.metadata ?? {}
  const { headings, body } = readMarkdown(text(document?.markdown).slice(0, LONGEST_TEXT))
  return {
    title: page.title ?? text(metadata['title']),
    headings,
    description: text(metadata['description']) || text(metadata['og:description']),
    address: addressText(page.url),
    body,
  }
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')

/**
 * Host and path as words in their script: `docs example com guide first steps`. The `www` of a host and the extension of a file are left
 * out.
 */
function addressText(href: string): string {
  const url = URL.parse(href)
  if (url === null) return href
  const readable = `${url.pathname}${url.search}`.replace(/(?:%[0-9a-f]{2})+/gi, decoded)
  const host = url.hostname.replace(/^www\./, '')
  return `${host.includes('xn--') ? domainToUnicode(host) || host : host} ${readable.replace(/\.(?:html?|php|aspx?|md)$/i, '')}`
}

function decoded(escapes: string): string {
  try {
    return decodeURIComponent(escapes)
  } catch {
    // Not UTF-8.
    return escapes
  }
}

/** Markdown without its markup; headings separate from the rest. White space stays: the index ignores it. */
function readMarkdown(markdown: string): { headings: string; body: string } {
  const headings: string[] = []
  const body: string[] = []
  let fence: Fence | undefined
  for (const line of markdown.split('\n')) {
    const [lead, marks] = FENCE.exec(line) ?? []
    if (lead !== undefined && marks !== undefined && (fence === undefined || marks.startsWith(fence.marks))) {
      fence = fence === undefined ? { marks, quotations: lead.split('>').length - 1 } : undefined
      continue
    }
    if (fence !== undefined) {
      const code = unquoted(line, fence.quotations).trim()
      if (code !== '') body.push(code)
      continue
    }
    const heading = line.charCodeAt(0) === 35 && /^#{1,6} /.test(line)
    // A number at its start belongs to a heading.
    const plain = heading ? plainSpan(line.replace(/^#+ /, '')).trim() : plainLine(line)
    if (plain !== '') (heading ? headings : body).push(plain)
  }
  return { headings: headings.join('\n'), body: body.join('\n') }
}

/** The first line of a block of code: its marks, and how many quotations it is in. */
type Fence = { marks: string; quotations: number }

/** The first or last line of a block of code, in a list or quotation too. */
const FENCE = /^[ >]*(?:(?:[-*+]|\d{1,9}[.)]) +)*(`{3,}|~{3,})/

// Each pattern stops at the next bracket or space, so that a line of brackets takes linear time, not quadratic. A text may contain code,
// escaped brackets and one pair of others, as in `[[1]](…)`; a URL may contain one pair of parentheses.
const CODE = '`[^`\\n]{1,1000}`|``(?:[^`\\n]|`(?!`)){1,1000}``'
const LABEL = String.raw`\[((?:[^[\]\\\n\`]|\\.|${CODE}|\[[^[\]\n]{0,100}\]){0,1000})\]`
const DESTINATION = String.raw`\((?:[^()\s]|\([^()\s]{0,200}\)){0,4000}(?: "[^"\n]{0,1000}")?\)`
// In code outside of links, brackets are no links: `on[name](event)`.
const IMAGE = new RegExp(`\\\\.|${CODE}|!${LABEL}${DESTINATION}`, 'g')
const LINK = new RegExp(`\\\\.|${CODE}|${LABEL}${DESTINATION}`, 'g')
const AUTOLINK = /<https?:[^<>\s]{0,4000}>/g

/** Tags in Markdown, outside of code: all other angle brackets are escaped. */
const TAGS = /\\.|(`{1,8})[^`]*\1|<\/?([a-z][\w-]*)(?:\s[^<>]*)?>/gi

// Escaped characters and the text of code stay; markup of emphasis, code and tables is removed, and so is the backslash of a line break, but
// an underscore inside a name stays. In bare URLs, characters are escaped by character references.
const MARKS =
  /\\([!-/:-@[-`{-~]|$)|(?<!`)(`{1,8})(?!`)(.{1,1000}?)(?<!`)\2(?!`)|&(lt|amp|#\d{2,3});|[*`|]{1,3}|(?<!\w)_{1,3}(?=\S)|_{1,3}(?!\w)/g

// Most lines have none, and a check costs a fifth of a replacement: 0.16 instead of 0.25 ms for a page of 15 KB of text, its JSON included.
const MARK = /[\\&*`|_]/

/** `CO<sub>2</sub>` is one word, and `10<sup>6</sup>` is not 106. */
const RAISED = new Map([
  ['<sub>', ''],
  ['</sub>', ''],
  ['<sup>', '^'],
  ['</sup>', ''],
])

const referred = (name: string) => (name === 'lt' ? '<' : name === 'amp' ? '&' : String.fromCharCode(Number(name.slice(1))))

/** A line of code without the markers of the quotations around the block. */
function unquoted(line: string, quotations: number): string {
  let at = 0
  for (let left = quotations; left > 0; left--) {
    const mark = line.indexOf('>', at)
    if (mark < 0 || line.slice(at, mark).trim() !== '') break
    at = mark + 1
  }
  return line.slice(at)
}

function plainLine(line: string): string {
  return plainSpan(beginsWithLetter(line) ? line : withoutLead(line)).trim()
}

/** Most lines begin with a letter, so the patterns for the beginning of a line are not tried. */
function beginsWithLetter(line: string): boolean {
  const first = line.charCodeAt(0) | 32
  return first >= 97 && first <= 122
}

/** The line without the marker of a quotation or list entry; empty for a line with only a marker. */
function withoutLead(line: string): string {
  if (/^\s*(?:[-*_]{3,}\s*$|\|[\s:|-]+\|\s*$)/.test(line)) return ''
  return line.replace(/^[\s>]*(?:[-*+] |\d{1,9}[.)] )?/, '')
}

/** The text of a link; escaped characters and code stay. */
const labelOf = (found: string, label?: string): string => label ?? found

function plainSpan(text: string): string {
  let plain = text
  if (plain.includes('<'))
    plain = plain.replace(TAGS, (tag, _, name: string | undefined) => (name === undefined ? tag : (RAISED.get(tag) ?? ' ')))
  if (plain.includes('](')) plain = plain.replace(IMAGE, labelOf).replace(LINK, labelOf)
  if (plain.includes('<http')) plain = plain.replace(AUTOLINK, ' ')
  if (MARK.test(plain))
    plain = plain.replace(MARKS, (mark, escaped?: string, _ticks?: string, code?: string, reference?: string) =>
      reference === undefined ? (escaped ?? code ?? (mark.startsWith('|') ? ' ' : '')) : referred(reference),
    )
  return plain
}
