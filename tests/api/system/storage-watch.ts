/** Whether the disk can be written, as readiness reports it. */
import * as assert from 'uvu/assert'
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStorageWatch } from '#backend/system/storage-watch.ts'
import { createClock } from '#tests/support/clock.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const storage = suite('health of the storage')

function watch({ free = async () => 1e9, ...place }: { file?: string; free?: () => Promise<number>; folder?: string } = {}) {
  const clock = createClock()
  const told: string[] = []
  const note = (_: object, message: string) => void told.push(message)
  const disk = { isFull: false, writes: 0 }
  const watched = createStorageWatch({
    folder: tmpdir(),
    ...place,
    free,
    log: { info: note, error: note },
    now: clock.now,
    tryWrite: async () => {
      disk.writes += 1
      if (disk.isFull) throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' })
    },
  })
  return { ...watched, clock, disk, told }
}

const fault = (code: string) => Object.assign(new Error(code), { code })

storage(
  'O4: the product is not ready from the first failed write until a write succeeds, and writes nothing extra while all is well',
  async () => {
    const { clock, disk, isWritable, onFault, told } = watch()
    assert.ok(await isWritable())
    assert.is(disk.writes, 0)
    onFault(fault('SQLITE_BUSY'))
    onFault(fault('SQLITE_CONSTRAINT_UNIQUE'))
    assert.ok(await isWritable(), 'a lock and a refused row say nothing of the disk')
    disk.isFull = true
    onFault(fault('SQLITE_FULL'))
    onFault(fault('SQLITE_FULL'))
    for (let asked = 0; asked < 5; asked += 1) assert.not(await isWritable())
    assert.is(disk.writes, 1, 'however many ask, once a second')
    disk.isFull = false
    clock.advance(1000)
    assert.ok(await isWritable())
    assert.equal([told.length, disk.writes], [2, 2], 'told once when it began and once when it was over')
  },
)

storage('O4: the product is not ready while space is almost used up, the folder is missing, or the engine cannot commit', async () => {
  let free = 1e6
  const full = watch({ free: async () => free })
  assert.not(await full.isWritable())
  free = 2e6
  assert.ok(await full.isWritable())
  assert.not(await watch({ folder: join(tmpdir(), 'not', 'there') }).isWritable())
  const engine = watch()
  engine.onEngine(true)
  assert.not(await engine.isWritable())
  engine.onEngine(false)
  assert.ok(await engine.isWritable())
})

storage('damage of the database is reported once and for good, though other parts of it can still be written', async () => {
  const { clock, disk, isWritable, onFault, told } = watch()
  onFault(fault('SQLITE_CORRUPT'))
  onFault(fault('SQLITE_CORRUPT_VTAB'))
  clock.advance(10_000)
  assert.not(await isWritable())
  assert.equal([told, disk.writes], [['the database is damaged: stop the service and restore a backup'], 0])
})

storage('the product is not ready when its database file was replaced or removed while it is open', async () => {
  const folder = temporaryFolder('seine-storage-')
  const [file, other] = [join(folder, 'a.db'), join(folder, 'b.db')]
  for (const each of [file, other]) writeFileSync(each, '')
  const [replaced, removed] = [watch({ file, folder }), watch({ file: other, folder })]
  assert.ok((await replaced.isWritable()) && (await removed.isWritable()))
  renameSync(other, file)
  assert.equal([await replaced.isWritable(), await removed.isWritable()], [false, false])
  assert.equal([replaced.told.length, removed.told.length], [1, 1])
})

storage('a database file that cannot be looked up for a moment is not taken for a lost one', async () => {
  const folder = temporaryFolder('seine-storage-')
  const [file, kept] = [join(folder, 'a.db'), join(folder, 'kept.db')]
  writeFileSync(file, '')
  const { isWritable, told } = watch({ file, folder })
  renameSync(file, kept)
  // A link to itself cannot be followed, like a path on a disk that does not answer.
  symlinkSync(file, file)
  assert.not(await isWritable())
  rmSync(file)
  renameSync(kept, file)
  assert.ok(await isWritable())
  assert.equal(told, [])
})

storage.run()
