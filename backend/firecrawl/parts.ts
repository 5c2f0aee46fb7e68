/**
 * A batch with appended batches is one job to its clients, but several runs. Documents of a run are listed only after the runs before it
 * have ended, so that `skip` always counts the same documents.
 */
import { isTerminal } from '#contract/runs.ts'
import type { Database } from '#backend/platform/database/database.ts'
import { selectRuns, toRun } from '#backend/runs/run.ts'
import type { Run } from '#backend/runs/run.ts'
import type { OnMade } from '#backend/runs/runs.ts'
import type { ErrorEntry } from './job-errors.ts'
import type { Asked } from './scrape-spec.ts'
import { BYTES_AT_ONCE } from './status.ts'
import type { Statuses } from './status.ts'

/** A run of a job, and the request that made it. */
export type Part = { run: Run; asked: Asked }

/** Most runs that may be appended. */
export const MOST_APPENDED = 100

/** Links a run to the one that it was appended to, in the transaction that creates it. */
export const appendTo =
  (batch: Run): OnMade =>
  async (transaction, { runNo }) => {
    await transaction.updateTable('run').set({ appendedTo: batch.no }).where('no', '=', runNo).execute()
  }

/** The runs of a job, the first one first. */
export async function partsOf(database: Database, run: Run): Promise<Run[]> {
  if (run.variant !== 'batch') return [run]
  const rows = await selectRuns(database).where('run.appendedTo', '=', run.no).orderBy('run.no').execute()
  return [run, ...rows.map(toRun)]
}

export type JobStatuses = ReturnType<typeof createJobStatuses>

export function createJobStatuses({ statuses }: { statuses: Pick<Statuses, 'documents' | 'errors' | 'heads'> }) {
  return { head, status, documents, readable, errors }

  /** The response without documents. */
  async function head(parts: readonly Part[]): Promise<Record<string, unknown>> {
    const heads = await statuses.heads(parts)
    const [first] = heads
    if (heads.length === 1) return first!
    const { completedAt: _at, duration: _d, error, warning: _w, ...common } = first!
    const total = (name: string) => heads.reduce((sum, each) => sum + (each[name] as number), 0)
    const status = statusOf(heads.map((each) => each['status'] as string))
    const endedAt = Math.max(...parts.map(({ run }) => run.endedAt ?? 0))
    const warnings = new Set(parts.flatMap(({ asked }) => asked.warnings))
    return {
      ...common,
      status,
      total: total('total'),
      completed: total('completed'),
      creditsUsed: total('creditsUsed'),
      ...(status !== 'scraping' && {
        completedAt: new Date(endedAt).toISOString(),
        duration: Math.round((endedAt - parts[0]!.run.createdAt) / 1000),
      }),
      ...(status === 'failed' && error !== undefined && { error }),
      ...(warnings.size > 0 && { warning: [...warnings].join(' ') }),
    }
  }

  /**
   * The whole response as JSON text in pieces, with the documents after the first `skip`: each document is read when the caller has taken
   * the one before.
   */
  async function* status(
    parts: readonly Part[],
    { base, limit, path, skip, givenLimit }: { base: string; limit: number; path: string; skip: number | null; givenLimit: number | null },
  ): AsyncGenerator<string | Buffer> {
    let bytes = 0
    const after = skip ?? 0
    const most = readable(parts)
    let last = after
    const start = Buffer.from(`${JSON.stringify(await head(parts)).slice(0, -1)},"data":[`)
    for await (const { ordinal, text } of documents(parts, after, Math.min(most, after + limit), base)) {
      yield Buffer.concat([bytes === 0 ? start : COMMA, text])
      bytes += text.length
      last = ordinal
      if (bytes >= BYTES_AT_ONCE) break
    }
    if (bytes === 0) yield start
    // Published clients follow `next` at once as long as it is set, so it is omitted after the newest document of a running job.
    const isLast = last >= most && (hasEnded(parts) || (skip !== null && bytes === 0))
    const query = new URLSearchParams({ skip: String(last), ...(givenLimit !== null && { limit: String(givenLimit) }) })
    yield isLast ? ']}' : `],"next":${JSON.stringify(`${base}${path}?${query}`)}}`
  }

  /** How many documents can be read: up to the first run that has not ended. */
  function readable(parts: readonly Part[]): number {
    const running = parts.findIndex(({ run }) => !isTerminal(run.status))
    const shown = running === -1 ? parts : parts.slice(0, running + 1)
    return shown.reduce((sum, { run }) => sum + run.kept, 0)
  }

  /** Documents with `after` < ordinal ≤ `upTo` of the whole job, as JSON texts. */
  async function* documents(
    parts: readonly Part[],
    after: number,
    upTo: number,
    base: string,
  ): AsyncGenerator<{ ordinal: number; text: Buffer }> {
    let before = 0
    for (const { asked, run } of parts) {
      const from = Math.max(0, after - before)
      const to = Math.min(run.kept, upTo - before)
      if (to > from)
        for await (const { ordinal, text } of statuses.documents(run, asked, from, to, base)) yield { ordinal: before + ordinal, text }
      before += run.kept
      if (before >= upTo) return
    }
  }

  async function errors(parts: readonly Part[]): Promise<{ errors: ErrorEntry[]; robotsBlocked: string[] }> {
    const found = await Promise.all(parts.map(({ run }) => statuses.errors(run)))
    return { errors: found.flatMap((each) => each.errors), robotsBlocked: found.flatMap((each) => each.robotsBlocked) }
  }
}

export const hasEnded = (parts: readonly Part[]) => parts.every(({ run }) => isTerminal(run.status))

/** A job is running while any of its runs is, and has failed when all have. */
function statusOf(statuses: readonly string[]): string {
  if (statuses.includes('scraping')) return 'scraping'
  if (statuses.includes('cancelled')) return 'cancelled'
  return statuses.every((status) => status === 'failed') ? 'failed' : 'completed'
}

const COMMA = Buffer.from(',')
