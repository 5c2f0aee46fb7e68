/** Numbers of bytes as people read them. Pure. */
import { fixed, number } from '#texts/language.ts'

/** "1.2 MB". Each bound is where the rounded number would be 10.0 or 1000 of the smaller unit. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${number(bytes)} B`
  if (bytes < 999_500) return `${fixed(bytes / 1000, bytes < 9950 ? 1 : 0)} kB`
  if (bytes < 999_950_000) return `${fixed(bytes / 1_000_000, 1)} MB`
  return `${fixed(bytes / 1_000_000_000, 1)} GB`
}
