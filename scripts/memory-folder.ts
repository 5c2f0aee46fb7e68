import { chmodSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const PLACE = '/dev/shm'
/** Less than this is what a container has by default, which browsers and databases would fill. */
const LEAST_BYTES = 2 * 1024 ** 3

/**
 * A new folder in memory for the files of tests, which then never wait for a disk: half of the time of those that write to a database.
 * Undefined where the machine has no such place, too little room in it, or starts no program from there.
 */
export function makeMemoryFolder(): string | undefined {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8').match(/^\S+ \/dev\/shm tmpfs (\S+)/m)?.[1]
    if (mount === undefined || mount.split(',').includes('noexec')) return undefined
    const { bavail, bsize } = statfsSync(PLACE)
    if (bavail * bsize < LEAST_BYTES) return undefined
    const folder = mkdtempSync(join(PLACE, 'seine-tests-'))
    // A PostgreSQL of a test runs as another user, and has to find its own folder in this one.
    chmodSync(folder, 0o755)
    return folder
  } catch {
    return undefined
  }
}
