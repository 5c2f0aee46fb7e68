import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createPrepared } from '#backend/platform/database/prepared.ts'
import { openSqlite } from '#backend/platform/database/sqlite.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const statements = suite('prepared statements')
const folder = temporaryFolder('seine-prepared-')
const file = join(folder, 'one.db')
const connection = openSqlite(file, { cacheMiB: 1 })
connection.exec('CREATE TABLE fish (name TEXT)')

statements.after(() => {
  connection.close()
})

statements('a statement with the same text is prepared once, and reads current rows', () => {
  const prepared = createPrepared(connection)
  const all = () => prepared('SELECT name FROM fish ORDER BY name').all()
  assert.equal(all(), [])
  connection.exec("INSERT INTO fish VALUES ('cod')")
  assert.equal(all(), [{ name: 'cod' }])
  assert.is(prepared('SELECT name FROM fish ORDER BY name'), prepared('SELECT name FROM fish ORDER BY name'))
})

statements('the least recently used statements are evicted', () => {
  const prepared = createPrepared(connection, 2)
  const [first, second] = [prepared('SELECT 1'), prepared('SELECT 2')]
  assert.is(prepared('SELECT 1'), first)
  prepared('SELECT 3')
  assert.is(prepared('SELECT 1'), first, 'used since')
  assert.is.not(prepared('SELECT 2'), second, 'not used since')
})

statements('a statement on a table that another connection has changed reads the new columns', () => {
  const prepared = createPrepared(connection)
  const all = () => prepared('SELECT * FROM fish').all()
  assert.equal(all(), [{ name: 'cod' }])
  const other = openSqlite(file, { cacheMiB: 1 })
  other.exec('ALTER TABLE fish ADD COLUMN size INTEGER')
  other.close()
  assert.equal(all(), [{ name: 'cod', size: null }])
})

statements('a statement that failed can be run again', () => {
  const prepared = createPrepared(connection)
  const put = (value: unknown) => prepared('INSERT INTO fish (name) VALUES (?)').run(value)
  assert.throws(() => put({}))
  put('eel')
  assert.is(connection.prepare("SELECT count(*) FROM fish WHERE name = 'eel'").pluck().get(), 1)
})

statements.run()
