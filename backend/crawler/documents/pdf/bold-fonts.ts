/** Most pages of a document whose drawing is read for the names of fonts: it costs as much as reading their text. */
const MAX_PAGES = 40
/** Words for heavy weights in the names of fonts; `Medi` is how the PostScript fonts of URW end, `CMBX` and `SFBX` are TeX's. */
const BOLD = /bold|black|heavy|demi|-medi|^(?:[A-Z]{6}\+)?(?:cm|sf)(?:bx|ssbx|b\d)/i

type Page = {
  getOperatorList: () => Promise<unknown>
  commonObjs: { has: (name: string) => boolean; get: (name: string) => unknown }
}

/** Tells which fonts of a document are bold. The library gives the names of fonts only after it has read how a page is drawn. */
export class BoldFonts {
  readonly #fonts = new Map<string, boolean>()
  #pages = 0

  /** Reads the names of fonts that no page before had. */
  async learn(page: Page, fonts: Iterable<string>): Promise<void> {
    const unknown = [...new Set(fonts)].filter((font) => !this.#fonts.has(font))
    if (unknown.length === 0 || this.#pages === MAX_PAGES) return
    this.#pages++
    await page.getOperatorList().catch(() => undefined)
    for (const font of unknown) {
      const { name } = page.commonObjs.has(font) ? (page.commonObjs.get(font) as { name?: unknown }) : {}
      this.#fonts.set(font, typeof name === 'string' && BOLD.test(name))
    }
  }

  has(font: string): boolean {
    return this.#fonts.get(font) ?? false
  }
}
