/** Writes code blocks: their text as it was typed, and the language that highlighters name in classes and attributes. */
import { attributeOf, ElementNode, SCRIBBLE_CODE, TextNode, type TreeNode } from '#backend/crawler/html/html-tree.ts'
import { holds } from '#backend/crawler/html/tree-text.ts'

/** All text inside, with its white space unchanged; a block that is a line of its own ends in a line break. */
export function rawText(element: ElementNode): string {
  const pieces: string[] = []
  collectText(element, pieces)
  return pieces.join('')
}

/** Collected in pieces: looking at the end of a growing string would copy all of it, each time. */
function collectText(element: ElementNode, pieces: string[]): void {
  for (const child of element.children) {
    if (child instanceof TextNode) {
      if (child.data !== '') pieces.push(child.data)
    } else if (child.dropped || child.tag.silent) continue
    else if (child.name === 'br') pieces.push('\n')
    else if (child.attributes === null || !(isLineNumber(child) || isControl(child))) {
      const start = pieces.length
      collectText(child, pieces)
      // Some highlighters put each line into a block of its own.
      if (child.tag.block && child.name !== 'td' && pieces.length > start && !pieces.at(-1)?.endsWith('\n')) pieces.push('\n')
    }
  }
}

/**
 * A copy button beside code that is not a `button` element, words for screen readers, or Sphinx's link from the source of a function to its
 * description: no highlighter uses these classes for a token.
 */
function isControl(element: ElementNode): boolean {
  return element.textLength < 30 && CONTROL.test(attributeOf(element, 'class') ?? '')
}
const CONTROL = /(?:^|[\s_-])(?:copy|copybtn|copybutton|clipboard|viewcode-back|sr-only|visually-hidden)(?:$|[\s_-])/i

/** Writes a code block. Markdown also ends a line at a carriage return: the text after it would leave a quotation or list. */
export function fencedCode(element: ElementNode): string {
  const code = codeUnderBar(element) ?? element
  const raw = rawText(code)
  return fence(raw.includes('\n') ? raw : (textOfLines(code) ?? raw), code)
}

/** The code in a <pre> that also contains a bar with the name of the language and a button. */
function codeUnderBar(block: ElementNode): ElementNode | null {
  if (!block.hasBlock) return null
  let code: ElementNode | null = null
  let hasButton = false
  let left = 40
  look(block)
  return hasButton ? code : null

  function look(element: ElementNode) {
    for (const child of element.children) {
      if (child instanceof TextNode || --left < 0) continue
      if (child.name === 'button') hasButton = true
      else if (child.name === 'code') code ??= child
      else if (code === null) look(child)
    }
  }
}

const CODE_LINE = /(?:^|\s)(?:line|code-line|token-line|view-line|CodeMirror-line|cm-line)(?:\s|$)/

/** The text of code whose lines are inline elements without line breaks between them; null for other code. */
function textOfLines(block: ElementNode): string | null {
  let parent = block
  for (let depth = 0; depth < 4 && parent.children.length === 1; depth++) {
    const [only] = parent.children
    if (!(only instanceof ElementNode)) return null
    parent = only
  }
  if (parent.children.length < 2) return null
  const areLines = parent.children.every(
    (child) =>
      child instanceof ElementNode && (CODE_LINE.test(attributeOf(child, 'class') ?? '') || attributeOf(child, 'data-line') !== undefined),
  )
  return areLines ? parent.children.map((line) => rawText(line as ElementNode)).join('\n') : null
}

/** A block of code from inline code with `<br>` between its lines, if the nodes show nothing else; otherwise null. */
export function codeWithBreaks(nodes: readonly TreeNode[]): string | null {
  // The code, and white space before and after it.
  if (nodes.length > 3) return null
  let code: ElementNode | null = null
  for (const node of nodes) {
    if (node instanceof TextNode) {
      if (node.data.trim() !== '') return null
    } else if (code !== null || node.dropped || node.hasBlock || !CODE_NAMES.has(node.name)) return null
    else code = node
  }
  if (code === null) return null
  const lines = ['']
  collectLines(code, lines)
  // Where white space does not count, a line break in the source is a space.
  const texts = lines.map((line) => line.replace(/[ \t\n\f\r]+/g, ' ').replace(/^ | $/g, ''))
  while (texts[0] === '') texts.shift()
  while (texts.at(-1) === '') texts.pop()
  return texts.length < 2 ? null : fence(texts.join('\n'), code)
}
const CODE_NAMES = new Set(['code', 'kbd', 'samp', 'tt'])

function collectLines(element: ElementNode, lines: string[]): void {
  for (const child of element.children) {
    if (child instanceof TextNode) lines.push(lines.pop()! + child.data)
    else if (child.name === 'br') lines.push('')
    else if (!child.dropped && !child.tag.silent) collectLines(child, lines)
  }
}

