/** Additional fields of a page that callers may request: the HTML as fetched, images, values of attributes. */
import { attributeOf, ElementNode } from '#backend/crawler/html/html-tree.ts'
import type { HtmlPage } from './page.ts'
import type { ExtractionRules } from './extraction-rules.ts'
import { eachElement, selectEvery } from './select-tags.ts'

/** By the names of the stored document. */
export type PageExtras = {
  raw_html?: string
  images?: string[]
  attributes?: { selector: string; attribute: string; values: string[] }[]
}

const MAX_IMAGES = 10_000
/** The values of one selector. */
const MAX_VALUES = 10_000

/** Undefined when no field is requested. Called before anything is dropped from the tree. */
export function pageExtras(page: HtmlPage, text: string, rules: ExtractionRules): PageExtras | undefined {
  const { attributes, includeImages = false, includeRawHtml = false } = rules
  if (!includeRawHtml && !includeImages && attributes === undefined) return undefined
  return {
    ...(includeRawHtml && { raw_html: text }),
    ...(includeImages && { images: imagesOf(page) }),
    ...(attributes && {
      attributes: attributes.map(({ selector, attribute }) => ({ selector, attribute, values: valuesOf(page.root, selector, attribute) })),
    }),
  }
}

/** Absolute URLs of the pictures, each once, in the order of the page; for a picture in several sizes the URL in `src`. */
function imagesOf({ resolver, root }: HtmlPage): string[] {
  const found = new Set<string>()
  eachElement(root, (element) => {
    const source = element.name === 'img' ? attributeOf(element, 'src') : undefined
    const url = source === undefined ? null : resolver.resolve(source.trim())
    if (url !== null && found.size < MAX_IMAGES) found.add(url)
  })
  return [...found]
}

function valuesOf(root: ElementNode, selector: string, attribute: string): string[] {
  return selectEvery(root, selector)
    .flatMap((element) => attributeOf(element, attribute.toLowerCase()) ?? [])
    .slice(0, MAX_VALUES)
}
