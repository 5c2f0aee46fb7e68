/**
 * Renders a stored page's Markdown as safe HTML. Loaded when the first page is read.
 *
 * Nothing of the page may act: no script, style, frame or form; no image from elsewhere (its alternative text and a link replace it, so
 * that opening a page sends no request to third parties); no ids that our code could mistake for its own. Links open in a new tab without a
 * referrer.
 */
import DOMPurify from 'dompurify'
import { Marked } from 'marked'
import { safeHref } from '#web/ui/outside-link.tsx'
import * as t from '#texts/stored-page.ts'
import { markdownParts } from './markdown-parts.ts'

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const marked = new Marked({
  gfm: true,
  renderer: {
    // Shift headings: our own page uses the first two levels.
    heading({ tokens, depth }) {
      return `<h${Math.min(6, depth + 2)} data-level="${depth}">${this.parser.parseInline(tokens)}</h${Math.min(6, depth + 2)}>\n`
    },
    image({ href, text, title }) {
      const words = escaped(text || title || t.imageWithoutWords)
      return `<a href="${escaped(href)}" data-image="${escaped(t.imageBefore)}">${words}</a>`
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

const purifier = DOMPurify(window)

const TAGS = [
  'a abbr b blockquote br code dd del details div dl dt em h3 h4 h5 h6 hr i ins kbd li mark ol p pre q s samp small span strong sub',
  'summary sup table tbody td tfoot th thead tr u ul var',
].flatMap((line) => line.split(' '))

/** Each has the direction of its own text, whatever the rest of the page has. */
const BLOCKS = new Set('blockquote dd dt h3 h4 h5 h6 ol p summary table ul'.split(' '))

purifier.addHook('afterSanitizeAttributes', (node) => {
  // A list has the direction of its entries, and the frame of a table that of its cells, so what is in them has none of its own.
  const has = BLOCKS.has(node.localName) || node.hasAttribute('data-scroll')
  if (has && node.parentElement?.matches('li, [data-scroll]') !== true) node.setAttribute('dir', 'auto')
  if (node.nodeName !== 'A') return
  const href = safeHref(node.getAttribute('href') ?? '')
  if (href === null) {
    node.removeAttribute('href')
    return
  }
  node.setAttribute('target', '_blank')
  node.setAttribute('rel', 'noreferrer noopener nofollow')
})

/** About so many characters of Markdown are rendered at once, in some 10 ms. */
const PART = 8000

/** The page in parts, so that the browser can paint in between. */
export function* renderedParts(markdown: string): Generator<DocumentFragment> {
  // A part may use a link that is defined in another one.
  const definitions = markdown.match(DEFINITION)?.join('\n') ?? ''
  for (const part of markdownParts(markdown, PART)) yield rendered(definitions === '' ? part : `${part}\n\n${definitions}`)
}

const DEFINITION = /^ {0,3}\[[^\]\n]+\]: +\S.*$/gm

const rendered = (markdown: string): DocumentFragment =>
  purifier.sanitize(marked.parse(markdown, { async: false }), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'align', 'colspan', 'rowspan', 'start', 'data-level', 'data-image', 'data-scroll'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  })
