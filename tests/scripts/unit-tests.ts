import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as assert from 'uvu/assert'
import { isUnitTest, needsPostgres } from '../../scripts/unit-tests.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const FILES = {
  'tests/support/app.ts': `import { createBackend } from '#backend/compose.ts'`,
  'tests/support/signed-in.ts': `import { startApp } from './app.ts'\nimport { loop } from '#tests/support/loop.ts'`,
  'tests/support/loop.ts': `import { signedIn } from './signed-in.ts'`,
  'tests/support/clock.ts': `import * as assert from 'uvu/assert'`,
  'tests/rule.ts': `import { clockAt } from '#tests/support/clock.ts'\nimport { scope } from '#backend/crawler/url/scope.ts'`,
  'tests/crawler/clock.ts': `import { pages } from 'crawler'`,
  'tests/packages.ts': `import { pages } from 'crawler'`,
  'tests/page.ts': `import { chromium } from 'playwright'`,
  'tests/command.ts': `import { spawn } from 'node:child_process'`,
  'tests/lazy.ts': `const { startApp } = await import('#tests/support/app.ts')`,
  'tests/teams.ts': `import { signedIn } from '#tests/support/loop.ts'`,
  'tests/support/stubs/postgres.ts': `import { spawn } from 'node:child_process'`,
  'tests/support/engine/run-stores.ts': `import { postgresDatabase } from '../stubs/postgres.ts'`,
  'tests/support/test-state.ts': `const { postgresDatabase } = await import('./stubs/postgres.ts')`,
  'tests/locks.ts': `import { postgresDatabase } from '#tests/support/stubs/postgres.ts'`,
  'tests/run-store.ts': `import { eachStore } from '#tests/support/engine/run-stores.ts'`,
  'tests/either-database.ts': `import { testState } from '#tests/support/test-state.ts'`,
}

const unitTests = suite('what test files start')

unitTests('unit tests are the files that start nothing, neither themselves nor through a helper', () => {
  assert.equal(chosenBy(isUnitTest), ['rule.ts', 'crawler/clock.ts', 'packages.ts'])
})

unitTests(
  'files that import the helper for PostgreSQL, themselves or through another helper, need one; those that load it on demand do not',
  () => {
    assert.equal(chosenBy(needsPostgres), ['locks.ts', 'run-store.ts'])
  },
)

function chosenBy(isChosen: typeof isUnitTest): string[] {
  const root = temporaryFolder('unit-tests-')
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const chosen = Object.keys(FILES)
    .map((file) => file.replace('tests/', ''))
    .filter((file) => !file.startsWith('support/') && isChosen(root, join(root, 'tests'), file))
  return chosen
}

unitTests.run()
