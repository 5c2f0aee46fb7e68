/**
 * Marks runs as deleted. From that commit on they cannot be read; their data is removed later, in small steps (see `store/run-sweep.ts`).
 *
 * A waiting run is canceled in the same commit. A running one is told to stop: the engine ends it, and only then is anything removed.
 */
import { setImmediate } from 'node:timers/promises'
import { RUN_KINDS } from '#contract/runs.ts'
import type { RunKind } from '#contract/runs.ts'
import type { Database } from '#backend/platform/database/database.ts'
import type { EventBus } from '#backend/platform/events/event-bus.ts'
import { purgeRun } from '#backend/store/create-run.ts'
import type { RunHooks } from '#backend/store/run-hooks.ts'
import { doStepsIn } from '#backend/store/steps.ts'

/** Runs per transaction. A waiting run may have a thousand seeds, whose rows are updated too: a few milliseconds per run. */
const WAITING_AT_ONCE = 5
const ENDED_AT_ONCE = 50
/** Wakes the streams of a deleted run: each reads the tables and finds no run. */
const ALWAYS_NEW = Number.MAX_SAFE_INTEGER

/** Called with runs that were just deleted, and the number of their pages. */
export type OnDeleted = (runs: readonly { no: number; kept: number }[]) => void

/**
 * @param cancelRun  tells the engine to stop a run
 * @param hooks      what features do when a run ends
 * @param onDeleted  called with runs once their marks are committed: their data may be removed
 */
export function createRunDeletion({
  bus,
  cancelRun,
  database,
  hooks,
  now,
  onDeleted = () => undefined,
}: {
  bus: Pick<EventBus, 'publish'>
  cancelRun: (runNo: number) => void
  database: Database
  hooks: RunHooks
  now: () => number
  onDeleted?: OnDeleted | undefined
}) {
  return { deleteRuns, deleteAllOf, deleteByNumber }

  /** Deletes runs of a team. Ids that are unknown, or of other teams or kinds, are ignored. Returns how many this call deleted. */
  async function deleteRuns(teamId: string, kind: RunKind, ids: readonly string[]): Promise<number> {
    const rows = await readable(teamId).where('id', 'in', ids).where('kind', '=', kind).execute()
    return deleteRows(rows)
  }

  /** Runs of a team that are not deleted yet. */
  function readable(teamId: string) {
    return database.selectFrom('run').where('teamId', '=', teamId).where('deletedAt', 'is', null).select(['no', 'endedAt'])
  }

  /** Deletes every run of a team, unfinished ones first. */
  async function deleteAllOf(teamId: string): Promise<void> {
    const unfinished = await readable(teamId).where('endedAt', 'is', null).execute()
    await deleteRows(unfinished)
    for (const kind of RUN_KINDS)
      for (let after = 0, isMore = true; isMore;) {
        const rows = await readable(teamId).where('kind', '=', kind).where('no', '>', after).orderBy('no').limit(ENDED_AT_ONCE).execute()
        await deleteRows(rows)
        after = rows.at(-1)?.no ?? 0
        isMore = rows.length === ENDED_AT_ONCE
      }
  }

  /** Deletes runs of any team, by their numbers. */
  async function deleteByNumber(nos: readonly number[]): Promise<number> {
    return deleteRows(
      await database.selectFrom('run').where('no', 'in', nos).where('deletedAt', 'is', null).select(['no', 'endedAt']).execute(),
    )
  }

  async function deleteRows(rows: readonly { no: number; endedAt: number | null }[]): Promise<number> {
    let deleted = 0
    for (const group of groupsOf(rows)) {
      deleted += await deleteGroup(group)
      await setImmediate()
    }
    return deleted
  }

  async function deleteGroup(nos: readonly number[]): Promise<number> {
    const marked = await database.transaction().execute(async (transaction) => {
      const done: { no: number; kept: number; status: string }[] = []
      for (const no of nos) {
        const run = await doStepsIn(transaction, purgeRun(no, now(), hooks))
        if (run !== null) done.push({ no, ...run })
      }
      return done
    })
    for (const { no, status } of marked) {
      if (status === 'canceling') cancelRun(no)
      bus.publish({ runNo: no, eventSeq: ALWAYS_NEW, status })
    }
    if (marked.length > 0) onDeleted(marked)
    return marked.length
  }
}

export type RunDeletion = ReturnType<typeof createRunDeletion>

/** Numbers in groups for one transaction: many ended runs, or few unfinished ones. */
function* groupsOf(rows: readonly { no: number; endedAt: number | null }[]): Generator<number[]> {
  const ended = rows.filter(({ endedAt }) => endedAt !== null)
  const unfinished = rows.filter(({ endedAt }) => endedAt === null)
  for (let at = 0; at < unfinished.length; at += WAITING_AT_ONCE) yield unfinished.slice(at, at + WAITING_AT_ONCE).map(({ no }) => no)
  for (let at = 0; at < ended.length; at += ENDED_AT_ONCE) yield ended.slice(at, at + ENDED_AT_ONCE).map(({ no }) => no)
}
