// What test files start, as their imports say. Unit tests start no product, browser, engine or test site, and measure no time.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'

/** A file that imports one of these, directly or through a helper, is no unit test. */
const HEAVY = [
  /^(playwright|(node:)?child_process)$/,
  /^#backend\/(compose|index)\.ts$/,
  /\/parse-pool\.ts$/,
  /\/support\/(app|crawl-app|linear|product)\.ts$/,
  /\/support\/engine\/(engine|run-stores|task-engine)\.ts$/,
  /\/support\/sites\/site\.ts$/,
  /\/support\/stubs\/(postgres|servers)\.ts$/,
]

const POSTGRES = [/\/stubs\/postgres\.ts$/]

const ANY_IMPORT = /(?:\bfrom|^import|\bimport\()\s*['"]([^'"]+)['"]/gm
const STATIC_IMPORT = /(?:\bfrom|^import)\s*['"]([^'"]+)['"]/gm

/**
 * @param root    the repository's folder
 * @param folder  the folder with the tests, where helpers are followed
 * @param file    a path below `folder`
 */
export const isUnitTest = (root: string, folder: string, file: string): boolean =>
  !doesImport(HEAVY, ANY_IMPORT, { root, folder, path: join(folder, file) })

/** Whether a test file always needs PostgreSQL: helpers load it by `import()` where only `TEST_DATABASE=postgres` needs it. */
export const needsPostgres = (root: string, folder: string, file: string): boolean =>
  doesImport(POSTGRES, STATIC_IMPORT, { root, folder, path: join(folder, file) })

type Place = { root: string; folder: string; path: string }

/** Follows the imports of a file through helpers, each of which is read once. */
function doesImport(wanted: RegExp[], form: RegExp, { folder, path, root }: Place, seen = new Set<string>()): boolean {
  if (seen.has(path)) return false
  seen.add(path)
  return [...readFileSync(path, 'utf8').matchAll(form)].some(([, name = '']) => {
    if (wanted.some((one) => one.test(name))) return true
    // Not a package, whose name a folder of tests may have too.
    if (!/^(?:#|\.{1,2}\/).*\.ts$/.test(name)) return false
    const helper = name.startsWith('#') ? join(root, name.slice(1)) : normalize(join(dirname(path), name))
    return helper.startsWith(folder + sep) && existsSync(helper) && doesImport(wanted, form, { root, folder, path: helper }, seen)
  })
}
