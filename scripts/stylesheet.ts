/** The stylesheet of the page: tokens and base rules, the classes that the sources in web/ use, and the stylesheets beside components. */
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from 'tailwindcss'

const root = fileURLToPath(new URL('..', import.meta.url))
const web = join(root, 'web')
const base = join(web, 'styles')

/** @returns  the CSS, and the files that it depends on */
export async function pageStylesheet(): Promise<{ css: string; files: string[] }> {
  const files = (await readdir(web, { recursive: true })).map((name) => join(web, name))
  const sources = files.filter((file) => /\.tsx?$/.test(file)).toSorted()
  const beside = files.filter((file) => file.endsWith('.css') && dirname(file) !== base).toSorted()
  const candidates = new Set<string>()
  for (const file of sources) for (const word of (await readFile(file, 'utf8')).match(/[^\s"'`<>]+/g) ?? []) candidates.add(word)
  const texts = [await readFile(join(base, 'base.css'), 'utf8')]
  for (const file of beside) texts.push(await readFile(file, 'utf8'))
  const compiler = await compile(texts.join('\n'), { base, loadStylesheet })
  return { css: compiler.build([...candidates]), files: [...sources, ...beside, join(base, 'tokens.css')] }
}

async function loadStylesheet(id: string, from: string) {
  const path = id.startsWith('.') ? join(from, id) : join(root, 'node_modules', id)
  return { path, base: dirname(path), content: await readFile(path, 'utf8') }
}
