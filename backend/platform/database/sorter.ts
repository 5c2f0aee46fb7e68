/** Sorts more rows than memory can hold: in a temporary database that disappears with its connection. */
import SQLite from 'better-sqlite3'

type SortedRow = { path: string; rank: number; page: string }

const CACHE_KIB = 8 * 1024
const ROWS_PER_COMMIT = 10_000

/** `read` returns the rows by path (as UTF-8 bytes), then rank, then order of insertion. */
export function openSorter() {
  const connection = new SQLite('')
  connection.pragma('journal_mode = OFF')
  connection.pragma('synchronous = OFF')
  connection.pragma(`cache_size = ${-CACHE_KIB}`)
  connection.exec('CREATE TABLE row (no INTEGER PRIMARY KEY, path TEXT NOT NULL, rank INTEGER NOT NULL, page TEXT NOT NULL)')
  const insert = connection.prepare('INSERT INTO row (path, rank, page) VALUES (?, ?, ?)')
  let waiting: SortedRow[] = []
  const write = connection.transaction(() => {
    for (const { path, rank, page } of waiting) insert.run(path, rank, page)
  })
  return { add, read, close: () => connection.close() }

  function add(path: string, rank: number, page: string) {
    waiting.push({ path, rank, page })
    if (waiting.length >= ROWS_PER_COMMIT) flush()
  }

  function flush() {
    write()
    waiting = []
  }

  function* read(): Generator<SortedRow> {
    flush()
    yield* connection.prepare('SELECT path, rank, page FROM row ORDER BY path, rank, no').iterate() as IterableIterator<SortedRow>
  }
}
