/** Finds the formulas of a page and returns their TeX, which Markdown contains as `$…$` or `$$…$$`. */
import { attributeOf, ElementNode, TextNode } from '#backend/crawler/html/html-tree.ts'
import { rawText } from './code.ts'
import { annotatedTex, find, MathmlConverter } from './mathml.ts'

export type Formula = { tex: string; isDisplay: boolean }

const MAX_TEX = 20_000

/** Classes of elements that are a formula: KaTeX, MediaWiki, MathJax 2, and elements whose text is TeX between delimiters. */
const WHOLE =
  /(?:^|\s)(?:katex(?:-display|-block)?|mwe-math-element|MathJax(?:_SVG|_CHTML|_Display|_SVG_Display)?|mjx-chtml|MJXc-display)(?:\s|$)/
const DELIMITED =
  /(?:^|\s)(?:math|arithmatex|math-container|mathjax|mathjax-block|tex2jax_process|math-inline|math-display|MathJax_Preview)(?:\s|$)/
const PICTURE = /(?:^|\s)(?:mwe-math-fallback-image-(?:inline|display)|tex|latex|ql-img-(?:inline-formula|displayed-equation))(?:\s|$)/
const DISPLAY =
  /(?:^|\s)(?:katex-display|katex-block|MathJax_Display|MathJax_SVG_Display|MJXc-display|display|math-display|mathjax-block)(?:\s|$)/

/** What a class name says about formulas, cached: the same class names occur again and again. */
type Kind = 'none' | 'whole' | 'delimited' | 'picture'
const kinds = new Map<string, Kind>()
const MAX_KINDS = 5000

function kindOf(label: string): Kind {
  let kind = kinds.get(label)
  if (kind === undefined) {
    kind = WHOLE.test(label) ? 'whole' : DELIMITED.test(label) ? 'delimited' : PICTURE.test(label) ? 'picture' : 'none'
    if (kinds.size >= MAX_KINDS) kinds.clear()
    if (label.length < 300) kinds.set(label, kind)
  }
  return kind
}

const NAMES = new Set(['math', 'script', 'mjx-container', 'math-renderer'])

/** Finds the formulas of one page. */
export class FormulaReader {
  readonly #mathml = new MathmlConverter()

  /**
   * The formula of an element.
   *
   * @returns null when the element is no formula; without TeX when the formula is written elsewhere, as for a picture or preview of it
   */
  read(element: ElementNode): Formula | null {
    const { name } = element
    if (NAMES.has(name)) {
      const named = this.#named(element)
      if (named !== null) return named
    }
    return this.#classed(element)
  }

  #named(element: ElementNode): Formula | null {
    switch (element.name) {
      case 'math':
        return this.#ofMathml(element, attributeOf(element, 'display') === 'block' || attributeOf(element, 'mode') === 'display')
      case 'script':
        return formula(rawText(element), /mode\s*=\s*display/i.test(attributeOf(element, 'type') ?? ''))
      case 'mjx-container':
      case 'math-renderer':
        return this.#inside(
          element,
          attributeOf(element, 'display') === 'true' || /\bjs-display-math\b/.test(attributeOf(element, 'class') ?? ''),
        )
    }
    return null
  }

  #classed(element: ElementNode): Formula | null {
    const label = attributeOf(element, 'class')
    if (label === undefined) return null
    switch (kindOf(label)) {
      case 'none':
        return null
      case 'picture':
        return element.name === 'img' ? formula(attributeOf(element, 'alt') ?? '', /display/.test(label)) : null
      case 'delimited':
        if (/MathJax_Preview/.test(label)) return isBeforeScript(element) ? NOWHERE : null
        return delimited(element, DISPLAY.test(label))
      case 'whole':
        if (isBeforeScript(element)) return NOWHERE
        return this.#inside(element, DISPLAY.test(label))
    }
  }

  /** The MathML or the delimited text of an element; its visible part repeats the same formula. */
  #inside(element: ElementNode, isDisplay: boolean): Formula | null {
    if (element.textLength > MAX_TEX) return null
    const math = find(element, ({ name }) => name === 'math')
    if (math !== null) return this.#ofMathml(math, isDisplay || attributeOf(math, 'display') === 'block')
    const picture = find(element, ({ name, attributes }) => name === 'img' && attributes !== null)
    const alternative = picture === null ? undefined : attributeOf(picture, 'alt')
    if (alternative !== undefined && alternative !== '') return formula(alternative, isDisplay)
    return delimited(element, isDisplay)
  }

  #ofMathml(math: ElementNode, isDisplay: boolean): Formula | null {
    const tex = annotatedTex(math) ?? this.#mathml.toTex(math)
    return tex === null ? null : formula(tex, isDisplay)
  }
}

const NOWHERE: Formula = { tex: '', isDisplay: false }

/** MathJax 2 shows a formula before the script with its TeX. */
function isBeforeScript(element: ElementNode): boolean {
  const siblings = element.parent?.children ?? []
  if (siblings.length > 200) return false
  for (let at = siblings.indexOf(element) + 1, seen = 0; at < siblings.length && seen < 3; at++, seen++) {
    const sibling = siblings[at]!
    if (sibling instanceof ElementNode && sibling.name === 'script') return true
    if (sibling instanceof TextNode && sibling.data.trim() !== '') return false
  }
  return false
}

