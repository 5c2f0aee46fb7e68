/** What of a stored page is searched: its title, headings, description, address and main content, as plain text. */
import type { StoredDocument } from '#backend/crawler/page/page-body.ts'

export type PageText = { title: string; headings: string; description: string; address: string; body: string }

/** More of a page is not searched: it is a list or a dump, and its first part says what it is. */
const LONGEST_TEXT = 400_000

/**
 * @param page      the row
 * @param document  the result document; null: the page is found by title and address alone
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

/** Host and path as words: `docs example com guide first steps`. A host's `www` and a file's ending say nothing. */
function addressText(href: string): string {
  const url = URL.parse(href)
  if (url === null) return href
  const path = `${url.pathname}${url.search}`
  let readable = path
  try {
    readable = decodeURIComponent(path)
  } catch {
    // A percent sign that is none: the path as it is written.
  }
  return `${url.hostname.replace(/^www\./, '')} ${readable.replace(/\.(?:html?|php|aspx?|md)$/i, '')}`
}

/** Markdown without its marks; headings apart from the rest. White space stays: the index does not mind it. */
export function readMarkdown(markdown: string): { headings: string; body: string } {
  const headings: string[] = []
  const body: string[] = []
  let fence: string | undefined
  for (const line of markdown.split('\n')) {
    const [, marks] = FENCE.exec(line) ?? []
    if (marks !== undefined) {
      if (fence === undefined) fence = marks
      else if (marks.startsWith(fence)) fence = undefined
    }
    const heading = line.charCodeAt(0) === 35 && /^#{1,6} /.test(line)
    const plain = plainLine(heading ? line.replace(/^#+ /, '') : line, fence !== undefined)
    if (plain !== '') (heading ? headings : body).push(plain)
  }
  return { headings: headings.join('\n'), body: body.join('\n') }
}

/** The first or last line of a block of code, in a list or quotation too. */
const FENCE = /^[ >]*(?:(?:[-*+]|\d{1,9}[.)]) +)*(`{3,}|~{3,})/

// Each looks no further than the next bracket or blank, so that a line of brackets costs its length and not its square.
const IMAGE = /!\[([^[\]\n]{0,1000})\]\([^()\s]{0,4000}(?: "[^"\n]{0,1000}")?\)/g
const LINK = /\[([^[\]\n]{0,1000})\]\([^()\s]{0,4000}(?: "[^"\n]{0,1000}")?\)/g
const AUTOLINK = /<https?:[^<>\s]{0,4000}>/g

/** The tags in Markdown, which stands outside of code: all other angle brackets are escaped. */
const TAGS = /\\.|(`{1,8})[^`]*\1|<\/?([a-z][\w-]*)(?:\s[^<>]*)?>/gi

// What is escaped stays; marks of emphasis, code and tables go, but an underscore inside of a name stays.
// Inside of bare addresses characters are escaped by references.
const MARKS = /\\([!-/:-@[-`{-~])|&(lt|amp|#\d{2,3});|[*`|]{1,3}|(?<!\w)_{1,3}(?=\S)|_{1,3}(?!\w)/g

// Most lines have none, and a look costs a fifth of a replacement: 0.16 instead of 0.25 ms for a page of 15 KB of text, its JSON included.
const MARK = /[\\&*`|_]/

/** `CO<sub>2</sub>` is one word, and `10<sup>6</sup>` is not 106. */
const RAISED = new Map([
  ['<sub>', ''],
  ['</sub>', ''],
  ['<sup>', '^'],
  ['</sup>', ''],
])

const referred = (name: string) => (name === 'lt' ? '<' : name === 'amp' ? '&' : String.fromCharCode(Number(name.slice(1))))

function plainLine(line: string, isCode: boolean): string {
  return plainSpan(beginsWithLetter(line) ? line : withoutLead(line), isCode).trim()
}

/** Most lines do: what is looked for at the beginning of a line is not there. */
function beginsWithLetter(line: string): boolean {
  const first = line.charCodeAt(0) | 32
  return first >= 97 && first <= 122
}

/** Without the mark of a quotation or an entry; empty for a line that is all mark. */
function withoutLead(line: string): string {
  if (/^\s*(?:```|~~~|[-*_]{3,}\s*$|\|[\s:|-]+\|\s*$)/.test(line)) return ''
  return line.replace(/^[\s>]*(?:[-*+] |\d{1,9}[.)] )?/, '')
}

function plainSpan(text: string, isCode: boolean): string {
  let plain = text
  if (!isCode && plain.includes('<'))
    plain = plain.replace(TAGS, (tag, _, name: string | undefined) => (name === undefined ? tag : (RAISED.get(tag) ?? ' ')))
  if (plain.includes('](')) plain = plain.replace(IMAGE, '$1').replace(LINK, '$1')
  if (plain.includes('<http')) plain = plain.replace(AUTOLINK, ' ')
  if (MARK.test(plain))
    plain = plain.replace(MARKS, (mark, escaped: string | undefined, reference: string | undefined) =>
      reference === undefined ? (escaped ?? (mark.startsWith('|') ? ' ' : '')) : referred(reference),
    )
  return plain
}
