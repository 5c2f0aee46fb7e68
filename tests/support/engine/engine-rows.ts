/** Writes the rows that an engine would write, without an engine: takes a run, stores pages and feed lines, ends the run. */
import { createHash } from 'node:crypto'
import { zstdCompressSync } from 'node:zlib'
import type { FeedType, RunStatus } from '#contract/runs.ts'
import { hostKey, urlIdentity } from '#backend/crawler/url/canonical-url.ts'
import { urlKey } from '#backend/crawler/url/url-key.ts'
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import { URL_STATES } from '#backend/store/read-runs.ts'
import type { Database, Transaction } from '#backend/platform/database/database.ts'
import type { EventBus } from '#backend/platform/events/event-bus.ts'

/** A link that was found: its page, its text, and how it ended. */
export type FoundUrl = { url: string; title?: string; depth?: number; outcome?: string | null; detail?: string; httpStatus?: number }
export type KeptPage = { url: string; title?: string | null; document?: unknown; isPlain?: boolean }
export type Said = { type?: FeedType; message: string }

/** One commit of the engine: readers see all of it or nothing. */
export type Commit = { pages?: KeptPage[]; found?: FoundUrl[]; feed?: Said[]; end?: { status: RunStatus; reason?: string } }

export function engineRows({ bus, database, now }: { bus: Pick<EventBus, 'publish'>; database: Database; now: () => number }) {
  return { take, commit, hint }

  /** Makes the run running, as an engine does when it takes a run. */
  async function take(runId: string): Promise<number> {
    const { no } = await database
      .updateTable('run')
      .set({ status: 'running', owner: 'engine', startedAt: now() })
      .where('id', '=', runId)
      .where('status', '=', 'new')
      .returning('no')
      .executeTakeFirstOrThrow()
    await hint(no)
    return no
  }

  /** Writes one commit and notifies the watchers; `isQuiet` omits the notification, as if it were lost. */
  async function commit(runNo: number, { pages = [], found = [], feed = [], end }: Commit, { isQuiet = false } = {}): Promise<void> {
    await database.transaction().execute(async (transaction) => {
      const run = await transaction.selectFrom('run').where('no', '=', runNo).selectAll().executeTakeFirstOrThrow()
      let seq = run.eventSeq
      let kept = run.kept
      let settled = run.settled
      const known = run.known + (await addUrls(transaction, run, found))
      settled += found.filter(({ outcome }) => outcome !== null && outcome !== undefined).length
      for (const page of pages) {
        seq += 1
        kept += 1
        settled += await keep(transaction, run, page, kept, seq)
      }
      if (feed.length > 0) {
        const at = new Date(now()).toISOString().replace('Z', '000Z')
        const messages = feed.map(({ type = 'info', message }, index) => {
          const number = seq + 1 + index
          return { id: String(number), type, message, timestamp: at, metadata: {}, seq: number }
        })
        await transaction
          .insertInto('runFeed')
          .values({ runNo, firstSeq: seq + 1, lastSeq: seq + feed.length, messages: JSON.stringify(messages) })
          .execute()
        seq += feed.length
      }
      await transaction
        .updateTable('run')
        .set({
          kept,
          known,
          settled: end ? known : settled,
          eventSeq: end ? seq + 1 : seq,
          updatedAt: now(),
          ...(end ? { status: end.status, reason: end.reason ?? 'drained', endedAt: now(), owner: null } : {}),
        })
        .where('no', '=', runNo)
        .execute()
      if (!end) return
      await transaction.updateTable('creditEntry').set({ state: 'settled', used: kept }).where('runNo', '=', runNo).execute()
      await transaction.deleteFrom('job').where('key', '>=', `run:${runNo}:`).where('key', '<', `run:${runNo};`).execute()
    })
    if (!isQuiet) await hint(runNo)
  }

  /** The hint on the bus after a commit. */
  async function hint(runNo: number): Promise<void> {
    const { eventSeq, status } = await database
      .selectFrom('run')
      .where('no', '=', runNo)
      .select(['eventSeq', 'status'])
      .executeTakeFirstOrThrow()
    bus.publish({ runNo, eventSeq, status })
  }
}

export type EngineRows = ReturnType<typeof engineRows>

type RunRow = { no: number; urlSalt: Buffer; known: number }

async function addUrls(transaction: Transaction, run: RunRow, found: FoundUrl[]): Promise<number> {
  for (const [index, { url, title = '', depth = 1, outcome = null, detail = null, httpStatus = null }] of found.entries()) {
    const { hi, lo } = urlKey(run.urlSalt, urlIdentity(url))
    await transaction
      .insertInto('runUrl')
      .values({
        runNo: run.no,
        seq: run.known + index,
        keyHi: hi,
        keyLo: lo,
        hostNo: await hostNo(transaction, url),
        depth,
        state: outcome === null ? stateNo('pending') : stateNo('settled'),
        url,
        title,
        outcome,
        detail,
        httpStatus,
        dueAt: null,
        bytes: null,
        tookMs: null,
      })
      .execute()
  }
  return found.length
}

async function hostNo(transaction: Transaction, url: string): Promise<number> {
  const key = hostKey(url)
  await transaction
    .insertInto('host')
    .values({ hostKey: key, robots: null, robotsUntil: null })
    .onConflict((conflict) => conflict.column('hostKey').doNothing())
    .execute()
  return (await transaction.selectFrom('host').where('hostKey', '=', key).select('no').executeTakeFirstOrThrow()).no
}

/** Writes the page, its body and the outcome of its URL; returns how many URLs it settled. */
async function keep(
  transaction: Transaction,
  run: RunRow,
  { url, title = null, document = { metadata: { title }, markdown: `# ${url}\n` }, isPlain = false }: KeptPage,
  ordinal: number,
  eventSeq: number,
): Promise<number> {
  const no = run.no * PAGES_PER_RUN + ordinal
  const { hi, lo } = urlKey(run.urlSalt, urlIdentity(url))
  const text = Buffer.from(JSON.stringify(document))
  await transaction
    .insertInto('page')
    .values({
      no,
      // The number makes each id unique.
      id: uuidOf(no),
      runNo: run.no,
      keyHi: hi,
      keyLo: lo,
      url,
      title,
      httpStatus: 200,
      contentType: 'text/html',
      language: null,
      contentHash: '',
      eventSeq,
      createdAt: Date.now(),
    })
    .execute()
  await transaction
    .insertInto('pageBody')
    .values({ pageNo: no, encoding: isPlain ? 0 : 1, rawBytes: text.length, body: isPlain ? text : zstdCompressSync(text) })
    .execute()
  const { numUpdatedRows } = await transaction
    .updateTable('runUrl')
    .set({ state: stateNo('settled'), outcome: 'kept', httpStatus: 200, tries: 1, bytes: text.length, tookMs: 12 })
    .where('runNo', '=', run.no)
    .where('keyHi', '=', hi)
    .where('keyLo', '=', lo)
    .where('state', '=', stateNo('pending'))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

function uuidOf(no: number): string {
  const hex = createHash('sha256').update(`page ${no}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const stateNo = (name: (typeof URL_STATES)[number]) => URL_STATES.indexOf(name)
