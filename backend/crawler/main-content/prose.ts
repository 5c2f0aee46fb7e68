/** The least text of a block that counts as prose: shorter ones are labels, dates, menu entries. */
const MIN_PROSE = 30
/** Prose of a short article. */
export const ENOUGH = 500
/** From this length on a block's text counts in full; shorter ones count less, since teasers are short and paragraphs are not. */
const FULL_PROSE = 160

/**
 * The prose of a block: its text outside links, when it is long enough and not mostly links.
 *
 * @param length    of its text outside the blocks inside it, without white space
 * @param inLinks   of the part of it inside links
 * @param isCode    counts in full at any length
 * @returns  a whole number: V8 keeps others in boxes of their own, one for each element
 */
export function proseOf(length: number, inLinks: number, isCode: boolean): number {
  if (length < MIN_PROSE || inLinks * 2 >= length) return 0
  const plain = length - inLinks
  return plain >= FULL_PROSE || isCode ? plain : Math.trunc((plain * plain) / FULL_PROSE)
}
