// Whether docs/security.md tells the truth about its tests: each threat and each attack has a row, and each test that a row names exists.
// Part of `npm run check`.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const numbered = (letter: string, last: number) => Array.from({ length: last }, (_, at) => `${letter}${at + 1}`)
const IDS = [...numbered('T', 40), ...numbered('A', 15)]

/**
 * What is wrong with the text, a line each; empty when all holds.
 *
 * @param text    of docs/security.md
 * @param source  the source of a test file by its path below `tests/`; null when there is none
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
    // What does not exist in the product yet cannot be tested; its row has to say so.
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

/** A test file without its comments: what is left of a title stands in a text of the code. */
const titlesOf = (source: string) => source.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')

if (import.meta.main) {
  const faults = securityDocFaults(readFileSync(join(root, 'docs/security.md'), 'utf8'), (file) => {
    const path = join(root, 'tests', file)
    return existsSync(path) ? readFileSync(path, 'utf8') : null
  })
  for (const fault of faults) console.log(`docs/security.md: ${fault}`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
