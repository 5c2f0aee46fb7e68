/** Filters a long list by the text typed so far. Pure. */

export type ListChoice = {
  value: string
  label: string
  /** A second line: what it belongs to, or why it cannot be chosen. */
  category?: string
  /** A sign in front of the words, such as a flag; silent to a screen reader. */
  mark?: string
  /** Further words by which it is found, not shown. */
  words?: string
  disabled?: boolean
}

/** Lower case without accents, so that "fran" and "Français" meet. */
const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()

/** Those that fit, best first: by the beginning of the label, of one of its words, then anywhere. Nothing typed leaves all, as they stand. */
export function filterChoices(choices: readonly ListChoice[], typed: string): readonly ListChoice[] {
  const wanted = folded(typed)
  if (wanted === '') return choices
  const ranked: ListChoice[][] = [[], [], []]
  for (const choice of choices) ranked[rankOf(choice, wanted)]?.push(choice)
  return ranked.flat()
}

/** 0 fits best; -1 does not fit. */
function rankOf({ value, label, category = '', words = '' }: ListChoice, wanted: string): number {
  const name = folded(label)
  if (name.startsWith(wanted) || folded(value) === wanted) return 0
  const all = `${name} ${folded(words)} ${folded(category)}`
  if (` ${all.replace(/[^\p{L}\p{N}]+/gu, ' ')}`.includes(` ${wanted}`)) return 1
  return all.includes(wanted) ? 2 : -1
}
