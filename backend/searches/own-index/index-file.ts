/**
 * The file of the text index, `search.db` beside the database: built from the stored pages, and rebuilt when it is lost.
 *
 * Each team has a full-text table of its own, so that no query can match another team's words, and neither ranking nor vocabulary reveals
 * anything about them. The tables are contentless: they have words and positions only, and the texts stay in the database.
 *
 * A row of a full-text table has the number of its page: `page.no` for the newest version of a URL, `-page.no` for a replaced one. "Newest
 * only" and "of this crawl" are then ranges of row numbers, which the full-text search follows without a look-up.
 */
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openSqliteFile } from '#backend/platform/database/sqlite.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import type { PageText } from './page-text.ts'
import { foldForIndex } from './words/words.ts'

/** Increased when words, columns or tables change: the file is then rebuilt. */
const FORMAT = 3

/** The weight of a match in title, headings, description, URL and body. */
export const WEIGHTS = [10, 5, 3, 4, 1] as const

const BUSY_MS = 5000
/** Of 4 KiB each. */
const PAGES_GIVEN_BACK = 256
const WRITER_CACHE_KIB = 8 * 1024

/** The path of a database's index. */
export const indexFileOf = (databaseFile: string) => join(dirname(databaseFile), 'search.db')

export const wordsTable = (teamNo: number) => `words_${teamNo}`
export const vocabularyTable = (teamNo: number) => `vocabulary_${teamNo}`

/** Opens the file for writing; creates it when it is missing. Throws when it is damaged or has another format. */
export function openIndex(file: string): SqliteConnection {
  const connection = openSqliteFile(file, { busyMs: BUSY_MS })
  try {
    // Set in a new file before anything is written, so that its free pages can be released in steps.
    connection.pragma('auto_vacuum = INCREMENTAL')
    connection.pragma('journal_mode = WAL')
    // A commit that is lost in a power cut is repeated by the next comparison, because the cursor is in the same transaction as its rows.
    connection.pragma('synchronous = NORMAL')
    connection.pragma(`cache_size = ${-WRITER_CACHE_KIB}`)
    connection.pragma(`journal_size_limit = ${16 * 1024 * 1024}`)
    connection.transaction(() => createTables(connection)).immediate()
    return connection
  } catch (cause) {
    connection.close()
    throw cause
  }
}

/** Opens the file for reading; null when it does not exist yet. Throws when it is damaged or has another format. */
export function openForReading(file: string, { cacheKiB }: { cacheKiB: number }): SqliteConnection | null {
  let connection: SqliteConnection
  try {
    connection = openSqliteFile(file, { busyMs: BUSY_MS, mustExist: true })
  } catch (fault) {
    if ((fault as { code?: string }).code === 'SQLITE_CANTOPEN' || fault instanceof TypeError) return null
    throw fault
  }
  try {
    connection.pragma('query_only = ON')
    connection.pragma(`cache_size = ${-cacheKiB}`)
    return connection
  } catch (cause) {
    connection.close()
    throw cause
  }
}

/** Whether an open file has the format of this version. */
export const hasFormat = (connection: SqliteConnection) => connection.pragma('user_version', { simple: true }) === FORMAT

/**
 * Releases up to a megabyte of free pages to the disk; true when more are free. A step takes under 1 ms.
 *
 * Does nothing in a file that was created without `auto_vacuum`.
 */
export function releaseFreeSpace(connection: SqliteConnection): boolean {
  const free = () => connection.pragma('freelist_count', { simple: true }) as number
  const before = free()
  if (before === 0) return false
  connection.pragma(`incremental_vacuum(${PAGES_GIVEN_BACK})`)
  const after = free()
  return after > 0 && after < before
}

/** Deletes the file and the files that SQLite keeps beside it. */
export function removeIndex(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true })
}

/** Does an error mean that the file is useless? Not if the disk is full or the file is locked. */
export function isDamage(fault: unknown): boolean {
  const code = (fault as { code?: string } | null)?.code ?? ''
  return isOtherFormat(fault) || /^SQLITE_(CORRUPT|NOTADB)/.test(code)
}

