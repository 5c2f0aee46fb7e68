/** Takes a snapshot of a folder of blobs. Blobs never change, so a hard link is as good as a copy. */
import { copyFileSync, linkSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

const UNFINISHED = 'tmp'

/**
 * @param from  a folder of `directoryBlobs`; a missing one is empty
 * @param to    must not exist; not created when there are no blobs
 * @returns     the number of blobs in it
 */
export function copyBlobs(from: string, to: string): number {
  let copied = 0
  for (const name of readFolder(from)) {
    if (name.split(/[\\/]/)[0] === UNFINISHED) continue
    const target = join(to, name)
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    if (place(join(from, name), target)) copied += 1
  }
  return copied
}

function place(source: string, target: string): boolean {
  try {
    linkSync(source, target)
    return true
  } catch (fault) {
    // It was deleted meanwhile, and so was its row.
    if ((fault as { code?: string }).code === 'ENOENT') return false
  }
  // On another disk.
  copyFileSync(source, target)
  return true
}

function readFolder(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  } catch (fault) {
    if ((fault as { code?: string }).code === 'ENOENT') return []
    throw fault
  }
}
