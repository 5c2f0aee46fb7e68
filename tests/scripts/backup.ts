/** `npm run admin -- backup` and `restore`, and their parts: copying a database in use, and restoring it. */
import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { blobsFolder, directoryBlobs } from '#backend/platform/blobs/directory-blobs.ts'
import { backUp, putBack } from '#backend/platform/database/backup.ts'
import { DatabaseFault, checkDatabaseFile, structureFault } from '#backend/platform/database/check-file.ts'
import { migrate, openSqlite } from '#backend/platform/database/sqlite.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import { openDataDir } from '#gateway/start/data-dir.ts'
import { cleanEnvironment } from '#tests/support/environment.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const root = temporaryFolder('seine-backup-')
const script = fileURLToPath(new URL('../../scripts/admin.ts', import.meta.url))
const KEY = 'b8Jq2vXn5Lw0RzTf7YcUeGk1Hd9AsMpQ'
const backups = suite('backups')

let places = 0
function place(): { dataDir: string; file: string } {
  const dataDir = join(root, String((places += 1)))
  mkdirSync(dataDir, { mode: 0o700 })
  return { dataDir, file: join(dataDir, 'seine.db') }
}

function open(file: string): SqliteConnection {
  const connection = openSqlite(file, { cacheMiB: 1 })
  migrate(connection, Date.now)
  return connection
}

function write(connection: SqliteConnection, name: string, rows = 400) {
  const insert = connection.prepare('INSERT INTO setting (name, value) VALUES (?, ?)')
  connection.transaction(() => {
    for (let at = 0; at < rows; at += 1) insert.run(`${name} ${at}`, 'x'.repeat(1000))
  })()
}

function namesIn(file: string): string[] {
  const connection = openSqlite(file, { cacheMiB: 1 })
  const names = connection
    .prepare(`SELECT DISTINCT substr(name, 1, instr(name, ' ') - 1) FROM setting ORDER BY 1`)
    .pluck()
    .all() as string[]
  connection.close()
  return names
}

/** A database as a killed process leaves it: with a write-ahead log of rows that are not yet in the file. */
function killed({ dataDir, file }: { dataDir: string; file: string }, fill: (connection: SqliteConnection) => void) {
  const source = join(dataDir, 'source.db')
  const connection = open(source)
  fill(connection)
  copyFileSync(source, file)
  copyFileSync(`${source}-wal`, `${file}-wal`)
  connection.close()
  rmSync(source)
}

backups('O5: a backup is complete, including the write-ahead log, while another connection is in a transaction', () => {
  const { dataDir, file } = place()
  const connection = open(file)
  write(connection, 'before')
  connection.exec('BEGIN IMMEDIATE')
  connection.prepare(`INSERT INTO setting VALUES ('unfinished one', '')`).run()
  const target = join(dataDir, 'copy.db')
  const bytes = backUp(file, target)
  connection.exec('COMMIT')
  write(connection, 'after')
  connection.close()
  assert.is(statSync(target).size, bytes)
  assert.equal(
    readdirSync(dataDir).filter((name) => name.startsWith('copy')),
    ['copy.db'],
    'one file, and nothing half done',
  )
  assert.equal(namesIn(target), ['before'])
  assert.is(structureFault(target, 'integrity_check'), null)
})

backups('O5: a backup replaces the database of a killed process, together with its write-ahead log', () => {
  const here = place()
  const target = join(here.dataDir, 'copy.db')
  killed(here, (connection) => {
    write(connection, 'before')
    connection.pragma('wal_checkpoint(TRUNCATE)')
    backUp(connection.name, target)
    write(connection, 'later', 4000)
    connection.pragma('wal_checkpoint(TRUNCATE)')
    write(connection, 'last')
  })
  const { replaced } = putBack(target, here.file, 'then')
  assert.is(replaced, `${here.file}.replaced-then`)
  checkDatabaseFile(here.file)
  assert.is(structureFault(here.file, 'integrity_check'), null)
  assert.equal(namesIn(here.file), ['before'])
  assert.equal(namesIn(replaced ?? ''), ['before', 'last', 'later'], 'nothing is lost')
  assert.not(existsSync(`${here.file}.restoring`))
})

