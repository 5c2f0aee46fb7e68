import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as assert from 'uvu/assert'
import { findChromium } from '#backend/renderer/find-chromium.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const finding = suite('the search for a browser')
const folder = temporaryFolder('seine-find-')

function program(...path: string[]): string {
  const file = join(folder, ...path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 })
  return file
}

finding('the browser at CHROMIUM_PATH is found first', () => {
  const own = program('own', 'my-browser')
  program('bin', 'chromium')
  assert.equal(findChromium({ chromiumPath: own, searchPath: join(folder, 'bin') }), { path: own, from: 'CHROMIUM_PATH' })
})

finding('no browser is found if CHROMIUM_PATH names no executable, though the machine has a browser', () => {
  program('bin', 'chromium')
  assert.is(findChromium({ chromiumPath: join(folder, 'nothing'), searchPath: join(folder, 'bin') }), null)
})

finding('no browser is found when CHROMIUM_PATH is none', () => {
  program('bin', 'chromium')
  assert.is(findChromium({ chromiumPath: 'none', searchPath: join(folder, 'bin') }), null)
})

finding('a browser is found on the path of the environment, a headless shell before a whole browser', () => {
  program('path', 'chromium')
  const shell = program('path', 'chromium-headless-shell')
  assert.equal(findChromium({ searchPath: `${join(folder, 'empty')}:${join(folder, 'path')}` }), { path: shell, from: 'the machine' })
})

finding('a folder is no browser, whether CHROMIUM_PATH or the path of the environment leads to it', () => {
  program('opt', 'chromium-headless-shell', 'LICENSE')
  const browser = program('later', 'chromium-headless-shell')
  assert.is(findChromium({ chromiumPath: join(folder, 'opt'), searchPath: join(folder, 'later') }), null)
  assert.equal(findChromium({ searchPath: `${join(folder, 'opt')}:${join(folder, 'later')}` }), { path: browser, from: 'the machine' })
})

finding.run()
