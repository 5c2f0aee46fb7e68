/** Files of runs that can be deleted while they are downloaded: the sweep removes their rows, so the rest would be missing without a sign. */
import type { Database } from '#backend/platform/database/database.ts'
import type { Pieces } from '#backend/platform/database/readers.ts'
import { DOWNLOAD_ENDED } from '#backend/http/send-pieces.ts'

/** A deleted run is not sent for longer than this. */
const LOOK_MS = 5000

/** Passes the pieces of a run's file on. Throws, so that the download breaks off, once the run is deleted, at the latest at the end. */
export async function* whileStored(
  database: Database,
  runNo: number,
  pieces: Pieces,
  now: () => number = () => performance.now(),
): AsyncGenerator<string | Uint8Array> {
  let lookedAt = now()
  try {
    for await (const piece of pieces) {
      yield piece
      if (now() - lookedAt < LOOK_MS) continue
      await check()
      lookedAt = now()
    }
  } catch (fault) {
    // What the sweep has removed already is often missed before the next look.
    await check()
    throw fault
  }
  // Rows are removed only after the mark, so all of them were there if it is still missing.
  await check()

  async function check() {
    const run = await database.selectFrom('run').where('no', '=', runNo).where('deletedAt', 'is', null).select('no').executeTakeFirst()
    if (run === undefined) throw Object.assign(new Error('The job was deleted during the download.'), { code: DOWNLOAD_ENDED })
  }
}