backups('O5: a backup copied over a database beside its old log is reported, and can still be restored', () => {
  const here = place()
  const target = join(here.dataDir, 'copy.db')
  killed(here, (connection) => {
    write(connection, 'before')
    connection.pragma('wal_checkpoint(TRUNCATE)')
    backUp(connection.name, target)
    write(connection, 'later', 4000)
    connection.pragma('wal_checkpoint(TRUNCATE)')
    write(connection, 'last')
  })
  copyFileSync(target, here.file)
  assert.throws(
    () => checkDatabaseFile(here.file),
    (error: unknown) => error instanceof DatabaseFault && /-wal/.test(error.message),
  )
  const { replaced } = putBack(target, here.file, 'then')
  assert.equal(namesIn(here.file), ['before'])
  assert.is(structureFault(here.file, 'integrity_check'), null)
  assert.ok(existsSync(`${replaced}-wal`), 'the log is kept too')
})

backups('O5: an invalid backup is refused and changes nothing: garbage, half a file, a file of another program, a newer version', () => {
  const { dataDir, file } = place()
  const connection = open(file)
  write(connection, 'mine')
  connection.close()
  const before = readFileSync(file)
  const whole = join(dataDir, 'whole.db')
  backUp(file, whole)
  const sources: [name: string, make: (path: string) => void, says: RegExp][] = [
    ['garbage', (path) => writeFileSync(path, 'not a database '.repeat(1000)), /is not a database/],
    ['half', (path) => writeFileSync(path, readFileSync(whole).subarray(0, 65_536)), /is truncated/],
    ['holes', (path) => writeFileSync(path, readFileSync(whole).fill(0, 8192, 300_000)), /is damaged|do not make/],
    ['other', (path) => openSqlite(path, { cacheMiB: 1 }).exec('CREATE TABLE recipe (name TEXT)').close(), /of another program/],
    [
      'newer',
      (path) => {
        copyFileSync(whole, path)
        openSqlite(path, { cacheMiB: 1 }).exec(`INSERT INTO migration VALUES ('9999 later', 0)`).close()
      },
      /newer version \(9999 later\)/,
    ],
  ]
  for (const [name, make, says] of sources) {
    const source = join(dataDir, `${name}.db`)
    make(source)
    assert.throws(
      () => putBack(source, file, 'then'),
      (error: unknown) => error instanceof DatabaseFault && says.test(error.message) && error.message.startsWith(source),
      name,
    )
    assert.ok(readFileSync(file).equals(before), name)
    assert.equal(
      readdirSync(dataDir).filter((entry) => /restoring|replaced/.test(entry)),
      [],
      name,
    )
  }
})

backups(
  'O5: the command backs up a running product, never overwrites a file, restores only a stopped one, and includes the key',
  async () => {
    const { dataDir, file } = place()
    const target = join(root, 'kept.db')
    writeFileSync(join(dataDir, 'secret.key'), `${KEY}\n`, { mode: 0o600 })
    const lock = await openDataDir(dataDir)
    const connection = open(file)
    write(connection, 'before')
    const made = await admin(dataDir, 'backup', target, '--with-key')
    assert.equal([made.code, made.err], [0, ''])
    assert.match(made.out, /^Backed up \S+seine\.db to \S+kept\.db \([\d.]+ MB, checked\)\.\nThe key is in \S+kept\.db\.key\./)
    for (const path of [target, `${target}.key`]) assert.is(statSync(path).mode & 0o777, 0o600)
    write(connection, 'after')
    const [again, refused] = await Promise.all([admin(dataDir, 'backup', target), admin(dataDir, 'restore', target)])
    assert.equal([again.code, /exists already/.test(again.err)], [1, true])
    assert.equal([refused.code, /in use by another process/.test(refused.err)], [1, true])
    connection.close()
    lock.release()
    assert.equal(namesIn(file), ['after', 'before'])

    writeFileSync(join(dataDir, 'search.db'), 'an index')
    rmSync(join(dataDir, 'secret.key'))
    const restored = await admin(dataDir, 'restore', target, '--with-key')
    assert.equal([restored.code, restored.err], [0, ''])
    assert.equal(namesIn(file), ['before'])
    assert.is(readFileSync(join(dataDir, 'secret.key'), 'utf8'), `${KEY}\n`)
    assert.not(existsSync(join(dataDir, 'search.db')), 'the index is made again')
    const old = readdirSync(dataDir).find((name) => /^seine\.db\.replaced-\d{17}$/.test(name))
    assert.equal(namesIn(join(dataDir, old ?? '')), ['after', 'before'])
  },
)

