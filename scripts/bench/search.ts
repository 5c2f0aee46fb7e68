/**
 * Measures the search over a team's own pages: 100,000 pages of one team, indexed by the product's indexer, then two-word queries through
 * the API's own thread while a crawl writes to the same database.
 *
 * Words follow Zipf's law over a vocabulary of 200,000, as in natural languages. Queries use words as people do: none of the hundred most
 * frequent ones, and words of an existing page, so that most queries find something.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { migrate, openSqlite } from '#backend/platform/database/sqlite.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import { createIds } from '#backend/platform/ids.ts'
import { createFollower } from '#backend/searches/own-index/follower.ts'
import { indexFileOf, openIndex } from '#backend/searches/own-index/index-file.ts'
import { createOwnSearch } from '#backend/searches/own-index/own-search.ts'
import { randomOf } from '#tests/support/random.ts'
import { percentile } from './processes.ts'

const VOCABULARY = 200_000
const WORDS_PER_PAGE = 400
const PAGES_PER_RUN = 2 ** 24
const QUERIES = 2000
/** Pages per commit of the writing crawl. */
const COMMIT_PAGES = 10
const COMMIT_MS = 50

export async function searchBench({ pages: count }: { pages: number }) {
  const directory = mkdtempSync(join(tmpdir(), 'seine-bench-search-'))
  try {
    await measure(directory, count)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function measure(directory: string, count: number) {
  const random = randomOf(7)
  const words = vocabulary(random)
  const file = join(directory, 'seine.db')
  const database = openSqlite(file, { cacheMiB: 16 })
  // The test data need not be durable.
  database.pragma('synchronous = OFF')
  migrate(database, Date.now)
  const { teamId, runs } = makeRuns(database)
  const keep = writer(database, words, random)
  for (let kept = 0; kept < count; kept += 1000) keep(runs[0]!, 1000)
  database.pragma('synchronous = FULL')

  const indexFile = indexFileOf(file)
  const index = openIndex(indexFile)
  const follower = createFollower({ pages: database, index })
  follower.look()
  const started = performance.now()
  const { user, system } = process.cpuUsage()
  let indexed = 0
  for (let done = follower.step(); done !== null && indexed < count; done = follower.step()) indexed += done.added
  const seconds = (performance.now() - started) / 1000
  const used = process.cpuUsage()
  const cpuMs = (used.user + used.system - user - system) / 1000
  index.close()
  const size = statSync(indexFile).size
  console.log(`search over ${count} pages of ${WORDS_PER_PAGE} words:`)
  console.log(
    `  indexed ${(count / seconds).toFixed(0)} pages/s, ${(cpuMs / count).toFixed(2)} ms of a core each; ${(size / 2 ** 20).toFixed(0)} MiB on the disk, ${(size / count / 1024).toFixed(1)} KiB a page`,
  )

  const places = new Map(words.map((word, place) => [word, place]))
  const search = createOwnSearch({ database: file })
  await search.search({ teamId, query: words[500]!, limit: 1, offset: 0 })
  // A crawl that commits and an indexer that follows it, in threads of their own, while queries run one after the other.
  const crawl = new Worker(new URL(import.meta.url), { workerData: { file, runNo: runs[1] } })
  await new Promise((resolve) => crawl.once('message', resolve))
  const ofOnePage = (most: number) =>
    tellingWords(database, places, runs[0]! * PAGES_PER_RUN + 1 + Math.floor(random() * count), random, 100, most)
  const frequent = () => words[5 + Math.floor(random() * 95)]!
  for (const [name, draw] of [
    ['two words of a page', () => ofOnePage(2)],
    ['a question: three words of a page and four frequent ones', () => `${ofOnePage(3)} ${Array.from({ length: 4 }, frequent).join(' ')}`],
    ['two frequent words', () => `${frequent()} ${frequent()}`],
    ['nothing found, a word corrected', () => `${words[1000 + Math.floor(random() * 1000)]!}qx ${words[rank(random, 100)]!}`],
    ['a word and a beginning', () => `${words[rank(random, 100)]!} ${words[rank(random, 100)]!.slice(0, 4)}*`],
  ] as const) {
    const times: number[] = []
    let found = 0
    for (let query = 0; query < QUERIES / (name === 'two words of a page' ? 1 : 10); query += 1) {
      const text = draw()
      const asked = performance.now()
      const answer = await search.search({ teamId, query: text, limit: 10, offset: 0 })
      times.push(performance.now() - asked)
      if (answer.count > 0) found += 1
    }
    console.log(
      `  ${name}: p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms; ${found} of ${times.length} found something`,
    )
  }
  const written = await new Promise((resolve) => {
    crawl.once('message', resolve)
    crawl.postMessage('stop')
  })
  await crawl.terminate()
  console.log(`  ${String(written)} pages were written and indexed meanwhile`)
  await search.close()
  database.close()
}

/** The program of the crawl's thread. */
function writeOn({ file, runNo }: { file: string; runNo: number }) {
  const random = randomOf(8)
  const database = openSqlite(file, { cacheMiB: 8 })
  const keep = writer(database, vocabulary(randomOf(7)), random)
  const follower = createFollower({ pages: database, index: openIndex(indexFileOf(file)) })
  follower.look()
  let written = 0
  setInterval(() => {
    keep(runNo, COMMIT_PAGES)
    written += COMMIT_PAGES
    follower.hint(runNo)
    follower.step()
  }, COMMIT_MS)
  parentPort!.on('message', () => parentPort!.postMessage(written))
  parentPort!.postMessage('ready')
}

/** Some words of one existing page, none among the most `frequent`. */
function tellingWords(
  database: SqliteConnection,
  places: ReadonlyMap<string, number>,
  pageNo: number,
  random: () => number,
  frequent: number,
  most: number,
): string {
  const { body } = database.prepare('SELECT body FROM page_body WHERE page_no = ?').get(pageNo) as { body: Buffer }
  const { markdown } = JSON.parse(zstdDecompressSync(body).toString()) as { markdown: string }
  const telling = markdown.split(/\W+/).filter((word) => (places.get(word) ?? 0) >= frequent)
  return Array.from({ length: most }, () => telling[Math.floor(random() * telling.length)]!).join(' ')
}

/** A rank by Zipf's law, from `least` on. */
function rank(random: () => number, least = 0): number {
  for (;;) {
    const drawn = Math.floor(VOCABULARY ** random()) - 1
    if (drawn >= least) return drawn
  }
}

/** Distinct words of three to twelve letters, the frequent ones short, as in natural languages. */
function vocabulary(random: () => number): string[] {
  const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'la', 'me', 'ni', 'po', 'ru', 'sa', 'te', 'vi', 'zo', 'an', 'er', 'in', 'or', 'us', 'th']
  const words = new Set<string>()
  while (words.size < VOCABULARY) {
    const length = Math.min(6, 1 + Math.floor(Math.log10(words.size + 10) + random()))
    words.add(Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)]!).join('') + (random() < 0.3 ? 's' : ''))
  }
  return [...words]
}

