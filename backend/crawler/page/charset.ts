import { isUtf8 } from 'node:buffer'
import { TextDecoder as WebTextDecoder, labelToName } from '@exodus/bytes/encoding.js'
import sniffHtmlEncoding from 'html-encoding-sniffer'

/** Bytes in which a late `<meta charset>` or an XML declaration is still looked for. */
const LATE_DECLARATION_BYTES = 65_536

/**
 * Decodes the bytes of an HTML or XML document: byte order mark, then the header's charset, then what the document declares.
 *
 * A document that declares nothing is UTF-8 when all its bytes are, else windows-1252. Never throws; invalid bytes become U+FFFD.
 *
 * Source: HTML, section 13.2.3.2 (encoding sniffing algorithm), with the check for UTF-8 before the default.
 */
export function decodeMarkup(bytes: Uint8Array, headerCharset: string | null, xml = false): string {
  return decodeAs(markupEncoding(bytes, headerCharset, xml), bytes)
}

/** The encoding by which `decodeMarkup` decodes, as the standard names it. */
export function markupEncoding(bytes: Uint8Array, headerCharset: string | null, xml = false): string {
  const transportLayerEncodingLabel = credible(headerCharset, bytes)
  const stated = sniffHtmlEncoding(bytes, { transportLayerEncodingLabel, defaultEncoding: '', xml })
  if (stated !== '') return stated
  return lateDeclaration(bytes) ?? (xml || isUtf8(bytes) ? 'UTF-8' : 'windows-1252')
}

/** Decodes plain text: byte order mark, then the header's charset, then UTF-8 when the bytes are, else windows-1252. */
export function decodeText(bytes: Uint8Array, headerCharset: string | null): string {
  const stated = sniffHtmlEncoding(bytes, { transportLayerEncodingLabel: credible(headerCharset, bytes), defaultEncoding: '', xml: true })
  return decodeAs(stated !== '' ? stated : isUtf8(bytes) ? 'UTF-8' : 'windows-1252', bytes)
}

/** The encoding of an XML file, from its first kilobyte: byte order mark, then the header's charset, then its declaration, else UTF-8. */
export function xmlEncoding(head: Uint8Array, headerCharset: string | null): string {
  const stated = sniffHtmlEncoding(head, { transportLayerEncodingLabel: credible(headerCharset, head), defaultEncoding: '', xml: true })
  return stated !== '' ? stated : (lateDeclaration(head) ?? 'UTF-8')
}

/** Whether a charset is UTF-16, in one of its two byte orders. */
export function isUtf16(charset: string | null): boolean {
  return charset !== null && labelToName(charset)?.startsWith('UTF-16') === true
}

/** The header's charset. UTF-16 does not count for bytes that are UTF-8 without a zero: markup in UTF-16 has many. */
function credible(charset: string | null, bytes: Uint8Array): string | undefined {
  if (charset === null || (isUtf16(charset) && !bytes.includes(0) && isUtf8(bytes))) return undefined
  return charset
}

/** Decodes bytes by an encoding from `markupEncoding`. */
export function decodeAs(encoding: string, bytes: Uint8Array): string {
  if (encoding === 'UTF-8') {
    const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8', hasMark ? 3 : 0)
  }
  // The replacement encoding (ISO-2022-KR and the like) has no decoder, on purpose: attackers used it to bypass filters.
  if (encoding === 'replacement') return '\ufffd'
  return new WebTextDecoder(encoding).decode(bytes)
}

/** The charset named after the first kilobyte, where the standard's prescan stops but browsers still listen. */
function lateDeclaration(bytes: Uint8Array): string | null {
  const length = Math.min(bytes.byteLength, LATE_DECLARATION_BYTES)
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('latin1')
  const label =
    /^\s*<\?xml[^>]{0,200}\sencoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(start) ??
    /<meta\s[^>]{0,300}charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(start)
  const name = label?.[1] === undefined ? null : labelToName(label[1])
  // A document whose declaration could be read byte by byte is not UTF-16, whatever it declares.
  return name !== null && name.startsWith('UTF-16') ? 'UTF-8' : name
}
