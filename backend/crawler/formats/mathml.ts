/** Converts MathML to TeX, with a library that is loaded with the first formula that needs it (docs/decisions/0014). */
import { createRequire } from 'node:module'
import { attributeOf, TextNode, type ElementNode } from '#backend/crawler/html/html-tree.ts'
import { textContent } from '#backend/crawler/html/tree-text.ts'

/**
 * How many elements of MathML are converted per page, and how deeply they may be nested. Measured: 10 µs each, so that the formulas of a
 * page take 40 ms at most. Later formulas keep their characters.
 */
const MAX_ELEMENTS = 4000
const MAX_DEPTH = 60
const ATTRIBUTES = ['mathvariant', 'display', 'open', 'close', 'separators', 'linethickness', 'notation', 'columnalign', 'stretchy']

/** Functions that TeX has commands for; the library would write their letters as variables. */
const FUNCTIONS = /^(?:arc(?:cos|sin|tan)|cosh?|coth?|csc|deg|det|dim|exp|gcd|inf|ker|lim|ln|log|max|min|sec|sinh?|sup|tanh?)$/

type Convert = (mathml: string) => string
let loaded: Convert | null = null

function converter(): Convert {
  if (loaded === null) {
    const { MathMLToLaTeX } = createRequire(import.meta.url)('mathml-to-latex') as { MathMLToLaTeX: { convert: Convert } }
    loaded = (mathml) => MathMLToLaTeX.convert(mathml)
  }
  return loaded
}

/** Converts the formulas of one page. */
export class MathmlConverter {
  #left = MAX_ELEMENTS

  /** @returns TeX, or null for a formula that is too large, broken or empty */
  toTex(math: ElementNode): string | null {
    const pieces: string[] = []
    if (!this.#write(math, pieces, 0)) return null
    try {
      return converter()(pieces.join('')).trim() || null
    } catch {
      // An incomplete element, such as a fraction without its two parts: only its characters are shown.
      return null
    }
  }

  /** Writes an element as XML and leaves out everything that is not MathML; false when it is too large. */
  #write(element: ElementNode, pieces: string[], depth: number): boolean {
    if (depth > MAX_DEPTH || this.#left <= 0) return false
    this.#left--
    const name = element.name.replace(/^(?:m|mml|math):/, '')
    const isMathml = name === 'math' || (/^m[a-z]{1,14}$/.test(name) && name !== 'maction')
    if (isMathml) {
      pieces.push('<' + name)
      for (const attribute of ATTRIBUTES) {
        const value = attributeOf(element, attribute)
        if (value !== undefined && value.length < 100) pieces.push(` ${attribute}="${escaped(value)}"`)
      }
      pieces.push('>')
    }
    for (const child of element.children) {
      if (child instanceof TextNode)
        pieces.push(name === 'mi' && FUNCTIONS.test(child.data.trim()) ? `\\${child.data.trim()}` : escaped(child.data))
      else if (!child.name.startsWith('annotation') && !this.#write(child, pieces, depth + 1)) return false
    }
    if (isMathml) pieces.push(`</${name}>`)
    return true
  }
}

function escaped(text: string): string {
  return (
    text
      // oxlint-disable-next-line no-control-regex -- XML does not allow these characters
      .replace(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g, '')
      .replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`)
      .toWellFormed()
  )
}

/** The TeX that a formula contains beside its MathML. */
export function annotatedTex(math: ElementNode): string | null {
  const annotation = find(math, (element) => element.name === 'annotation' && /tex/i.test(attributeOf(element, 'encoding') ?? ''))
  if (annotation !== null) return textContent(annotation)
  const alternative = attributeOf(math, 'alttext')
  return alternative !== undefined && /[\\^_{]|^[\w+\-=() ]{1,40}$/.test(alternative) ? alternative : null
}

const MAX_LOOKED_AT = 5000

/** The element itself or the first matching one inside. Only the beginning of a large element is searched, since formulas are small. */
export function find(root: ElementNode, fits: (element: ElementNode) => boolean): ElementNode | null {
  let left = MAX_LOOKED_AT
  return among(root)

  function among(element: ElementNode): ElementNode | null {
    if (fits(element)) return element
    for (const child of element.children) {
      if (--left < 0) return null
      if (child instanceof TextNode) continue
      const found = among(child)
      if (found !== null) return found
    }
    return null
  }
}
