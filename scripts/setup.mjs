// Runs before `npm start`, `npm run dev` and `npm test`: installs the packages when they are not those of the lock file, builds the
// page and the server when their sources changed. Plain JavaScript without packages, since it runs on whatever Node
// (18 or later) the machine has, before anything is installed. With nothing to do it takes about as long as Node's own start.
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
  // Some packages are needed only to build and to run (Node itself is one), which NODE_ENV=production would leave out.
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

/** Calls `make` when the output is missing, or was made of sources other than these files and folders. */
function whenChanged(output, sources, make) {
  const mark = inRoot(`${output}.sources`)
  const hash = hashOf(sources)
  if (existsSync(inRoot(output)) && read(mark) === hash) return
  make()
  mkdirSync(inRoot('build'), { recursive: true })
  writeFileSync(mark, hash)
}

/**
 * Whether node_modules holds what the lock file asks for. npm leaves its own record of what it installed, so that an install
 * made by hand counts too; packages for other platforms are missing from it, and may be.
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

/** The files of a folder and below it, in an order that does not depend on the disk; of a file, itself. */
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

/** A record that a killed npm left half written counts as none. */
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
