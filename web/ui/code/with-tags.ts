/** The list with what was written added: cut at line ends and commas, blanks and what is there already left alone. */
export function withTags(values: readonly string[], written: string): string[] {
  const added = written
    .split(/[\n,]/)
    .map((text) => text.trim())
    .filter(Boolean)
  return [...new Set([...values, ...added])]
}
