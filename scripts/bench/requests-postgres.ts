/** The data of `npm run bench -- requests` in a PostgreSQL of its own. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { emptyPostgresDatabase, startPostgres } from '#tests/support/stubs/postgres.ts'

const ADMIN = join(fileURLToPath(new URL('../..', import.meta.url)), 'scripts/admin.ts')

/** Starts a server and copies the database of a data folder to it, as an operator would. */
export async function copyToPostgres(directory: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const began = performance.now()
  const server = await startPostgres()
  process.env['TEST_POSTGRES_URL'] = server.url
  const { url } = await emptyPostgresDatabase()
  execFileSync(process.execPath, [ADMIN, 'move-to', url], {
    env: { ...process.env, DATA_DIR: directory },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  console.log(`  copied to PostgreSQL: ${((performance.now() - began) / 1000).toFixed(0)} s`)
  return { url, stop: () => server.stop() }
}
