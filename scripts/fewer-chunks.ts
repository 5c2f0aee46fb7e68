/**
 * An esbuild plugin for fewer and larger chunks. esbuild puts two modules into one chunk only if exactly the same entry points reach both,
 * and every lazily loaded file is an entry point. A dialog that needs a button but no list separates the two, and a screen then comes in
 * forty files of a kilobyte, which compress badly and take forty requests.
 *
 * A lazily loaded file can only be requested by a file that is already loaded. So the plugin makes it import that file: nothing more is
 * loaded, and what both need stays together.
 */
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Plugin } from 'esbuild'

type Needs = {
  /** The folder with the sources. */
  folder: string
  /** Below it: loaded before anything lazy. */
  entry: string
  /**
   * Loaded before a lazily loaded file if the paths below `folder` of that file, and of all files that import it statically, match `of`.
   */
  frames: readonly { of: RegExp; file: string }[]
  /** Files below `folder` that come with another file, by the path of that file. */
  common: Readonly<Record<string, readonly string[]>>
}

export function fewerChunks({ folder, entry, frames, common }: Needs): Plugin {
  return {
    name: 'fewer-chunks',
    async setup(build) {
      const { onDemand, atOnce } = await importsOf(folder)
      build.onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
        // The entry itself waits for none.
        const askedBy = path === join(folder, entry) ? undefined : onDemand.get(path)
        const withIt = common[relative(folder, path).replaceAll('\\', '/')] ?? []
        if (askedBy === undefined && withIt.length === 0) return null
        const [asks, ...others] = askedBy ?? []
        // A file with further static importers may be loaded without the one that requests it.
        const isFirst = asks !== undefined && others.length === 0 && !atOnce.has(path)
        const framed = frames.filter(({ of }) => [path, ...(atOnce.get(path) ?? [])].every((one) => of.test(one.slice(folder.length + 1))))
        const early =
          askedBy === undefined ? [] : [join(folder, entry), ...(isFirst ? [asks] : []), ...framed.map(({ file }) => join(folder, file))]
        const before = [...early, ...withIt.map((file) => join(folder, file))].filter((file) => file !== path)
        const imports = before.map((file) => `import ${JSON.stringify(file)}\n`)
        return { contents: `${await readFile(path, 'utf8')}\n${imports.join('')}`, loader: path.endsWith('x') ? 'tsx' : 'ts' }
      })
    },
  }
}

const ON_DEMAND = /\bimport\(\s*'([^']+)'\s*\)/g
/** Static imports, without type imports. */
const AT_ONCE = /^(?:(?:import|export) (?!type )(?:[^'\n]* from )?|\} from )'([^']+)'/gm

/** Files below `folder` that are loaded by `import()`, and files that are imported statically, each with their importers. */
async function importsOf(folder: string): Promise<{ onDemand: Map<string, Set<string>>; atOnce: Map<string, Set<string>> }> {
  const onDemand = new Map<string, Set<string>>()
  const atOnce = new Map<string, Set<string>>()
  for (const name of await readdir(folder, { recursive: true })) {
    if (!/\.tsx?$/.test(name)) continue
    const path = join(folder, name)
    const source = await readFile(path, 'utf8')
    for (const asked of pathsIn(source, ON_DEMAND)) note(onDemand, asked)
    for (const imported of pathsIn(source, AT_ONCE)) note(atOnce, imported)

    function note(by: Map<string, Set<string>>, needed: string) {
      by.set(needed, (by.get(needed) ?? new Set()).add(path))
    }

    function pathsIn(text: string, pattern: RegExp): string[] {
      return [...text.matchAll(pattern)].flatMap(([, to = '']) =>
        to.startsWith('#web/') ? join(folder, to.slice('#web/'.length)) : to.startsWith('.') ? join(dirname(path), to) : [],
      )
    }
  }
  return { onDemand, atOnce }
}
