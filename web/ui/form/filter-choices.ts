/** Filters a long list by the text typed so far. Pure. */

export type ListChoice = {
  value: string
  label: string
  /** A second line: its category, or why it cannot be chosen. */
  category?: string
  /** A symbol in front of the label, such as a flag; hidden from screen readers. */
  mark?: string
  /** Further search terms, not shown. */
  words?: string
  disabled?: boolean
}

/** Lower case without accents, so that "fran" matches "Français". */
const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()

/**
 * Matching choices, best first: those whose label begins with the typed text, then those with a word that does, then the others. Without
 * typed text it returns all choices in their order.
 */
export function filterChoices(choices: readonly ListChoice[], typed: string): readonly ListChoice[] {
  const wanted = folded(typed)
  if (wanted === '') return choices
  const ranked: ListChoice[][] = [[], [], []]
  for (const choice of choices) ranked[rankOf(choice, wanted)]?.push(choice)
  return ranked.flat()
}

/** 0 is the best; -1 does not match. */
function rankOf({ value, label, category = '', words = '' }: ListChoice, wanted: string): number {
  const name = folded(label)
  if (name.startsWith(wanted) || folded(value) === wanted) return 0
  const all = `${name} ${folded(words)} ${folded(category)}`
  if (` ${all.replace(/[^\p{L}\p{N}]+/gu, ' ')}`.includes(` ${wanted}`)) return 1
  return all.includes(wanted) ? 2 : -1
}