/** TeX between the delimiters of MathJax and KaTeX: the whole text of the element, apart from an equation number. */
function delimited(element: ElementNode, isDisplay: boolean): Formula | null {
  if (element.textLength > MAX_TEX) return null
  const match =
    /^\s*(?:\((\w[\w.]{0,9})\)\s*[¶#]?\s*)?(?:\\\(([^]*)\\\)|\\\[([^]*)\\\]|\$\$([^]*)\$\$|\$([^$]*)\$|(\\begin\{[^]*\}))\s*$/.exec(
      rawText(element),
    )
  if (match === null) return null
  const display = match[3] ?? match[4] ?? match[6]
  const tex = match[2] ?? match[5] ?? display!
  return formula(match[1] === undefined ? tex : `${tex} \\tag{${match[1]}}`, isDisplay || display !== undefined)
}

function formula(tex: string, isDisplay: boolean): Formula | null {
  const safe = safeTex(tex, isDisplay)
  return safe === '' ? null : { tex: safe, isDisplay }
}

/**
 * Rewrites TeX so that it keeps its meaning and contains no Markdown, for renderers without formulas: adds white space where TeX ignores it
 * and CommonMark does not (`a<b` becomes `a< b`), and rewrites what would end a formula.
 */
export function safeTex(source: string, isDisplay: boolean): string {
  if (source.length > MAX_TEX) return ''
  let tex = source
    // A comment of TeX ends at the end of its line.
    .replace(/(?<!\\)%[^\n]*/g, '')
    // oxlint-disable-next-line no-control-regex -- one of them marks formulas within a line
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f\u00a0]/g, ' ')
    .trim()
  const style = /^\{\\(?:displaystyle|textstyle)\s?([^]*)\}$/.exec(tex)
  if (style !== null && isBalanced(style[1]!)) tex = style[1]!.trim()
  let isOpen = false
  tex = tex
    .replace(/(?<!\\)((?:\\\\)*)\$/g, (_, slashes: string) => {
      isOpen = !isOpen
      return slashes + (isOpen ? '\\(' : '\\)')
    })
    .replace(/`/g, '‘')
    .replace(/<(?=[a-z/!?])/gi, '< ')
    .replace(/&(?=[a-z#])/gi, '& ')
    .replace(/\](?=[([:])/g, '] ')
    .replace(/!(?=\[)/g, '! ')
    .replace(/\[(?=\^)/g, '[ ')
    .replace(/~/g, ' ~ ')
    // After a letter and before a brace, an asterisk can only end emphasis: \begin{align*}.
    .replace(/(?<![a-z])\*|\*(?![{}])/gi, ' * ')
  const lines = tex.split('\n').map((line) => line.replace(/\s+/g, ' ').trim())
  let out = ''
  for (const line of lines) {
    if (line === '') continue
    // A line that starts with a letter or a command starts no block of Markdown.
    out += out === '' ? line : (isDisplay && /^(?:\\[a-z]|[a-z]|&)/i.test(line) ? '\n' : ' ') + line
  }
  // A backslash at the end would escape the dollar sign after it.
  return /(?<!\\)(?:\\\\)*\\$/.test(out) ? out.slice(0, -1).trimEnd() : out
}

function isBalanced(tex: string): boolean {
  let depth = 0
  for (let at = 0; at < tex.length; at++) {
    const code = tex.charCodeAt(at)
    if (code === 92) at++
    else if (code === 123) depth++
    else if (code === 125 && --depth < 0) return false
  }
  return depth === 0
}

const PAIRS = [
  ['\\(', '\\)'],
  ['\\[', '\\]'],
  ['$$', '$$'],
] as const

/**
 * Splits a text at its formulas between `\(` and `\)`, `\[` and `\]`, `$$` and `$$`: texts and formulas in turn.
 *
 * @returns null when it contains no formula
 */
export function formulasInText(text: string): (string | Formula)[] | null {
  if (!text.includes('\\') && !text.includes('$')) return null
  let parts: (string | Formula)[] = [text]
  for (const [open, close] of PAIRS)
    if (text.includes(open)) parts = parts.flatMap((part) => (typeof part === 'string' ? cutAt(part, open, close) : [part]))
  return parts.length === 1 ? null : parts
}

function cutAt(text: string, open: string, close: string): (string | Formula)[] {
  const parts: (string | Formula)[] = []
  let from = 0
  // The next end is searched once for all starts before it.
  let end = -1
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, Math.max(at + 2, from))) {
    if (end < at + 2) end = text.indexOf(close, at + 2)
    if (end < 0) break
    const inner = open === close ? -1 : text.indexOf(open, at + 2)
    if ((inner >= 0 && inner < end) || end - at > MAX_TEX) continue
    const found = inText(text.slice(at + 2, end), open)
    if (found === null) continue
    parts.push(text.slice(from, at), found)
    from = end + 2
  }
  parts.push(text.slice(from))
  return parts
}

/** Texts about programs contain backslashes before brackets too, and texts about prices contain rows of dollar signs. */
function inText(tex: string, open: string): Formula | null {
  if (!(open === '$$' ? /[\\^_=]/ : /[\\^_={}<>+*/|-]|^\s*(?:\p{L}|\d+)\s*$/u).test(tex)) return null
  return formula(tex, open !== '\\(')
}
