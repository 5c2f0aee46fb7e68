// Finds the unit tests among the test files: those that start no product, browser, engine or test site, and measure no time.
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

/**
 * Follows the imports of a test file through its helpers.
 *
 * @param root    the repository's folder
 * @param folder  the folder with the tests, where helpers are followed
 * @param file    a path below `folder`
 */
export function isUnitTest(root: string, folder: string, file: string): boolean {
  const seen = new Set<string>()
  const isHeavy = (path: string): boolean => {
    if (seen.has(path)) return false
    seen.add(path)
    return importsOf(path).some((name) => {
      if (HEAVY.some((heavy) => heavy.test(name))) return true
      const helper = name.startsWith('#') ? join(root, name.slice(1)) : normalize(join(dirname(path), name))
      return helper.startsWith(folder + sep) && existsSync(helper) && isHeavy(helper)
    })
  }
  return !isHeavy(join(folder, file))
}

const importsOf = (path: string) =>
  [...readFileSync(path, 'utf8').matchAll(/(?:\bfrom|^import|\bimport\()\s*['"]([^'"]+)['"]/gm)].map((match) => match[1] ?? '')
