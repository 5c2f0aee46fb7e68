/**
 * Builds the page: web/ to build/web/, with hashed names, and a .br and .gz beside every text file. Each language has a bundle and an
 * index.html (`index.de.html`) of its own, so that a browser loads the texts of one language; files without texts have the same name in all
 * bundles.
 *
 * esbuild bundles web/start.ts, which loads web/main.tsx; Tailwind's compiler turns web/styles/base.css into one stylesheet with the
 * classes that the sources use. Files are written after everything has succeeded, and stale ones are removed last, so that a server that
 * reads the folder meanwhile never misses one. Run it: `npm run build`.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import * as esbuild from 'esbuild'
import { DEFAULT_LANGUAGE, LANGUAGES } from '#contract/languages.ts'
import type { Language } from '#contract/languages.ts'
import { pathsBelow } from '#web/navigation.ts'
import type { PathName } from '#web/navigation.ts'
import { SCREEN_FILES } from '#web/screen-files.ts'
import { bareEndpoints } from './bare-endpoints.ts'
import { fewerChunks } from './fewer-chunks.ts'
import { pageStylesheet } from './stylesheet.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const web = join(root, 'web')
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/**
 * Builds the page into `outDir`.
 *
 * @param watch  rebuilds whenever a source changes (unminified, uncompressed), until `close` is called
 * @param onBuilt  called after every build, the first included
 */
export async function buildPage({
  outDir = join(root, 'build/web'),
  watch = false,
  onBuilt,
}: { outDir?: string; watch?: boolean; onBuilt?: () => void } = {}) {
  const built = new Map<Language, Bundle>()
  let writing = Promise.resolve()
  const contexts = await Promise.all(
    LANGUAGES.map((language) =>
      esbuild.context({
        ...pageOptions({ outDir, watch, language }),
        entryPoints: { app: 'web/start.ts', style: 'web/styles/base.css' },
        plugins: [
          ...sourcePlugins({ watch, language }),
          styles(),
          {
            name: 'write-page',
            setup(build) {
              build.onEnd(async (result) => {
                if (result.errors.length > 0) {
                  if (watch) console.error((await esbuild.formatMessages(result.errors, { kind: 'error' })).join('\n'))
                  return
                }
                built.set(language, { files: result.outputFiles ?? [], metafile: result.metafile as esbuild.Metafile })
                // The files of all languages share one folder: write them when each language is built.
                if (built.size < LANGUAGES.length) return
                // One after another, because each write removes stale files.
                writing = writing.then(() => writePage({ outDir, bundles: new Map(built), compress: !watch }))
                await writing
                onBuilt?.()
              })
            },
          },
        ],
      }),
    ),
  )
  const close = async () => void (await Promise.all(contexts.map((context) => context.dispose())))
  try {
    await Promise.all(contexts.map((context) => (watch ? context.watch() : context.rebuild())))
  } finally {
    if (!watch) await close()
  }
  return { close }
}

/** The oldest browsers that the dashboard promises to run in; docs/self-hosting.md names them. */
export const BROWSERS = ['chrome126', 'edge126', 'firefox128', 'safari18']

/** The esbuild options for any entry of the page. Writes nothing to disk. */
export const pageOptions = ({ outDir, watch, language }: { outDir: string; watch: boolean; language: Language }) =>
  ({
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: BROWSERS,
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
    plugins: sourcePlugins({ watch, language }),
  }) satisfies esbuild.BuildOptions

/** Plugins for the page's scripts. In watch mode chunks are not merged. */
const sourcePlugins = ({ watch, language }: { watch: boolean; language: Language }) => [
  bareEndpoints(),
  textsOf(language),
  icons(),
  ...(watch ? [] : [fewerChunks({ folder: web, entry: 'main.tsx', frames: FRAMES, common: COMMON })]),
]

