/**
 * Bundles what the server runs into build/server/: gateway/main.ts and each program that it starts as a process or a thread, with their
 * packages. Hundreds of modules cost an idle server twelve megabytes more than the dozen bundled files (docs/decisions/0009). Development
 * and tests of single parts run the sources.
 */
import { createHash } from 'node:crypto'
import { cp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const PLACES = ['config', 'gateway', 'backend', 'contract']
/** How a source refers to a file of the project: another program, or data. */
const PLACE_OF_FILE = /new URL\('(\.[^']+)', import\.meta\.url\)/g
/** The server, and modules that are loaded by name or later, so that scripts/compile.ts finds them. */
const PARTS = {
  main: 'gateway/main.ts',
  'data-dir': 'gateway/start/data-dir.ts',
  app: 'gateway/app.ts',
  backend: 'backend/index.ts',
  'parse-page': 'backend/crawler/page/parse-page.ts',
}
/** Packages with machine code, which they load from their own folder. */
const NATIVE = ['better-sqlite3', '@node-rs/argon2', 'playwright-core']

/** Bundles into `outDir`, which is emptied first; programs keep their names. */
async function buildServer({ outDir = join(root, 'build/server') } = {}) {
  await rm(outDir, { recursive: true, force: true })
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: { ...PARTS, ...(await programs()) },
    outdir: outDir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Keep names and short lines, because people read error reports; drop unreachable code and comments.
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 160,
    legalComments: 'none',
    external: NATIVE,
    define: { HASH_OF_READING_CODE: JSON.stringify(await hashOfReadingCode()) },
    // CommonJS packages call this to load Node's modules.
    banner: { js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);` },
    plugins: [placesOfFiles(outDir), httpByRequire],
    logLevel: 'warning',
  })
  for (const name of await readdir(outDir)) if (name.endsWith('.js')) await writeAsAscii(join(outDir, name))
  // The server reads them for PDFs in Chinese, Japanese and Korean.
  await cp(join(root, 'node_modules/pdfjs-dist/cmaps'), join(root, 'build/cmaps'), { recursive: true })
}

/** Changes with each change of the code that reads pages, its packages included; not with its comments. */
async function hashOfReadingCode(): Promise<string> {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [PARTS['parse-page']],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    legalComments: 'none',
    external: NATIVE,
    write: false,
    logLevel: 'error',
  })
  return createHash('sha256').update(outputFiles[0]!.contents).digest('hex').slice(0, 16)
}

/**
 * Escapes characters past Latin-1: with a single one, Node keeps a file's text at two bytes per character. esbuild escapes them in strings,
 * but not in regular expressions.
 */
async function writeAsAscii(file: string): Promise<void> {
  const code = await readFile(file, 'utf8')
  const ascii = code.replace(/\\[^]|[\u0080-\uffff]/g, (token) => {
    const unit = token.charCodeAt(token.length - 1)
    return unit < 128 ? token : `\\u${unit.toString(16).padStart(4, '0')}`
  })
  if (ascii !== code) await writeFile(file, ascii)
}

/** The programs that sources refer to, by the names of their bundles. */
async function programs(): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const place of PLACES)
    for (const name of await readdir(join(root, place), { recursive: true })) {
      const file = join(root, place, name)
      if (!name.endsWith('.ts')) continue
      for (const [, target = ''] of (await readFile(file, 'utf8')).matchAll(PLACE_OF_FILE)) {
        if (!target.endsWith('.ts')) continue
        const program = resolve(dirname(file), target)
        const known = (found[nameOf(program)] ??= program)
        if (known !== program) throw new Error(`Two programs would be bundled as ${nameOf(program)}: ${known} and ${program}`)
      }
    }
  return found
}

/** Rewrites references to files: bundled programs are in one folder, everything else stays where it was. */
function placesOfFiles(outDir: string): esbuild.Plugin {
  return {
    name: 'places-of-files',
    setup(build) {
      build.onLoad({ filter: new RegExp(`^${RegExp.escape(root)}(${PLACES.join('|')})/.*\\.ts$`) }, async ({ path }) => ({
        loader: 'ts',
        contents: (await readFile(path, 'utf8')).replace(PLACE_OF_FILE, (_, target: string) => {
          const file = resolve(dirname(path), target)
          // A folder keeps the slash that its files are resolved against.
          const place = target.endsWith('.ts') ? `./${nameOf(file)}.js` : relative(outDir, file) + (target.endsWith('/') ? '/' : '')
          return `new URL('${place}', import.meta.url)`
        }),
      }))
    },
  }
}

/**
 * Makes imports of `node:http` calls of `require`. An import reads all exports, and the getter of `http.WebSocket` loads Node's own copies of
 * undici (docs/decisions/0017).
 */
const httpByRequire: esbuild.Plugin = {
  name: 'http-by-require',
  setup(build) {
    build.onResolve({ filter: /^node:http$/ }, ({ kind, path }) => (kind === 'import-statement' ? { path, namespace: 'by-require' } : null))
    build.onLoad({ filter: /^/, namespace: 'by-require' }, ({ path }) => ({
      contents: `module.exports = require('${path}')`,
      loader: 'js',
    }))
  },
}

const nameOf = (program: string) => basename(program, '.ts')

if (import.meta.main) await buildServer()
