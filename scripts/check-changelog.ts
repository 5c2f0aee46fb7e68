// Checks that CHANGELOG.md stays readable and that all places state the version of its newest release: part of `npm run check`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MOST_CHARACTERS = 300
const MOST_LINES = 150
/** A release is named by its version and its day; the first ones have no day. */
const RELEASE = /^## (\d+\.\d+\.\d+)(?: \(\d{4}-\d\d-\d\d\))?$/

/**
 * The errors of the changelog, one line each; empty when there are none.
 *
 * @param text      of CHANGELOG.md
 * @param versions  the version that each other place states
 */
export function changelogFaults(text: string, versions: Readonly<Record<string, string>>): string[] {
  const faults: string[] = []
  const lines = text.split('\n')
  for (const [index, line] of lines.entries())
    if (line.length > MOST_CHARACTERS) faults.push(`CHANGELOG.md:${index + 1}: ${line.length} characters; at most ${MOST_CHARACTERS}`)

  for (const part of text.split(/^(?=## )/m).slice(1)) {
    const [heading = '', ...rest] = part.trimEnd().split('\n')
    if (rest.length > MOST_LINES) faults.push(`CHANGELOG.md: “${heading}” has ${rest.length} lines; at most ${MOST_LINES}: merge them`)
  }

  const newest = lines.map((line) => RELEASE.exec(line)?.[1]).find((version) => version !== undefined)
  if (newest === undefined) faults.push('CHANGELOG.md: no heading such as “## 1.2.3 (2026-03-04)”')
  else
    for (const [place, version] of Object.entries(versions))
      if (version !== newest) faults.push(`${place} states version ${version}, the newest release in CHANGELOG.md is ${newest}`)
  return faults
}

/** The version that each place states; of a place that states several, one that differs from package.json. */
function statedVersions(read: (file: string) => string): Record<string, string> {
  const manifest = JSON.parse(read('package.json')) as { version: string }
  const lock = JSON.parse(read('package-lock.json')) as { version: string; packages: Record<string, { version: string }> }
  const images = [...read('examples/kubernetes/seine.yaml').matchAll(/image: \S+\/seine:(\S+)/g)].map(([, version = '']) => version)
  const unlike = (found: string[]) => found.find((version) => version !== manifest.version) ?? manifest.version
  return {
    'package.json': manifest.version,
    'package-lock.json': unlike([lock.version, lock.packages['']?.version ?? '']),
    'examples/kubernetes/seine.yaml': unlike(images),
  }
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const faults = changelogFaults(read('CHANGELOG.md'), statedVersions(read))
  for (const fault of faults) console.log(fault)
  process.exitCode = faults.length > 0 ? 1 : 0
}
