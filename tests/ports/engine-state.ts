/** What the engine's process writes beside the run store. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openEngineState } from '#backend/engine-sqlite.ts'
import { openSqlite } from '#backend/platform/database/sqlite.ts'

const state = suite('the SQLite file of the engine')

state('a row that cannot be committed is an error, also when it was returned before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'seine-engine-state-'))
  const file = join(folder, 'seine.db')
  const tables = openSqlite(file, { cacheMiB: 1 })
  // SQLite checks a deferred constraint when it commits, after it has returned the row; a full disk may show then, too.
  tables.exec(`CREATE TABLE parent (no INTEGER PRIMARY KEY);
    CREATE TABLE child (parent_no INTEGER REFERENCES parent (no) DEFERRABLE INITIALLY DEFERRED)`)
  const { ask, close } = openEngineState(file)
  const insert = (parentNo: number) => ask('INSERT INTO child (parent_no) VALUES (?) RETURNING parent_no AS no', parentNo)
  try {
    const fault = await insert(7).catch((thrown: unknown) => thrown)
    assert.is((fault as { code?: string }).code, 'SQLITE_CONSTRAINT_FOREIGNKEY')
    tables.exec('INSERT INTO parent VALUES (7)')
    assert.equal({ ...(await insert(7))! }, { no: 7 })
  } finally {
    await close()
    tables.close()
    rmSync(folder, { recursive: true })
  }
})

state.run()
