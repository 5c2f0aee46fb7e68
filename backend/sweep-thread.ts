/** The program of the thread that removes deleted data. It ends when nothing is left; see `removal/sweep-host.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { deleteBlobs, runBlobs } from './platform/blobs/blob-store.ts'
import { directoryBlobs } from './platform/blobs/directory-blobs.ts'
import { openBlobs } from './platform/blobs/open-blobs.ts'
import { openSqlite } from './platform/database/sqlite.ts'
import { sweepAll } from './removal/sweep-loop.ts'
import type { FromSweeper, SweepThreadData, ToSweeper } from './removal/sweep-host.ts'
import { createSqliteSweep } from './store/sqlite/sweep-runs.ts'
import { stillFollowed } from './searches/own-index/still-followed.ts'

const CACHE_MIB = 4

const { database, blobs: place, index } = workerData as SweepThreadData
const connection = openSqlite(database, { cacheMiB: CACHE_MIB, mustExist: true })
// If a power cut undoes a removal, it is repeated, because its mark is durable. So the lock need not be held while the disk writes.
connection.pragma('synchronous = NORMAL')
// Checkpoints run between the steps, without a lock.
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
