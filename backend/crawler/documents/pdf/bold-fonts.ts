/** Most steps of drawing that are read, at up to 22 µs each: a page of text has 300 to 2,000, a map millions. */
const MAX_STEPS = 50_000
/** Most bytes of one compressed stream that draws: 128 KB have about 50,000 steps. */
const MAX_STREAM = 128 * 1024
/** Words for heavy weights in the names of fonts; `Medi` is how the PostScript fonts of URW end, `CMBX` and `SFBX` are TeX's. */
const BOLD = /bold|black|heavy|demi|-medi|^(?:[A-Z]{6}\+)?(?:cm|sf)(?:bx|ssbx|b\d)/i
/** Streams that draw nothing: pictures, fonts, tables of objects, color profiles, character maps, attached files, metadata. */
const NO_DRAWING = /\/(?:Image|ObjStm|XRef|Metadata|EmbeddedFile|Type1C|CIDFontType0C|OpenType|Length1|CMapName|N)\b/

type Page = {
  getOperatorList: () => Promise<{ fnArray: unknown[] }>
  commonObjs: { has: (name: string) => boolean; get: (name: string) => unknown }
}

/** Tells which fonts of a document are bold. The library gives the names of fonts only after it has read how a page is drawn. */
export class BoldFonts {
  readonly #fonts = new Map<string, boolean>()
  #steps: number

  /** @param bytes  of the document; none of the fonts of one with a large drawing is known to be bold */
  constructor(bytes: Uint8Array) {
    this.#steps = hasLargeDrawing(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) ? 0 : MAX_STEPS
  }

  /** Reads the names of fonts that no page before had. */
  async learn(page: Page, fonts: Iterable<string>): Promise<void> {
    const unknown = [...new Set(fonts)].filter((font) => !this.#fonts.has(font))
    if (unknown.length === 0 || this.#steps <= 0) return
    const drawing = await page.getOperatorList().catch(() => null)
    this.#steps -= drawing?.fnArray.length ?? MAX_STEPS
    for (const font of unknown) {
      const { name } = page.commonObjs.has(font) ? (page.commonObjs.get(font) as { name?: unknown }) : {}
      this.#fonts.set(font, typeof name === 'string' && BOLD.test(name))
    }
  }

  has(font: string): boolean {
    return this.#fonts.get(font) ?? false
  }
}

/** Whether a stream that may draw is large. Streams end with `endstream`, so a large one is between two of them. */
function hasLargeDrawing(bytes: Buffer): boolean {
  for (let from = 0; ;) {
    const end = bytes.indexOf('endstream', from)
    if (end === -1) return false
    if (end - from > MAX_STREAM && isLargeDrawing(bytes.subarray(from, end))) return true
    from = end + 'endstream'.length
  }
}

/** Whether the last stream of a part of the file is large and may draw, by the dictionary in front of it. */
function isLargeDrawing(part: Buffer): boolean {
  const start = part.indexOf('stream')
  return (
    start !== -1 &&
    part.length - start > MAX_STREAM &&
    !NO_DRAWING.test(part.toString('latin1', Math.max(0, part.lastIndexOf('obj', start)), start))
  )
}
