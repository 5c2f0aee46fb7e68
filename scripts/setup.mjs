// Runs before `npm start`, `npm run dev` and `npm test`: installs the packages when they are not those of the lock file, and
// builds the page when its sources changed. Plain JavaScript without packages, since it runs on whatever Node (18 or later)
// the machine has, before anything is installed. With nothing to do it takes about as long as Node itself takes to start.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const inRoot = (path) => join(root, path)
const node = inRoot('node_modules/.bin/node')
const pageMark = inRoot('build/.page-sources')

if (!isInstalled()) {
  console.log('Installing packages (npm ci) …')
  // Some packages are needed only to build and to run (Node itself is one), which NODE_ENV=production would leave out.
  run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
}
if (existsSync(inRoot('web/main.tsx'))) {
  const sources = hashOfPageSources()
  if (!existsSync(inRoot('build/web/index.html')) || read(pageMark) !== sources) {
    console.log('Building the page …')
    run(node, [inRoot('scripts/build.ts')])
    mkdirSync(inRoot('build'), { recursive: true })
    writeFileSync(pageMark, sources)
  }
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

function hashOfPageSources() {
  const hash = createHash('sha256')
  const files = ['package-lock.json', 'scripts/build.ts', ...filesBelow('contract'), ...filesBelow('web')]
  for (const file of files.sort((a, b) => (a < b ? -1 : 1)))
    if (existsSync(inRoot(file)))
      hash
        .update(`${file}\0`)
        .update(readFileSync(inRoot(file)))
        .update('\0')
  return hash.digest('hex')
}

function filesBelow(folder) {
  if (!existsSync(inRoot(folder))) return []
  return readdirSync(inRoot(folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
  )
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
