/** Writes URLs for Markdown. */
import { canonicalUrl } from '#backend/crawler/url/canonical-url.ts'
import type { Destination, LinkResolver } from '#backend/crawler/url/resolve-url.ts'

/**
 * The destination of a link: an absolute URL with its fragment, spelled as the crawl spells URLs of pages.
 *
 * @returns null when the link has no target or is not a web URL
 */
export function linkDestination(href: string | undefined, resolver: LinkResolver): Destination | null {
  if (href === undefined) return null
  const trimmed = href.trim()
  // Most hrefs are paths.
  const first = trimmed.charCodeAt(0) | 32
  if ((first === LETTER_M || first === LETTER_T) && /^(?:mailto|tel):[^\s<>()]+$/i.test(trimmed)) return destination(trimmed)
  if (trimmed === '#') return null
  const target = resolver.target(trimmed)
  if (target === null) return null
  const hash = trimmed.indexOf('#')
  if (hash < 0 || hash === trimmed.length - 1) return (target.destination ??= destination(spelledAsPage(target.url)))
  return destination(spelledAsPage(target.url) + encodeFragment(trimmed.slice(hash)))
}

const LETTER_M = 109
const LETTER_T = 116

/** The same for the value of an attribute, not escaped yet: web and mail URLs. */
export function linkUrl(href: string | undefined, resolver: LinkResolver): string | null {
  const trimmed = href?.trim() ?? '#'
  if (trimmed === '#') return null
  if (/^mailto:[^\s<>()]+$/i.test(trimmed)) return trimmed
  const url = resolver.resolve(trimmed)
  if (url === null) return null
  const hash = trimmed.indexOf('#')
  return spelledAsPage(url) + (hash < 0 || hash === trimmed.length - 1 ? '' : encodeFragment(trimmed.slice(hash)))
}

/** Only these make a resolved URL differ from the spelling of a page's URL: escapes, parameters, a dot after the host. */
const OFTEN_RESPELT = /[%?;]|\.(?:[:/]|$)/

function spelledAsPage(url: string): string {
  return OFTEN_RESPELT.test(url) ? (canonicalUrl(url) ?? url) : url
}

// oxlint-disable-next-line no-control-regex -- a control character that URLs may contain
const UNUSUAL = /[()<>\s\\`\u007f]/

/** Writes an absolute URL so that Markdown reads back the same one: in angle brackets when its parentheses do not pair up. */
function destination(url: string): Destination {
  if (!UNUSUAL.test(url)) return { url, isCalm: !NEEDS_SEAL.test(url) }
  // Characters that look like the end of a link are escaped in URLs, even where CommonMark would read them correctly.
  const safe = url.replace(/[<>\s\\`\u007f]|\](?=\()/g, encodeURIComponent)
  return { url: hasPairs(safe) ? safe : `<${safe}>`, isCalm: false }
}

/** Marks, another scheme, and a second URL inside the first. */
const NEEDS_SEAL = /[~$@]|^(?!https?:)|:\/\/.+(?::\/\/|www\.)/i

/**
 * URLs of pictures are not matched with crawled pages, and programs that extract them from Markdown often stop at the first parenthesis: so
 * parentheses are escaped.
 */
export function pictureDestination(url: string): string {
  return UNUSUAL.test(url)
    ? url
        .replace(/[<>\s\\`\u007f]/g, encodeURIComponent)
        .replaceAll('(', '%28')
        .replaceAll(')', '%29')
    : url
}

function hasPairs(url: string): boolean {
  let depth = 0
  for (let at = 0; at < url.length && depth >= 0 && depth < 30; at++) {
    const code = url.charCodeAt(at)
    if (code === 40) depth++
    else if (code === 41) depth--
  }
  return depth === 0
}

/** Percent signs stay as they are, like in the URL parser: they belong to escapes of the page. */
function encodeFragment(fragment: string): string {
  if (/^#[\w\-.~!$&'*+,;=:@/?%]*$/.test(fragment)) return fragment
  return '#' + encodeURI(fragment.slice(1).toWellFormed()).replaceAll('%25', '%').replaceAll('#', '%23')
}

const MAX_TITLE = 300

/**
 * The title of a link or picture, as it follows the URL, with a space before it. Empty when it only repeats the text or the URL.
 *
 * @param text  of the link, as Markdown
 */
export function linkTitle(title: string | undefined, text: string, url: string): string {
  if (title === undefined) return ''
  // oxlint-disable-next-line no-control-regex -- a control character marks formulas within a line
  const given = title.replace(/[\u0000-\u0009\u000b-\u001f\u007f]+/g, ' ')
  const words = given.trim()
  if (words === '' || words === text || given.length > MAX_TITLE) return ''
  const place = url.slice(Math.max(url.lastIndexOf('/'), url.lastIndexOf('#')) + 1)
  if (words === place || words.toLowerCase() === place.replace(/[_+-]|%20/g, ' ').toLowerCase()) return ''
  return ` "${given.replace(/[&<>"'`\\[\]*_~$()|:@\n]|www\.|\/\//gi, (mark) => `&#${mark.charCodeAt(0)};${mark.slice(1)}`)}"`
}
