/**
 * Matches regular expressions of users in linear time.
 *
 * JavaScript's own engine backtracks: `(a+)+$` takes minutes for a URL of forty characters. This one advances all possible positions in the
 * pattern together, and caches where a set of positions goes with a character. No such matcher can do back-references and look-around, so
 * both are rejected. Otherwise syntax and meaning are those of ECMAScript without flags, 22.2.1.
 */

/** Longest pattern, and most steps once its repetitions are expanded. */
const MAX_REGEX_LENGTH = 1024
const MAX_STEPS = 2000
/** Cached sets of positions; at this number the cache is cleared. */
const MAX_SETS = 500

/** Why a pattern is rejected, worded for its author. */
export class RegexFault extends Error {}

/**
 * How many positions may still be looked at. Linear time can be long: a text of 2,000 characters times 2,000 positions is a second. What is
 * cached costs nothing, so ordinary patterns use little of it.
 */
export type RegexWork = { left: number }
/** Thrown by a match that has used up its work. */
export class RegexTooHeavy extends Error {}

type CharTest = (code: number) => boolean
type Step =
  | { kind: 'char'; test: CharTest; to: number }
  | { kind: 'split'; to: number; or: number }
  | { kind: 'assert'; what: Assertion; to: number }
  | { kind: 'match' }
type Assertion = '^' | '$' | 'b' | 'B'

type Node =
  | { kind: 'char'; test: CharTest }
  | { kind: 'assert'; what: Assertion }
  | { kind: 'all'; parts: Node[] }
  | { kind: 'any'; parts: Node[] }
  | { kind: 'repeat'; part: Node; min: number; max: number }

/**
 * @returns  whether the pattern matches anywhere in a text; throws `RegexTooHeavy` when that takes more than the given work
 * @throws {RegexFault} when the pattern is invalid, or cannot be matched in linear time
 */
export function compileRegex(pattern: string): (text: string, work?: RegexWork) => boolean {
  if (pattern.length > MAX_REGEX_LENGTH) throw new RegexFault(`it has more than ${MAX_REGEX_LENGTH} characters`)
  return matcherOf(stepsOf(parse(pattern)))
}

// ---- from text to a tree

