import { attributeOf, ElementNode, TextNode } from '#backend/crawler/html/html-tree.ts'
import { allText, holds } from '#backend/crawler/html/tree-text.ts'

/** The longest text that counts as a request to switch scripts on. */
const MAX_REQUEST = 400
/** The word is the same in all languages. */
const SPEAKS_OF_SCRIPTS = /java\s?-?script|\bscripts?\b|\bJS\b/i
const PLACEHOLDER = /^\s*(?:data:|$)|blank|spacer|placeholder|lazy|loading|transparent|1x1/i
const PICTURE_FILE = /\.(?:jpe?g|png|webp|avif)(?:[?#]|$)/i

/**
 * Is the content of a `noscript` element part of the page, as it is read without scripts? Texts are, except requests to switch scripts on;
 * so are pictures that a script would load later, and they replace the placeholder before them. Tracking pixels are not.
 *
 * Called at the end tag, when the element is the last child of its parent.
 */
export function showsWithoutScripts(noscript: ElementNode): boolean {
  if (noscript.textLength > 0) return noscript.textLength > MAX_REQUEST || !SPEAKS_OF_SCRIPTS.test(allText(noscript))
  if (!holds(noscript, 'img')) return false
  const picture = firstImage(noscript)
  if (picture === null || !isPicture(picture)) return false
  const placeholder = imageBefore(noscript)
  if (placeholder === null) return true
  if (!isPlaceholder(placeholder)) return false
  const siblings = placeholder.parent!.children
  siblings.splice(siblings.lastIndexOf(placeholder), 1)
  return true
}

/**
 * Limits for the boxes around a picture and their children: otherwise a hostile page could make each `noscript` search thousands of
 * elements.
 */
const MAX_BOXES = 8
const MAX_CHILDREN = 50

function firstImage(element: ElementNode, boxes = MAX_BOXES): ElementNode | null {
  if (element.name === 'img') return element
  if (boxes === 0 || element.children.length > MAX_CHILDREN) return null
  const next = element.children.find((child) => child instanceof ElementNode && holds(child, 'img'))
  return next === undefined ? null : firstImage(next as ElementNode, boxes - 1)
}

/** Does the picture have an alt text, or the name of a picture file, and a size of more than one pixel? */
function isPicture(image: ElementNode): boolean {
  if (isPoint(attributeOf(image, 'width')) || isPoint(attributeOf(image, 'height'))) return false
  if (/display\s*:\s*none/i.test(attributeOf(image, 'style') ?? '')) return false
  return (attributeOf(image, 'alt') ?? '').trim() !== '' || PICTURE_FILE.test(attributeOf(image, 'src') ?? '')
}

const isPoint = (size: string | undefined) => size !== undefined && /^[01](?:px)?$/.test(size.trim())

/** White space between a placeholder and its picture. */
const MAX_GAP = 100

/** The image directly before an element, itself or in a box without text. */
function imageBefore(element: ElementNode): ElementNode | null {
  const siblings = element.parent!.children
  for (let at = siblings.length - 2; at >= 0; at--) {
    const before = siblings[at]!
    if (before instanceof TextNode) {
      if (before.data.length > MAX_GAP || before.data.trim() !== '') return null
      continue
    }
    return before.textLength === 0 ? firstImage(before) : null
  }
  return null
}

/** Does a script replace the placeholder by the picture? */
function isPlaceholder(image: ElementNode): boolean {
  return PLACEHOLDER.test(attributeOf(image, 'src') ?? '') || attributeOf(image, 'data-src') !== undefined
}
