/** The first letters of a name's first and last word, as capitals: "Ana Maria Ruiz" gives "AR", an address its first letter. Pure. */
export function initialsOf(name: string, letters: 1 | 2): string {
  const words = name.split(/\s+/).filter(Boolean)
  const chosen = letters === 2 && words.length > 1 ? [words[0], words.at(-1)] : words.slice(0, 1)
  return chosen.map((word) => Array.from(word ?? '')[0]?.toUpperCase() ?? '').join('')
}