/** Modules that only appear in the frame of the dashboard: everything except the screens before sign-in, and the frame itself. */
const IN_FRAME = /^(?!account\/(?!profile)|frame\/(consent|layout\/dashboard-layout)|team\/plans\/payment-callback)/
const FRAMES = [
  { of: IN_FRAME, file: 'frame/layout/dashboard-layout.tsx' },
  { of: IN_FRAME, file: 'common-parts.ts' },
  { of: /^runs\/((crawl|search|sitemap)\/\2-screen|shared\/code-samples-panel)\.tsx$/, file: 'playground-parts.ts' },
]

/**
 * Modules that nearly every screen needs come with the page or with the frame: otherwise each would be a request of its own, because hardly
 * two are needed by exactly the same screens.
 */
const COMMON = {
  'main.tsx': [
    'account/session/log-out.ts',
    'texts/rich.ts',
    'ui/dialog/dialog.tsx',
    'ui/dialog/place.ts',
    'ui/feedback/tooltip.tsx',
    'ui/form/field.tsx',
  ],
}

/** Resolves `#texts/…`, which is the English catalogue everywhere else, to the catalogue of a language. */
function textsOf(language: Language): esbuild.Plugin {
  return {
    name: 'texts',
    setup(build) {
      build.onResolve({ filter: /^#texts\// }, ({ path }) => ({
        path: join(web, 'texts', language, path.slice('#texts/'.length)),
        // Unused texts are dropped.
        sideEffects: false,
      }))
    },
  }
}

/** Makes a file that imports an icon load only the file of that icon. */
function icons(): esbuild.Plugin {
  return {
    name: 'icons',
    setup(build) {
      build.onResolve({ filter: /(^|\/)(frame-|run-|screen-)?icons\.tsx$/ }, ({ path, resolveDir }) => ({
        path: path.startsWith('#web/') ? join(web, path.slice('#web/'.length)) : join(resolveDir, path),
        sideEffects: false,
      }))
    },
  }
}

function styles(): esbuild.Plugin {
  return {
    name: 'styles',
    setup(build) {
      build.onLoad({ filter: /web[\\/]styles[\\/]base\.css$/ }, async ({ path }) => {
        const { css, files } = await pageStylesheet()
        return { contents: css, loader: 'css', resolveDir: dirname(path), watchFiles: files, watchDirs: [web] }
      })
    },
  }
}

/** What the gateway adds to the HTML of each place, besides the page of that language. */
const placesFile = (language: Language) => `places.${language}.json`

type OutputFile = { path: string; contents: Uint8Array }
type Bundle = { files: OutputFile[]; metafile: esbuild.Metafile }

/** The page of a language, as the gateway looks it up. */
export const indexOf = (language: Language) => (language === DEFAULT_LANGUAGE ? 'index.html' : `index.${language}.html`)

