/** The program of the thread that searches: one query after the other, on connections of its own. */
import { statSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { answerQuestions } from '#backend/platform/threads/answer-questions.ts'
import { openSqlite } from '#backend/platform/database/sqlite.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import { createFindPages } from './find-pages.ts'
import type { FindPages, OwnSearchRequest } from './find-pages.ts'
import { hasFormat, isDamage, openForReading } from './index-file.ts'
import type { SearchThreadAnswer, SearchThreadData } from './own-search.ts'

const DATABASE_CACHE_MIB = 2
const INDEX_CACHE_KIB = 8 * 1024

const { database, file } = workerData as SearchThreadData
const pages = openSqlite(database, { cacheMiB: DATABASE_CACHE_MIB, mustExist: true })
pages.pragma('query_only = ON')
let index: SqliteConnection | null = null
let openedFile = ''
let find: FindPages = createFindPages({ pages, index: null })

answerQuestions(answer)

/**
 * A damaged index gives no results, like an index that is still being built: the indexer rebuilds it. An index that was replaced while it was
 * read may give any error of the disk, and gives no results either.
 */
function answer(request: OwnSearchRequest): SearchThreadAnswer {
  const current = identity()
  try {
    openWhenOther(current)
    return { answer: find(request), isDamaged: false }
  } catch (fault) {
    const isReplaced = identity() !== current
    if (!isReplaced && !isDamage(fault)) throw fault
    closeIndex()
    return { answer: find(request), isDamaged: !isReplaced }
  }
}

/** Names the file that the path leads to; empty when there is none. A new file may get the number of one that was deleted. */
function identity(): string {
  const found = statSync(file, { throwIfNoEntry: false })
  return found === undefined ? '' : `${found.ino} ${found.birthtimeMs}`
}

/** The file may have been created or rebuilt since the last query: then the path names another file. */
function openWhenOther(current: string) {
  if (current === openedFile) return
  closeIndex()
  const opened = openForReading(file, { cacheKiB: INDEX_CACHE_KIB })
  if (opened === null) return
  index = opened
  // The indexer has not created its tables yet, or belongs to another version.
  if (!hasFormat(opened)) return closeIndex()
  find = createFindPages({ pages, index })
  openedFile = current
}

function closeIndex() {
  index?.close()
  index = null
  openedFile = ''
  find = createFindPages({ pages, index: null })
}
