/** Longer patterns match nothing. */
const MAX_PATTERN_LENGTH = 1024

/**
 * Compiles a glob to a predicate over whole values: `*` any run of characters, `?` one character, `[abc]` one of a set (`a-z` a range; `!` or
 * `^` in front negates the set).
 *
 * It does not backtrack: it advances all possible positions in the pattern together, one bit each. So a match takes at most
 * (length of the value) × (length of the pattern) / 32 steps.
 */
export function compileGlob(pattern: string): (value: string) => boolean {
  if (pattern.length > MAX_PATTERN_LENGTH) return () => false
  const steps = readSteps(pattern)
  return fromLiterals(steps) ?? fromBits(steps)
}

/** One character of the pattern. `afterRun`: a `*` stands before it. */
type Step = { accepts: (code: number) => boolean; literal: string | null; afterRun: boolean }
type Steps = { steps: Step[]; endsWithRun: boolean }

function readSteps(pattern: string): Steps {
  const steps: Step[] = []
  let afterRun = false
  for (let i = 0; i < pattern.length; i += 1) {
    const char = pattern[i]!
    if (char === '*') {
      afterRun = true
      continue
    }
    const end = char === '[' ? pattern.indexOf(']', i + 2) : -1
    if (end > 0) {
      steps.push({ accepts: readSet(pattern.slice(i + 1, end)), literal: null, afterRun })
      i = end
    } else if (char === '?') {
      steps.push({ accepts: () => true, literal: null, afterRun })
    } else {
      const code = char.charCodeAt(0)
      steps.push({ accepts: (other) => other === code, literal: char, afterRun })
    }
    afterRun = false
  }
  return { steps, endsWithRun: afterRun }
}

function readSet(text: string): (code: number) => boolean {
  const isNegative = text.startsWith('!') || text.startsWith('^')
  const members = isNegative ? text.slice(1) : text
  const ranges: [number, number][] = []
  for (let i = 0; i < members.length; i += 1) {
    const from = members.charCodeAt(i)
    if (members[i + 1] === '-' && i + 2 < members.length) {
      ranges.push([from, members.charCodeAt(i + 2)])
      i += 2
    } else ranges.push([from, from])
  }
  return (code) => ranges.some(([from, to]) => code >= from && code <= to) !== isNegative
}

/** The common case, literals between `*`: takes the leftmost match of each piece, which is as good as any later one. */
function fromLiterals({ steps, endsWithRun }: Steps): ((value: string) => boolean) | null {
  const pieces: string[] = ['']
  for (const step of steps) {
    if (step.literal === null) return null
    if (step.afterRun) pieces.push(step.literal)
    else pieces[pieces.length - 1] += step.literal
  }
  if (endsWithRun) pieces.push('')
  const first = pieces[0]!
  if (pieces.length === 1) return (value) => value === first
  const last = pieces.at(-1)!
  const middle = pieces.slice(1, -1)
  const least = pieces.reduce((sum, piece) => sum + piece.length, 0)
  return (value) => {
    if (value.length < least || !value.startsWith(first) || !value.endsWith(last)) return false
    let at = first.length
    for (const piece of middle) {
      const found = value.indexOf(piece, at)
      if (found < 0) return false
      at = found + piece.length
    }
    return at + last.length <= value.length
  }
}

/** Bit i of the state: the first i steps have matched. A `*` keeps the position before it alive. */
function fromBits({ steps, endsWithRun }: Steps): (value: string) => boolean {
  const words = (steps.length >> 5) + 1
  const stays = new Uint32Array(words)
  steps.forEach((step, i) => {
    if (step.afterRun) stays[i >> 5]! |= 1 << (i & 31)
  })
  if (endsWithRun) stays[steps.length >> 5]! |= 1 << (steps.length & 31)
  const masks = new Map<number, Uint32Array>()
  const maskOf = (code: number): Uint32Array => {
    let mask = masks.get(code)
    if (mask === undefined) {
      mask = new Uint32Array(words)
      for (let i = 0; i < steps.length; i += 1) if (steps[i]!.accepts(code)) mask[i >> 5]! |= 1 << (i & 31)
      if (masks.size >= 256) masks.clear()
      masks.set(code, mask)
    }
    return mask
  }
  const state = new Uint32Array(words)
  return (value) => {
    state.fill(0)
    state[0] = 1
    for (let at = 0; at < value.length; at += 1) {
      const mask = maskOf(value.charCodeAt(at))
      let carry = 0
      let alive = 0
      for (let word = 0; word < words; word += 1) {
        const here = state[word]!
        const stepped = here & mask[word]!
        const next = ((stepped << 1) | carry | (here & stays[word]!)) >>> 0
        carry = stepped >>> 31
        state[word] = next
        alive |= next
      }
      if (alive === 0) return false
    }
    return ((state[steps.length >> 5]! >>> (steps.length & 31)) & 1) === 1
  }
}
