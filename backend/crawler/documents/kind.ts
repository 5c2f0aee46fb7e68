import { decodeText, isUtf16 } from '#backend/crawler/html/charset.ts'
import { statedArchiveFormat } from './archive-formats.ts'

/** How to read a body. */
export type DocumentKind = 'html' | 'xhtml' | 'text' | 'markdown' | 'json' | 'xml' | 'csv' | 'pdf' | 'rtf' | 'archive' | 'unsupported'

/** The start of an XML document whose root is that of a page. */
const XHTML_ROOT = /^\s*(?:<(?:\?[^>]*|!--[^>]*--|!doctype[^>]*)>\s*)*<html[\s>]/i

/** The start of a feed, perhaps behind a byte order mark: some servers call theirs HTML. */
const FEED_ROOT = /^(?:\xef\xbb\xbf)?\s*(?:<(?:\?[^>]*|!--[^>]*--)>\s*)*<(?:rss|feed|rdf:RDF)[\s>]/

/** Splits `text/html; charset=utf-8` into its two parts; the media type is empty when the header names none. */
export function readContentType(header: string | null): { mediaType: string; charset: string | null } {
  const value = header ?? ''
  const mediaType = /^\s*([\w!#$&^.+*-]+\/[\w!#$&^.+*-]+)\s*(?:[;,]|$)/.exec(value)?.[1]?.toLowerCase() ?? ''
  const charset = /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;,"']+))/i.exec(value)
  return { mediaType, charset: (charset?.[1] ?? charset?.[2] ?? charset?.[3])?.trim() || null }
}

/**
 * Decides how to read a body.
 *
 * The header decides unless the bytes contradict it: a PDF may have any text type, a feed may be called HTML, and other binary bytes under a
 * text type are unsupported, if its charset is not UTF-16. Without a header, or with one that says nothing (`application/octet-stream`), the
 * first bytes decide. Source: WHATWG MIME Sniffing, sections 7 and 8.
 */
export function kindOf(mediaType: string, bytes: Uint8Array, charset: string | null): DocumentKind {
  const stated = statedKind(mediaType)
  if (stated === 'pdf') return 'pdf'
  if (stated === 'rtf') return startsWith(bytes, '{\\rtf') ? 'rtf' : 'text'
  if (stated === 'archive') return startsWith(bytes, 'PK\u0003\u0004') ? 'archive' : 'unsupported'
  if (stated === 'unsupported') return 'unsupported'
  if (stated === null || startsWith(bytes, '%PDF-')) return sniffDocument(bytes)
  // Half of the bytes of UTF-16 are zero.
  if (!isUtf16(charset) && isBinary(bytes, 8)) return sniffDocument(bytes)
  if (stated === 'html') return FEED_ROOT.test(latin(bytes.subarray(0, 1024))) ? 'xml' : 'html'
  return stated === 'xml' && XHTML_ROOT.test(decodeText(bytes.subarray(0, 1024), charset)) ? 'xhtml' : stated
}

/** Types of servers and download scripts that do not know the type of a file; `binary/octet-stream` is that of S3. */
const SAYS_NOTHING =
  /^(?:\*\/\*|(?:application|binary)\/(?:x-)?octet-stream|(?:application|content|unknown)\/(?:x-)?unknown|application\/(?:x-)?(?:force-download|download))$/

/** Whether a Content-Type says that its body has no text, whatever the bytes are: pictures, sound, programs. */
export const isUnreadable = (contentType: string | null): boolean => statedKind(readContentType(contentType).mediaType) === 'unsupported'

/** How to read a body with this media type (without parameters); null when it says nothing. */
export function statedKind(mediaType: string): DocumentKind | null {
  if (mediaType === '' || SAYS_NOTHING.test(mediaType)) return null
  switch (mediaType) {
    case 'text/html':
      return 'html'
    case 'application/xhtml+xml':
      return 'xhtml'
    case 'text/markdown':
    case 'text/x-markdown':
      return 'markdown'
    case 'text/csv':
    case 'text/tab-separated-values':
      return 'csv'
    case 'application/json':
    case 'text/json':
    case 'application/x-ndjson':
    case 'application/jsonl':
      return 'json'
    case 'text/xml':
    case 'application/xml':
      return 'xml'
    case 'application/pdf':
    case 'application/x-pdf':
      return 'pdf'
    case 'application/yaml':
    case 'application/x-yaml':
    case 'application/toml':
    case 'application/x-tex':
      return 'text'
    case 'application/zip':
    case 'application/x-zip-compressed':
      return 'archive'
    case 'application/rtf':
    case 'application/x-rtf':
    case 'text/rtf':
    case 'text/richtext':
      return 'rtf'
  }
  if (statedArchiveFormat(mediaType) !== null) return 'archive'
  if (mediaType.endsWith('+json')) return 'json'
  if (mediaType === 'image/svg+xml') return 'unsupported'
  if (mediaType.endsWith('+xml')) return 'xml'
  if (mediaType.startsWith('text/')) return mediaType === 'text/css' || mediaType.includes('javascript') ? 'unsupported' : 'text'
  return 'unsupported'
}

function sniffDocument(bytes: Uint8Array): DocumentKind {
  if (startsWith(bytes, '%PDF-')) return 'pdf'
  if (startsWith(bytes, '{\\rtf')) return 'rtf'
  if (startsWith(bytes, 'PK\u0003\u0004')) return 'archive'
  if (isBinary(bytes, 0)) return 'unsupported'
  const start = decodeText(bytes.subarray(0, 1024), null).trimStart()
  if (/^(?:<!doctype html|<(?:html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[\s>]|<!--)/i.test(start)) return 'html'
  if (start.startsWith('<?xml')) return /<!doctype html|<html[\s>]/i.test(start) ? 'html' : 'xml'
  return 'text'
}

/** Whether the sniffed bytes have more than `allowed` control characters that no text contains. */
function isBinary(bytes: Uint8Array, allowed: number): boolean {
  const [first, second, third] = bytes
  if ((first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe) || (first === 0xef && second === 0xbb && third === 0xbf))
    return false
  if (first === 0x89 && startsWith(bytes.subarray(1), 'PNG')) return true
  const length = Math.min(bytes.byteLength, 1445)
  let odd = 0
  for (let at = 0; at < length; at++) {
    const byte = bytes[at]!
    if (byte <= 8 || byte === 11 || (byte >= 14 && byte <= 26) || (byte >= 28 && byte <= 31)) odd++
  }
  // A stray control character does not make a text binary.
  return odd > allowed && odd * 50 > length
}

/** One character for each byte. */
const latin = ({ buffer, byteOffset, length }: Uint8Array): string => Buffer.from(buffer, byteOffset, length).toString('latin1')

function startsWith(bytes: Uint8Array, text: string): boolean {
  for (let at = 0; at < text.length; at++) if (bytes[at] !== text.charCodeAt(at)) return false
  return true
}