function fence(raw: string, element: ElementNode): string {
  // Manuals allow line breaks in long names with zero-width spaces and soft hyphens, which no compiler accepts.
  let text = raw
    .replace(/\r\n?/g, '\n')
    .replaceAll('\u00a0', ' ')
    .replace(/[\u200b\u00ad]/g, '')
  // HTML drops a line break right after <pre>. The last line break ends the last line; white space after it indents the end tag.
  if (element.children[0] instanceof TextNode || element.name !== 'pre') text = text.replace(/^\n(?=[^\n]*\S)/, '')
  text = text.replace(/\n[ \t]*$/, '')
  if (element.tag.pre && holdsLineNumber(element)) text = withoutMargin(text)
  if (text === '' && element.children.length === 0) return ''
  const marks = '`'.repeat(Math.max(3, longestRun(text, '`') + 1))
  return `${marks}${languageOf(element)}\n${text === '' ? '' : text + '\n'}${marks}`
}

// ---- line numbers

/** Class names that highlighters give to line numbers. A `num` alone is a number in the code. */
const LINE_NUMBER =
  /(?:^|[\s_-])(?:ln|lnt|lnos?|line-?nos?|line-?num(?:ber)?s?|linenodiv|gutter|gl|blob-num|src-line-numbers|example-line-numbers)(?:$|[\s_-])/i

/** Does an element contain one or all line numbers? Its class says so, and it contains only digits. */
function isLineNumber(element: ElementNode): boolean {
  const label = attributeOf(element, 'class')
  if (label === undefined || element.textLength > 100_000) return false
  return (LINE_NUMBER.test(label) || attributeOf(element, 'data-line-number') !== undefined) && holdsDigitsOnly(element)
}

function holdsDigitsOnly(node: TreeNode): boolean {
  if (node instanceof TextNode) return /^[\s\d]*$/.test(node.data)
  return node.children.every(holdsDigitsOnly)
}

function holdsLineNumber(element: ElementNode): boolean {
  return element.children.some(
    (child) => child instanceof ElementNode && ((isLineNumber(child) && child.textLength > 0) || holdsLineNumber(child)),
  )
}

/** Removes the spaces that separated line numbers from code. */
function withoutMargin(text: string): string {
  const lines = text.split('\n')
  return lines.every((line) => line === '' || line.startsWith(' ')) ? lines.map((line) => line.slice(1)).join('\n') : text
}

/** Does a cell contain the numbers 1, 2, 3 … of the lines in the next cell? */
function isNumberColumn(cell: ElementNode): boolean {
  if (cell.textLength === 0 || cell.textLength > 100_000) return false
  const numbers = rawTextWithNumbers(cell).trim().split(/\s+/).map(Number)
  return numbers.length > 1 && numbers.every((number, at) => number === numbers[0]! + at)
}

/** Code whose lines are elements, separated by white space that does not belong to the code. */
export function codeOfLines(element: ElementNode, lines: ElementNode[]): string {
  const text = lines
    .map((line) => rawText(line).replace(/\n$/, ''))
    .join('\n')
    .replaceAll('\u00a0', ' ')
  return fence(holdsLineNumber(element) ? withoutMargin(text) : text, element)
}

/** Code in a table: line numbers in one column, text in another, in one row or in a row per line. */
export function codeOfTable(table: ElementNode, rows: ElementNode[]): string | null {
  if (rows.length === 0) return null
  if (attributeOf(table, 'class') === SCRIBBLE_CODE && rows.every((row) => !holds(row, 'table')))
    return fence(rows.map((row) => rawText(row).trimEnd()).join('\n'), table)
  const lines: string[] = []
  let last = table
  for (const row of rows) {
    const cells = row.children.filter((child) => child instanceof ElementNode && !child.dropped) as ElementNode[]
    const [numbers, code] = cells
    if (cells.length !== 2 || numbers === undefined || code === undefined) return null
    // Tables of data may begin with a column of numbers, too.
    const isNumbered = rows.length === 1 && code.textLength > 0 && (isLikeCode(code) || isLikeCode(table)) && isNumberColumn(numbers)
    if (!isLineNumber(numbers) && !isNumbered) return null
    lines.push(rawText(code).replace(/\n$/, ''))
    last = code
  }
  return fence(lines.join('\n'), rows.length === 1 ? last : table)
}

function isLikeCode(element: ElementNode): boolean {
  return (
    holds(element, 'pre') || holds(element, 'code') || /code|source|syntax|highlight|listing/i.test(attributeOf(element, 'class') ?? '')
  )
}

function rawTextWithNumbers(node: TreeNode): string {
  if (node instanceof TextNode) return node.data
  return node.children.map(rawTextWithNumbers).join(node.hasBlock || node.tag.block ? '\n' : '') + (node.name === 'br' ? '\n' : '')
}

// ---- languages

