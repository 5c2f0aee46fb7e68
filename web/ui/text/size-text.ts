/** Numbers of bytes as people read them. Pure. */
import { fixed, number } from '#texts/language.ts'

/** "1.2 MB". */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${number(bytes)} B`
  if (bytes < 1_000_000) return `${fixed(bytes / 1000, bytes < 10_000 ? 1 : 0)} kB`
  if (bytes < 1_000_000_000) return `${fixed(bytes / 1_000_000, 1)} MB`
  return `${fixed(bytes / 1_000_000_000, 1)} GB`
}
