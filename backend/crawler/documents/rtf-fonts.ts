import { decodeAs } from '#backend/crawler/html/charset.ts'
import { shownText } from './office/symbol-fonts.ts'

/** Encodings of code pages, and of the character sets of fonts. Source: Rich Text Format Specification 1.9.1, font table. */
const CODE_PAGES: Record<number, string> = {
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  65001: 'UTF-8',
}
const CHARSETS: Record<number, number> = {
  77: 10000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
}
const SYMBOLS = 2

export type RtfFont = { charset: number; name: string }

/** Decodes bytes that a font shows. */
export function decodeRtf(bytes: string, font: RtfFont | undefined, codePage: number): string {
  if (font?.charset === SYMBOLS)
    return shownText(
      bytes.replace(/[\u0021-\u00ff]/g, (byte) => String.fromCharCode(0xf000 | byte.charCodeAt(0))),
      font.name,
    )
  // oxlint-disable-next-line no-control-regex -- the bytes that all encodings share
  if (/^[\u0000-\u007f]*$/.test(bytes)) return bytes
  const page = CHARSETS[font?.charset ?? 0] ?? codePage
  const encoding = CODE_PAGES[page] ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : 'windows-1252')
  return decodeAs(encoding, Buffer.from(bytes, 'latin1'))
}