/** Was the file written by another version? Every upgrade that changes the format meets this; nothing is damaged. */
export const isOtherFormat = (fault: unknown): boolean => fault instanceof WrongFormat

class WrongFormat extends Error {}

function createTables(connection: SqliteConnection): void {
  const format = connection.pragma('user_version', { simple: true })
  if (format === FORMAT) return
  if (format !== 0) throw new WrongFormat(`the index has format ${String(format)}, this version writes ${FORMAT}`)
  connection.exec(`
    CREATE TABLE team (no INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE);
    -- How far each run has been followed; its id, since a database that was put back from a backup may give numbers again.
    CREATE TABLE run (no INTEGER PRIMARY KEY, id TEXT NOT NULL, team_no INTEGER NOT NULL, ordinal INTEGER NOT NULL);
    CREATE INDEX run_team ON run (team_no);
    CREATE TABLE page (no INTEGER PRIMARY KEY, team_no INTEGER NOT NULL, address_key INTEGER NOT NULL, host TEXT NOT NULL, path TEXT NOT NULL,
      language TEXT, created_at INTEGER NOT NULL, is_newest INTEGER NOT NULL);
    CREATE INDEX page_address ON page (team_no, address_key, created_at, no);
    PRAGMA user_version = ${FORMAT};`)
}

/** The number of a team's tables; creates them with its first page. */
export function teamTables(connection: SqliteConnection, teamId: string): number {
  const known = connection.prepare('SELECT no FROM team WHERE id = ?').get(teamId) as { no: number } | undefined
  if (known) return known.no
  const no = Number(connection.prepare('INSERT INTO team (id) VALUES (?)').run(teamId).lastInsertRowid)
  // Words arrive folded and separated by one space: the plain tokenizer leaves all letters beyond ASCII unchanged.
  // Beginnings of words have no index of their own (`prefix=`). Measured with 8,000 pages of 15 KB of text: it took 0.09 of 0.25 ms for
  // each page and made the file 80 MB instead of 44; over 100,000 pages a word and a beginning are found in 35 ms without it, in 30 with it.
  connection.exec(`
    CREATE VIRTUAL TABLE ${wordsTable(no)} USING fts5(title, headings, description, address, body,
      content='', contentless_delete=1, tokenize='ascii');
    CREATE VIRTUAL TABLE ${vocabularyTable(no)} USING fts5vocab('${wordsTable(no)}', 'row');`)
  return no
}

export function dropTeam(connection: SqliteConnection, teamNo: number): void {
  connection.exec(`DROP TABLE ${vocabularyTable(teamNo)}; DROP TABLE ${wordsTable(teamNo)}`)
  connection.prepare('DELETE FROM team WHERE no = ?').run(teamNo)
}

/** Operations on the rows of one team's full-text table. */
export function wordRows(connection: SqliteConnection, teamNo: number) {
  const table = wordsTable(teamNo)
  const insert = connection.prepare(`INSERT INTO ${table} (rowid, title, headings, description, address, body) VALUES (?, ?, ?, ?, ?, ?)`)
  const remove = connection.prepare(`DELETE FROM ${table} WHERE rowid = ?`)
  return {
    insert({ no, isNewest }: { no: number; isNewest: boolean }, folded: FoldedText) {
      insert.run(isNewest ? no : -no, folded.title, folded.headings, folded.description, folded.address, folded.body)
    },
    remove({ no, isNewest }: { no: number; isNewest: boolean }) {
      remove.run(isNewest ? no : -no)
    },
  }
}

export type FoldedText = PageText

/** The texts of a page in the form that the tokenizer of the full-text tables needs. */
export function foldPage({ title, headings, description, address, body }: PageText): FoldedText {
  return {
    title: foldForIndex(title),
    headings: foldForIndex(headings),
    description: foldForIndex(description),
    address: foldForIndex(address),
    body: foldForIndex(body),
  }
}
