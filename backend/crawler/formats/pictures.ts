/** Finds which picture an element shows, and whether its alt text says more than the text around it. */
import { embeddedDocument } from '#backend/crawler/html/embedded-document.ts'
import { attributeOf, ElementNode } from '#backend/crawler/html/html-tree.ts'
import { linkDestination } from './link-urls.ts'
import type { LinkResolver } from '#backend/crawler/url/resolve-url.ts'
import { rawText } from './code.ts'

export function isSaid(words: string, title: string): boolean {
  return title.includes(words) || (title.length >= 20 && words.includes(title.slice(0, 30)))
}

/** Does the picture have a caption, or stand next to a text that starts like its alt text? */
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

/** Alt texts that are only the name of a file. */
export const FILE_NAME = /^\S*(?:[-_]\S*\d|\d\S*[-_]|[-_]\S+[-_])\S*$|^\S+\.(?:jpe?g|png|gif|webp|svg|avif)$/i

/** Width or height of 0 or 1 pixel: spacers and tracking pixels. */
const NO_SIZE = /^\s*[01](?:\.0+)?(?:px)?\s*$/
const NOT_SHOWN = /(?:^|;)\s*(?:display\s*:\s*none|(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|!|$))/i
/** Names of spacers, and of placeholders for pictures that a script loads later. */
const PLACEHOLDER =
  /(?:^|\/)(?:spacer|space|pixel|pix|blank|clear|dot[-_]?clear|clear[-_]?dot|transparent|trans|empty|(?:1x1|1px)[-_]?\w*|placeholder|lazy(?:load)?|loading|loader|ajax-loader|gr[ae]y)\.(?:gif|png|svg)(?:[?#]|$)/i

/** The URL of the picture that an element shows; null for spacers, placeholders and tracking pixels. */
export function imageSource(element: ElementNode, resolver: LinkResolver): string | null {
  if (NO_SIZE.test(attributeOf(element, 'width') ?? '') || NO_SIZE.test(attributeOf(element, 'height') ?? '')) return null
  if (NOT_SHOWN.test(attributeOf(element, 'style') ?? '')) return null
  for (const name of ['data-src', 'data-original', 'data-lazy-src', 'src']) {
    const value = attributeOf(element, name)
    if (value !== undefined && value !== '' && !/^\s*data:/i.test(value) && !PLACEHOLDER.test(value)) {
      const url = resolver.resolve(value.trim())
      if (url !== null) return url
    }
  }
  const set = attributeOf(element, 'srcset') ?? attributeOf(element, 'data-srcset')
  const first = set?.trim().split(/\s/, 1)[0]
  if (first !== undefined && first !== '' && !/^data:/i.test(first) && !PLACEHOLDER.test(first))
    return resolver.resolve(first.replace(/,$/, ''))
  return lazySource(element, resolver)
}

/** Scripts that load pictures later store the URL in differently named attributes: the first that looks like a URL. */
function lazySource(element: ElementNode, resolver: LinkResolver): string | null {
  const { attributes } = element
  for (let at = 0; attributes !== null && at < attributes.length; at += 2) {
    if (!attributes[at]!.startsWith('data-')) continue
    const url = attributes[at + 1]!.trim().split(/\s/, 1)[0]!.replace(/,$/, '')
    if (/^(?:https?:\/\/|\/|\.{1,2}\/)?[^\s:{}"]+\.(?:avif|gif|jpe?g|png|webp)(?:\?|$)/i.test(url)) return resolver.resolve(url)
  }
  return null
}

/** Parts of URLs of media players. */
const PLAYER = /\/(?:embed|player|videos?)(?:[/?.]|$)|\bplayer\b/i

/**
 * The URL of a video, audio or embedded PDF, ready for a link.
 *
 * @returns null for other embedded pages: many are not players, or players of advertisements and counters
 */
export function mediaSource(element: ElementNode, resolver: LinkResolver): string | null {
  const video = attributeOf(element, 'videoid') ?? attributeOf(element, 'data-videoid')
  if (video !== undefined) return /^[\w-]+$/.test(video) ? `https://www.youtube.com/watch?v=${video}` : null
  const document = embeddedDocument(element)
  if (document !== null) return mediaUrl(document, resolver)
  let source = attributeOf(element, 'src') || attributeOf(element, 'data-src') || attributeOf(element, 'data')
  if (element.name === 'object' || element.name === 'embed') {
    if (source === undefined || !/\b(?:youtube|vimeo|dailymotion)\b/i.test(source)) return null
  } else if (element.name === 'iframe') {
    const mayFill = attributeOf(element, 'allowfullscreen') !== undefined || /fullscreen/.test(attributeOf(element, 'allow') ?? '')
    if (source === undefined || !(mayFill || PLAYER.test(source))) return null
    if (/^[01](?:px)?$/.test(attributeOf(element, 'width') ?? '') || /display:\s*none/i.test(attributeOf(element, 'style') ?? ''))
      return null
  } else if (source === undefined || source === '') {
    const first = element.children.find((child) => child instanceof ElementNode && child.name === 'source') as ElementNode | undefined
    source = first === undefined ? undefined : attributeOf(first, 'src')
  }
  return source === undefined ? null : mediaUrl(source, resolver)
}

const mediaUrl = (source: string, resolver: LinkResolver): string | null =>
  /^\s*(?:about|blob|data|mailto):/i.test(source) ? null : (linkDestination(source, resolver)?.url ?? null)

/** The label of a video, audio or embedded PDF without a title. */
export function mediaName(element: ElementNode, source: string): string {
  if (embeddedDocument(element) !== null) return 'PDF'
  if (element.name === 'audio' || /\b(?:spotify|soundcloud|podcasts?|anchor\.fm|audio)\b/i.test(source)) return 'Audio'
  return /\bmaps?\b/i.test(source) ? 'Map' : 'Video'
}

const ICON_PIXELS = 64

/** Is a picture a small icon in a link: a portrait beside a name, the logo of a service? */
export function isLinkedIcon(element: ElementNode): boolean {
  const width = Number(attributeOf(element, 'width') ?? 0)
  return width > 0 && width <= ICON_PIXELS && element.parent?.name === 'a'
}
