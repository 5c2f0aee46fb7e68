/**
 * Which elements stay HTML tags in the Markdown, if the crawl asks for that, and which of their attributes stay: none that runs, loads,
 * submits, hides or styles something.
 */
import { attributeOf, ElementNode, NAME_BITS } from '#backend/crawler/html/html-tree.ts'
import type { LinkResolver } from '#backend/crawler/url/resolve-url.ts'
import { linkUrl } from '../link-urls.ts'
import { escapeText } from '../escape.ts'
import { imageSource, mediaName, mediaSource } from '../pictures.ts'

const names = (list: string) => new Set(list.split(' '))

/** Inline elements that Markdown has no syntax for, or only that of another element. */
const INLINE = names('abbr acronym bdi bdo big cite data del dfn ins kbd mark q rb rp rt rtc ruby s samp small strike time u var')
const BLOCKS = names('address details dl figcaption figure summary')
/**
 * Containers of other blocks, which have no meaning of their own. One that directly contains text is kept, since the text is then not in a
 * paragraph.
 */
const BOXES = names('article aside center div footer header hgroup main nav search section')
/** Elements that Markdown has syntax for; inside HTML they are written as tags. */
const MARKED = names('a b code em i strong sub sup tt')
/**
 * Elements whose tags are never written: they have no meaning, or run, load, submit, hide, or change how HTML is parsed. A name in none of
 * these lists is an element that the page itself defines.
 */
const OTHERS = names(
  'amp-img amp-youtube applet area audio base basefont bgsound blink blockquote body br button canvas caption col colgroup command datalist dd ' +
    'dialog dir dt embed fencedframe fieldset font form frame frameset geolocation h1 h2 h3 h4 h5 h6 head hr html iframe image img input isindex ' +
    'keygen label legend li link listing lite-youtube map marquee math math-renderer menu menuitem meta meter mjx-container multicol nextid nobr ' +
    'noembed noframes noscript object ol optgroup option output p param permission picture plaintext portal pre progress script select ' +
    'selectedcontent slot source spacer span style svg table tbody td template textarea tfoot th thead title tr track ul video wbr xmp',
)
const OWN_NAME = /^[a-z][a-z0-9-]{0,63}$/

/** Is a name unknown to HTML, such as that of a custom element? */
const isOwn = (name: string): boolean =>
  !OTHERS.has(name) && !MARKED.has(name) && !BOXES.has(name) && !BLOCKS.has(name) && !INLINE.has(name) && OWN_NAME.test(name)

/** Elements that are written as links. */
const MEDIA = names('amp-youtube audio embed iframe lite-youtube object video')

const EVERYWHERE = names('dir lang title')
const ATTRIBUTES = new Map([
  ['data', names('value')],
  ['del', names('cite datetime')],
  ['details', names('open')],
  ['ins', names('cite datetime')],
  ['q', names('cite')],
  ['td', names('colspan rowspan')],
  ['th', names('colspan rowspan scope')],
  ['time', names('datetime')],
])
const MAX_VALUE = 2083
const MAX_MEDIA_TITLE = 200
const IMAGE = NAME_BITS.get('img')!

/** Is an element kept that contains blocks? */
export const staysAround = (name: string): boolean => BLOCKS.has(name) || INLINE.has(name) || isOwn(name)

/** Is a block kept that contains text and no block? */
export const staysWithText = (name: string): boolean => BOXES.has(name) || staysAround(name)

/** The start tag of an element in a line of Markdown; null when only the content is written. */
export function tagInLine(element: ElementNode, resolver: LinkResolver): string | null {
  const { attributes, name } = element
  const isShown = element.textLength > 0
  if (name === 'a') {
    if (attributes === null) return '<a>'
    return isShown || (element.inside & IMAGE) !== 0 ? null : linkTag(element, resolver)
  }
  return (isShown || isLeftEmpty(element)) && (INLINE.has(name) || isOwn(name)) ? startTag(element, resolver) : null
}

/**
 * An empty element without attributes was left empty by its author; other empty elements have content that is not shown, such as controls.
 */
const isLeftEmpty = ({ attributes, children }: ElementNode): boolean =>
  attributes === null && !children.some((child) => child instanceof ElementNode && child.tag.silent)

/** The start tag of an element in a line of HTML; null when only the content is written. */
export function tagInHtml(element: ElementNode, resolver: LinkResolver): string | null {
  const { attributes, name, textLength } = element
  if (!MARKED.has(name)) return tagInLine(element, resolver)
  if (name === 'a' && attributes !== null) return linkTag(element, resolver)
  return textLength > 0 || isLeftEmpty(element) ? startTag(element, resolver) : null
}

/** The start tag of an element, with the attributes that stay. */
export function startTag({ attributes, name }: ElementNode, resolver: LinkResolver): string {
  let tag = `<${name}`
  for (let at = 0; attributes !== null && at < attributes.length; at += 2) {
    const key = attributes[at]!
    if (!EVERYWHERE.has(key) && ATTRIBUTES.get(name)?.has(key) !== true) continue
    const value = key === 'cite' ? linkUrl(attributes[at + 1], resolver) : attributes[at + 1]!
    if (value !== null && value.length <= MAX_VALUE) tag += ` ${key}="${escapeValue(value)}"`
  }
  return tag + '>'
}

/** Null when the link has no target, or leads to its own place on the page. */
function linkTag(link: ElementNode, resolver: LinkResolver): string | null {
  const href = attributeOf(link, 'href')
  if (href === undefined || (link.textLength === 0 && href.includes('#') && resolver.isSamePage(href))) return null
  const url = linkUrl(href, resolver)
  return url === null || url.length > MAX_VALUE ? null : `${startTag(link, resolver).slice(0, -1)} href="${escapeValue(url)}">`
}

/** A picture as a tag; empty when its URL is not a web URL. */
export function pictureTag(picture: ElementNode, resolver: LinkResolver): string {
  const source = imageSource(picture, resolver)
  const alt = attributeOf(picture, 'alt')
  const said = alt === undefined || alt.length > MAX_VALUE ? '' : ` alt="${escapeValue(alt)}"`
  return source === null ? '' : `<img src="${escapeValue(source)}"${said}>`
}

/** A video or audio as a link; empty for other elements. */
export function mediaLink(element: ElementNode, resolver: LinkResolver): string {
  const source = MEDIA.has(element.name) ? mediaSource(element, resolver) : null
  if (source === null || !/^<?https?:/i.test(source)) return ''
  const given = attributeOf(element, 'title') ?? attributeOf(element, 'aria-label') ?? ''
  // Markdown writes some URLs in angle brackets.
  return ` <a href="${escapeValue(source.replace(/^<|>$/g, ''))}">${htmlText(given.slice(0, MAX_MEDIA_TITLE)).trim() || mediaName(element, source)}</a> `
}

/** Escapes an attribute value so that it cannot end its attribute, its tag or a Markdown construct around it. */
function escapeValue(value: string): string {
  // oxlint-disable-next-line no-control-regex -- a control character marks tags within a line
  return value.replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, ' ').replace(/[&<>"'`\\[\]*~$|\n]/g, reference)
}

/** Escapes a text for HTML, so that it also stays text for a renderer that reads the HTML as Markdown. */
export function htmlText(text: string): string {
  return escapeText(text).replace(/\\([!-/:-@[-`{-~])|[&<>]/g, (mark, escaped?: string) => reference(escaped ?? mark))
}

/** A character as a character reference. */
export const reference = (character: string): string => NAMED[character] ?? `&#${character.charCodeAt(0)};`
const NAMED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
