/** The program of a reader thread: runs statements, and produces files piece by piece. See `platform/database/readers.ts`. */
import { workerData } from 'node:worker_threads'
import type { ReaderAnswer, ReaderQuestion, ReaderThreadData } from './platform/database/readers.ts'
import { openSqlite, sqliteDatabase } from './platform/database/sqlite.ts'
import { joinedPiece } from './platform/database/joined-piece.ts'
import { answerQuestions } from './platform/threads/answer-questions.ts'
import { READER_FILES } from './reader-files.ts'

const CACHE_MIB = 8
const connection = openSqlite((workerData as ReaderThreadData).file, { cacheMiB: CACHE_MIB, mustExist: true })
connection.pragma('query_only = ON')
const database = sqliteDatabase(connection)
const files = new Map<number, AsyncIterator<string | Uint8Array>>()

answerQuestions(answer, (given) => ('piece' in given && given.piece !== null ? [given.piece.buffer as ArrayBuffer] : []))

async function answer(question: ReaderQuestion): Promise<ReaderAnswer> {
  if ('query' in question) return rows(question.query)
  if ('pull' in question) return { piece: await next(question.pull) }
  if ('drop' in question) return drop(question.drop)
  const { name, method, args, fileId } = question.open
  files.set(fileId, READER_FILES[name]!(database)[method]!(...args)[Symbol.asyncIterator]())
  return { piece: await next(fileId) }
}

function rows({ sql, parameters }: { sql: string; parameters: readonly unknown[] }): ReaderAnswer {
  const statement = connection.prepare(sql).raw()
  return { columns: statement.columns().map(({ name }) => name), rows: statement.all(...parameters) as unknown[][] }
}

/** The next bytes of a file; null at its end. */
async function next(fileId: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const file = files.get(fileId)
  if (file === undefined) return null
  const { isEnd, piece } = await joinedPiece(file)
  if (isEnd) files.delete(fileId)
  return piece
}

function drop(fileId: number): ReaderAnswer {
  const file = files.get(fileId)
  files.delete(fileId)
  file?.return?.()?.catch(() => undefined)
  return { piece: null }
}
