import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findChromium } from '#backend/renderer/find-chromium.ts'

const finding = suite('the browser for rendering is found')
const folder = mkdtempSync(join(tmpdir(), 'seine-find-'))
finding.after(() => rmSync(folder, { recursive: true, force: true }))

function program(...path: string[]): string {
  const file = join(folder, ...path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 })
  return file
}

finding('at CHROMIUM_PATH, whatever else there is', () => {
  const own = program('own', 'my-browser')
  program('bin', 'chromium')
  assert.equal(findChromium({ chromiumPath: own, searchPath: join(folder, 'bin') }), { path: own, from: 'CHROMIUM_PATH' })
})

finding('not at all if CHROMIUM_PATH names no executable, though the machine has one', () => {
  program('bin', 'chromium')
  assert.is(findChromium({ chromiumPath: join(folder, 'nothing'), searchPath: join(folder, 'bin') }), null)
})

finding('not at all when CHROMIUM_PATH is none', () => {
  program('bin', 'chromium')
  assert.is(findChromium({ chromiumPath: 'none', searchPath: join(folder, 'bin') }), null)
})

finding('on the path of the environment, a headless shell before a whole browser', () => {
  program('path', 'chromium')
  const shell = program('path', 'chromium-headless-shell')
  assert.equal(findChromium({ searchPath: `${join(folder, 'empty')}:${join(folder, 'path')}` }), { path: shell, from: 'the machine' })
})

finding.run()
