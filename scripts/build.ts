/**
 * Builds the page: web/ to build/web/, with hashed names, and a .br and .gz beside everything that is text.
 *
 * esbuild bundles web/main.tsx; Tailwind's compiler turns web/styles/base.css into one stylesheet for the classes that the
 * sources name. Files are written after everything succeeded and stale ones removed last, so that a server that reads the
 * folder meanwhile never misses one. Run it: `npm run build`.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import * as esbuild from 'esbuild'
import { compile } from 'tailwindcss'
import { bareEndpoints } from './bare-endpoints.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const web = join(root, 'web')
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/**
 * Builds the page into `outDir`.
 *
 * @param watch  build again whenever a source changes (unminified, not compressed) until `close` is called
 * @param onBuilt  called after every build, the first included
 */
export async function buildPage({
  outDir = join(root, 'build/web'),
  watch = false,
  onBuilt,
}: { outDir?: string; watch?: boolean; onBuilt?: () => void } = {}) {
  const context = await esbuild.context({
    ...pageOptions({ outDir, watch }),
    entryPoints: { app: 'web/main.tsx', style: 'web/styles/base.css' },
    plugins: [
      bareEndpoints(),
      styles(),
      {
        name: 'write-page',
        setup(build) {
          build.onEnd(async (result) => {
            if (result.errors.length > 0) {
              if (watch) console.error((await esbuild.formatMessages(result.errors, { kind: 'error' })).join('\n'))
              return
            }
            await writePage({ outDir, files: result.outputFiles ?? [], metafile: result.metafile as esbuild.Metafile, compress: !watch })
            onBuilt?.()
          })
        },
      },
    ],
  })
  const close = () => context.dispose()
  try {
    await (watch ? context.watch() : context.rebuild())
  } finally {
    if (!watch) await close()
  }
  return { close }
}

/** How the page is bundled, whatever of it. Nothing is written to disk. */
export const pageOptions = ({ outDir, watch }: { outDir: string; watch: boolean }) =>
  ({
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2023',
    jsx: 'automatic',
    minify: !watch,
    sourcemap: watch ? 'linked' : false,
    legalComments: 'none',
    outdir: outDir,
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    loader: { '.woff2': 'file', '.svg': 'file' },
    define: { 'process.env.NODE_ENV': watch ? '"development"' : '"production"' },
    metafile: true,
    write: false,
    logLevel: 'silent',
    plugins: [bareEndpoints()],
  }) satisfies esbuild.BuildOptions

/** Turns base.css into the whole stylesheet: tokens, the utilities that web/ names, and the stylesheets beside components. */
function styles(): esbuild.Plugin {
  return {
    name: 'styles',
    setup(build) {
      build.onLoad({ filter: /web[\\/]styles[\\/]base\.css$/ }, async ({ path }) => {
        const files = (await readdir(web, { recursive: true })).map((name) => join(web, name))
        const sources = files.filter((file) => /\.tsx?$/.test(file)).toSorted()
        const beside = files.filter((file) => file.endsWith('.css') && dirname(file) !== dirname(path)).toSorted()
        const candidates = new Set<string>()
        for (const file of sources) for (const word of (await readFile(file, 'utf8')).match(/[^\s"'`<>]+/g) ?? []) candidates.add(word)
        const texts = [await readFile(path, 'utf8')]
        for (const file of beside) texts.push(await readFile(file, 'utf8'))
        const compiler = await compile(texts.join('\n'), { base: dirname(path), loadStylesheet })
        return {
          contents: compiler.build([...candidates]),
          loader: 'css',
          resolveDir: dirname(path),
          watchFiles: [...sources, ...beside, join(web, 'styles/tokens.css')],
          watchDirs: [web],
        }
      })
    },
  }
}

async function loadStylesheet(id: string, base: string) {
  const path = id.startsWith('.') ? join(base, id) : join(root, 'node_modules', id)
  return { path, base: dirname(path), content: await readFile(path, 'utf8') }
}

type OutputFile = { path: string; contents: Uint8Array }

async function writePage(page: { outDir: string; files: OutputFile[]; metafile: esbuild.Metafile; compress: boolean }) {
  const { outDir, files, metafile, compress } = page
  const hrefOf = (name: RegExp) => {
    const file = files.find(({ path }) => name.test(relative(outDir, path)))
    if (!file) throw new Error(`The page has no file like ${name}`)
    return `/${relative(outDir, file.path)}`
  }
  const icon = await hashed(join(web, 'assets/icon.svg'))
  const script = hrefOf(/^assets\/app-\w+\.js$/)
  const places: Record<string, string> = {
    icon: `/${icon.name}`,
    font: hrefOf(/^assets\/inter-latin-\w+\.woff2$/),
    style: hrefOf(/^assets\/style-\w+\.css$/),
    script,
    preload: staticImports(metafile, outDir, script)
      .map((href) => `<link rel="modulepreload" href="${href}" />`)
      .join('\n    '),
  }
  const html = (await readFile(join(web, 'index.html'), 'utf8')).replace(/%(\w+)%/g, (_, name: string) => places[name] ?? '')
  const all: OutputFile[] = [
    ...files,
    { path: join(outDir, icon.name), contents: icon.contents },
    { path: join(outDir, 'assets/inter-LICENSE.txt'), contents: await readFile(join(web, 'assets/inter-LICENSE.txt')) },
    // Last: it names the others.
    { path: join(outDir, 'index.html'), contents: Buffer.from(html) },
  ]
  await mkdir(join(outDir, 'assets'), { recursive: true })
  const written = new Set<string>()
  const write = async (path: string, contents: Uint8Array) => {
    written.add(relative(outDir, path))
    await writeFile(path, contents)
  }
  for (const { path, contents } of all) {
    // index.html is filled in by the server and compressed then.
    if (compress && /\.(js|css|svg|txt)$/.test(path))
      await Promise.all([
        brotli(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: contents.length } }).then(
          (small) => write(`${path}.br`, small),
        ),
        zip(contents, { level: 9 }).then((small) => write(`${path}.gz`, small)),
      ])
    await write(path, contents)
  }
  for (const name of await readdir(join(outDir, 'assets')))
    if (!written.has(`assets/${name}`)) await rm(join(outDir, 'assets', name), { force: true })
}

/** Chunks that the entry needs before it can run, so that the browser asks for them at once. */
function staticImports(metafile: esbuild.Metafile, outDir: string, script: string) {
  const base = relative(root, outDir)
  return [...importedBy(metafile, join(base, script))].map((path) => `/${relative(base, path)}`)
}

/** Outputs without which this one cannot run, by their names in the metafile. */
export function importedBy(metafile: esbuild.Metafile, output: string): Set<string> {
  const found = new Set<string>()
  const visit = (name: string) => {
    for (const { path, kind, external } of metafile.outputs[name]?.imports ?? [])
      if (kind === 'import-statement' && !external && !found.has(path)) {
        found.add(path)
        visit(path)
      }
  }
  visit(output)
  return found
}

async function hashed(path: string) {
  const contents = await readFile(path)
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', contents)).toString('hex')
  return { name: `assets/icon-${digest.slice(0, 8).toUpperCase()}.svg`, contents }
}

if (import.meta.main) {
  const startedAt = performance.now()
  try {
    await buildPage()
    console.log(`Page built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  } catch (error) {
    // esbuild's own report names file and line; its stack says nothing more.
    const failure = error as Partial<esbuild.BuildFailure> & Error
    console.error(failure.errors ? (await esbuild.formatMessages(failure.errors, { kind: 'error' })).join('\n') : error)
    process.exitCode = 1
  }
}
