/** Attributes of HTML whose values are URLs, made absolute. */
import type { LinkResolver } from '#backend/crawler/url/resolve-url.ts'

/** A longer `srcset` stays as it is, because a long base could make it very much longer. */
const MAX_SET_LENGTH = 4096
const OF_ONE_URL = new Set(['href', 'src', 'poster', 'cite'])

/** The value of an attribute with absolute http(s) URLs. Values of other attributes, other schemes and jumps within the page stay as they are. */
export function absoluteAttribute(name: string, value: string, resolver: LinkResolver): string {
  if (OF_ONE_URL.has(name)) return absolute(value, resolver)
  return name === 'srcset' && value.length <= MAX_SET_LENGTH ? absoluteSet(value, resolver) : value
}

function absolute(href: string, resolver: LinkResolver): string {
  const trimmed = href.trim()
  if (trimmed === '' || trimmed.startsWith('#')) return href
  const url = resolver.resolve(trimmed)
  const hash = trimmed.indexOf('#')
  return url === null ? href : url + (hash < 0 ? '' : trimmed.slice(hash))
}

/** Each candidate of a `srcset` is a URL, which may contain commas, and perhaps a size; a comma ends it (HTML, 4.8.4.2.1). */
function absoluteSet(value: string, resolver: LinkResolver): string {
  const candidates: string[] = []
  let url = ''
  let size = ''
  const end = () => {
    if (url !== '') candidates.push(absolute(url, resolver) + (size === '' ? '' : ` ${size}`))
    url = ''
    size = ''
  }
  for (const token of value.split(/\s+/)) {
    const comma = url === '' ? -1 : token.indexOf(',')
    if (url !== '' && comma < 0) size = size === '' ? token : `${size} ${token}`
    else {
      if (url !== '') {
        size = `${size} ${token.slice(0, comma)}`.trim()
        end()
      }
      const rest = token.slice(comma + 1)
      const isLast = rest.endsWith(',')
      url = isLast ? rest.slice(0, -1) : rest
      if (isLast) end()
    }
  }
  end()
  return candidates.join(', ')
}
