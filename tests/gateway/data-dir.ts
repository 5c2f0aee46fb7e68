import { keepSecretKey, newSecretKey, openDataDir, storedSecretKey } from '#gateway/start/data-dir.ts'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import * as assert from 'uvu/assert'
import { until } from '#tests/support/until.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const root = temporaryFolder('seine-data-')
const moduleUrl = new URL('../../gateway/start/data-dir.ts', import.meta.url).href
const temporaryUrl = new URL('../../gateway/start/temporary-files.ts', import.meta.url).href

const dataDir = suite('data folder')

dataDir('the data folder is created if it is missing, for its owner only', async () => {
  const path = join(root, 'deep/below')
  const opened = await openDataDir(path)
  assert.is(statSync(path).mode & 0o777, 0o700)
  opened.release()
})

dataDir('the data folder belongs to one process at a time', async () => {
  const path = join(root, 'shared')
  const first = await openDataDir(path)
  await refused(path, /in use by another process/)
  first.release()
  ;(await openDataDir(path)).release()
})

dataDir('a start waits for the process before it, which may be stopping, and says so once', async () => {
  const path = join(root, 'stopping')
  const first = await openDataDir(path)
  let said = 0
  const next = openDataDir(path, { forMs: 60_000, begins: () => (said += 1) })
  await until(() => said > 0)
  first.release()
  ;(await next).release()
  assert.is(said, 1)
})

dataDir('the data folder is free again as soon as its process is killed', async () => {
  const path = join(root, 'killed')
  const script = `import { openDataDir } from ${JSON.stringify(moduleUrl)}; await openDataDir(${JSON.stringify(path)}); console.log('held'); setInterval(() => {}, 1000)`
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(holder.stdout, 'data')
  await refused(path, /in use by another process/)
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  ;(await openDataDir(path)).release()
})

dataDir('temporary files of SQLite are in the data folder, since /tmp may be small', async () => {
  const path = join(root, 'temporary')
  // Rows beyond the cache of a temporary database go to a file that has no name any more, but is still open.
  const script = `import { readdirSync, readlinkSync } from 'node:fs'
    import { openDataDir } from ${JSON.stringify(moduleUrl)}
    import { keepTemporaryFilesIn } from ${JSON.stringify(temporaryUrl)}
    keepTemporaryFilesIn(${JSON.stringify(path)}, process.env)
    await openDataDir(${JSON.stringify(path)})
    const { default: SQLite } = await import('better-sqlite3')
    const connection = new SQLite('')
    connection.pragma('cache_size = 1')
    connection.exec('CREATE TABLE row (text TEXT)')
    for (let no = 0; no < 100; no += 1) connection.prepare('INSERT INTO row VALUES (?)').run('x'.repeat(10_000))
    const open = readdirSync('/proc/self/fd').map((fd) => { try { return readlinkSync('/proc/self/fd/' + fd) } catch { return '' } })
    console.log(open.filter((file) => file.endsWith(' (deleted)')).join())`
  const { SQLITE_TMPDIR: _, ...environment } = process.env
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  assert.match((await text(child.stdout)).trim(), new RegExp(`^${path}/\\S+ \\(deleted\\)$`))
})

dataDir('an error says what to do if the data folder cannot be created', async () => {
  writeFileSync(join(root, 'file'), '')
  await refused(join(root, 'file/below'), /cannot be created \(ENOTDIR\): name a folder/)
})

dataDir('the data folder keeps one key for ever, readable by its owner only', async () => {
  const opened = await openDataDir(join(root, 'key'))
  assert.is(storedSecretKey(opened), null)
  const key = newSecretKey()
  assert.ok(Buffer.byteLength(key) >= 32)
  assert.is.not(newSecretKey(), key)
  keepSecretKey(opened, key)
  assert.is(storedSecretKey(opened), key)
  assert.is(statSync(join(opened.path, 'secret.key')).mode & 0o777, 0o600)
  assert.equal(
    readdirSync(opened.path).filter((name) => name.includes('partial')),
    [],
  )
  opened.release()
})

dataDir('a damaged key is not replaced: data sealed with it would be lost', async () => {
  const opened = await openDataDir(join(root, 'damaged'))
  writeFileSync(join(opened.path, 'secret.key'), 'half')
  assert.throws(() => storedSecretKey(opened), /does not contain a valid key/)
  opened.release()
})

dataDir.run()

async function refused(path: string, why: RegExp) {
  const message = await openDataDir(path).then(
    () => 'taken',
    (error: Error) => error.message,
  )
  assert.match(message, why)
}
