/** Words and pictures that are part of a text, though they are named like furniture. */
import { attributeOf, ElementNode, TextNode } from '#backend/crawler/html/html-tree.ts'
import { holds, isInline } from '#backend/crawler/html/tree-text.ts'

/** Least characters of a paragraph beside a name that make it a sentence. "By" and "on" are shorter. */
const LEAST_SENTENCE = 25
const MOST_SEARCHED = 50

/** A name within a sentence: its paragraph has other words. */
export function isInSentence(element: ElementNode): boolean {
  let around = element.parent!
  if (around.name === 'span' && around.textLength === element.textLength) around = around.parent!
  if (element.tag.block || element.hasBlock || around.name !== 'p') return false
  // Only the first nodes are searched: a paragraph may contain thousands of names.
  return around.children.slice(0, MOST_SEARCHED).some((child) => child instanceof TextNode && child.data.trim().length >= LEAST_SENTENCE)
}

/** Is it a word or a link in the middle of a line, such as a word with a tooltip? Without it the sentence would have a hole. */
export function isAmongWords(element: ElementNode): boolean {
  const around = element.parent!
  if (!isInline(element) || element.textLength === 0 || !LINES.has(around.name) || around.children.length > MOST_PARTS) return false
  const at = around.children.indexOf(element)
  const [before, after] = [around.children[at - 1], around.children[at + 1]]
  return before instanceof TextNode && after instanceof TextNode && WORD_BEFORE.test(before.data) && WORD_AFTER.test(after.data)
}
const LINES = new Set(['p', 'li', 'td', 'dd', 'blockquote', 'figcaption'])
/** Longer lines are not searched: each such word asks anew. */
const MOST_PARTS = 500
const WORD_BEFORE = /[\p{L}\p{N},(“"]\s*$/u
const WORD_AFTER = /^(?:[,.;:!?)”"]|\s*[\p{L}\p{N}(])/u

/** Is it a link around a picture that a script shows in a box, named after that box: `<a class="lightbox" href="large.jpg">`? */
export function opensPicture(element: ElementNode): boolean {
  if (element.name !== 'a' || element.textLength > 0 || !holds(element, 'img')) return false
  return PICTURE_FILE.test(attributeOf(element, 'href') ?? '') && POPUP.test(attributeOf(element, 'class') ?? '')
}
const PICTURE_FILE = /\.(?:avif|gif|jpe?g|png|webp)(?:[?#]|$)/i
const POPUP = /lightbox|popup|modal|overlay|slideshow|carousel/i
