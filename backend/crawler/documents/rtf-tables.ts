import { headingOfStyle, roleOfStyle } from './office/docx-styles.ts'
import type { ParagraphStyle } from './office/docx-styles.ts'
import type { RtfFont } from './rtf-fonts.ts'

/** A group inside one of the tables. */
type TableGroup = { goal: string; font: number }

/** The font table and the style sheet, which stand before the text. */
export class RtfTables {
  readonly #fonts = new Map<number, RtfFont>()
  readonly #headings = new Map<number, number>()
  readonly #roles = new Map<number, ParagraphStyle['role']>()
  #style = 0

  font(number: number): RtfFont | undefined {
    return this.#fonts.get(number)
  }

  /** The outline level of a style, from 1; undefined for text. */
  headingOf(style: number): number | undefined {
    return this.#headings.get(style)
  }

  roleOf(style: number): ParagraphStyle['role'] {
    return this.#roles.get(style) ?? 'text'
  }

  /** Takes a control word of a table; false outside of the tables. */
  control(group: TableGroup, name: string, value: number | null): boolean {
    if (group.goal === 'fonttbl') {
      if (name === 'f') this.#fonts.set((group.font = value ?? 0), { charset: 0, name: '' })
      else if (name === 'fcharset') this.#fonts.set(group.font, { name: this.font(group.font)?.name ?? '', charset: value ?? 0 })
      return true
    }
    if (group.goal !== 'stylesheet') return false
    if (name === 's') this.#style = value ?? 0
    else if (name === 'outlinelevel' && value !== null && value < 9) this.#headings.set(this.#style, value + 1)
    return true
  }

  /** Takes the name of a font or a style; false outside of the tables. */
  text({ font, goal }: TableGroup, text: string): boolean {
    if (goal === 'fonttbl') {
      const known = this.#fonts.get(font)
      if (known !== undefined && known.name.length < 100) known.name = (known.name + text).replace(/;.*$/, '')
      return true
    }
    if (goal !== 'stylesheet') return false
    const name = text.trim().replace(/;$/, '')
    const level = headingOfStyle(name)
    if (level !== null) this.#headings.set(this.#style, level)
    this.#roles.set(this.#style, roleOfStyle(name))
    return true
  }
}
