/** Writes Markdown as HTML that is not safe yet: `render-markdown.ts` removes what a page must not contain. Pure. */
import { Marked, Renderer, Tokenizer } from 'marked'
import * as t from '#texts/stored-page.ts'

/** Escapes a text of a token for HTML. Entities of the Markdown stay as they are. */
const escaped = (text: string) =>
  text
    .replace(/&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]*);)/gi, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** Whether the inside of a link is being written: HTML has no link within a link. */
let isInLink = false

/**
 * Characters that the searches for ends of emphasis may still read. Each sign that could open emphasis begins a search of its own, so a hostile
 * paragraph would take minutes. Beyond the limit the signs are text.
 */
let left = 0
const MOST_SEARCHED = 5_000_000
/** In a paragraph that has more characters left, a URL or a piece of text is looked for only in the next few. */
const LONG = 10_000
const NEXT = 2100
/** Crawls store no longer URL. */
const LONGEST_URL = 8192

function searched<Found extends { raw: string }>(source: string, find: () => Found | undefined): Found | undefined {
  if (left <= 0) return undefined
  const found = find()
  left -= (found?.raw ?? source).length
  return found
}

const next = (source: string, most: number) => (source.length > LONG ? source.slice(0, most) : source)

/** Ends before a blank if there is one: a URL or a line break behind it stays whole. */
function nextText(source: string): string {
  const piece = next(source, NEXT)
  return piece === source ? source : piece.slice(0, piece.lastIndexOf(' ')).trimEnd() || piece
}

const marked = new Marked({
  gfm: true,
  tokenizer: {
    emStrong(source, masked, before = '') {
      // Signs before a blank, and underscores inside a word, open nothing.
      if (!/^(?:\*+|_+)\S/.test(source) || /^[\p{L}\p{N}]_/u.test(before + source.charAt(0))) return undefined
      return searched(source, () => Tokenizer.prototype.emStrong.call(this, source, masked, before))
    },
    del(source, masked, before) {
      return /^~+\S/.test(source) ? searched(source, () => Tokenizer.prototype.del.call(this, source, masked, before)) : undefined
    },
    url(source) {
      return Tokenizer.prototype.url.call(this, next(source, /^(?:https?:|ftp:|www\.)/i.test(source) ? LONGEST_URL : NEXT))
    },
    inlineText(source) {
      return Tokenizer.prototype.inlineText.call(this, nextText(source))
    },
  },
  renderer: {
    // Shift headings: our own page uses the first two levels.
    heading({ tokens, depth }) {
      return `<h${Math.min(6, depth + 2)} data-level="${depth}">${this.parser.parseInline(tokens)}</h${Math.min(6, depth + 2)}>\n`
    },
    link(token) {
      const { href, text } = token
      // A link without words shows its URL.
      const named = text.trim() === '' ? { ...token, tokens: [{ type: 'text', raw: href, text: href }] } : token
      isInLink = true
      try {
        return Renderer.prototype.link.call(this, named)
      } finally {
        isInLink = false
      }
    },
    image({ href, text, title, tokens }) {
      const words = escaped(this.parser.parseInline(tokens, this.parser.textRenderer) || text || title || t.imageWithoutWords)
      const note = `data-image="${escaped(t.imageBefore)}"`
      return isInLink ? `<span ${note}>${words}</span>` : `<a href="${escaped(href)}" ${note}>${words}</a>`
    },
    table(token) {
      const cells = (row: typeof token.header, tag: string) =>
        row.map((cell) => `<${tag}${cell.align ? ` align="${cell.align}"` : ''}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')
      const body = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')
      return `<div data-scroll=""><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${body}</tbody></table></div>\n`
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
})

export function htmlOf(markdown: string): string {
  left = MOST_SEARCHED
  return marked.parse(markdown, { async: false })
}
