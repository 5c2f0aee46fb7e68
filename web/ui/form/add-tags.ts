/** Adds typed text to a list: one entry per line or comma; skips blanks and duplicates. */
export function addTags(values: readonly string[], written: string): string[] {
  const added = written
    .split(/[\n,]/)
    .map((text) => text.trim())
    .filter(Boolean)
  return [...new Set([...values, ...added])]
}
