/** The program of the thread that removes what was deleted. It ends when nothing is left; see `removal/sweep-host.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { deleteBlobs, runBlobs } from './platform/blobs/blob-store.ts'
import { directoryBlobs } from './platform/blobs/directory-blobs.ts'
import { openBlobs } from './platform/blobs/open-blobs.ts'
import { openSqlite } from './platform/database/sqlite.ts'
import { sweepAll } from './removal/sweep-loop.ts'
import type { FromSweeper, SweepThreadData, ToSweeper } from './removal/sweep-messages.ts'
import { createSqliteSweep } from './store/sqlite/sweep-runs.ts'
import { stillFollowed } from './searches/own-index/still-followed.ts'

const CACHE_MIB = 4

const { database, blobs: place, index } = workerData as SweepThreadData
const connection = openSqlite(database, { cacheMiB: CACHE_MIB })
// A removal that a power cut takes away is made again: its mark is on the disk. So the lock is not held while the disk writes.
connection.pragma('synchronous = NORMAL')
// Done between the steps, where no lock is held.
connection.pragma('wal_autocheckpoint = 0')

let isClosing = false
let isWoken = false
let wake: () => void = () => undefined
parentPort!.on('message', (message: ToSweeper) => {
  if (message.type === 'close') isClosing = true
  isWoken = true
  wake()
})

const blobs = openBlobs(place)
if (place.kind === 'folder') await directoryBlobs(place.folder).cleanUp(Date.now())
await sweepAll({
  checkpoint: () => void connection.pragma('wal_checkpoint(PASSIVE)'),
  pause,
  say: (message: FromSweeper) => parentPort!.postMessage(message),
  sweep: createSqliteSweep({ connection, dropBlobs: (runNo) => deleteBlobs(blobs, runBlobs(runNo)), isFollowed: stillFollowed(index) }),
})
connection.close()
// Without a listener the thread ends by itself.
parentPort!.close()

async function pause(ms: number, canWake: boolean): Promise<boolean> {
  if (!canWake) isWoken = false
  if (!isClosing && !isWoken)
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        if (!canWake && !isClosing) return
        clearTimeout(timer)
        resolve()
      }
    })
  isWoken = false
  return !isClosing
}