function makeRuns(database: SqliteConnection): { teamId: string; runs: number[] } {
  const newId = createIds(Date.now)
  const teamId = newId()
  database.prepare('INSERT INTO team (id, name, is_default, created_at, updated_at) VALUES (?, ?, 1, 0, 0)').run(teamId, 'bench')
  const run = database.prepare(
    `INSERT INTO run (id, team_id, kind, variant, status, label, page_limit, seeds, url_salt, created_at, updated_at)
     VALUES (?, ?, 'crawl', 'single', 'running', 'bench', 1000000, 1, x'00', 0, 0)`,
  )
  return { teamId, runs: [1, 2].map(() => Number(run.run(newId(), teamId).lastInsertRowid)) }
}

/** Returns a function that stores pages of random words, all in one commit. */
function writer(database: SqliteConnection, words: string[], random: () => number): (runNo: number, pages: number) => void {
  const newId = createIds(Date.now)
  const page = database.prepare(
    `INSERT INTO page (no, id, run_no, key_hi, key_lo, url, title, http_status, content_type, language, content_hash, event_seq, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, 200, 'text/html', 'en', '', ?, ?)`,
  )
  const body = database.prepare('INSERT INTO page_body (page_no, encoding, raw_bytes, body) VALUES (?, 1, ?, ?)')
  const counted = database.prepare('UPDATE run SET kept = kept + ? WHERE no = ?')
  const kept = new Map<number, number>()
  const text = (length: number) => Array.from({ length }, () => words[rank(random)]!).join(' ')
  return keep

  function keep(runNo: number, pages: number) {
    database
      .transaction(() => {
        for (let at = 0; at < pages; at += 1) {
          const ordinal = (kept.get(runNo) ?? 0) + 1
          kept.set(runNo, ordinal)
          const title = text(5)
          const markdown = `# ${text(6)}\n\n${text(WORDS_PER_PAGE / 2)}.\n\n## ${text(4)}\n\n${text(WORDS_PER_PAGE / 2)}.`
          const raw = Buffer.from(JSON.stringify({ metadata: { title, description: text(15) }, markdown }))
          const no = runNo * PAGES_PER_RUN + ordinal
          const url = `https://site-${ordinal % 50}.example/${words[rank(random)]!}/${runNo}-${ordinal}`
          page.run(no, newId(), runNo, ordinal, ordinal, url, title, ordinal, Date.now())
          body.run(no, raw.length, zstdCompressSync(raw))
        }
        counted.run(pages, runNo)
      })
      .immediate()
  }
}

if (!isMainThread) writeOn(workerData as Parameters<typeof writeOn>[0])
