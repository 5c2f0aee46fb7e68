// Checks the sources without running the product: `npm run check`.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const tool = (name: string) => join(root, 'node_modules/.bin', name)

const STEPS: [name: string, command: string, ...args: string[]][] = [
  ['types', tool('tsc'), '--noEmit', '--incremental', '--tsBuildInfoFile', '.cache/types.tsbuildinfo'],
  ['lint', tool('oxlint'), '--type-aware', '--quiet'],
  ['format', tool('prettier'), '--check', '--cache', '--cache-location=.cache/prettier', '--log-level=warn', '.'],
  ['imports', process.execPath, 'scripts/check-imports.ts'],
  ['words', process.execPath, 'scripts/check-words.ts'],
  ['docs', process.execPath, 'scripts/write-docs.ts', '--check'],
  ['reads', process.execPath, 'scripts/check-page-reads.ts'],
  ['security', process.execPath, 'scripts/check-security-docs.ts'],
  ['changes', process.execPath, 'scripts/check-changelog.ts'],
  ['texts', process.execPath, 'scripts/check-texts.ts'],
  ['weight', process.execPath, 'scripts/check-weight.ts'],
]

// One after another, because each uses all processors.
for (const [name, command, ...args] of STEPS) {
  const startedAt = performance.now()
  const { code, output } = await run(command, args)
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(8)} ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  // Only `weight` reports figures even when it passes.
  if (code === 0 && name !== 'weight') continue
  console.log(output.trimEnd().replace(/^/gm, '     | '))
  if (code !== 0) process.exitCode = 1
}

function run(command: string, args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => void (output += text))
  return new Promise((done, fail) => {
    child.on('error', fail)
    child.on('close', (code) => done({ code, output }))
  })
}
