/**
 * Measures which part of its speed a crawl keeps while 1,000,000 URLs of another crawl are removed, how long other writers wait for the database
 * meanwhile, and whether the disk space is freed. Compares pairs of the same crawl, alone and beside the removal, in one product.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '#backend/platform/database/sqlite.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import { storedRuns } from '#tests/support/engine/stored-runs.ts'
import { crawlWhole } from './crawl.ts'
import { median, percentile, startProduct, startSite } from './processes.ts'
import type { Product } from './processes.ts'

const GOAL = 0.8
const CRAWLED = 1500
const KB = 25
const STORED_PAGES = 20_000
const BODY_BYTES = 2000
const PROBE_MS = 7
const LIMIT_MS = 15 * 60_000

export async function deletionBench({ urls, rounds }: { urls: number; rounds: number }) {
  const directory = mkdtempSync(join(tmpdir(), 'seine-bench-deletion-'))
  const site = await startSite({ pages: CRAWLED, kb: KB }, 1)
  const product = await startProduct(site.port, 0, { DATA_DIR: directory })
  const file = join(directory, 'seine.db')
  const connection = openSqlite(file, { cacheMiB: 64 })
  try {
    await crawlWhole(product, site, CRAWLED)
    const ratios: number[] = []
    const waits: number[] = []
    const waitsAlone: number[] = []
    for (let round = 1; round <= rounds; round += 1) {
      const id = fill(connection, urls)
      connection.pragma('wal_checkpoint(TRUNCATE)')
      const full = statSync(file).size
      await site.reset()
      // The probe runs in both crawls, so that it makes no difference.
      const quiet = probeLock(file)
      const alone = await crawlWhole(product, site, CRAWLED)
      waitsAlone.push(...quiet.stop())
      await site.reset()
      await product.call('DELETE', `/api/v1/core/crawl-requests/${id}/?purge=true`)
      const from = performance.now()
      const probe = probeLock(file)
      const beside = await crawlWhole(product, site, CRAWLED)
      const left = rowsLeft(connection)
      waits.push(...probe.stop())
      await gone(connection, from)
      const minutes = (performance.now() - from) / 60_000
      await settled(product, connection)
      const after = statSync(file).size
      const ratio = alone.seconds / beside.seconds
      ratios.push(ratio)
      console.log(
        `  round ${round}: alone ${(CRAWLED / alone.seconds).toFixed(0)} pages/s, beside the removal ${(CRAWLED / beside.seconds).toFixed(0)}, ${ratio.toFixed(2)} of that; ` +
          `CPU seconds ${alone.cpuSeconds.toFixed(1)} and ${beside.cpuSeconds.toFixed(1)}; ${left} URLs were left at its end; removed after ${minutes.toFixed(1)} min; the file had ${mb(full)} and has ${mb(after)}`,
      )
    }
    console.log(`a crawl beside the removal of ${urls} URLs: ${median(ratios).toFixed(2)} of its speed, at least ${GOAL} wanted`)
    console.log(
      `  a writer waits for the database: median ${median(waits).toFixed(1)} ms, p99 ${percentile(waits, 0.99).toFixed(1)} ms, at most ${Math.max(...waits).toFixed(0)} ms beside crawl and removal; beside the crawl alone p99 ${percentile(waitsAlone, 0.99).toFixed(1)} ms, at most ${Math.max(...waitsAlone).toFixed(0)} ms`,
    )
  } finally {
    connection.close()
    await product.stop()
    await site.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`

/** Creates a run with so many URLs and some pages, for the team of the key. */
function fill(connection: SqliteConnection, urls: number): string {
  const { id: teamId } = connection.prepare('SELECT id FROM team ORDER BY created_at LIMIT 1').get() as { id: string }
  const { add } = storedRuns(connection)
  const no = add({ teamId, pages: STORED_PAGES, bodyBytes: BODY_BYTES, feed: 1000 })
  const insert = connection.prepare(
    "INSERT INTO run_url (run_no, seq, key_hi, key_lo, host_no, depth, state, outcome, url, title) VALUES (?, ?, ?, ?, 1, 2, 2, 'out_of_scope', ?, '')",
  )
  connection.transaction(() => {
    for (let seq = 0; seq < urls; seq += 1) {
      const key = randomBytes(8)
      insert.run(no, seq, key.readInt32LE(0), key.readInt32LE(4), `https://shop.example/catalogue/section-${seq % 97}/article-${seq}`)
    }
  })()
  return (connection.prepare('SELECT id FROM run WHERE no = ?').get(no) as { id: string }).id
}

const rowsLeft = (connection: SqliteConnection) =>
  (
    connection
      .prepare('SELECT count(*) AS rows FROM run_url WHERE run_no = (SELECT no FROM run WHERE deleted_at IS NOT NULL LIMIT 1)')
      .get() as { rows: number }
  ).rows

/** Requests the write lock again and again, as the engine's commits do, over a connection of its own. */
function probeLock(file: string): { stop: () => number[] } {
  const connection = openSqlite(file, { cacheMiB: 1 })
  const waits: number[] = []
  const timer = setInterval(() => {
    const from = performance.now()
    connection.exec('BEGIN IMMEDIATE')
    waits.push(performance.now() - from)
    connection.exec('ROLLBACK')
  }, PROBE_MS)
  return {
    stop() {
      clearInterval(timer)
      connection.close()
      return waits
    },
  }
}

async function gone(connection: SqliteConnection, from: number): Promise<void> {
  const left = connection.prepare('SELECT 1 FROM run WHERE deleted_at IS NOT NULL LIMIT 1')
  while (left.get() !== undefined) {
    if (performance.now() - from > LIMIT_MS) throw new Error('the run was not removed in time')
    await pause(100)
  }
}

/** Waits until the free pages are released. */
async function settled({ call }: Product, connection: SqliteConnection): Promise<void> {
  const until = performance.now() + LIMIT_MS
  while ((connection.pragma('freelist_count', { simple: true }) as number) > 0 && performance.now() < until) await pause(100)
  await call('GET', '/api/v1/core/crawl-requests/?page_size=1')
  connection.pragma('wal_checkpoint(TRUNCATE)')
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