function parse(pattern: string): Node {
  let at = 0
  const tree = alternatives()
  if (at < pattern.length) throw new RegexFault('a closing parenthesis has no opening one')
  return tree

  function alternatives(): Node {
    const parts = [sequence()]
    while (pattern[at] === '|') {
      at += 1
      parts.push(sequence())
    }
    return parts.length === 1 ? parts[0]! : { kind: 'any', parts }
  }

  function sequence(): Node {
    const parts: Node[] = []
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') parts.push(repeated(atom()))
    return { kind: 'all', parts }
  }

  function repeated(part: Node): Node {
    let node = part
    for (let bounds = quantifier(); bounds !== null; bounds = quantifier()) {
      if (part.kind === 'assert' || node !== part) throw new RegexFault('there is nothing to repeat')
      if (bounds.max < bounds.min) throw new RegexFault('numbers of a repetition are out of order')
      node = { kind: 'repeat', part, ...bounds }
      // Lazy or greedy makes no difference to whether it matches.
      if (pattern[at] === '?') at += 1
    }
    return node
  }

  function quantifier(): { min: number; max: number } | null {
    const sign = pattern[at]
    if (sign === '*' || sign === '+' || sign === '?') {
      at += 1
      return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity }
    }
    const braces = sign === '{' ? /^\{(\d{1,4})(?:(,)(\d{1,4})?)?\}/.exec(pattern.slice(at)) : null
    if (braces === null) return null
    at += braces[0].length
    const min = Number(braces[1])
    return { min, max: braces[2] === undefined ? min : braces[3] === undefined ? Infinity : Number(braces[3]) }
  }

  function atom(): Node {
    const sign = pattern[at]!
    at += 1
    if (sign === '(') return group()
    if (sign === '[') return { kind: 'char', test: set() }
    if (sign === '.') return { kind: 'char', test: (code) => code !== 10 && code !== 13 && code !== 0x2028 && code !== 0x2029 }
    if (sign === '^' || sign === '$') return { kind: 'assert', what: sign }
    if (sign === '*' || sign === '+' || sign === '?') throw new RegexFault('there is nothing to repeat')
    if (sign !== '\\') return literal(sign.charCodeAt(0))
    if (pattern[at] === 'b' || pattern[at] === 'B') return { kind: 'assert', what: pattern[at++] as 'b' | 'B' }
    const escaped = escape()
    return typeof escaped === 'number' ? literal(escaped) : { kind: 'char', test: escaped }
  }

  function group(): Node {
    const opening = /^\?(?::|<[\w$]+>|.)?/.exec(pattern.slice(at))?.[0]
    if (opening !== undefined) {
      if (opening !== '?:' && !/^\?<[\w$]+>$/.test(opening)) throw new RegexFault('look-around is not supported')
      at += opening.length
    }
    const inside = alternatives()
    if (pattern[at] !== ')') throw new RegexFault('a parenthesis is not closed')
    at += 1
    return inside
  }

  /** Reads an escape behind its backslash: one character, or a class. */
  function escape(): number | CharTest {
    const sign = pattern[at]
    if (sign === undefined) throw new RegexFault('it ends in a backslash')
    at += 1
    const known = CLASSES[sign] ?? CONTROLS[sign]
    if (known !== undefined) return known
    if (/[1-9]/.test(sign) || sign === 'k') throw new RegexFault('back-references are not supported')
    if (sign === 'p' || sign === 'P') throw new RegexFault('Unicode properties are not supported')
    const hexadecimal = sign === 'x' ? /^[\da-f]{2}/i : sign === 'u' ? /^[\da-f]{4}/i : null
    const digits = hexadecimal?.exec(pattern.slice(at))?.[0]
    if (digits === undefined) return sign.charCodeAt(0)
    at += digits.length
    return Number.parseInt(digits, 16)
  }

  function set(): CharTest {
    const isNegative = pattern[at] === '^'
    if (isNegative) at += 1
    const tests: CharTest[] = []
    while (pattern[at] !== ']') {
      const from = member()
      if (pattern[at] !== '-' || pattern[at + 1] === ']' || pattern[at + 1] === undefined || typeof from !== 'number') {
        tests.push(typeof from === 'number' ? (code) => code === from : from)
        continue
      }
      at += 1
      const to = member()
      if (typeof to !== 'number' || to < from) throw new RegexFault('a range of characters is out of order')
      tests.push((code) => code >= from && code <= to)
    }
    at += 1
    return (code) => tests.some((test) => test(code)) !== isNegative
  }

  function member(): number | CharTest {
    const sign = pattern[at]
    if (sign === undefined) throw new RegexFault('a set of characters is not closed')
    at += 1
    if (sign !== '\\') return sign.charCodeAt(0)
    if (pattern[at] !== 'b') return escape()
    at += 1
    return 8
  }
}

const literal = (char: number): Node => ({ kind: 'char', test: (code) => code === char })

const isDigit = (code: number) => code >= 48 && code <= 57
const isWord = (code: number) => isDigit(code) || code === 95 || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
const isSpace = (code: number) => /\s/.test(String.fromCharCode(code))
const CLASSES: Readonly<Record<string, CharTest>> = {
  d: isDigit,
  D: (code) => !isDigit(code),
  w: isWord,
  W: (code) => !isWord(code),
  s: isSpace,
  S: (code) => !isSpace(code),
}
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 }

// ---- from the tree to steps

