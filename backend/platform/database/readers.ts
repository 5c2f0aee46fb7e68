/**
 * Long reads outside of the event loop: in threads, each with a read-only connection of its own.
 *
 * `database` is a query builder whose statements run in a thread: for lists, counts and scans, whose cost grows with the stored data.
 * `files` are texts and archives that a thread produces piece by piece, each when the previous one was taken, so a slow reader keeps its
 * position in the text but never blocks a thread.
 *
 * The threads start with the first call and end when none has come for a while. A read sees every commit made before the call.
 */
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { startThread } from '#backend/platform/threads/start-thread.ts'
import type { Thread as WorkerThread } from '#backend/platform/threads/start-thread.ts'
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

export type ToReader =
  | { id: number; query: { sql: string; parameters: readonly unknown[] } }
  | { id: number; open: { name: string; method: string; args: unknown[]; fileId: number } }
  | { id: number; pull: number }
  | { drop: number }

export type FromReader = { id: number; answer: ReaderAnswer } | { id: number; fault: { message: string; code: string | undefined } }
/** Rows as lists of values; or a piece, null at the end. */
export type ReaderAnswer = { columns: string[]; rows: unknown[][] } | { piece: Uint8Array | null }

const THREADS = 2
const THREADS_APART = 1
const IDLE_MS = 20_000
/** Most waiting requests: more can only come from callers that do not read their answers. */
const MOST_WAITING = 500

type Waiting = { resolve: (answer: ReaderAnswer) => void; reject: (fault: unknown) => void }
type Thread = WorkerThread & { waiting: Map<number, Waiting>; files: number; isDead: boolean }

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
  let nextId = 1
  const database = builderOver(new ReaderDriver((query) => ask(leastBusy(), (id) => ({ id, query }))))
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
    const fileId = nextId++
    thread.files += 1
    try {
      for (let id = 0; ; id += 1) {
        const answer = await ask(thread, (at) => (id === 0 ? { id: at, open: { name, method, args, fileId } } : { id: at, pull: fileId }))
        const piece = 'piece' in answer ? answer.piece : null
        if (piece === null) return
        yield piece
      }
    } finally {
      thread.files -= 1
      if (!thread.isDead) thread.worker.postMessage({ drop: fileId } satisfies ToReader)
      rest()
    }
  }

  function ask(thread: Thread, message: (id: number) => ToReader): Promise<ReaderAnswer> {
    if (thread.isDead || thread.waiting.size >= MOST_WAITING) return Promise.reject(busy())
    clearTimeout(idle)
    const id = nextId++
    const { promise, resolve, reject } = Promise.withResolvers<ReaderAnswer>()
    thread.waiting.set(id, { resolve, reject })
    thread.worker.ref()
    thread.worker.postMessage(message(id))
    return promise
  }

  /** An idle thread; else a new one, up to the limit; else the one with the least work. */
  function leastBusy(): Thread {
    let best: Thread | null = null
    for (const thread of threads) if (best === null || loadOf(thread) < loadOf(best)) best = thread
    return best !== null && (loadOf(best) === 0 || threads.size >= most) ? best : start()
  }

  function start(): Thread {
    const { worker, end } = startThread(program, {
      data: { file } satisfies ReaderThreadData,
      resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 8 },
    })
    const thread: Thread = { worker, end, waiting: new Map(), files: 0, isDead: false }
    threads.add(thread)
    worker.on('message', (message: FromReader) => receive(thread, message))
    worker.on('error', (fault) => bury(thread, fault))
    worker.once('exit', () => bury(thread, null))
    return thread
  }

  function receive(thread: Thread, message: FromReader) {
    const asked = thread.waiting.get(message.id)
    thread.waiting.delete(message.id)
    if ('fault' in message) {
      const fault = Object.assign(new Error(message.fault.message), { code: message.fault.code })
      onFault(fault)
      asked?.reject(fault)
    } else asked?.resolve(message.answer)
    // An idle thread must not keep the process alive.
    if (thread.waiting.size === 0) thread.worker.unref()
    rest()
  }

  function rest() {
    clearTimeout(idle)
    for (const { files, waiting } of threads) if (files > 0 || waiting.size > 0) return
    idle = setTimeout(() => void close(), IDLE_MS).unref()
  }

  function bury(thread: Thread, fault: unknown) {
    if (thread.isDead) return
    thread.isDead = true
    threads.delete(thread)
    for (const { reject } of thread.waiting.values()) reject(busy(fault))
    thread.waiting.clear()
  }

  async function close(): Promise<void> {
    clearTimeout(idle)
    await Promise.all([...threads].map(async (thread) => (bury(thread, null), thread.end())))
  }
}

const loadOf = ({ waiting }: Thread) => waiting.size

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