backups('a backup that cannot be written says which folder is in the way, and what to do', async () => {
  const { dataDir, file } = place()
  open(file).close()
  writeFileSync(join(dataDir, 'secret.key'), `${KEY}\n`, { mode: 0o600 })
  const missing = await admin(dataDir, 'backup', join(root, 'missing/kept.db'))
  assert.equal([missing.code, missing.err], [1, `There is no folder ${join(root, 'missing')}: create it first.\n`])
  // A file in the place of a folder stands for a disk that cannot be written, since the administrator may write everywhere else.
  writeFileSync(join(root, 'plain'), '')
  const closed = await admin(dataDir, 'backup', join(root, 'plain/other.db'))
  assert.is(closed.code, 1)
  assert.match(closed.err, `${join(root, 'plain')} cannot be written: it and its files must belong to the user who runs this`)
})

backups('a backup includes blobs, and a restore moves newer blobs aside', async () => {
  const { dataDir, file } = place()
  const target = join(root, 'with-blobs.db')
  writeFileSync(join(dataDir, 'secret.key'), `${KEY}\n`, { mode: 0o600 })
  const connection = open(file)
  write(connection, 'before')
  connection.close()
  const blobs = directoryBlobs(blobsFolder(dataDir))
  await blobs.put('runs/1/a', Buffer.from('kept'))
  await blobs.put('runs/2/b', Buffer.from('kept too'))
  const made = await admin(dataDir, 'backup', target)
  assert.equal([made.code, made.err], [0, ''])
  assert.match(made.out, `Its 2 stored files are in ${target}.blobs: keep both together.`)
  const again = await admin(dataDir, 'backup', target)
  assert.match(again.err, 'exists already')
  await blobs.delete('runs/1/a')
  await blobs.put('runs/3/c', Buffer.from('later'))
  const restored = await admin(dataDir, 'restore', target)
  assert.equal([restored.code, restored.err], [0, ''])
  assert.match(restored.out, 'Restored 2 stored files.')
  const found: string[] = []
  for await (const { key } of blobs.list('')) found.push(key)
  assert.equal(found.toSorted(), ['runs/1/a', 'runs/2/b'])
  const aside = readdirSync(dataDir).find((name) => /^blobs\.replaced-\d{17}$/.test(name))
  assert.ok(
    await directoryBlobs(join(dataDir, aside ?? ''))
      .get('runs/3/c')
      .then((blob) => (blob?.content.destroy(), blob !== null)),
  )
  // The backup is still complete, and works again.
  assert.is((await admin(dataDir, 'restore', target)).code, 0)
})

backups('a restore whose stored files cannot be copied changes nothing', async () => {
  const { dataDir, file } = place()
  const target = join(root, 'broken-blobs.db')
  writeFileSync(join(dataDir, 'secret.key'), `${KEY}\n`, { mode: 0o600 })
  const connection = open(file)
  write(connection, 'before')
  assert.is((await admin(dataDir, 'backup', target)).code, 0)
  write(connection, 'after')
  connection.close()
  // A file where the folder should be stands for a disk that is full or broken.
  writeFileSync(`${target}.blobs`, '')
  await directoryBlobs(blobsFolder(dataDir)).put('runs/1/a', Buffer.from('kept'))
  writeFileSync(join(dataDir, 'search.db'), 'an index')
  const filesIn = () =>
    readdirSync(dataDir)
      .filter((name) => name !== 'data.lock')
      .toSorted()
  const before = filesIn()
  const failed = await admin(dataDir, 'restore', target)
  assert.is(failed.code, 1)
  assert.equal(namesIn(file), ['after', 'before'])
  assert.equal(filesIn(), before)
})

backups.run()

async function admin(dataDir: string, ...args: string[]) {
  const child = spawn(process.execPath, [script, ...args], { cwd: root, env: cleanEnvironment({ DATA_DIR: dataDir }) })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  child.stdin.end()
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out, err }
}
