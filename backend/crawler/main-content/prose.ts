/** Least text of a block that counts as prose: shorter ones are labels, dates, menu entries. */
const MIN_PROSE = 30
/** Prose of a short article. */
export const ENOUGH = 500
/** From this length on, a block's text counts in full; shorter texts count less, because teasers are short and paragraphs are not. */
const FULL_PROSE = 160

/**
 * The prose of a block: its text outside links, if it is long enough and not mostly links.
 *
 * @param length    of its own text, without nested blocks and white space
 * @param inLinks   the part of it inside links
 * @param isCode    counts in full at any length
 * @returns  an integer: V8 allocates an object for any other number, one per element
 */
export function proseOf(length: number, inLinks: number, isCode: boolean): number {
  if (length < MIN_PROSE || inLinks * 2 >= length) return 0
  const plain = length - inLinks
  return plain >= FULL_PROSE || isCode ? plain : Math.trunc((plain * plain) / FULL_PROSE)
}
