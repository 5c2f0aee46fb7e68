// Checks docs/security.md against the tests: each threat and each attack needs a row, and each test that a row names must exist. Part of
// `npm run check`.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const numbered = (letter: string, last: number) => Array.from({ length: last }, (_, at) => `${letter}${at + 1}`)
const IDS = [...numbered('T', 40), ...numbered('A', 25)]

/**
 * The errors of the text, one line each; empty when there are none.
 *
 * @param text    of docs/security.md
 * @param source  returns the source of a test file by its path below `tests/`; null when there is none
 */
export function securityDocFaults(text: string, source: (file: string) => string | null): string[] {
  const faults: string[] = []
  const seen = new Set<string>()
  for (const line of text.split('\n')) {
    const [, ids, , guard, shownBy] = /^\| ((?:[TA]\d+(?:, )?)+) *\|([^|]*)\|([^|]*)\|(.*)\|$/.exec(line) ?? []
    if (ids === undefined || shownBy === undefined) continue
    for (const id of ids.split(', ')) {
      if (seen.has(id)) faults.push(`${id} has two rows`)
      seen.add(id)
    }
    const named = [...shownBy.matchAll(/`([\w/-]+\.tsx?)` "([^"]+)"/g)]
    // What the product does not have yet cannot be tested; its row must say so.
    if (named.length === 0 && !(shownBy.trim() === '–' && / yet\b/.test(guard ?? ''))) faults.push(`${ids} names no test`)
    for (const [, file = '', title = ''] of named) {
      const tests = source(file)
      if (tests === null) faults.push(`${ids}: there is no file tests/${file}`)
      else if (!titlesOf(tests).includes(title)) faults.push(`${ids}: no test of tests/${file} has "${title}" in its title`)
    }
  }
  for (const id of IDS) if (!seen.has(id)) faults.push(`${id} has no row`)
  return faults
}

/** Removes comments from a test file, so that titles are only found in code. */
const titlesOf = (source: string) => source.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')

if (import.meta.main) {
  const faults = securityDocFaults(readFileSync(join(root, 'docs/security.md'), 'utf8'), (file) => {
    const path = join(root, 'tests', file)
    return existsSync(path) ? readFileSync(path, 'utf8') : null
  })
  for (const fault of faults) console.log(`docs/security.md: ${fault}`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
