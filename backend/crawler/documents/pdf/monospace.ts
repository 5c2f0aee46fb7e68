/** Least different texts that a font must have shown. */
const LEAST_TEXTS = 4
/** Least part of the texts whose letters have the same width: gaps within texts count as one letter. */
const LEAST_PART = 0.8
/** Differences below it, in font sizes, are no differences: texts of proportional fonts differ by ten times as much. */
const STEP = 0.004

type Font = { texts: number; widths: Map<number, { texts: number; different: Set<string> }> }

/** Tells from the texts seen so far which fonts are monospaced: many PDFs do not say it. */
export class MonospacedFonts {
  #fonts = new Map<string, Font>()

  /** @param width  of the text, in the same unit as the font size */
  add(font: string, text: string, width: number, size: number): void {
    // Digits have the same width in most fonts.
    if (text.length < 3 || size === 0 || !/[a-z].*[a-z]/i.test(text)) return
    let known = this.#fonts.get(font)
    if (known === undefined) this.#fonts.set(font, (known = { texts: 0, widths: new Map() }))
    const letter = Math.round(width / text.length / size / STEP)
    let same = known.widths.get(letter)
    if (same === undefined) known.widths.set(letter, (same = { texts: 0, different: new Set() }))
    known.texts++
    same.texts++
    if (same.different.size < LEAST_TEXTS) same.different.add(text)
  }

  /** The width of each letter in font sizes; null when the font is not monospaced, or not known to be. */
  letterOf(font: string): number | null {
    const known = this.#fonts.get(font)
    if (known === undefined) return null
    for (const [letter, { texts, different }] of known.widths)
      if (texts >= known.texts * LEAST_PART)
        // Letters of Chinese, Japanese and Korean, which are as wide as they are high, are no code.
        return different.size >= LEAST_TEXTS && letter * STEP < 0.8 ? letter * STEP : null
    return null
  }
}
