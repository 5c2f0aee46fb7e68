/**
 * Rejects assertions of browser tests that read the page once. `count()`, `innerText()` and the like return the current state, so after a
 * click or a navigation the result is a matter of luck; `becomes` (`tests/support/browser/becomes.ts`) and `waitForCount` wait.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const FOLDERS = ['tests/e2e', 'tests/support/browser']
const READS =
  'allInnerTexts|allTextContents|boundingBox|count|getAttribute|innerHTML|innerText|inputValue|isChecked|isDisabled|isEditable|isEnabled|isHidden|isVisible|textContent'
/** An assertion whose first argument, up to the end of its line, contains such a read. */
const ONCE = new RegExp(`\\bassert(?:\\.\\w+)+\\(\\s*[^\\n]*\\bawait\\b[^\\n]*\\.(?:${READS})\\(`, 'g')

export function readsOnce(source: string): number[] {
  return [...source.matchAll(ONCE)].map(({ index }) => source.slice(0, index).split('\n').length)
}

if (import.meta.main) {
  for (const folder of FOLDERS)
    for (const name of readdirSync(join(root, folder)).filter((file) => file.endsWith('.ts')))
      for (const line of readsOnce(readFileSync(join(root, folder, name), 'utf8'))) {
        console.log(`${folder}/${name}:${line} reads the page once; use becomes or waitForCount`)
        process.exitCode = 1
      }
}
