/** Asks the text index whether it still has a run, in a way that no batch of the indexer can race with. */
import { isDamage, openForReading } from './index-file.ts'

const CACHE_KIB = 64

/**
 * Whether the index contains, or is about to contain, pages of a run.
 *
 * Checks under the write lock. A batch that began before has committed its cursor by then; a batch that begins afterwards sees that the run
 * is deleted, and adds nothing. So pages of a run for which this returns false never come back.
 *
 * @param file  of the index; without a file nothing is indexed, and a damaged file is rebuilt from what is stored then
 */
export function stillFollowed(file: string): (run: { no: number; id: string }) => boolean {
  return ({ no, id }) => {
    const index = openForReading(file, { cacheKiB: CACHE_KIB })
    if (index === null) return false
    try {
      // Nothing is written, but the write lock is needed.
      index.pragma('query_only = OFF')
      const isMade = index.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'run'").get() !== undefined
      if (!isMade) return false
      const find = index.prepare('SELECT 1 FROM run WHERE no = ? AND id = ?')
      return index.transaction(() => find.get(no, id) !== undefined).immediate()
    } catch (fault) {
      if (isDamage(fault)) return false
      throw fault
    } finally {
      index.close()
    }
  }
}
