/** Warnings at the start about the machine: limits and disks with which the product works, but not as it should. */
import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { PAGE_BYTES, PRODUCT_BYTES, memoryBytes } from '#config/memory.ts'

const MIB = 1024 * 1024
/** A small crawl needs about a hundred; live pages and downloads take one each. */
const LEAST_FILES = 1024

/** By the type in statfs(2), from linux/magic.h. SQLite needs shared memory and locks, which these do not have or do not keep. */
const NETWORK_FILE_SYSTEMS: Record<number, string> = {
  0x6969: 'NFS',
  0x517b: 'SMB',
  0xfe534d42: 'SMB',
  0xff534d42: 'CIFS',
  0x01021997: '9P',
  0x00c36400: 'Ceph',
  0x5346414f: 'AFS',
  0x0bd00bd0: 'Lustre',
  0x01161970: 'GFS2',
  0x47504653: 'GPFS',
}

export type Machine = {
  /** Of the machine or its container. */
  memoryBytes: number
  /** Null where the system does not tell. */
  openFiles: number | null
  /** Of the folder of an SQLite database; null with another database. */
  fileSystem: number | null
}

/** @param folder  of an SQLite database; null with another database */
export async function readMachine(folder: string | null): Promise<Machine> {
  return {
    memoryBytes: memoryBytes(),
    openFiles: openFilesLimit(),
    fileSystem:
      folder === null
        ? null
        : await statfs(folder).then(
            ({ type }) => type,
            () => null,
          ),
  }
}

/** Node raises the soft limit to the hard one, so the soft one counts. */
function openFilesLimit(): number | null {
  try {
    const [, limit = ''] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return limit === '' ? null : Number(limit)
  } catch {
    return null
  }
}

/**
 * @param crawls  whether this process has an engine
 * @param folder  of an SQLite database
 * @param slots   pages that a browser of this machine renders at once; 0 without one
 */
export function machineWarnings(
  { fileSystem, memoryBytes, openFiles }: Machine,
  { crawls, folder, slots }: { crawls: boolean; folder: string | null; slots: number },
): string[] {
  const warnings: string[] = []
  const network = fileSystem === null ? undefined : NETWORK_FILE_SYSTEMS[fileSystem]
  if (network !== undefined)
    warnings.push(
      `the database is in ${folder}, on a network file system (${network}), where SQLite can lose data: move it to a local disk (DATA_DIR), or set DATABASE_URL to a PostgreSQL`,
    )
  if (openFiles !== null && openFiles < LEAST_FILES)
    warnings.push(
      `this process may open only ${openFiles} files and connections: raise the limit to ${LEAST_FILES} or more (LimitNOFILE of systemd, ulimits of Docker, ulimit -n)`,
    )
  const needed = PRODUCT_BYTES + slots * PAGE_BYTES
  if (crawls && memoryBytes < needed)
    warnings.push(
      `there are ${Math.floor(memoryBytes / MIB)} MB of memory, but a crawl${slots > 0 ? ` that renders ${slots === 1 ? 'a page' : `${slots} pages at once`}` : ''} may need ${needed / MIB} MB: ${
        slots === 0 ? 'add memory' : slots === 1 ? 'add memory, or set CHROMIUM_PATH=none' : 'add memory, or lower RENDER_CONCURRENCY'
      }`,
    )
  return warnings
}
