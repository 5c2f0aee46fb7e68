/** Runs the examples of a document as a reader would: each `sh`, `js`, `python` or `json` block must work. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Example = { language: string; code: string; /** Line of its fence. */ line: number }

const root = fileURLToPath(new URL('../..', import.meta.url))
const SECONDS = 60

/**
 * The fenced blocks of a document, in their order.
 *
 * @param path  from the root of the repository, `docs/agents.md`
 */
export function examplesOf(path: string): Example[] {
  const lines = readFileSync(join(root, path), 'utf8').split('\n')
  const found: Example[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const language = /^```(\w+)/.exec(lines[at] ?? '')?.[1]
    if (language === undefined) continue
    const end = lines.indexOf('```', at + 1)
    found.push({ language, code: lines.slice(at + 1, end).join('\n'), line: at + 1 })
    at = end
  }
  return found
}

/**
 * Runs one example and returns its output. Throws with its errors if it fails.
 *
 * @param replaced  texts of the document and their replacements, such as a URL and a key; the longest first
 */
export async function runExample({ code, language, line }: Example, replaced: Readonly<Record<string, string>>): Promise<string> {
  const here = Object.entries(replaced).reduce((text, [from, to]) => text.replaceAll(from, to), code)
  if (language === 'json') return JSON.stringify(JSON.parse(here))
  // In the repository, so that packages are found.
  const folder = mkdtempSync(join(root, 'build/example-'))
  const file = join(folder, { sh: 'example.sh', python: 'example.py' }[language] ?? 'example.mjs')
  writeFileSync(file, here)
  const program = { sh: 'bash', python: 'python3', js: process.execPath, ts: process.execPath }[language]
  if (program === undefined) throw new Error(`line ${line}: no program runs ${language}`)
  try {
    return await new Promise((resolve, reject) => {
      const args = language === 'sh' ? ['-e', file] : [file]
      execFile(program, args, { cwd: root, timeout: SECONDS * 1000, maxBuffer: 8 * 1024 * 1024 }, (error, stdout, stderr) =>
        error === null ? resolve(stdout) : reject(new Error(`line ${line}: ${error.message}\n${stdout}\n${stderr}`)),
      )
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
