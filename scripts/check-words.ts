// Rejects words that readers have to guess at, in sources, tests and documents: part of `npm run check`. Use the field's noun instead.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Each word with its replacement. */
const REFUSED: readonly [word: RegExp, instead: string][] = [
  [/\bmended\b/i, 'fix, repair, correct'],
  [/\bin hand\b/i, 'in progress, leased, held'],
  [/\bbites?\b/i, 'applies, fails'],
  [/\bdoomed\b/i, 'bound to fail'],
  [/\blooked through\b/i, 'scanned, read'],
  [/\bwhoever\b/i, 'the caller, the reader, the code that'],
  [/\bsomebody\b/i, 'a user, another process'],
  [/\boneself\b/i, 'the user'],
  [/\bfaults? of ours\b/i, 'internal error'],
]

/** Texts by others, and history. */
const EXEMPT = /^(tests\/corpus\/|CHANGELOG\.md$|package-lock\.json$|(tests\/)?scripts\/check-words\.ts$)|\/fixtures\//
const READ = /\.(ts|tsx|mts|mjs|css|md)$/

/** @returns  one line per refused word: its place, the word, and its replacement */
export function refusedWords(file: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) =>
    REFUSED.flatMap(([word, instead]) => {
      const found = word.exec(line)?.[0]
      return found === undefined ? [] : [`${file}:${index + 1}: “${found}”: write ${instead}`]
    }),
  )
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')
  const found = files
    // Git also lists files that were deleted and not yet staged.
    .filter((file) => READ.test(file) && !EXEMPT.test(file) && existsSync(join(root, file)))
    .flatMap((file) => refusedWords(file, readFileSync(join(root, file), 'utf8')))
  for (const line of found) console.log(line)
  process.exitCode = found.length ? 1 : 0
}
