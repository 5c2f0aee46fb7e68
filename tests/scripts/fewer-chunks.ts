import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as esbuild from 'esbuild'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fewerChunks } from '../../scripts/fewer-chunks.ts'

/** A page with a dialog that needs the button only: esbuild alone would give button, list and screen a file each. */
const PAGE = {
  'main.ts': `export const open = () => import('./screen.ts')\nconsole.log('main')\n`,
  'button.ts': `export const button = (name: string) => console.log('button', name)\n`,
  'list.ts': `export const list = () => console.log('list')\n`,
  'screen.ts': `import { button } from './button.ts'\nimport { list } from './list.ts'\nlist()\nbutton('screen')\nexport const ask = () => import('./dialog.ts')\n`,
  'dialog.ts': `import type { ask } from './screen.ts'\nimport { button } from './button.ts'\nbutton('dialog' satisfies string)\nexport type Ask = typeof ask\n`,
}

async function bundle(sources: Record<string, string>, plugins: (folder: string) => esbuild.Plugin[]) {
  const folder = await mkdtemp(join(tmpdir(), 'chunks-'))
  try {
    for (const [name, text] of Object.entries(sources)) await writeFile(join(folder, name), text)
    const { metafile } = await esbuild.build({
      absWorkingDir: folder,
      entryPoints: ['main.ts'],
      outdir: join(folder, 'out'),
      bundle: true,
      splitting: true,
      format: 'esm',
      write: false,
      metafile: true,
      plugins: plugins(folder),
    })
    return Object.values(metafile.outputs).map(({ inputs, imports, entryPoint }) => ({
      entryPoint,
      inputs: Object.keys(inputs).toSorted(),
      imports: imports.filter(({ kind }) => kind === 'import-statement').length,
    }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const together = (folder: string) => [fewerChunks({ folder, entry: 'main.ts', frames: [], common: {} })]

test('the modules of a screen stay in one file, even if one of its dialogs needs one of them too', async () => {
  const before = await bundle(PAGE, () => [])
  const now = await bundle(PAGE, together)
  const of = (outputs: typeof now, input: string) => outputs.find(({ inputs }) => inputs.includes(input))?.inputs
  assert.not.ok(of(before, 'list.ts')?.includes('button.ts'))
  assert.ok(of(now, 'list.ts')?.includes('button.ts'))
  assert.ok(of(now, 'list.ts')?.includes('screen.ts'))
  assert.equal(of(now, 'dialog.ts'), ['dialog.ts'])
  assert.equal(of(now, 'main.ts'), ['main.ts'])
})

test('a module that one file loads on demand and another file imports does not pull the first file in', async () => {
  const outputs = await bundle(
    {
      'main.ts': `export const open = () => [import('./screen.ts'), import('./other.ts')]\n`,
      'screen.ts': `export const ask = () => import('./menu.ts')\nconsole.log('screen')\n`,
      'menu.ts': `export const menu = () => console.log('menu')\n`,
      'other.ts': `import { menu } from './menu.ts'\nmenu()\n`,
    },
    together,
  )
  const screen = outputs.find(({ inputs }) => inputs.includes('screen.ts'))
  assert.equal(screen?.inputs, ['screen.ts'])
  assert.equal(screen?.entryPoint, 'screen.ts', 'no other file holds the screen')
})

test('modules listed in common are merged into the file they are loaded with, even if only some screens need them', async () => {
  const sources = {
    'main.ts': `export const open = () => [import('./one.ts'), import('./two.ts')]\nconsole.log('main')\n`,
    'one.ts': `import { tab } from './tab.ts'\ntab('one')\n`,
    'two.ts': `import { tab } from './tab.ts'\ntab('two')\n`,
    'tab.ts': `export const tab = (name: string) => console.log('tab', name)\n`,
  }
  const holding = (outputs: Awaited<ReturnType<typeof bundle>>) => outputs.find(({ inputs }) => inputs.includes('tab.ts'))?.inputs
  assert.not.ok(holding(await bundle(sources, together))?.includes('main.ts'))
  const now = await bundle(sources, (folder) => [fewerChunks({ folder, entry: 'main.ts', frames: [], common: { 'main.ts': ['tab.ts'] } })])
  assert.equal(holding(now), ['main.ts', 'tab.ts'])
})

test('a module that only files of the frame import is loaded after the frame, a module that a sign-in screen imports is not', async () => {
  const sources = (door: string) => ({
    'main.ts': `export const open = () => [import('./screen.ts'), import('./menu.ts'), import('./door.ts')]\nconsole.log('main')\n`,
    'common.ts': `import { card } from './card.ts'\nexport const common = card\n`,
    'card.ts': `export const card = () => console.log('card')\n`,
    'screen.ts': `import { menu } from './menu.ts'\nimport { card } from './card.ts'\nmenu()\ncard()\n`,
    'menu.ts': `export const menu = () => console.log('menu')\n`,
    'door.ts': `${door}console.log('door')\n`,
  })
  const framed = (folder: string) => [
    fewerChunks({ folder, entry: 'main.ts', frames: [{ of: /^(?!door)/, file: 'common.ts' }], common: {} }),
  ]
  const holding = (outputs: Awaited<ReturnType<typeof bundle>>, input: string) =>
    outputs.find(({ inputs }) => inputs.includes(input))?.inputs
  const inside = await bundle(sources(''), framed)
  assert.equal(holding(inside, 'menu.ts'), ['card.ts', 'menu.ts'], 'screen and menu need the same')
  const atDoor = await bundle(sources(`import { menu } from './menu.ts'\nmenu()\n`), framed)
  assert.equal(holding(atDoor, 'menu.ts'), ['menu.ts'], 'the door loads nothing of the frame')
})

test.run()
