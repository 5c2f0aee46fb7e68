/**
 * Long reads outside of the event loop: in threads, each with a read-only connection of its own.
 *
 * `database` is a query builder whose statements run in a thread: for lists, counts and scans, whose cost grows with the stored data.
 * `files` are texts and archives that a thread produces piece by piece, each when the previous one was taken, so a slow reader keeps its
 * position in the text but never blocks a thread.
 *
 * Callers take turns by the share of their request, so that one with hundreds of lists and downloads does not delay those of others.
 *
 * The threads start with the first call and end when none has come for a while. A read sees every commit made before the call.
 */
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { currentShare } from '#backend/platform/current-share.ts'
import { createRoundRobin } from '#backend/platform/round-robin.ts'
import type { InTurn } from '#backend/platform/round-robin.ts'
import { ThreadEnded, startAskedThread } from '#backend/platform/threads/asked-thread.ts'
import type { AskedThread } from '#backend/platform/threads/asked-thread.ts'
import type { Database } from './database.ts'
import { builderOver } from './sqlite.ts'

/** Pieces of a text or an archive. */
export type Pieces = AsyncIterable<string | Uint8Array>

/** Texts and archives by name. Arguments are copied to a thread, so they must be plain values. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Files = Record<string, (...args: any[]) => Pieces>

export type Readers = {
  database: Database
  /** For statements that take seconds: they run in a thread of their own, one after another, and hold up no others. */
  apart: Database
  /** The files that `reader-thread.ts` registers under this name. */
  files<F extends Files>(name: string): F
  close(): Promise<void>
}

export type ReaderThreadData = { file: string }

export type ReaderQuestion =
  | { query: { sql: string; parameters: readonly unknown[] } }
  | { open: { name: string; method: string; args: unknown[]; fileId: number } }
  | { pull: number }
  | { drop: number }

/** Rows as lists of values; or a piece, null at the end. */
export type ReaderAnswer = { columns: string[]; rows: unknown[][] } | { piece: Uint8Array | null }

const THREADS = 2
const THREADS_APART = 1
const IDLE_MS = 20_000
/** Requests that a thread has at once, and of them those of one share: some wait for files, and none should keep all places. */
const AT_ONCE = 8
const OF_SHARE = 4
/** Most waiting requests of a thread: with more, the newest of the share with the most is refused. */
const MOST_WAITING = 500

/** `wanted` counts the requests that wait for their turn, or for an answer. */
type Thread = { asked: AskedThread<ReaderQuestion, ReaderAnswer>; files: number; inTurn: InTurn; wanted: number }

type ReadersNeeds = {
  /** Of the database. */
  file: string
  /** Called with every error of a statement, before its caller gets it. */
  onFault?: (fault: unknown) => void
  /** File of a thread's program. */
  program: URL
}

export function createReaders(needs: ReadersNeeds): Readers {
  const [several, apart] = [createThreads(needs, THREADS), createThreads(needs, THREADS_APART)]
  return {
    database: several.database,
    apart: apart.database,
    files: several.files,
    close: async () => void (await Promise.all([several.close(), apart.close()])),
  }
}

/** @param most  threads */
function createThreads({ file, onFault = () => undefined, program }: ReadersNeeds, most: number): Omit<Readers, 'apart'> {
  const threads = new Set<Thread>()
  let idle: NodeJS.Timeout | undefined
  let lastFileId = 0
  const database = builderOver(new ReaderDriver((query) => ask(leastBusy(), { query })))
  return {
    database,
    files: <F extends Files>(name: string) =>
      new Proxy({} as F, {
        get:
          (_, method) =>
          (...args: unknown[]) =>
            pieces(name, String(method), args),
      }),
    close,
  }

  async function* pieces(name: string, method: string, args: unknown[]): AsyncGenerator<Uint8Array> {
    const thread = leastBusy()
    const fileId = (lastFileId += 1)
    thread.files += 1
    try {
      for (let question: ReaderQuestion = { open: { name, method, args, fileId } }; ; question = { pull: fileId }) {
        const answer = await ask(thread, question)
        const piece = 'piece' in answer ? answer.piece : null
        if (piece === null) return
        yield piece
      }
    } finally {
      thread.files -= 1
      thread.asked.ask({ drop: fileId }).catch(() => undefined)
      rest()
    }
  }

  async function ask(thread: Thread, question: ReaderQuestion): Promise<ReaderAnswer> {
    clearTimeout(idle)
    thread.wanted += 1
    try {
      return await thread.inTurn(currentShare(), () => answerOf(thread, question))
    } finally {
      thread.wanted -= 1
      rest()
    }
  }

  async function answerOf({ asked }: Thread, question: ReaderQuestion): Promise<ReaderAnswer> {
    try {
      return await asked.ask(question)
    } catch (fault) {
      if (fault instanceof ThreadEnded) throw busy(fault.cause)
      onFault(fault)
      throw fault
    }
  }

  /** An idle thread; else a new one, up to the limit; else the one with the least work. */
  function leastBusy(): Thread {
    let best: Thread | null = null
    for (const thread of threads) if (best === null || thread.wanted < best.wanted) best = thread
    return best !== null && (best.wanted === 0 || threads.size >= most) ? best : start()
  }

  function start(): Thread {
    const thread: Thread = {
      files: 0,
      inTurn: createRoundRobin({ atOnce: AT_ONCE, ofCaller: OF_SHARE, maxWaiting: MOST_WAITING, refusal: busy }),
      wanted: 0,
      asked: startAskedThread({
        program,
        data: { file } satisfies ReaderThreadData,
        mostHeapMb: 192,
        onCrash: () => threads.delete(thread),
      }),
    }
    threads.add(thread)
    return thread
  }

  function rest() {
    clearTimeout(idle)
    for (const { files, wanted } of threads) if (files > 0 || wanted > 0) return
    idle = setTimeout(() => void close(), IDLE_MS).unref()
  }

  async function close(): Promise<void> {
    clearTimeout(idle)
    const ending = [...threads]
    threads.clear()
    await Promise.all(ending.map(({ asked }) => asked.end()))
  }
}

/** The same error as for a locked database: the caller may try again. */
const busy = (cause?: unknown) => Object.assign(new Error('No reader of the database is free.', { cause }), { code: 'SQLITE_BUSY' })

/** The same over this thread's connection: for an in-memory database, which other threads cannot see. */
export const localReaders = (database: Database, makers: Record<string, (database: Database) => Files>): Readers => ({
  database,
  apart: database,
  files: <F extends Files>(name: string) => makers[name]!(database) as F,
  close: async () => undefined,
})

type Execute = (query: { sql: string; parameters: readonly unknown[] }) => Promise<ReaderAnswer>

class ReaderDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(execute: Execute) {
    this.#connection = {
      async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
        const answer = await execute({ sql, parameters })
        if (!('rows' in answer)) throw new Error('a statement got a part of a document instead of rows')
        const { columns, rows } = answer
        return { rows: rows.map((values) => Object.fromEntries(columns.map((name, at) => [name, values[at]])) as R) }
      },
      streamQuery() {
        throw new Error('readers cannot stream rows')
      },
    }
  }

  async init() {}
  async acquireConnection() {
    return this.#connection
  }
  beginTransaction = readOnly
  commitTransaction = readOnly
  rollbackTransaction = readOnly
  async releaseConnection() {}
  async destroy() {}
}

async function readOnly(): Promise<void> {
  throw new Error('readers cannot write')
}
