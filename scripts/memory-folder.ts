import { chmodSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const PLACE = '/dev/shm'
/** Containers have less by default, and browsers and databases would fill it. */
const LEAST_BYTES = 2 * 1024 ** 3

/**
 * A new in-memory folder for test files, which then never wait for a disk: tests with a database take half the time. Undefined where the
 * machine has no such folder, too little space in it, or forbids running programs from it.
 */
export function makeMemoryFolder(): string | undefined {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8').match(/^\S+ \/dev\/shm tmpfs (\S+)/m)?.[1]
    if (mount === undefined || mount.split(',').includes('noexec')) return undefined
    const { bavail, bsize } = statfsSync(PLACE)
    if (bavail * bsize < LEAST_BYTES) return undefined
    const folder = mkdtempSync(join(PLACE, 'seine-tests-'))
    // A test's PostgreSQL runs as another user, and must be able to reach its folder in this one.
    chmodSync(folder, 0o755)
    return folder
  } catch {
    return undefined
  }
}
