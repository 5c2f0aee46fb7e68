import { isUtf8 } from 'node:buffer'
import { TextDecoder as WebTextDecoder, labelToName } from '@exodus/bytes/encoding.js'
import sniffHtmlEncoding from 'html-encoding-sniffer'
import { guessEncoding, isJapaneseMail } from './guess-encoding.ts'

/** Bytes in which a late `<meta charset>` or an XML declaration is still looked for. */
const LATE_DECLARATION_BYTES = 65_536

/**
 * Bytes that are valid UTF-8 with at least this many characters of several bytes are UTF-8, whatever is declared. Text in another encoding is
 * rarely valid UTF-8: in GBK, where it is most probable, one character of seven is.
 */
const ENOUGH_FOR_UTF8 = 6

/**
 * Decodes the bytes of an HTML or XML document: byte order mark, then the header's charset, then what the document declares.
 *
 * A document that declares nothing is UTF-8 when all its bytes are, else what its letters say, else windows-1252. Some documents in UTF-8
 * declare an older encoding, and some servers declare UTF-8 for documents in an older one. Browsers show wrong letters there; this function decodes both correctly. Never
 * throws; invalid bytes become U+FFFD.
 *
 * Source: HTML, section 13.2.3.2 (encoding sniffing algorithm), with these checks added.
 */
export function decodeMarkup(bytes: Uint8Array, headerCharset: string | null, xml = false): string {
  return decodeAs(markupEncoding(bytes, headerCharset, xml), bytes)
}

/** The encoding by which `decodeMarkup` decodes, as the standard names it. */
export function markupEncoding(bytes: Uint8Array, headerCharset: string | null, xml = false): string {
  const transportLayerEncodingLabel = credible(headerCharset, bytes)
  let declared = declaredEncoding(bytes, xml, transportLayerEncodingLabel)
  // Some servers send the same charset for all files.
  if (declared === 'UTF-8' && headerCharset !== null && !isUtf8(bytes) && isMostlyInvalid(bytes))
    declared = declaredEncoding(bytes, xml, undefined) ?? declared
  return corrected(declared, bytes) ?? (xml ? 'UTF-8' : undeclared(bytes))
}

/** The encoding by byte order mark, the header's charset or the document's own declaration; null if there is none. */
function declaredEncoding(bytes: Uint8Array, xml: boolean, transportLayerEncodingLabel: string | undefined): string | null {
  const declared = sniffHtmlEncoding(bytes, { transportLayerEncodingLabel, defaultEncoding: '', xml })
  return declared === '' ? lateDeclaration(bytes) : declared
}

function undeclared(bytes: Uint8Array): string {
  if (isUtf8(bytes)) return isJapaneseMail(bytes) ? 'ISO-2022-JP' : 'UTF-8'
  return guessEncoding(bytes, decodeAs) ?? 'windows-1252'
}

/** Of the characters beyond ASCII, are more invalid as UTF-8 than valid? */
function isMostlyInvalid(bytes: Uint8Array): boolean {
  let invalid = 0
  let valid = 0
  for (const letter of decodeAs('UTF-8', bytes))
    if (letter === '\ufffd') invalid += 1
    else if (letter > '\u007f') valid += 1
  return invalid > valid
}

/** The declared encoding, or UTF-8 if the bytes are clearly that. */
function corrected(declared: string | null, bytes: Uint8Array): string | null {
  if (declared === null || declared === 'UTF-8' || declared === 'replacement' || isUtf16(declared) || !isUtf8(bytes)) return declared
  let found = 0
  for (const byte of bytes) if (byte >= 0xc0 && ++found === ENOUGH_FOR_UTF8) return 'UTF-8'
  return declared
}

/** Decodes plain text: byte order mark, then the header's charset, then as a document that declares nothing. */
export function decodeText(bytes: Uint8Array, headerCharset: string | null): string {
  const stated = sniffHtmlEncoding(bytes, { transportLayerEncodingLabel: credible(headerCharset, bytes), defaultEncoding: '', xml: true })
  return decodeAs(corrected(stated === '' ? null : stated, bytes) ?? undeclared(bytes), bytes)
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
