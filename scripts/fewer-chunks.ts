/**
 * An esbuild plugin for fewer and larger chunks. esbuild puts two modules in one chunk only if exactly the same entry points reach
 * both, and every file that is loaded on demand is an entry point: a dialog that needs a button but no list tears both apart, and a
 * screen comes in forty files of a kilobyte, which compress badly and take forty requests.
 *
 * A file on demand can only be asked for by a file that has already been loaded. So it imports that one: nothing more is loaded, and
 * what both need stays together.
 */
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Plugin } from 'esbuild'

type Needs = {
  /** The folder of the sources. */
  folder: string
  /** Below it: loaded before anything that is on demand. */
  entry: string
  /** Loaded before a file on demand whose path below `folder` fits `of`, as do those of all files that import it in the usual way. */
  frames: readonly { of: RegExp; file: string }[]
  /** Files below `folder` that come with another one, by the path of that one. */
  common: Readonly<Record<string, readonly string[]>>
}

export function fewerChunks({ folder, entry, frames, common }: Needs): Plugin {
  return {
    name: 'fewer-chunks',
    async setup(build) {
      const { onDemand, atOnce } = await importsOf(folder)
      build.onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
        // The first file of all waits for none.
        const askedBy = path === join(folder, entry) ? undefined : onDemand.get(path)
        const withIt = common[relative(folder, path).replaceAll('\\', '/')] ?? []
        if (askedBy === undefined && withIt.length === 0) return null
        const [asks, ...others] = askedBy ?? []
        // What some file imports in the usual way too may be loaded without the one that asks for it.
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
/** Imports of types only are none. */
const AT_ONCE = /^(?:(?:import|export) (?!type )(?:[^'\n]* from )?|\} from )'([^']+)'/gm

/** The files that the sources below `folder` load by `import()`, and those that they import in the usual way, each with the files that do. */
export async function importsOf(folder: string): Promise<{ onDemand: Map<string, Set<string>>; atOnce: Map<string, Set<string>> }> {
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
