/** Captures whose file cannot be written, without a browser. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { doAction } from '#backend/renderer/page-actions.ts'
import type { ActionTools } from '#backend/renderer/page-actions.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const actions = suite('files of captures')

const folder = temporaryFolder('page-actions-')

/** What an action needs of a page: pieces of a PDF, and a screenshot. */
function toolsOf(place: string, pieces: (() => object)[]): ActionTools {
  const answers: Record<string, () => object> = {
    'Page.printToPDF': () => ({ stream: 'pdf' }),
    'IO.read': () => pieces.shift()!(),
    'Page.getLayoutMetrics': () => ({ cssContentSize: { width: 10, height: 10 } }),
    'Page.captureScreenshot': () => ({ data: 'AAAA' }),
  }
  const cdp = { send: async (method: string) => answers[method]?.() ?? {} }
  const page = { viewportSize: () => null }
  return { cdp, page, folder: place, captures: [], notes: [] } as unknown as ActionTools
}

actions('a capture that cannot be written fails alone, with a reason that names no folder', async () => {
  for (const type of ['pdf', 'screenshot'] as const) {
    const tools = toolsOf(join(folder, 'missing'), [() => ({ data: 'a', eof: false }), () => ({ data: 'b', eof: true })])
    assert.is(await doAction({ type }, tools), 'its file could not be written (ENOENT)')
    assert.equal(tools.captures, [])
  }
})

actions('of a PDF that breaks off nothing is left', async () => {
  const breaks = () => {
    throw new Error('the page has crashed')
  }
  const tools = toolsOf(folder, [() => ({ data: 'a', eof: false }), breaks])
  assert.is(await doAction({ type: 'pdf' }, tools), 'the page has crashed')
  assert.equal([tools.captures, readdirSync(folder)], [[], []])
})

actions.run()
