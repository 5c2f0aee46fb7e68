import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './suite.ts'

/** A new folder, which is removed at the end of the test, or of the file. `name` tells where a forgotten one is from. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), name))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
