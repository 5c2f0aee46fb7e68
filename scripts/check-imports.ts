// Which folder may import which: the plan of ARCHITECTURE.md as data. The first row that matches a file applies.
import { readFileSync, readdirSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

type Row = {
  /** A folder (ends with a slash; `*` is any folder) or a file. */
  place: string
  /** Folders and files that it may import; `own` is the folder of `place`. */
  may: readonly string[]
  /** Allowed npm packages; absent: all. */
  packages?: readonly string[]
}

const DESK = [
  'own',
  'contract/',
  'backend/http/',
  'backend/mails/',
  'backend/platform/',
  'backend/errors.ts',
  'backend/config.ts',
  'backend/ports.ts',
]
const ROOM = [
  'own',
  'contract/',
  'web/api/',
  'web/navigation.ts',
  'web/runs/shared/',
  'web/state/',
  'web/ui/',
  // The layout of every screen, and components at the end of several screens.
  'web/frame/layout/public-layout.tsx',
  'web/frame/layout/use-page-title.ts',
  'web/account/session/log-out.ts',
  'web/account/session/account-rules.ts',
]

const TABLE: readonly Row[] = [
  { place: 'contract/', may: ['own'], packages: ['zod'] },
  { place: 'config/', may: ['own', 'contract/days.ts', 'contract/settings.ts'], packages: [] },

  {
    place: 'backend/platform/*/',
    may: [
      'own',
      'backend/platform/current-share.ts',
      'backend/platform/database/',
      'backend/platform/load-once.ts',
      'backend/platform/round-robin.ts',
      'backend/platform/semaphore.ts',
      'backend/platform/service-watch.ts',
      'backend/platform/threads/',
    ],
  },
  { place: 'backend/platform/', may: ['own'] },
  { place: 'backend/errors.ts', may: ['contract/endpoint.ts'], packages: [] },
  {
    place: 'backend/http/',
    may: [
      'own',
      'backend/errors.ts',
      'backend/platform/current-share.ts',
      'backend/platform/database/readers.ts',
      'backend/platform/database/trouble.ts',
      'backend/platform/round-robin.ts',
      'contract/',
    ],
  },
  { place: 'backend/mails/', may: ['own', 'backend/platform/mailer.ts', 'contract/'], packages: [] },
  // The engine only knows the store's port: no rows, no statements, no connections.
  {
    place: 'backend/crawler/',
    may: [
      'own',
      'backend/platform/clock.ts',
      'backend/platform/current-share.ts',
      'backend/platform/load-once.ts',
      'backend/platform/semaphore.ts',
      'backend/platform/threads/',
      'backend/store/run-store.ts',
      'backend/store/run-parts.ts',
      'contract/document-types.ts',
      'contract/plugin-values.ts',
      'contract/plugins.ts',
      'contract/runs.ts',
    ],
  },
  // Renders pages for the engine, through its port.
  { place: 'backend/renderer/', may: ['own', 'backend/crawler/', 'backend/platform/', 'config/memory.ts'] },
  {
    place: 'backend/store/',
    may: [
      'own',
      'backend/crawler/outcomes.ts',
      'backend/crawler/run-spec.ts',
      'backend/crawler/url/canonical-url.ts',
      'backend/platform/',
      'contract/runs.ts',
    ],
  },
  { place: 'backend/runs/', may: [...DESK, 'backend/crawler/', 'backend/store/'] },
  // The credits of a run are counted in the store's transactions.
  { place: 'backend/plans/', may: [...DESK, 'backend/store/run-hooks.ts', 'backend/store/steps.ts'] },
  // A crawl has a site tree too; sitemaps have the pure rules for it.
  {
    place: 'backend/crawls/',
    may: [...DESK, 'backend/crawler/', 'backend/runs/', 'backend/sitemaps/send-site.ts', 'backend/sitemaps/site-texts.ts'],
  },
  { place: 'backend/models/', may: [...DESK, 'backend/config.ts', 'backend/crawler/', 'backend/ports.ts'] },
  // Webhooks leave through the same guard as fetches.
  { place: 'backend/webhooks/', may: [...DESK, 'backend/crawler/fetch/', 'backend/store/run-endings.ts'] },
  { place: 'backend/proxies/', may: [...DESK, 'backend/crawler/'] },
  { place: 'backend/searches/', may: [...DESK, 'backend/crawler/', 'backend/runs/'] },
  { place: 'backend/sitemaps/', may: [...DESK, 'backend/crawler/', 'backend/runs/', 'backend/store/run-store.ts'] },
  // It decides when deleted data is removed; the store knows how.
  { place: 'backend/removal/', may: [...DESK, 'backend/store/run-sweep.ts'] },
  // Another API over the same features: it translates requests to normal crawls, searches and sitemaps.
  {
    place: 'backend/firecrawl/',
    may: [
      ...DESK,
      'backend/crawler/',
      'backend/crawls/',
      'backend/runs/',
      'backend/schedules/',
      'backend/searches/',
      'backend/sitemaps/',
      'backend/webhooks/',
    ],
  },
  // A schedule repeats a crawl.
  { place: 'backend/schedules/', may: [...DESK, 'backend/crawls/', 'backend/runs/'] },
  // Identity providers and the receiver of install reports are servers that the operator configured.
  { place: 'backend/accounts/', may: [...DESK, 'backend/crawler/fetch/operator-client.ts'] },
  { place: 'backend/system/', may: [...DESK, 'backend/crawler/fetch/operator-client.ts', 'config/memory.ts'] },
  // A third API, for agents.
  {
    place: 'backend/mcp/',
    may: [...DESK, 'backend/crawls/', 'backend/runs/', 'backend/searches/', 'backend/sitemaps/'],
  },
  { place: 'backend/*/', may: DESK },
  // The composition root imports everything.
  {
    place: 'backend/index.ts',
    may: [
      'backend/compose.ts',
      'backend/render-role.ts',
      'backend/platform/blobs/open-blobs.ts',
      'backend/plans/plans-file.ts',
      'backend/platform/database/',
    ],
  },
  { place: 'backend/config.ts', may: ['backend/platform/blobs/open-blobs.ts', 'config/read-config.ts'] },
  { place: 'backend/', may: ['own', 'contract/'] },

  { place: 'gateway/main.ts', may: ['gateway/', 'config/', 'backend/index.ts'] },
  // All processes send traces, and watch other services, in one way.
  {
    place: 'gateway/',
    may: [
      'own',
      'config/',
      'backend/platform/service-watch.ts',
      'backend/platform/traces.ts',
      'contract/languages.ts',
      'contract/settings.ts',
      'contract/sizes.ts',
    ],
  },

  // The catalogues, which all of web/ may import.
  { place: 'web/texts/', may: ['own', 'contract/'] },
  { place: 'web/ui/', may: ['own', 'web/state/', 'contract/'] },
  { place: 'web/state/', may: ['own', 'contract/'] },
  { place: 'web/navigation.ts', may: ['web/state/runtime-config.ts', 'contract/'] },
  { place: 'web/api/', may: ['own', 'web/state/', 'contract/'] },
  { place: 'web/runs/shared/', may: ['own', 'web/api/', 'web/ui/', 'web/state/', 'web/navigation.ts', 'contract/'] },
  { place: 'web/runs/logs/', may: [...ROOM, 'web/runs/'] },
  // A search hit in a stored page is displayed like a page of its crawl.
  { place: 'web/runs/search/', may: [...ROOM, 'web/runs/crawl/page-document.tsx', 'web/runs/crawl/page-texts.ts'] },
  // A schedule begins with a crawl: its dialog is opened there.
  { place: 'web/runs/crawl/', may: [...ROOM, 'web/runs/schedules/schedule-dialog.tsx'] },
  { place: 'web/runs/schedules/', may: [...ROOM, 'web/runs/crawl/page-texts.ts'] },
  { place: 'web/team/usage/', may: [...ROOM, 'web/team/plans/'] },
  // Screens that contain sections and dialogs of others.
  { place: 'web/frame/', may: ['web/', 'contract/'] },
  { place: 'web/team/settings/', may: ['web/', 'contract/'] },
  { place: 'web/home/', may: ['web/', 'contract/'] },
  { place: 'web/runs/*/', may: ROOM },
  { place: 'web/account/*/', may: ROOM },
  { place: 'web/team/*/', may: ROOM },
  { place: 'web/*/', may: ROOM },
  { place: 'web/', may: ['own', 'contract/'] },
]

/** The only place that sends bytes to addresses that strangers choose. */
const EGRESS = 'backend/crawler/fetch/'
/** These only contact the one server that an option of the operator names. */
const OPERATOR = ['backend/platform/blobs/s3-blobs.ts', 'backend/renderer/remote-renderer.ts']
const NETWORK = /^(node:)?(net|tls|http|https|http2|dgram|dns)(\/|$)|^(undici|got|axios|node-fetch|ws)(\/|$)/

/** The only users of the database driver. */
const DRIVER = ['backend/platform/', 'backend/store/sqlite/', 'backend/store/postgres/']

const PLACES = ['config', 'contract', 'gateway', 'backend', 'web']

/** Functions of these modules that look at an address without contacting it. */
const PURE = /^\s*import\s*\{\s*(?:(?:isIP|isIPv4|isIPv6|BlockList|SocketAddress)\s*,?\s*)+\}\s*from\s*['"]node:net['"]/

type Import = { target: string; isType: boolean }

/**
 * Checks every source file below `root`.
 *
 * @returns  one line per violation, sorted; empty when the rules hold
 */
export function checkImports(root: string): string[] {
  const sources = new Map(
    PLACES.flatMap((place) => filesBelow(root, place)).map((file) => [file, withoutComments(readFileSync(join(root, file), 'utf8'))]),
  )
  const faults: string[] = []
  const graph = new Map<string, string[]>()
  for (const [file, text] of sources) {
    const imports = importsOf(text).map((entry) => ({ ...entry, target: resolveTarget(file, entry.target) }))
    graph.set(
      file,
      imports.flatMap(({ isType, target }) => (sources.has(target) && !isType ? [target] : [])),
    )
    for (const entry of imports) faults.push(...faultsOfImport(file, entry))
    if (text.includes('process.env') && file !== 'config/read-config.ts')
      faults.push(`${file} reads process.env: options arrive as arguments, from config/read-config.ts`)
    if (file.startsWith('backend/') && !file.startsWith(EGRESS) && usesGlobalFetch(text))
      faults.push(`${file} fetches by itself: only ${EGRESS} may`)
  }
  return [...faults, ...cyclesIn(graph)].toSorted()
}

function faultsOfImport(file: string, { isType, target }: Import): string[] {
  const row = TABLE.find(({ place }) => isIn(file, place))
  if (!row) return []
  const isPackage = !/\.\w+$/.test(target) || !PLACES.some((place) => target.startsWith(`${place}/`))
  if (!isPackage) {
    const own = ownFolder(file, row.place)
    const isFine =
      (row.place.startsWith('web/') && isIn(target, 'web/texts/')) || row.may.some((place) => isIn(target, place === 'own' ? own : place))
    return isFine ? [] : [`${file} may not import ${target}: in ${row.place} only ${row.may.join(', ')}`]
  }
  const name = target.startsWith('@') ? target.split('/').slice(0, 2).join('/') : (target.split('/')[0] ?? '')
  const isBuiltin = target.startsWith('node:') || builtinModules.includes(name)
  if (row.packages && !isBuiltin && !row.packages.includes(name)) return [`${file} may not import the package ${name}`]
  if (name === 'better-sqlite3' && file.startsWith('backend/') && !DRIVER.some((place) => file.startsWith(place)))
    return [`${file} may not import better-sqlite3: only ${DRIVER.join(', ')} may`]
  if (file.startsWith('contract/') && isBuiltin) return [`${file} may not import ${target}: browsers read it too`]
  if (file.startsWith('web/') && isBuiltin) return [`${file} may not import ${target}: browsers have none`]
  if (file.startsWith('backend/') && !file.startsWith(EGRESS) && !OPERATOR.includes(file) && !isType && NETWORK.test(target))
    return [`${file} may not import ${target}: only ${EGRESS} may`]
  return []
}

/** Import cycles, one line each: `a → b → a`. Type imports do not count, because they are erased. */
function cyclesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const path: string[] = []
  const visit = (file: string) => {
    const start = path.indexOf(file)
    if (start >= 0) return void found.push(`a cycle: ${[...path.slice(start), file].join(' → ')}`)
    if (done.has(file)) return
    path.push(file)
    for (const next of graph.get(file) ?? []) visit(next)
    path.pop()
    done.add(file)
  }
  for (const file of graph.keys()) visit(file)
  return found
}

function importsOf(text: string): Import[] {
  const found: Import[] = []
  for (const match of text.matchAll(/^\s*(?:import|export)\s+(type\s+)?[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm)) {
    // `import { type A, type B }` is erased as well.
    const names = match[0].match(/\{([^}]*)\}/)?.[1]
    const onlyTypes =
      names !== undefined &&
      /^\s*import\s*\{/.test(match[0]) &&
      names.split(',').every((name) => !name.trim() || /^type\s/.test(name.trim()))
    found.push({ target: match[2] ?? '', isType: Boolean(match[1]) || onlyTypes || PURE.test(match[0]) })
  }
  for (const match of text.matchAll(/(?:^\s*import\s+|\bimport\(\s*|\bnew URL\(\s*)['"]([^'"]+)['"]/gm)) {
    const target = match[1] ?? ''
    if (!match[0].includes('URL') || /^\.{1,2}\/.*\.tsx?$/.test(target)) found.push({ target, isType: false })
  }
  return found
}

function resolveTarget(file: string, target: string): string {
  if (target.startsWith('#texts/')) return target.replace('#texts/', 'web/texts/en/')
  if (target.startsWith('#')) return target.slice(1)
  return target.startsWith('.') ? normalize(join(dirname(file), target)) : target
}

function isIn(file: string, place: string): boolean {
  if (!place.endsWith('/')) return file === place
  return new RegExp(`^${place.replace('*', '[^/]+')}`).test(file)
}

// The folder that `own` means for this file: for `backend/*/`, its own feature's folder.
function ownFolder(file: string, place: string): string {
  return (
    file
      .split('/')
      .slice(0, place.split('/').length - 1)
      .join('/') + '/'
  )
}

function usesGlobalFetch(text: string): boolean {
  if (/globalThis\.fetch\b/.test(text)) return true
  const hasOwn = /function fetch\b|(?:const|let)\s+\{?[^=;]*\bfetch\b[^=;]*\}?\s*=|[{,]\s*fetch\s*[,}:]/.test(text)
  return !hasOwn && /(?:await|return|[=(,:?])\s*fetch\(/.test(text)
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
}

function filesBelow(root: string, place: string): string[] {
  return readdirSync(join(root, place), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
}

if (import.meta.main) {
  const faults = checkImports(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)))
  for (const fault of faults) console.log(fault)
  process.exitCode = faults.length ? 1 : 0
}
