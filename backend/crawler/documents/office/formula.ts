import { escapeHtml } from '../document.ts'
import type { Attributes } from '../xml.ts'

type Node = { name: string; value: string; text: string; children: Node[] }

/** Accents that Word writes as combining characters. */
const ACCENTS: Record<string, string> = {
  '\u0300': '`',
  '\u0301': '´',
  '\u0302': '^',
  '\u0303': '~',
  '\u0304': '¯',
  '\u0305': '¯',
  '\u0306': '˘',
  '\u0307': '˙',
  '\u0308': '¨',
  '\u030c': 'ˇ',
  '\u20d6': '←',
  '\u20d7': '→',
}
const MAX_DEPTH = 60

/** Reads the formulas of a part while it is read as a stream, and converts them to MathML. Source: ECMA-376 part 1, 22.1. */
export class FormulaStream {
  #open: Node[] = []
  #isBlock = false

  /** Whether a formula is open: what is read belongs to it. */
  get isOpen(): boolean {
    return this.#open.length > 0
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'oMathPara') this.#isBlock = true
    if (!this.isOpen && name !== 'oMath') return
    const node: Node = { name, value: attributes['val'] ?? '', text: '', children: [] }
    this.#open.at(-1)?.children.push(node)
    this.#open.push(node)
  }

  text(data: string): void {
    const node = this.#open.at(-1)
    if (node?.name === 't') node.text += data
  }

  /** @returns the MathML of the formula that ends with this element, else an empty text */
  close(name: string): string {
    if (name === 'oMathPara') this.#isBlock = false
    const node = this.#open.pop()
    if (node === undefined || this.isOpen) return ''
    return `<math${this.#isBlock ? ' display="block"' : ''}>${rowOf(node, 0)}</math>`
  }
}

/** The children as one element. */
function rowOf(node: Node | undefined, depth: number): string {
  if (node === undefined || depth > MAX_DEPTH) return '<mrow></mrow>'
  return `<mrow>${node.children.map((child) => mathmlOf(child, depth + 1)).join('')}</mrow>`
}

function mathmlOf(node: Node, depth: number): string {
  const part = (name: string) =>
    rowOf(
      node.children.find((child) => child.name === name),
      depth,
    )
  const rows = (name: string) => node.children.filter((child) => child.name === name)
  /** A property of the element; null when it is absent. */
  const property = (name: string) =>
    node.children.find((child) => child.name === `${node.name}Pr`)?.children.find((child) => child.name === name)?.value ?? null
  const isOn = (name: string) => property(name) !== null && !/^(?:0|off|false)$/.test(property(name)!)
  switch (node.name) {
    case 'r':
      return runOf(node)
    case 'f':
      if (property('type') === 'lin') return `<mrow>${part('num')}<mo>/</mo>${part('den')}</mrow>`
      return `<mfrac${property('type') === 'noBar' ? ' linethickness="0"' : ''}>${part('num')}${part('den')}</mfrac>`
    case 'sSup':
      return `<msup>${part('e')}${part('sup')}</msup>`
    case 'sSub':
      return `<msub>${part('e')}${part('sub')}</msub>`
    case 'sSubSup':
      return `<msubsup>${part('e')}${part('sub')}${part('sup')}</msubsup>`
    case 'sPre':
      return `<mrow><msubsup><mrow></mrow>${part('sub')}${part('sup')}</msubsup>${part('e')}</mrow>`
    case 'rad':
      return isOn('degHide') ? `<msqrt>${part('e')}</msqrt>` : `<mroot>${part('e')}${part('deg')}</mroot>`
    case 'nary':
      return naryOf(property('chr') ?? '∫', isOn('subHide') ? '' : part('sub'), isOn('supHide') ? '' : part('sup')) + part('e')
    case 'd': {
      const inner = rows('e').map((one) => rowOf(one, depth))
      return `<mrow>${sign(property('begChr') ?? '(')}${inner.join(sign(property('sepChr') ?? '|'))}${sign(property('endChr') ?? ')')}</mrow>`
    }
    case 'func':
      return `<mrow>${part('fName')}${part('e')}</mrow>`
    case 'acc':
      return `<mover>${part('e')}${sign(ACCENTS[property('chr') ?? '\u0302'] ?? property('chr')!)}</mover>`
    case 'bar':
      return property('pos') === 'top' ? `<mover>${part('e')}${sign('¯')}</mover>` : `<munder>${part('e')}${sign('_')}</munder>`
    case 'groupChr': {
      const tag = property('pos') === 'top' ? 'mover' : 'munder'
      return `<${tag}>${part('e')}${sign(property('chr') ?? '⏟')}</${tag}>`
    }
    case 'limLow':
      return `<munder>${part('e')}${part('lim')}</munder>`
    case 'limUpp':
      return `<mover>${part('e')}${part('lim')}</mover>`
    case 'm':
      return `<mtable>${rows('mr')
        .map(
          (row) =>
            `<mtr>${row.children
              .filter((cell) => cell.name === 'e')
              .map((cell) => `<mtd>${rowOf(cell, depth)}</mtd>`)
              .join('')}</mtr>`,
        )
        .join('')}</mtable>`
    case 'eqArr':
      return `<mtable>${rows('e')
        .map((row) => `<mtr><mtd>${rowOf(row, depth)}</mtd></mtr>`)
        .join('')}</mtable>`
    default:
      return node.name.endsWith('Pr') ? '' : rowOf(node, depth)
  }
}

function naryOf(operator: string, sub: string, sup: string): string {
  const base = sign(operator)
  if (sub === '' && sup === '') return base
  if (sup === '') return `<msub>${base}${sub}</msub>`
  return sub === '' ? `<msup>${base}${sup}</msup>` : `<msubsup>${base}${sub}${sup}</msubsup>`
}

const sign = (text: string) => `<mo>${escapeHtml(text)}</mo>`

/** The letters of a run are variables, except where the author asked for upright text. */
function runOf(run: Node): string {
  const text = run.children.map((child) => (child.name === 't' ? child.text : '')).join('')
  const properties = run.children.filter((child) => child.name === 'rPr').flatMap((child) => child.children)
  if (properties.some(({ name }) => name === 'nor')) return `<mtext>${escapeHtml(text)}</mtext>`
  const isUpright = properties.some(({ name, value }) => name === 'sty' && value === 'p')
  const tokens = text.match(/\d+(?:[.,]\d+)*|\p{L}+|\S/gu) ?? []
  return tokens
    .map((token) => {
      if (/^\d/.test(token)) return `<mn>${token}</mn>`
      if (!/^\p{L}/u.test(token)) return sign(token)
      return (isUpright ? [token] : Array.from(token)).map((letter) => `<mi>${letter}</mi>`).join('')
    })
    .join('')
}
