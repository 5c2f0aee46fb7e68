import type { Paragraph, TextStyle } from '../document.ts'
import { readXml } from '../xml.ts'

export type RunStyle = Required<TextStyle>
export const PLAIN_RUN: RunStyle = { isBold: false, isItalic: false, isStruck: false, isCode: false, raised: null }

export type ParagraphStyle = {
  /** From the style's outline level or its name; null for text. */
  heading: 1 | 2 | 3 | 4 | 5 | 6 | null
  role: 'text' | 'code' | 'quotation' | 'contents'
  listId: string | null
  listLevel: number
}

type Stated = { name: string; base: string; outline: number | null; listId: string | null; listLevel: number | null; run: RunStyle }

/** The element of a paragraph that is no heading. */
export const TAG_OF_ROLE = {
  text: 'p',
  contents: 'p',
  code: 'pre',
  quotation: 'blockquote',
} as const satisfies Record<ParagraphStyle['role'], Paragraph['tag']>

const CODE = /preformatted|source ?code|source ?text|verbatim|^code\b|html (?:code|preformatted)|plain ?text/i
const QUOTATION = /^(?:intense )?quot|^block ?text|^zitat/i

/** What a style of Word's is for, by its name, which is English in every language of the program. */
export function roleOfStyle(name: string): ParagraphStyle['role'] {
  if (/^toc (?:\d|heading)|^table of figures/i.test(name)) return 'contents'
  return CODE.test(name) ? 'code' : QUOTATION.test(name) ? 'quotation' : 'text'
}

/** The level of a heading's style by its name; null for other styles. */
export function headingOfStyle(name: string): number | null {
  const level = /^heading (\d)/i.exec(name)?.[1] ?? (/^title$/i.test(name) ? '1' : undefined)
  return level === undefined ? null : Number(level)
}

/**
 * Paragraph and run styles by their id, including what they inherit.
 *
 * Word's built-in styles have English names in every language of the program. Source: ECMA-376 part 1, 17.7.
 */
export function readStyles(xml: string | null): { paragraph: (id: string) => ParagraphStyle; run: (id: string) => RunStyle } {
  const styles = new Map<string, Stated>()
  let style: Stated | null = null
  if (xml !== null)
    readXml(xml, {
      open: (name, attributes) => {
        const value = attributes['val'] ?? ''
        if (name === 'style') {
          style = { name: '', base: '', outline: null, listId: null, listLevel: null, run: { ...PLAIN_RUN } }
          styles.set(attributes['styleId'] ?? '', style)
        } else if (style === null) return
        else if (name === 'name') style.name = value
        else if (name === 'basedOn') style.base = value
        else if (name === 'outlineLvl') style.outline = Number(value)
        else if (name === 'numId') style.listId = value
        else if (name === 'ilvl') style.listLevel = Number(value) || 0
        else applyRunProperty(style.run, name, value)
      },
      close: (name) => {
        if (name === 'style') style = null
      },
    })
  return { paragraph: remembered(paragraphStyle), run: remembered(runStyle) }

  /** A style and its ancestors, the nearest first. */
  function chain(id: string): Stated[] {
    const found: Stated[] = []
    for (let at = styles.get(id); at !== undefined && found.length < 20 && !found.includes(at); at = styles.get(at.base)) found.push(at)
    return found
  }

  function paragraphStyle(id: string): ParagraphStyle {
    const found = chain(id)
    const outline = found.find((one) => one.outline !== null)?.outline ?? null
    const named = found.map((one) => headingOfStyle(one.name)).find((heading) => heading !== null) ?? null
    const level = outline !== null && outline < 9 ? outline + 1 : named
    const roles = found.map((one) => roleOfStyle(one.name))
    return {
      heading: level === null ? null : headingLevel(level),
      role: (['contents', 'code', 'quotation'] as const).find((role) => roles.includes(role)) ?? 'text',
      listId: found.find((one) => one.listId !== null)?.listId ?? null,
      listLevel: found.find((one) => one.listLevel !== null)?.listLevel ?? 0,
    }
  }

  function runStyle(id: string): RunStyle {
    const found = chain(id)
    const is = (pattern: RegExp) => found.some((one) => pattern.test(one.name))
    return {
      isBold: found.some((one) => one.run.isBold),
      isItalic: found.some((one) => one.run.isItalic),
      isStruck: found.some((one) => one.run.isStruck),
      isCode: is(CODE),
      raised: found.find((one) => one.run.raised !== null)?.run.raised ?? null,
    }
  }
}

/** Applies a property of a run: bold, italic, strikethrough, superscript or subscript. */
export function applyRunProperty(run: RunStyle, name: string, value: string): void {
  const isOn = !/^(?:0|false|none|off)$/.test(value)
  if (name === 'b') run.isBold = isOn
  else if (name === 'i') run.isItalic = isOn
  else if (name === 'strike' || name === 'dstrike') run.isStruck = isOn
  else if (name === 'vertAlign') run.raised = value === 'superscript' ? 'sup' : value === 'subscript' ? 'sub' : null
}

export function headingLevel(level: number): 1 | 2 | 3 | 4 | 5 | 6 {
  return Math.min(6, Math.max(1, Math.trunc(level) || 1)) as 1 | 2 | 3 | 4 | 5 | 6
}

/** Tells for each level of a list whether it is numbered; null for levels without a mark. Source: ECMA-376 part 1, 17.9. */
export function readNumbering(xml: string | null): (listId: string, level: number) => 'ul' | 'ol' | null {
  const kinds = new Map<string, ('ul' | 'ol' | null)[]>()
  const abstractOf = new Map<string, string>()
  let abstract = ''
  let list = ''
  let level = 0
  if (xml !== null)
    readXml(xml, {
      open: (name, attributes) => {
        if (name === 'abstractNum') kinds.set((abstract = attributes['abstractNumId'] ?? ''), [])
        else if (name === 'num') list = attributes['numId'] ?? ''
        else if (name === 'abstractNumId') abstractOf.set(list, attributes['val'] ?? '')
        else if (name === 'lvl') level = Math.min(8, Number(attributes['ilvl'] ?? 0) || 0)
        else if (name === 'numFmt' && kinds.has(abstract)) {
          const format = attributes['val'] ?? ''
          kinds.get(abstract)![level] = format === 'none' ? null : format === 'bullet' ? 'ul' : 'ol'
        }
      },
    })
  return (listId, at) => {
    const levels = kinds.get(abstractOf.get(listId) ?? '')
    return levels === undefined ? null : (levels[at] ?? null)
  }
}

function remembered<Value>(make: (id: string) => Value): (id: string) => Value {
  const known = new Map<string, Value>()
  return (id) => {
    let value = known.get(id)
    if (value === undefined) known.set(id, (value = make(id)))
    return value
  }
}
