import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isUnitTest } from '../../scripts/unit-tests.ts'

const FILES = {
  'tests/support/app.ts': `import { createBackend } from '#backend/compose.ts'`,
  'tests/support/signed-in.ts': `import { startApp } from './app.ts'\nimport { loop } from '#tests/support/loop.ts'`,
  'tests/support/loop.ts': `import { signedIn } from './signed-in.ts'`,
  'tests/support/clock.ts': `import * as assert from 'uvu/assert'`,
  'tests/rule.ts': `import { clockAt } from '#tests/support/clock.ts'\nimport { scope } from '#backend/crawler/url/scope.ts'`,
  'tests/page.ts': `import { chromium } from 'playwright'`,
  'tests/command.ts': `import { spawn } from 'node:child_process'`,
  'tests/lazy.ts': `const { startApp } = await import('#tests/support/app.ts')`,
  'tests/teams.ts': `import { signedIn } from '#tests/support/loop.ts'`,
}

const unitTests = suite('which test files are unit tests')

unitTests('unit tests are the files that start nothing, neither themselves nor through a helper', () => {
  const root = mkdtempSync(join(tmpdir(), 'unit-tests-'))
  mkdirSync(join(root, 'tests/support'), { recursive: true })
  for (const [file, text] of Object.entries(FILES)) writeFileSync(join(root, file), text)
  const chosen = Object.keys(FILES)
    .map((file) => file.replace('tests/', ''))
    .filter((file) => !file.startsWith('support/') && isUnitTest(root, join(root, 'tests'), file))
  rmSync(root, { recursive: true })
  assert.equal(chosen, ['rule.ts'])
})

unitTests.run()
