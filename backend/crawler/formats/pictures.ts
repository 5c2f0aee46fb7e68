/** Which picture an element shows, and whether its description says more than what stands around it. */
import { attributeOf, ElementNode } from '../html-tree.ts'
import type { Resolver } from '../resolve-url.ts'
import { rawText } from './code.ts'

export function isSaid(words: string, title: string): boolean {
  return title.includes(words) || (title.length >= 20 && words.includes(title.slice(0, 30)))
}

/** Is the picture in a figure with words of its own, or beside a text that starts as its description does? */
export function hasCaption(image: ElementNode, alt: string): boolean {
  let at = image.parent
  const start = alt.slice(0, 40)
  for (let levels = 0; at !== null && levels < 4 && at.textLength < 600 && at.children.length < 50; levels++, at = at.parent) {
    if (
      at.name === 'figure' &&
      at.children.some((child) => child instanceof ElementNode && child.name === 'figcaption' && child.textLength > 0)
    )
      return true
    if (at.textLength >= start.length && start.length > 10 && at.tag.block && rawText(at).includes(start)) return true
  }
  return false
}

/** Names of files given for descriptions. */
export const FILE_NAME = /^\S*(?:[-_]\S*\d|\d\S*[-_]|[-_]\S+[-_])\S*$|^\S+\.(?:jpe?g|png|gif|webp|svg|avif)$/i

export function imageSource(element: ElementNode, resolver: Resolver): string | null {
  if (attributeOf(element, 'width') === '1' || attributeOf(element, 'height') === '1') return null
  for (const name of ['data-src', 'data-original', 'data-lazy-src', 'src']) {
    const value = attributeOf(element, name)
    if (value !== undefined && value !== '' && !/^\s*data:/i.test(value)) {
      const url = resolver.resolve(value.trim())
      if (url !== null) return url
    }
  }
  const set = attributeOf(element, 'srcset') ?? attributeOf(element, 'data-srcset')
  const first = set?.trim().split(/\s/, 1)[0]
  return first === undefined || first === '' || /^data:/i.test(first) ? null : resolver.resolve(first.replace(/,$/, ''))
}
