/**
 * The program of the indexer's process: follows the stored pages at the lowest priority, and rests while other programs want the core.
 *
 * It ends when it is told to, and when its parent has ended. An error that is not caused by its file ends it too: the next process begins
 * with a comparison of everything.
 */
import { setPriority } from 'node:os'
import { isTrouble } from '#backend/platform/database/trouble.ts'
import { logToParent } from '#backend/platform/parent-log.ts'
import { isPostgres } from '#backend/platform/database/kind.ts'
import { openSqlite } from '#backend/platform/database/sqlite.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import { createFollower } from './follower.ts'
import type { Follower } from './follower.ts'
import type { createPostgresFollower } from '../postgres-index/follower.ts'
import { isDamage, isOtherFormat, openIndex, removeIndex } from './index-file.ts'
import type { FromIndexer, ToIndexer } from './index-host.ts'
import { pauseAfter } from './pace.ts'

const LOWEST_PRIORITY = 19
const LOOK_MS = 2000
/** Pause between two steps that release free pages to the disk. */
const RELEASE_MS = 20
const IDLE_NOTE_MS = 2000
const CACHE_MIB = 2
/** If the stored pages themselves are damaged, this process must not spend all its time on rebuilding the index. */
const AGAIN_MS = 1000
/**
 * Rounds of work between two garbage collections. Unpacked pages are garbage outside of the heap, which V8 lets grow. Measured over 8,000
 * pages: 133 MiB at most without collections, 81 with one after four rounds, 72 after three, 64 after two; 0.54, 0.54, 0.57 and 0.57 ms of
 * a core per page.
 */
const ROUNDS_PER_COLLECTION = 3
/** Pause before a retry when the disk is full or busy. */
const TROUBLE_MS = 10_000

let idleSince = performance.now()
let lookedAt = -Infinity
const hinted = new Set<number>()
let wake: () => void = () => undefined
let opened: SqliteConnection | null = null

setPriority(LOWEST_PRIORITY)
process.on('message', (message: ToIndexer) => receive(message))
process.on('disconnect', () => process.exit(0))
// The parent handles signals to the process group.
process.on('SIGTERM', () => undefined)
process.on('SIGINT', () => undefined)
process.on('SIGHUP', () => undefined)

function receive(message: ToIndexer) {
  if (message.type === 'close') {
    // Between two rounds no transaction is open. The last connection that closes removes the write-ahead log.
    opened?.close()
    process.exit(0)
  }
  if (message.type === 'start') void run(message)
  else {
    hinted.add(message.runNo)
    idleSince = performance.now()
    wake()
  }
}

async function run({ database, file }: Extract<ToIndexer, { type: 'start' }>): Promise<never> {
  const log = logToParent('index')
  setInterval(
    () => process.send?.({ type: 'idle', forMs: performance.now() - idleSince } satisfies FromIndexer, () => undefined),
    IDLE_NOTE_MS,
  )
  if (isPostgres(database)) return followPostgres(database, log)
  const announce = (fault: unknown) => {
    if (isOtherFormat(fault)) log.info({}, 'the text index is of another version and is rebuilt from the stored pages')
    else log.warn({ err: fault }, 'the text index is damaged and is rebuilt from the stored pages')
  }
  for (;;) {
    let pages: SqliteConnection | null = null
    try {
      pages = openSqlite(database, { cacheMiB: CACHE_MIB, mustExist: true })
      pages.pragma('query_only = ON')
      opened = openAnew(file, announce)
      lookedAt = -Infinity
      await follow(createFollower({ pages, index: opened }))
    } catch (fault) {
      opened?.close()
      opened = null
      pages?.close()
      if (isDamage(fault)) {
        announce(fault)
        removeIndex(file)
        await pause(AGAIN_MS, { canWake: false })
      } else if (isTrouble(fault)) {
        log.warn({ err: fault, waitMs: TROUBLE_MS }, 'the text index cannot be written; indexing continues when the disk accepts writes')
        await pause(TROUBLE_MS, { canWake: false })
      } else throw fault
    }
  }
}

/** With PostgreSQL the text index is in the database itself; this process only computes its words. */
async function followPostgres(url: string, log: ReturnType<typeof logToParent>): Promise<never> {
  const [{ openPostgres, postgresFault }, { createPostgresFollower }] = await Promise.all([
    import('#backend/platform/database/postgres/postgres.ts'),
    import('../postgres-index/follower.ts'),
  ])
  const pool = openPostgres(url, { answerMs: 60_000, connections: 2, name: 'index' })
  for (;;) {
    try {
      await follow(createPostgresFollower(pool))
    } catch (thrown) {
      const fault = postgresFault(thrown)
      if (!isTrouble(fault)) throw fault
      log.warn({ err: fault, waitMs: TROUBLE_MS }, 'the indexer cannot reach the database; indexing continues when it can')
      await pause(TROUBLE_MS, { canWake: false })
    }
  }
}

function openAnew(file: string, onFault: (fault: unknown) => void): SqliteConnection {
  try {
    return openIndex(file)
  } catch (fault) {
    if (!isDamage(fault)) throw fault
    onFault(fault)
    removeIndex(file)
    return openIndex(file)
  }
}

type AnyFollower = Follower | ReturnType<typeof createPostgresFollower>

async function follow(follower: AnyFollower): Promise<never> {
  let rounds = 0
  for (;;) {
    if (performance.now() - lookedAt > LOOK_MS) {
      follower.look()
      lookedAt = performance.now()
    }
    for (const runNo of hinted) follower.hint(runNo)
    hinted.clear()
    const startedAt = performance.now()
    const { user, system } = process.cpuUsage()
    const done = await follower.step()
    if (done === null || (rounds += 1) >= ROUNDS_PER_COLLECTION) {
      if (rounds > 0) globalThis.gc?.()
      rounds = 0
    }
    if (done === null) await pause(follower.releaseSpace() ? RELEASE_MS : LOOK_MS)
    else {
      idleSince = performance.now()
      const used = process.cpuUsage()
      const cpuMs = (used.user + used.system - user - system) / 1000
      const waitedMs = 'waitedMs' in done ? done.waitedMs : 0
      await pause(pauseAfter({ wallMs: idleSince - startedAt, cpuMs, waitedMs }), { canWake: false })
    }
  }
}

function pause(ms: number, { canWake = true } = {}): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    wake = () => {
      if (!canWake) return
      clearTimeout(timer)
      resolve()
    }
  })
}
