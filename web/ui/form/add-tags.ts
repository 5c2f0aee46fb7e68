/** Adds what was written to the list: one entry for each line or comma; blanks and entries that are already listed are skipped. */
export function addTags(values: readonly string[], written: string): string[] {
  const added = written
    .split(/[\n,]/)
    .map((text) => text.trim())
    .filter(Boolean)
  return [...new Set([...values, ...added])]
}
