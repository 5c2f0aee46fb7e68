// Runs the tests that are too slow for `npm test`: those of the API, of the engine and of the command line with their state in a real PostgreSQL,
// and `tests/scale/`, where whole products share servers and lose them. Further words select files, as with `npm run test`.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const WORDS = ['api/', 'crawler/crawl/', 'crawler/engine/', 'crawler/tasks/', 'scripts/admin', 'scale/']
const words = process.argv.slice(2)
const { status } = spawnSync(
  process.execPath,
  [fileURLToPath(new URL('test.ts', import.meta.url)), ...(words.length > 0 ? words : WORDS)],
  {
    stdio: 'inherit',
    env: { ...process.env, TEST_DATABASE: 'postgres' },
  },
)
process.exitCode = status ?? 1
