/** The tea shop, built with one framework as its users build it, and served on loopback: every URL answers the same shell. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { startSite } from '../site.ts'
import type { SitePage } from '../site.ts'
import { PAGES, PAGE_SIZE, TEAS } from './shop.ts'

export type Framework = 'react' | 'vue' | 'angular'

const SOURCES: Record<Framework, { file: string; root: string; alias?: Record<string, string> }> = {
  react: { file: 'react.tsx', root: '<div id="root"></div>' },
  // The build of Vue that has its compiler of templates.
  vue: { file: 'vue.ts', root: '<div id="app"></div>', alias: { vue: 'vue/dist/vue.esm-bundler.js' } },
  angular: { file: 'angular.ts', root: '<app-root></app-root>' },
}

export async function startFrameworkSite(framework: Framework) {
  const { alias = {}, file, root } = SOURCES[framework]
  const { outputFiles } = await build({
    alias,
    bundle: true,
    define: {
      'process.env.NODE_ENV': '"production"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
      ngDevMode: 'false',
      ngJitMode: 'true',
      ngServerMode: 'false',
    },
    entryNames: 'app',
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
    format: 'esm',
    jsx: 'automatic',
    logLevel: 'error',
    minify: true,
    outdir: '/assets',
    splitting: true,
    target: 'es2022',
    write: false,
  })
  const shell = `<!doctype html><html lang="en"><head><meta charset="utf-8"><base href="/"><title>Shop</title><meta name="viewport" content="width=device-width"><script type="module" src="/assets/app.js"></script></head><body>${root}</body></html>`
  const json = (value: unknown): SitePage => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) })
  const lists = Math.ceil(TEAS.length / PAGE_SIZE)
  return startSite({
    ...Object.fromEntries(Object.keys(PAGES).map((path) => [path, shell])),
    ...Object.fromEntries(
      outputFiles.map(({ contents, path }) => [
        path,
        { headers: { 'content-type': 'text/javascript' }, body: Buffer.from(contents) } satisfies SitePage,
      ]),
    ),
    ...Object.fromEntries(TEAS.map((tea) => [`/api/teas/${tea.no}`, json(tea)])),
    ...Object.fromEntries(
      Array.from({ length: lists }, (_, at) => [
        `/api/teas?page=${at + 1}`,
        json({ teas: TEAS.slice(at * PAGE_SIZE, (at + 1) * PAGE_SIZE), next: at + 1 < lists ? at + 2 : null }),
      ]),
    ),
  })
}
