import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { clockWarning } from '#backend/system/clock-warning.ts'
import { machineWarnings, readMachine } from '#backend/system/machine-warnings.ts'
import { pagesIn } from '#config/memory.ts'
import { tmpdir } from 'node:os'

const warnings = suite('warnings at the start')
const MIB = 1024 * 1024
const WELL = { memoryBytes: 4096 * MIB, openFiles: 1_048_576, fileSystem: 0xef53 }
const of = (machine: object, process: object = {}) =>
  machineWarnings({ ...WELL, ...machine }, { crawls: true, folder: '/data', slots: 0, ...process }).join('\n')

warnings('a local disk gets no warning, and an SQLite database on a network file system gets one', () => {
  assert.is(of({}), '')
  assert.match(
    of({ fileSystem: 0x6969 }),
    /^the database is in \/data, on a network file system \(NFS\), .* set DATABASE_URL to a PostgreSQL$/,
  )
  assert.match(of({ fileSystem: 0xff534d42 }), /\(CIFS\)/)
  assert.is(of({ fileSystem: null }), '', 'with PostgreSQL, nothing in the folder needs locks')
})

warnings('little memory gets a warning that names what to lower, only where pages are crawled', () => {
  assert.match(of({ memoryBytes: 256 * MIB }), /^there are 256 MB of memory, but a crawl may need 500 MB: add memory$/)
  assert.match(
    of({ memoryBytes: 1024 * MIB }, { slots: 1 }),
    /that renders a page may need 2036 MB: add memory, or set CHROMIUM_PATH=none$/,
  )
  assert.match(
    of({ memoryBytes: 2048 * MIB }, { slots: 2 }),
    /renders 2 pages at once may need 3572 MB: add memory, or lower RENDER_CONCURRENCY$/,
  )
  assert.is(of({ memoryBytes: 256 * MIB }, { crawls: false }), '')
})

warnings('the pages that are rendered at once by default fit into the memory', () => {
  for (let memoryMib = 2100; memoryMib < 40_000; memoryMib += 100) {
    const slots = pagesIn(memoryMib * MIB, true)
    assert.is(of({ memoryBytes: memoryMib * MIB }, { slots }), '', `${slots} pages in ${memoryMib} MiB`)
  }
  assert.equal([pagesIn(256 * MIB, true), pagesIn(3072 * MIB, true), pagesIn(3072 * MIB, false)], [1, 1, 2])
})

warnings('a low limit of open files gets a warning', () => {
  assert.match(of({ openFiles: 256 }), /^this process may open only 256 files and connections: raise the limit to 1024 or more/)
  assert.is(of({ openFiles: null }), '')
})

warnings('a clock behind the newest job gets a warning; a job of another process with a slightly different clock does not', () => {
  const now = Date.UTC(2026, 0, 1)
  assert.is(clockWarning(now, null), null)
  assert.is(clockWarning(now, now - 1), null)
  assert.is(clockWarning(now, now + 60_000), null)
  assert.match(
    clockWarning(now, now + 86_400_000) ?? '',
    /^the clock of this machine shows 2026-01-01T00:00:00\.000Z, but the newest job was created at 2026-01-02T00:00:00\.000Z: correct the clock/,
  )
})

warnings('a machine tells its memory, its limit of files, and the file system of a folder', async () => {
  const { fileSystem, memoryBytes, openFiles } = await readMachine(tmpdir())
  assert.ok(memoryBytes > 64 * MIB)
  assert.ok(fileSystem !== null && fileSystem > 0)
  if (process.platform === 'linux') assert.ok(openFiles !== null && openFiles > 0)
  assert.is((await readMachine(null)).fileSystem, null)
})

warnings.run()
