import { readFile } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { SCREEN_FILES } from '#web/screen-files.ts'

/** Loaded only in some cases: after the return from a provider. */
const RARE = ['account/session/provider-return-screen.tsx']

test('the list names every file that a route loads on demand, and no other file', async () => {
  const routes = await readFile(new URL('../../web/routes.tsx', import.meta.url), 'utf8')
  const loaded = [...routes.matchAll(/import\('\.\/([^']+)'\)/g)].map(([, file]) => file!)
  const named = new Set(Object.values(SCREEN_FILES).flat())
  // The page of a result is loaded by the details, which nearly always show one.
  const expected = new Set([...loaded, 'runs/crawl/page-document.tsx'].filter((file) => !RARE.includes(file)))
  assert.equal([...named].toSorted(), [...expected].toSorted())
})

test.run()
