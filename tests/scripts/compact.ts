/** `npm run admin -- compact` and `retention`. */
import { execFile } from 'node:child_process'
import { mkdtempSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { compact } from '#backend/platform/database/compact.ts'
import { structureFault } from '#backend/platform/database/check-file.ts'
import { migrate, openSqlite } from '#backend/platform/database/sqlite.ts'
import { openDataDir } from '#gateway/start/data-dir.ts'
import { storedRuns } from '#tests/support/engine/stored-runs.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const root = temporaryFolder('seine-compact-')
const script = fileURLToPath(new URL('../../scripts/admin.ts', import.meta.url))
const compacting = suite('compacting')

/** A database of a version without incremental vacuum, with a run, and much deleted data. */
function oldDatabase(): string {
  const file = join(mkdtempSync(join(root, 'data-')), 'seine.db')
  const connection = openSqlite(file, { cacheMiB: 4 })
  migrate(connection, () => 1)
  connection.pragma('journal_mode = DELETE')
  connection.pragma('auto_vacuum = NONE')
  connection.exec('VACUUM')
  connection.pragma('journal_mode = WAL')
  const { add, addTeam } = storedRuns(connection)
  const teamId = addTeam()
  add({ teamId, pages: 10, bodyBytes: 3000 })
  add({ teamId, pages: 300, bodyBytes: 20_000 })
  connection.exec('DELETE FROM page_body WHERE octet_length(body) > 5000')
  connection.close()
  return file
}

compacting('compacting removes the free space of an old database, which frees its space by itself from then on', () => {
  const file = oldDatabase()
  const { before, after, isConverted } = compact(file)
  assert.ok(before > 6_000_000 && after < 1_000_000, `${before} to ${after}`)
  assert.is(isConverted, true)
  assert.is(statSync(file).size, after)
  assert.is(structureFault(file, 'integrity_check'), null)
  const connection = openSqlite(file, { cacheMiB: 1 })
  assert.is(connection.pragma('auto_vacuum', { simple: true }), 2)
  assert.is(connection.pragma('journal_mode', { simple: true }), 'wal')
  assert.is(connection.prepare('SELECT count(*) FROM page_body').pluck().get(), 10)
  connection.close()
  assert.is(compact(file).isConverted, false)
})

compacting('the command refuses to run beside the product, and reports its result', async () => {
  const file = oldDatabase()
  const admin = (...args: string[]) =>
    promisify(execFile)(process.execPath, [script, ...args], {
      env: { DATA_DIR: join(file, '..'), SECRET_KEY: 'b8Jq2vXn5Lw0RzTf7YcUeGk1Hd9AsMpQ' },
    }).catch((fault: { stdout: string; stderr: string }) => fault)
  const held = await openDataDir(join(file, '..'))
  const size = statSync(file).size
  assert.ok((await admin('compact')).stderr.length > 0)
  assert.is(statSync(file).size, size)
  held.release()
  const { stdout } = await admin('compact')
  assert.match(stdout, /Compacted .*seine\.db: \d+\.\d MB before, 0\.\d MB now\./)
  assert.match(stdout, 'From now on the space of what is deleted returns to the disk by itself.')
  const told = await admin('retention', '30')
  assert.match(told.stdout, 'Jobs that ended more than 30 days ago: 2')
  assert.match(told.stdout, 'Pages of these crawls: 310')
  assert.match((await admin('retention', 'x')).stderr, 'DAYS is a whole number')
})

compacting.run()
