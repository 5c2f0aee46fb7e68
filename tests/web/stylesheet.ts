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
      for (const [, names = ''] of (await readFile(join(web, file), 'utf8')).matchAll(/className=(?:"|\{cx\(\s*')([^'"]*)['"]/g))
        for (const name of names.split(/\s+/).filter(Boolean)) if (!known.has(name) && !MARKS.has(name)) missing.push(`${file}: ${name}`)
  assert.ok(known.size > 500)
  assert.equal(missing, [])
})

/** The names of all class selectors, without the escapes of CSS. */
const classesOf = (css: string) => new Set([...css.matchAll(/\.((?:\\.|[\w-])+)/g)].map(([, name = '']) => name.replaceAll(/\\(.)/g, '$1')))

stylesheet.run()
