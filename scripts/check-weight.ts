// Measures how much JavaScript is loaded before the first screen, and for each further screen, in a fresh bundle: part of `npm run check`.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import * as esbuild from 'esbuild'
import { LANGUAGES } from '#contract/languages.ts'
import type { Language } from '#contract/languages.ts'
import { importedBy, pageOptions } from './build.ts'

/** Gzipped, in bytes. A slow phone needs about a second for it. */
const LIMIT = 115_000

/** Loaded before any screen: by everyone, and after sign-in. Screens are loaded separately. */
const START = 'web/start.ts'
const ENTRY = 'web/main.tsx'
const FRAME = 'web/frame/layout/dashboard-layout.tsx'

/** For each screen, in addition; gzipped, in bytes. */
const SCREEN_LIMIT = 40_000
/** Modules that display the log and the details of a kind of run. */
const KINDS = /^web\/runs\/logs\/\w+-kind\.tsx$/
const LOG = 'web/runs/logs/log-screen.tsx'
const DETAILS = 'web/runs/logs/details-screen.tsx'
/** The details of a kind belong to that kind alone. */
const detailsOf = (kind: string) => kind.replace(/logs\/(\w+)-kind/, '$1/$1-details')
const SCREEN = /-screen\.tsx$/

const outDir = join(fileURLToPath(new URL('..', import.meta.url)), 'build/web')
const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1)

// Only one language is loaded, so each must fit.
for (const language of LANGUAGES) await weigh(language)

async function weigh(language: Language) {
  const { metafile, outputFiles } = await esbuild.build({ ...pageOptions({ outDir, watch: false, language }), entryPoints: { app: START } })

  const entry = closure(ENTRY)
  const frame = closure(FRAME).difference(entry)
  const total = weight(entry) + weight(frame)
  console.log(
    `${language}: ${kilobytes(total)} KB of JavaScript, gzipped, before the first screen (${kilobytes(weight(entry))} for everyone, ` +
      `${kilobytes(weight(frame))} for the frame of the dashboard); the limit is ${kilobytes(LIMIT)}`,
  )
  if (total > LIMIT) process.exitCode = 1

  const before = entry.union(frame)
  const screens = Object.values(metafile.outputs)
    .map(({ entryPoint }) => entryPoint ?? '')
    .filter((source) => KINDS.test(source) || (SCREEN.test(source) && source !== LOG && source !== DETAILS))
    .flatMap((source) =>
      KINDS.test(source)
        ? [
            [source, LOG],
            [source, DETAILS, detailsOf(source)],
          ]
        : [[source]],
    )
    .map((parts) => {
      const needs = new Set(parts.flatMap((part) => [...closure(part)])).difference(before)
      return { source: parts.join(' with '), bytes: weight(needs) }
    })
    .toSorted((a, b) => b.bytes - a.bytes)
  const [heaviest] = screens
  if (!heaviest) throw new Error('no screen has a file of its own in the bundle')
  console.log(
    `${language}: ${kilobytes(heaviest.bytes)} KB more for the heaviest of ${screens.length} screens, ${heaviest.source}; the limit is ${kilobytes(SCREEN_LIMIT)}`,
  )
  for (const { source, bytes } of screens.filter((screen) => screen.bytes > SCREEN_LIMIT)) {
    console.log(`${language}: ${source} needs ${kilobytes(bytes)} KB before it is drawn`)
    process.exitCode = 1
  }

  /** The outputs that a source needs, its own included. */
  function closure(source: string): Set<string> {
    const output = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === source)?.[0]
    if (output === undefined) throw new Error(`${source} has no file of its own in the bundle`)
    return new Set([output, ...importedBy(metafile, output)])
  }

  function weight(outputs: ReadonlySet<string>): number {
    const files = outputFiles.filter(({ path }) => [...outputs].some((output) => path.endsWith(output)))
    return files.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0)
  }
}