const LANGUAGE_ATTRIBUTES = ['data-lang', 'data-language', 'data-enlighter-language', 'data-code-language', 'syntax']
const LANGUAGE_CLASS = /^(?:language|lang|highlight-source|highlight-text|highlight|mw-highlight-lang|src|brush)[-:](.+)$/i
/** A class after one of these names is the language. */
const BEFORE_LANGUAGE = /^(?:sourcecode|brush:)$/i
const NO_LANGUAGE = new Set(
  'default none text plaintext plain txt highlight source notranslate nohighlight no-highlight wrapper box block unknown auto code output'.split(
    ' ',
  ),
)
/** Languages that are a class name by themselves: `<pre class="rust">`. */
const LANGUAGES = new Set(
  (
    'abap ada apache apacheconf applescript arduino asm awk bash bat batch c c# c++ clojure cmake cobol coffeescript console cpp crystal cs csharp css csv cuda ' +
    'cython d dart diff django dockerfile dot dts elixir elm erb erlang excel f# fortran fsharp gcode gherkin glsl go golang gradle graphql groovy haml ' +
    'handlebars haskell hcl html http ini java javascript jinja js json json5 jsonc jsx julia kotlin latex less lisp llvm lua makefile markdown mathematica matlab md ' +
    'mermaid nasm nginx nim nix nohighlight objc objective-c objectivec ocaml pascal perl perl6 php pl plpgsql postgresql powershell prolog properties protobuf ' +
    'ps1 puppet py pycon python python3 qml r racket raku rb reason rst ruby rust scala scheme scss sh shell smalltalk solidity sparql sql svelte swift tcl terraform tex ' +
    'toml ts tsx twig typescript vala vb vbnet verilog vhdl vim vue wasm xml yaml yml zig zsh'
  ).split(' '),
)
/** How many levels above a block its language may be named (line numbers in a table add four), and how much other text may be there. */
const MAX_ABOVE = 8
const MAX_OTHER_TEXT = 80

/** The language of a code block, in lower case, as an info string; empty when the page names none. */
function languageOf(block: ElementNode): string {
  for (let at: ElementNode | undefined = block, depth = 0; at !== undefined && depth < 4; at = onlyElement(at), depth++) {
    const name = namedLanguage(at, true)
    if (name !== null) return name
  }
  let above = block.parent
  for (let levels = 0; above !== null && levels < MAX_ABOVE; above = above.parent, levels++) {
    if (above.textLength > block.textLength + MAX_OTHER_TEXT) break
    const name = namedLanguage(above, false)
    if (name !== null) return name
    // Hexo: <figure class="highlight ruby">, to which themes add names of their own.
    if (above.name === 'figure' && /(?:^|\s)(?:highlight|code)(?:\s|$)/.test(attributeOf(above, 'class') ?? ''))
      return namedLanguage(above, true) ?? ''
  }
  return ''
}

/** The first element inside: the element with the code, if there is any. */
function onlyElement(element: ElementNode): ElementNode | undefined {
  return element.children.find((child) => child instanceof ElementNode && (child.name === 'code' || child.tag.block)) as
    ElementNode | undefined
}

/** @param isCode  the element contains the code itself: one of its classes may be the name of the language */
function namedLanguage(element: ElementNode, isCode: boolean): string | null {
  if (element.attributes === null) return null
  for (const attribute of LANGUAGE_ATTRIBUTES) {
    const given = attributeOf(element, attribute)
    if (given !== undefined && given !== '') return infoString(given)
  }
  const inSyntax = /brush:\s*([\w+#-]+)/.exec(attributeOf(element, 'data-syntaxhighlighter-params') ?? '')
  if (inSyntax !== null) return infoString(inSyntax[1]!)
  const classes = (attributeOf(element, 'class') ?? '').split(/\s+/, 30)
  let bare: string | null = null
  for (const [at, name] of classes.entries()) {
    if (BEFORE_LANGUAGE.test(name) && classes[at + 1] !== undefined) return infoString(classes[at + 1]!)
    const match = LANGUAGE_CLASS.exec(name)
    if (match !== null && !/^highlight$/i.test(match[1]!)) return infoString(match[1]!)
    if (isCode && bare === null && LANGUAGES.has(name.toLowerCase())) bare = infoString(name)
  }
  if (bare !== null) return bare
  const lang = isCode ? (attributeOf(element, 'lang') ?? '').toLowerCase() : ''
  return lang.length > 2 && LANGUAGES.has(lang) ? lang : null
}

/** A text that CommonMark reads as the language: one word without backticks and without escapes. */
function infoString(name: string): string {
  const word =
    /^[^\s`\\&<>{}"',:]{1,40}/u
      .exec(name.trim())?.[0]
      .toLowerCase()
      .replace(/;$/, (end, at) => (at === 0 ? end : '')) ?? ''
  return NO_LANGUAGE.has(word) ? '' : word
}

function longestRun(text: string, character: string): number {
  if (!text.includes(character)) return 0
  let longest = 0
  let run = 0
  for (const other of text) {
    run = other === character ? run + 1 : 0
    if (run > longest) longest = run
  }
  return longest
}
