/**
 * Header lines that break the rules: the HTTP parser refuses the whole answer for one of them, browsers do not.
 *
 * Source: RFC 9112, 5.1 and 5.2; RFC 9110, 5.5.
 */

const NAME = 1
const VALUE = 2
const SPACE = 32
const TAB = 9
const COLON = 58

/** What each byte may belong to: the name of a field, its value, or both. */
const BYTES = new Uint8Array(256).fill(VALUE)
BYTES.fill(0, 0, SPACE)
BYTES[TAB] = VALUE
BYTES[127] = 0
for (const character of "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
  BYTES[character.charCodeAt(0)] = NAME | VALUE

const FOLD = /\r?\n[ \t]+/g
const NAME_AND_VALUE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+)[ \t]*:(.*)$/s
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\0-\x08\x0a-\x1f\x7f]/g

/** Whether the bytes of a line are a name, a colon and a value, as the parser wants them. `end`: of the line, without its line break. */
export function isWellFormed(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start
  while (at < end && (BYTES[bytes[at]!]! & NAME) !== 0) at += 1
  if (at === start || at === end || bytes[at] !== COLON) return false
  for (at += 1; at < end; at += 1) if ((BYTES[bytes[at]!]! & VALUE) === 0) return false
  return true
}

/** Whether a line continues the one before it. */
export function isFolded(bytes: Uint8Array, start: number): boolean {
  return bytes[start] === SPACE || bytes[start] === TAB
}

/**
 * A line that is not well-formed, put right: a folded one becomes one line, blanks before its colon go, control characters become blanks.
 * Empty without a valid name.
 */
export function wellFormed(line: string): string {
  const parts = NAME_AND_VALUE.exec(line.replace(FOLD, ' '))
  return parts === null ? '' : `${parts[1]}:${parts[2]!.replace(CONTROLS, ' ')}`
}
