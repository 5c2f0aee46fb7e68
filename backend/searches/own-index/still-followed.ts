/** Asks the text index whether it still has a run, in a way that no batch of the indexer can race with. */
import { isDamage, openForReading } from './index-file.ts'

const CACHE_KIB = 64

/**
 * Whether the index has, or is about to have, pages of a run.
 *
 * It looks under the write lock. A batch that began before has committed its cursor by then; one that begins after reads that the run is
 * deleted, and adds nothing. So a run of which this says no never comes back.
 *
 * @param file  of the index; without one nothing is indexed, and a damaged one is made again from what is stored then
 */
export function stillFollowed(file: string): (run: { no: number; id: string }) => boolean {
  return ({ no, id }) => {
    const index = openForReading(file, { cacheKiB: CACHE_KIB })
    if (index === null) return false
    try {
      // Nothing is written, but the lock is one of writers.
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
