// Lists small bugs that a programmer could have made in a source file: one changed operator, condition, constant or statement each. Pure.
// It works on text, not on a syntax tree: types are stripped first; comments, strings and patterns are masked; and because the project's
// formatter puts blanks around each operator, regular expressions find the rest.
import { stripTypeScriptTypes } from 'node:module'

export type Mutant = {
  /** From 1. */
  line: number
  /** "===  →  !==", or the omitted statement. */
  change: string
  /** The source line without indentation: together with `change` it identifies the mutant, whatever is edited elsewhere in the file. */
  text: string
  /** The whole file with the bug, as JavaScript. */
  source: string
}

type Edit = { from: number; to: number; with: string; change: string }

/** Each operator with its replacement. Binary operators have blanks around them. */
const REPLACED: readonly [pattern: RegExp, by: string][] = [
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \?\? /g, ' && '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/ \* /g, ' / '],
  [/ \/ /g, ' * '],
  [/ \+= /g, ' -= '],
  [/ -= /g, ' += '],
  [/\+\+/g, '--'],
  [/--/g, '++'],
  [/\bMath\.min\(/g, 'Math.max('],
  [/\bMath\.max\(/g, 'Math.min('],
  [/\.some\(/g, '.every('],
  [/\.every\(/g, '.some('],
  [/\.startsWith\(/g, '.endsWith('],
  [/\.endsWith\(/g, '.startsWith('],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
]

/**
 * @param typescript  a source file of this project
 * @returns           its mutants that still parse, in the order of their lines
 */
export function mutantsOf(typescript: string): Mutant[] {
  const script = stripTypeScriptTypes(typescript)
  const masked = mask(script)
  const edits = [...replacements(masked), ...numbers(masked), ...negations(script, masked), ...omissions(masked), ...earlyReturns(masked)]
  const written = typescript.split('\n')
  return edits
    .toSorted((a, b) => a.from - b.from || a.to - b.to)
    .flatMap((edit) => {
      const source = script.slice(0, edit.from) + edit.with + script.slice(edit.to)
      const line = script.slice(0, edit.from).split('\n').length
      return isScript(source) ? [{ line, change: edit.change, text: (written[line - 1] ?? '').trim(), source }] : []
    })
}

/** Replaces every character of comments, strings, templates and patterns by `_`; positions stay. */
export function mask(script: string): string {
  const hidden =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=(?:^|[=(,:?&|!{};\n[]|\breturn|=>)\s*)\/(?![*/ ])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g
  return script.replace(hidden, (text) => text.replace(/[^\n]/g, '_'))
}

const replacements = (masked: string): Edit[] =>
  REPLACED.flatMap(([pattern, by]) =>
    [...masked.matchAll(pattern)].map((match) => ({
      from: match.index,
      to: match.index + match[0].length,
      with: by,
      change: `${match[0].trim()} → ${by.trim()}`,
    })),
  )

/** Small numbers become off by one, limits are doubled. */
const numbers = (masked: string): Edit[] =>
  [...masked.matchAll(/(?<![\w.$])\d[\d_]*(?:\.\d+)?(?:e\d+)?\b(?!\s*:)/g)].map((match) => {
    const value = Number(match[0].replaceAll('_', ''))
    const other = String(value <= 10 ? value + 1 : value * 2)
    return { from: match.index, to: match.index + match[0].length, with: other, change: `${match[0]} → ${other}` }
  })

/** `if (a)` becomes `if (!(a))`, `a ? b : c` becomes `!(a) ? b : c`. */
function negations(script: string, masked: string): Edit[] {
  const conditions = [...masked.matchAll(/\bif \(/g)].map((match) => {
    const from = match.index + match[0].length
    return { from, to: closing(masked, from) }
  })
  const choices = [...masked.matchAll(/\s\? (?=\S)/g)].map((match) => ({ from: opening(masked, match.index), to: match.index }))
  return [...conditions, ...choices]
    .filter(({ from, to }) => from >= 0 && to > from && !isOneComparison(masked.slice(from, to)))
    .map(({ from, to }) => ({ from, to, with: `!(${script.slice(from, to)})`, change: 'condition negated' }))
}

/** A single comparison needs no negation: its operator is inverted anyway. */
const isOneComparison = (condition: string) => /^[^&|?]* [!=]== [^&|?]*$/.test(condition) && !condition.includes('=>')

/** The position of the bracket that closes the one at `at`. */
function closing(masked: string, at: number): number {
  let depth = 1
  for (let index = at; index < masked.length; index++) {
    const character = masked[index] ?? ''
    if ('([{'.includes(character)) depth++
    if (')]}'.includes(character) && --depth === 0) return index
  }
  return -1
}

/** The start of the condition that ends at `end`: behind the nearest assignment, arrow, `return`, comma or bracket outside of it. */
function opening(masked: string, end: number): number {
  let depth = 0
  for (let index = end - 1; index >= 0; index--) {
    const character = masked[index] ?? ''
    if (')]}'.includes(character)) depth++
    if ('([{'.includes(character) && depth-- === 0) return index + 1
    if (depth > 0) continue
    const before = masked.slice(0, index + 1)
    const mark = /(?:=> |[^=!<>]= |\breturn |, | \? | : |\n\s*[?:] )$/.exec(before)
    if (mark) return index + 1
  }
  return -1
}

/** Omits whole statements on one line, also behind `if (…)`, unless they continue the line before. */
function omissions(masked: string): Edit[] {
  const lines = masked.split('\n')
  let at = 0
  let before = ''
  const found: Edit[] = []
  for (const line of lines) {
    const body = line.trim()
    const isWhole =
      /^(if \(.*\) )?((await |void )?\w[\w.$#[\]!?]*(\(.*\)|\[.*\]|\.\w+)*( (=|[-+*]=|\?\?=|\|\|=|&&=) .+|\+\+|--|\(.*\))|continue|break|throw .+|return( .+)?)$/.test(
        body,
      )
    const isDeclared = /^(const|let|import|export|function|case)\b/.test(body)
    const isResult = /^return\b/.test(body) && !body.startsWith('if')
    if (isWhole && !isDeclared && !isResult && isBalanced(body) && !/(=>|[=(,?:&|+[]|\belse)$/.test(before)) {
      const from = at + line.indexOf(body)
      found.push({ from, to: from + body.length, with: ';', change: 'statement left out' })
    }
    at += line.length + 1
    if (body !== '' && !/^_+$/.test(body)) before = body
  }
  return found
}

function isBalanced(text: string): boolean {
  let depth = 0
  for (const character of text) {
    if ('([{'.includes(character)) depth++
    if (')]}'.includes(character) && --depth < 0) return false
  }
  return depth === 0
}

/** Makes a function return at its beginning. */
const earlyReturns = (masked: string): Edit[] =>
  [...masked.matchAll(/\bfunction\*? \w+\([^\n]*\)\s*\{(?=\n)/g)].map((match) => ({
    from: match.index + match[0].length,
    to: match.index + match[0].length,
    with: ' return;',
    change: 'returns at once',
  }))

function isScript(source: string): boolean {
  try {
    stripTypeScriptTypes(source)
    return true
  } catch {
    return false
  }
}
