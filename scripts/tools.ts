/**
 * Programs for benchmarks and one test that are too large to be dependencies, which every user installs: Lighthouse has 176 MB, the MCP
 * Inspector 135. `npm run tools -- NAME` installs the pinned version of one into build/tools/.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const TOOLS = { lighthouse: '13.5.0', '@modelcontextprotocol/inspector': '2.12.0' }
export type Tool = keyof typeof TOOLS

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** A file of a tool's pinned version; null when it is not installed. */
export function toolFile(tool: Tool, file: string): string | null {
  const path = join(folderOf(tool), 'node_modules', tool, file)
  return existsSync(path) ? path : null
}

/** Installs the pinned version from npm's registry. */
export function installTool(tool: Tool): void {
  const folder = folderOf(tool)
  console.log(`Installing ${tool} ${TOOLS[tool]} into ${folder} …`)
  mkdirSync(folder, { recursive: true })
  const options = ['--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  execFileSync('npm', ['install', ...options, `${tool}@${TOOLS[tool]}`], { stdio: 'inherit' })
}

const folderOf = (tool: Tool) => join(ROOT, `build/tools/${basename(tool)}-${TOOLS[tool]}`)
const isTool = (name: string): name is Tool => Object.hasOwn(TOOLS, name)

if (import.meta.main)
  for (const name of process.argv.slice(2)) {
    if (!isTool(name)) throw new Error(`There is no tool "${name}". There are: ${Object.keys(TOOLS).join(', ')}.`)
    installTool(name)
  }
