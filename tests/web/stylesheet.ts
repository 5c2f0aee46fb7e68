import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pageStylesheet } from '../../scripts/stylesheet.ts'

const web = fileURLToPath(new URL('../../web', import.meta.url))

const stylesheet = suite('the stylesheet of the page')

/** Names that mark an element for other classes or for scripts, and have no rule of their own. */
const MARKS = new Set(['group'])

stylesheet('every class of a component has a rule', async () => {
  const known = classesOf((await pageStylesheet()).css)
  const missing: string[] = []
  for (const file of await readdir(web, { recursive: true }))
    if (file.endsWith('.tsx'))
      for (const name of classesIn(await readFile(join(web, file), 'utf8')))
        if (!known.has(name) && !MARKS.has(name)) missing.push(`${file}: ${name}`)
  assert.ok(known.size > 500)
  assert.equal(missing, [])
})

/** The names of all class selectors, without the escapes of CSS. */
const classesOf = (css: string) => new Set([...css.matchAll(/\.((?:\\.|[\w-])+)/g)].map(([, name = '']) => name.replaceAll(/\\(.)/g, '$1')))

/** The classes that a component names: in the text of a `className`, and in the texts within `cx(…)`. */
function classesIn(source: string): string[] {
  const texts = [...source.matchAll(/className="([^"]*)"/g)].map(([, text = '']) => text)
  for (const { index } of source.matchAll(/\bcx\(/g)) {
    const call = callAt(source, index).replaceAll(/(?:[=!]==|\w:) '[^']*'/g, '')
    for (const [, text = ''] of call.matchAll(/'([^']*)'/g)) texts.push(text)
  }
  return texts.flatMap((text) => text.split(/\s+/).filter(Boolean))
}

/** The call that begins at an index, to its closing parenthesis. */
function callAt(source: string, start: number): string {
  let depth = 0
  for (let at = source.indexOf('(', start); at < source.length; at += 1) {
    if (source[at] === '(') depth += 1
    else if (source[at] === ')') depth -= 1
    if (depth === 0) return source.slice(start, at)
  }
  return source.slice(start)
}

stylesheet.run()
