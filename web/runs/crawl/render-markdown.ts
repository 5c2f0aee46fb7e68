/**
 * Renders a stored page's Markdown as safe HTML. Loaded when the first page is read.
 *
 * The page is untrusted. Scripts, styles, frames and forms are removed; so are ids, which our code could mistake for its own. An image is
 * replaced by its alternative text and a link (within a link: by its text), so that opening a page sends no request to third parties. Links
 * open in a new tab without a referrer.
 */
import DOMPurify from 'dompurify'
import { safeHref } from '#web/ui/outside-link.tsx'
import { htmlOf } from './markdown-html.ts'
import { definitionsIn, markdownParts } from './markdown-parts.ts'

const purifier = DOMPurify(window)

const TAGS = [
  'a abbr b blockquote br code dd del details div dl dt em h3 h4 h5 h6 hr i ins kbd li mark ol p pre q s samp small span strong sub',
  'summary sup table tbody td tfoot th thead tr u ul var',
].flatMap((line) => line.split(' '))

/** Elements that get `dir="auto"`: the direction of their own text, whatever direction the rest of the page has. */
const BLOCKS = new Set('blockquote dd dt h3 h4 h5 h6 ol p summary table ul'.split(' '))

purifier.addHook('afterSanitizeAttributes', (node) => {
  // Blocks directly inside a list entry or a table's scroll box take the direction of the list or the box.
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

/** Characters of Markdown that are rendered at once, approximately; that takes about 10 ms. */
const PART = 8000

/** Renders the page in parts, so that the browser can paint in between. */
export function* renderedParts(markdown: string): Generator<DocumentFragment> {
  // A part may use a link that another part defines.
  const definitions = definitionsIn(markdown)
  for (const part of markdownParts(markdown, PART)) yield rendered(definitions === '' ? part : `${part}\n\n${definitions}`)
}

const rendered = (markdown: string): DocumentFragment =>
  purifier.sanitize(htmlOf(markdown), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'align', 'colspan', 'rowspan', 'start', 'data-level', 'data-image', 'data-scroll'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  })