/** The steps of a pattern, from number 0; each names its successors. */
function stepsOf(tree: Node): Step[] {
  const steps: Step[] = []
  // Built from the end, so that each part knows its successor; then reversed.
  const first = before(tree, add({ kind: 'match' }))
  return first === steps.length - 1 ? reversed(steps) : reversed([...steps, { kind: 'split', to: first, or: first }])

  function add(step: Step): number {
    if (steps.length >= MAX_STEPS) throw new RegexFault('it has too many repetitions')
    return steps.push(step) - 1
  }

  function before(node: Node, next: number): number {
    switch (node.kind) {
      case 'char':
      case 'assert':
        return add({ ...node, to: next })
      case 'all':
        return node.parts.reduceRight((to, part) => before(part, to), next)
      case 'any':
        return node.parts.map((part) => before(part, next)).reduceRight((or, to) => add({ kind: 'split', to, or }))
      case 'repeat':
        return repeat(node, next)
    }
  }

  function repeat({ part, min, max }: Extract<Node, { kind: 'repeat' }>, next: number): number {
    let to = next
    if (max === Infinity) {
      const loop = add({ kind: 'split', to: next, or: next })
      steps[loop] = { kind: 'split', to: before(part, loop), or: next }
      to = loop
    } else for (let left = max - min; left > 0; left -= 1) to = add({ kind: 'split', to: before(part, to), or: next })
    for (let left = min; left > 0; left -= 1) to = before(part, to)
    return to
  }
}

function reversed(steps: Step[]): Step[] {
  const last = steps.length - 1
  return steps.toReversed().map((step) => {
    if (step.kind === 'match') return step
    return step.kind === 'split' ? { ...step, to: last - step.to, or: last - step.or } : { ...step, to: last - step.to }
  })
}

// ---- matching

/** Stands for the end of the text. */
const END = -1
/** The character before a position: none, a word character, another. */
type Before = 0 | 1 | 2

/** Positions in the pattern between two characters, and the set that each next character leads to. */
type Places = { steps: number[]; before: Before; next: Map<number, Places | 'match'> }

function matcherOf(steps: Step[]): (text: string, work?: RegexWork) => boolean {
  let known = new Map<string, Places>()
  let start = placesOf([0], 0)
  let work: RegexWork = { left: Infinity }
  return (text, most = { left: Infinity }) => {
    work = most
    if (known.size > MAX_SETS) {
      known = new Map()
      start = placesOf([0], 0)
    }
    let places = start
    for (let at = 0; at < text.length; at += 1) {
      const next = advance(places, text.charCodeAt(at))
      if (next === 'match') return true
      places = next
    }
    return advance(places, END) === 'match'
  }

  function placesOf(from: number[], before: Before): Places {
    const key = `${before}:${from.join()}`
    let places = known.get(key)
    if (places === undefined) known.set(key, (places = { steps: from, before, next: new Map() }))
    return places
  }

  function advance(places: Places, code: number): Places | 'match' {
    const remembered = places.next.get(code)
    if (remembered !== undefined) return remembered
    const next = step(places, code)
    places.next.set(code, next)
    return next
  }

  function step(places: Places, code: number): Places | 'match' {
    // A match may begin at any character.
    const to = new Set<number>([0])
    const seen = new Set<number>()
    const waiting = [...places.steps]
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (seen.has(at)) continue
      seen.add(at)
      work.left -= 1
      if (work.left < 0) throw new RegexTooHeavy()
      const here = steps[at]!
      if (here.kind === 'match') return 'match'
      if (here.kind === 'split') waiting.push(here.to, here.or)
      else if (here.kind === 'assert') {
        if (holds(here.what, places.before, code)) waiting.push(here.to)
      } else if (code !== END && here.test(code)) to.add(here.to)
    }
    return placesOf(
      [...to].toSorted((one, other) => one - other),
      code !== END && isWord(code) ? 1 : 2,
    )
  }
}

function holds(what: Assertion, before: Before, code: number): boolean {
  if (what === '^') return before === 0
  if (what === '$') return code === END
  const isBoundary = (before === 1) !== (code !== END && isWord(code))
  return isBoundary === (what === 'b')
}
