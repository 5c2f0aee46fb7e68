/**
 * The BlobStore in a folder. The blobs of one group (the first two segments of their keys, such as a run) are in one folder, spread over
 * 256 subfolders; the groups are spread over 256 folders as well, so that no folder grows without limit.
 *
 * A file is written under a temporary name, flushed, and then renamed. Only its owner can read it.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkBlobKey } from './blob-store.ts'
import type { BlobContent, BlobStore } from './blob-store.ts'

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
const TEMPORARY = 'tmp'
/** Replaces `/` in file names; no key contains it. */
const JOINT = '~'
/** Most attempts of a rename: its folder may be removed at that moment, because it had become empty. */
const MOST_TRIES = 5
/** A temporary file that has not changed for so long is a leftover. */
const LEFTOVER_MS = 60 * 60_000

type DirectoryBlobs = BlobStore & {
  /** Removes files of processes that ended during a `put`. Returns their number. */
  cleanUp(now: number): Promise<number>
}

/** The folder of an installation's blobs. */
export const blobsFolder = (dataDir: string) => join(dataDir, 'blobs')

/** @param root  created with the first blob */
export function directoryBlobs(root: string): DirectoryBlobs {
  return { put, get, delete: remove, list, cleanUp }

  async function put(key: string, content: BlobContent): Promise<{ bytes: number }> {
    const path = pathOf(root, key)
    const temporary = join(root, TEMPORARY, randomUUID())
    await mkdir(dirname(temporary), { recursive: true, mode: FOLDER_MODE })
    try {
      const bytes = await write(temporary, content)
      await moveTo(temporary, path)
      return { bytes }
    } catch (fault) {
      await rm(temporary, { force: true })
      throw fault
    }
  }

  async function get(key: string) {
    const path = pathOf(root, key)
    const file = await orNull(open(path, 'r'))
    if (file === null) return null
    try {
      const { size } = await file.stat()
      // The stream closes the file when it ends or is destroyed.
      return { bytes: size, content: file.createReadStream() }
    } catch (fault) {
      await file.close()
      throw fault
    }
  }

  async function remove(key: string): Promise<void> {
    const path = pathOf(root, key)
    await orNull(unlink(path))
    // Remove folders that are empty now; rmdir fails for others.
    for (let folder = dirname(path), level = 0; level < 3; folder = dirname(folder), level += 1) {
      try {
        await rmdir(folder)
      } catch {
        return
      }
    }
  }

  async function* list(prefix: string): AsyncGenerator<{ key: string; bytes: number }> {
    const [first, second, rest] = splitGroup(prefix)
    // A prefix with both segments of the group leads to a single folder.
    const groups = rest === null ? everyGroup() : [join(shardOf(groupName([first, second])), groupName([first, second]))]
    for await (const group of groups)
      for (const shard of await names(join(root, group)))
        for (const name of await names(join(root, group, shard))) {
          const key = keyOf(group.split(/[\\/]/).at(-1)!, name)
          if (!key.startsWith(prefix)) continue
          const found = await orNull(stat(join(root, group, shard, name)))
          if (found !== null) yield { key, bytes: found.size }
        }
  }

  async function* everyGroup(): AsyncGenerator<string> {
    for (const shard of await names(root))
      if (shard !== TEMPORARY) for (const group of await names(join(root, shard))) yield join(shard, group)
  }

  async function cleanUp(now: number): Promise<number> {
    let removed = 0
    for (const name of await names(join(root, TEMPORARY))) {
      const path = join(root, TEMPORARY, name)
      const found = await orNull(stat(path))
      if (found === null || now - found.mtimeMs < LEFTOVER_MS) continue
      await rm(path, { force: true })
      removed += 1
    }
    return removed
  }
}

async function write(path: string, content: BlobContent): Promise<number> {
  const file = await open(path, 'wx', FILE_MODE)
  try {
    let bytes = 0
    for await (const chunk of content instanceof Uint8Array ? [content] : content) {
      await file.writeFile(chunk)
      bytes += chunk.length
    }
    await file.sync()
    return bytes
  } finally {
    await file.close()
  }
}

/** Renames a file, and makes that durable. */
async function moveTo(temporary: string, path: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
    try {
      await rename(temporary, path)
      break
    } catch (fault) {
      if (!isMissing(fault) || tries >= MOST_TRIES) throw fault
    }
  }
  // Windows cannot flush a folder, and writes names at once.
  if (process.platform === 'win32') return
  const folder = await orNull(open(dirname(path), 'r'))
  try {
    await folder?.sync()
  } finally {
    await folder?.close()
  }
}

function pathOf(root: string, key: string): string {
  checkBlobKey(key)
  const parts = key.split('/')
  const group = groupName(parts.slice(0, Math.min(2, parts.length - 1)))
  const name = parts.slice(Math.min(2, parts.length - 1)).join(JOINT)
  return join(root, shardOf(group), group, shardOf(key), name)
}

/** The group of a key; keys of one or two segments have a group of none or one. */
const groupName = (parts: readonly string[]) => parts.join(JOINT) || JOINT

function keyOf(group: string, name: string): string {
  return [...(group === JOINT ? [] : group.split(JOINT)), ...name.split(JOINT)].join('/')
}

/** Splits a prefix into the segments of its group and the rest, which is null unless it has both. */
function splitGroup(prefix: string): [first: string, second: string, rest: string | null] {
  const [first = '', second = '', ...rest] = prefix.split('/')
  return [first, second, rest.length === 0 ? null : rest.join('/')]
}

const shardOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 2)

const names = async (folder: string): Promise<string[]> => (await orNull(readdir(folder))) ?? []

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (fault) {
    if (isMissing(fault)) return null
    throw fault
  }
}

const isMissing = (fault: unknown) => ['ENOENT', 'ENOTDIR'].includes(String((fault as { code?: string }).code))
