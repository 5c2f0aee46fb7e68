/**
 * Reduces the contract to what the page needs: an endpoint's method, path and access, without the shapes that only the server checks.
 *
 * The plugin runs each file of contract/ and writes its plain exports as values; functions and shapes come from the file itself, of which
 * the bundler keeps what is used. A page that checks no shapes then needs neither zod nor our shapes: 16 KB gzipped of 140 before the first
 * screen (2026-11-21).
 */
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'

const WHOLE = '?whole'
/** The properties of an endpoint that the client uses; it also needs to know whether there is an answer. */
const KEPT = ['method', 'path', 'access', 'orEmpty', 'status', 'media']

export function bareEndpoints(): Plugin {
  return {
    name: 'bare-endpoints',
    setup(build) {
      build.onResolve({ filter: /\?whole$/ }, ({ path, resolveDir }) => ({
        path: `${resolveDir}/${path.slice(0, -WHOLE.length)}`,
        suffix: WHOLE,
        sideEffects: false,
      }))
      build.onLoad({ filter: /[\\/]contract[\\/][\w-]+\.ts$/ }, async ({ path, suffix }) => {
        if (suffix === WHOLE) return { contents: await readFile(path, 'utf8'), loader: 'ts', resolveDir: dirname(path) }
        const { mtimeMs } = await stat(path)
        const exported = (await import(`${pathToFileURL(path).href}?${mtimeMs}`)) as Record<string, unknown>
        const lines = Object.entries(exported).map(([name, value]) => {
          const plain = isEndpoint(value) ? bare(value) : value
          return isPlain(plain)
            ? `export const ${name} = ${JSON.stringify(plain)}`
            : `export { ${name} } from './${basename(path)}${WHOLE}'`
        })
        return { contents: lines.join('\n'), loader: 'js', resolveDir: dirname(path), watchFiles: [path] }
      })
    },
  }
}

type Endpoint = { method: string; path: string; access: string; answer?: unknown }

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

const bare = (endpoint: Endpoint) => ({
  ...Object.fromEntries(Object.entries(endpoint).filter(([name]) => KEPT.includes(name))),
  ...(endpoint.answer === undefined ? {} : { answer: {} }),
})

/** Whether a value survives JSON unchanged. */
function isPlain(value: unknown): boolean {
  if (value === null || ['string', 'boolean'].includes(typeof value)) return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isPlain)
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.values(value as object).every(isPlain)
}