async function writePage(page: { outDir: string; bundles: ReadonlyMap<Language, Bundle>; compress: boolean }) {
  const { outDir, bundles, compress } = page
  const icon = await hashed(join(web, 'assets/icon.svg'))
  const files = new Map([...bundles.values()].flatMap(({ files: own }) => own.map((file) => [file.path, file] as const)))
  const all: OutputFile[] = [
    ...files.values(),
    { path: join(outDir, icon.name), contents: icon.contents },
    { path: join(outDir, 'assets/inter-LICENSE.txt'), contents: await readFile(join(web, 'assets/inter-LICENSE.txt')) },
  ]
  // Last, because they refer to the others.
  for (const [language, bundle] of bundles)
    all.push({
      path: join(outDir, placesFile(language)),
      contents: Buffer.from(JSON.stringify(await placesOf({ outDir, language, bundle }))),
    })
  for (const [language, bundle] of bundles)
    all.push({ path: join(outDir, indexOf(language)), contents: await filledIndex({ outDir, language, bundle, icon: icon.name }) })
  await mkdir(join(outDir, 'assets'), { recursive: true })
  const written = new Set<string>()
  const write = async (path: string, contents: Uint8Array) => {
    written.add(relative(outDir, path))
    await writeFile(path, contents)
  }
  for (const { path, contents } of all) {
    // index.html is filled in and compressed by the server.
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

async function filledIndex(page: { outDir: string; language: Language; bundle: Bundle; icon: string }): Promise<Buffer> {
  const { outDir, language, bundle, icon } = page
  const hrefOf = (name: RegExp) => {
    const file = bundle.files.find(({ path }) => name.test(relative(outDir, path)))
    if (!file) throw new Error(`The page has no file like ${name}`)
    return `/${relative(outDir, file.path)}`
  }
  const script = hrefOf(/^assets\/app-\w+\.js$/)
  const texts = (await import(`../web/texts/${language}/page.ts`)) as typeof import('../web/texts/en/page.ts')
  const places: Record<string, string> = {
    ...texts,
    language,
    icon: `/${icon}`,
    font: hrefOf(/^assets\/inter-latin-\w+\.woff2$/),
    style: hrefOf(/^assets\/style-\w+\.css$/),
    script,
    preload: appFiles(bundle.metafile, outDir)
      .map((href) => `<link rel="modulepreload" fetchpriority="low" href="${href}" />`)
      .join('\n    '),
  }
  return Buffer.from((await readFile(join(web, 'index.html'), 'utf8')).replace(/%(\w+)%/g, (_, name: string) => places[name] ?? ''))
}

/** Files of the app that the browser should request at once, not only after the script that loads them has run. */
function appFiles(metafile: esbuild.Metafile, outDir: string) {
  const base = relative(root, outDir)
  const app = outputOf(metafile, 'main.tsx')
  return [app, ...importedBy(metafile, app)].map((path) => `/${relative(base, path)}`)
}

/** For each place: the pattern of its path, the chunks that it needs besides the page's own, and its first paint. */
async function placesOf({ outDir, language, bundle }: { outDir: string; language: Language; bundle: Bundle }) {
  const { outputs } = bundle.metafile
  const base = relative(root, outDir)
  const needed = (source: string) => {
    const output = outputOf(bundle.metafile, source)
    return [output, ...importedBy(bundle.metafile, output)]
  }
  const everyone = new Set(needed('main.tsx'))
  const size = (output: string) => outputs[output]?.bytes ?? 0
  const paints = await firstPaints(language)
  const paths = pathsBelow('')
  return Object.entries(SCREEN_FILES).map(([name, sources]) => {
    const chunks = [...new Set(sources.flatMap(needed)).difference(everyone)].toSorted((a, b) => size(b) - size(a))
    return {
      pattern: `^${paths[name as PathName].replace(/:\w+/g, '[^/]+').replace(/\/$/, '')}/?$`,
      chunks: chunks.map((output) => `/${relative(base, output)}`),
      html: paints[name],
    }
  })
}

/** The output for an entry point below web/. */
function outputOf({ outputs }: esbuild.Metafile, source: string): string {
  const output = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === `web/${source}`)?.[0]
  if (output === undefined) throw new Error(`web/${source} has no file of its own in the bundle`)
  return output
}

/** The first paint of each place, in a language. */
async function firstPaints(language: Language): Promise<Record<string, string>> {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['web/frame/layout/first-paint.ts'],
    bundle: true,
    format: 'esm',
    write: false,
    plugins: [textsOf(language)],
  })
  const code = Buffer.from(outputFiles[0]!.contents).toString('base64')
  return ((await import(`data:text/javascript;base64,${code}`)) as { FIRST_PAINT: Record<string, string> }).FIRST_PAINT
}

/** The outputs that an output needs to run, by their names in the metafile. */
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
    // esbuild's own report names file and line; its stack adds nothing.
    const failure = error as Partial<esbuild.BuildFailure> & Error
    console.error(failure.errors ? (await esbuild.formatMessages(failure.errors, { kind: 'error' })).join('\n') : error)
    process.exitCode = 1
  }
}
