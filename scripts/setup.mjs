// Runs before `npm start`, `npm run dev` and `npm test`: installs the packages when they differ from the lock file, and builds the page and
// the server when their sources have changed. Plain JavaScript without packages, because it must run on any Node (18 or later) before
// anything is installed. With nothing to do it takes about as long as starting Node.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const inRoot = (path) => join(root, path)
const node = inRoot('node_modules/.bin/node')

if (!isInstalled()) {
  console.log('Installing packages (npm ci) …')
  // Includes packages that are only needed to build and run (Node itself is one), which NODE_ENV=production would omit.
  run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
}
whenChanged('build/web', ['contract', 'web', 'scripts/build.ts', 'package-lock.json'], () => {
  console.log('Building the page …')
  run(node, ['scripts/build.ts'])
})
const server = [
  'backend',
  'config',
  'contract',
  'gateway',
  'scripts/build-server.ts',
  'scripts/compile.ts',
  'package.json',
  'package-lock.json',
]
whenChanged('build/server', server, () => {
  console.log('Building the server …')
  run(node, ['scripts/build-server.ts'])
  rmSync(inRoot('build/compiled'), { recursive: true, force: true })
  const [, ...start] = JSON.parse(readFileSync(inRoot('package.json'), 'utf8')).scripts.start.split(' ')
  run(node, [...start.slice(0, -1), 'scripts/compile.ts'])
})

/** Calls `make` when the output is missing or outdated: its sources are hashed. */
function whenChanged(output, sources, make) {
  const mark = inRoot(`${output}.sources`)
  const hash = hashOf(sources)
  if (existsSync(inRoot(output)) && read(mark) === hash) return
  make()
  mkdirSync(inRoot('build'), { recursive: true })
  writeFileSync(mark, hash)
}

/**
 * Whether node_modules has what the lock file demands. Compares npm's own record of the installation, so that a manual install counts too;
 * packages for other platforms may be missing.
 */
function isInstalled() {
  const installed = parse(read(inRoot('node_modules/.package-lock.json')))
  if (!installed || !existsSync(node)) return false
  const wanted = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8')).packages
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true
    const present = installed.packages[path]
    return present ? present.version === entry.version && present.integrity === entry.integrity : entry.optional || entry.peer
  })
}

function hashOf(sources) {
  const hash = createHash('sha256')
  for (const file of sources.flatMap(filesBelow))
    hash
      .update(`${file}\0`)
      .update(readFileSync(inRoot(file)))
      .update('\0')
  return hash.digest('hex')
}

/** All files below a folder in a fixed order; for a file, itself. */
function filesBelow(path) {
  if (!existsSync(inRoot(path))) return []
  if (!statSync(inRoot(path)).isDirectory()) return [path]
  return readdirSync(inRoot(path))
    .sort((a, b) => (a < b ? -1 : 1))
    .flatMap((name) => filesBelow(`${path}/${name}`))
}

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** Undefined for a record that npm did not complete because it was killed. */
function parse(text) {
  try {
    return text && JSON.parse(text)
  } catch {
    return undefined
  }
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  if (status === 0) return
  console.error(`Could not run ${command} ${args[0]}${error ? `: ${error.message}` : ''}`)
  process.exit(status || 1)
}
