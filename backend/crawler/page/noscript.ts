import { attributeOf, ElementNode, TextNode } from './html-tree.ts'
import { allText, holds } from './tree-text.ts'

/** A request to switch scripts on is not longer than this. */
const MAX_REQUEST = 400
/** The word is the same in all languages. */
const SPEAKS_OF_SCRIPTS = /java\s?-?script|\bscripts?\b|\bJS\b/i
const PLACEHOLDER = /^\s*(?:data:|$)|blank|spacer|placeholder|lazy|loading|transparent|1x1/i
const PICTURE_FILE = /\.(?:jpe?g|png|webp|avif)(?:[?#]|$)/i

/**
 * Is what a `noscript` element holds a part of the page, as it is read without scripts? Texts are, but for requests to switch scripts on; so are pictures
 * that a script would load later. Those replace the placeholder before them. Pixels that count visitors are not.
 *
 * Asked at its end tag, when it is the last child of its parent.
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

/** Limits of the boxes around a picture and of the children of each: a hostile page would have thousands searched for every `noscript`. */
const MAX_BOXES = 8
const MAX_CHILDREN = 50

function firstImage(element: ElementNode, boxes = MAX_BOXES): ElementNode | null {
  if (element.name === 'img') return element
  if (boxes === 0 || element.children.length > MAX_CHILDREN) return null
  const next = element.children.find((child) => child instanceof ElementNode && holds(child, 'img'))
  return next === undefined ? null : firstImage(next as ElementNode, boxes - 1)
}

/** Has it a description, or the name of a picture's file, and more than one point to show it on? */
function isPicture(image: ElementNode): boolean {
  if (isPoint(attributeOf(image, 'width')) || isPoint(attributeOf(image, 'height'))) return false
  if (/display\s*:\s*none/i.test(attributeOf(image, 'style') ?? '')) return false
  return (attributeOf(image, 'alt') ?? '').trim() !== '' || PICTURE_FILE.test(attributeOf(image, 'src') ?? '')
}

const isPoint = (size: string | undefined) => size !== undefined && /^[01](?:px)?$/.test(size.trim())

/** White space between a placeholder and its picture. */
const MAX_GAP = 100

/** The image right before an element, itself or in a box without text. */
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

/** Does a script put the picture in its place? */
function isPlaceholder(image: ElementNode): boolean {
  return PLACEHOLDER.test(attributeOf(image, 'src') ?? '') || attributeOf(image, 'data-src') !== undefined
}
