/**
 * Commits the work of one task: lines, results and the end, one commit after the other in the order of the calls.
 *
 * The store checks each time that the run is still ours. When the disk or database fails, the same commit is retried until it succeeds.
 */
import type { RunStatus } from '#contract/runs.ts'
import { StoreTrouble, noChanges } from '#backend/store/run-store.ts'
import type { FeedLine, LostWhy, RunCommit, RunEnding, RunHint, RunStore, TakenRun, TaskCommit } from '#backend/store/run-store.ts'
import { pause } from '#backend/crawler/engine/pause.ts'
import { RunOver } from './task.ts'

const AGAIN_MS = 1000
const MOST_LINES = 400

/** The end; `ending` gets the number of results that were committed before. */
export type TaskEnd = { task: TaskCommit; ending: (kept: number) => RunEnding }

export function createTaskWriter(needs: {
  row: TakenRun
  store: Pick<RunStore, 'commit'>
  workedMs: () => number
  publish: (hints: RunHint[]) => void
  report: (message: string, fault: unknown) => void
  /** Called when the run is no longer ours, or is to be stopped. */
  lost: (why: LostWhy) => void
}) {
  const { row, store, workedMs, publish, report, lost } = needs
  const held = { commitNo: row.commitNo, kept: row.kept, eventSeq: row.eventSeq }
  const stop = new AbortController()
  let lines: FeedLine[] = []
  let tail: Promise<unknown> = Promise.resolve()
  /** Commits of an earlier generation are dropped. */
  let generation = 0
  return {
    tell,
    commit,
    end,
    dropWaiting,
    close,
    get hasLines() {
      return lines.length > 0
    },
    /** Number of committed results. */
    get kept() {
      return held.kept
    },
  }

  /** Adds a line to the next commit; when there are too many, the oldest are dropped. */
  function tell(line: FeedLine) {
    lines.push(line)
    if (lines.length > MOST_LINES) lines.shift()
  }

  /** Commits the lines told so far and the given work. Rejects with `RunOver` when the run is lost. */
  async function commit(task: TaskCommit): Promise<void> {
    await add(() => ({ task, ending: null }))
  }

  /** Ends the run; returns its final status. */
  function end({ ending, task }: TaskEnd): Promise<RunStatus> {
    return add(() => ({ task, ending: ending(held.kept + task.kept) }))
  }

  /** Drops everything that is not being written yet. */
  function dropWaiting() {
    generation += 1
    lines = []
  }

  function close() {
    dropWaiting()
    stop.abort()
  }

  function add(rest: () => Pick<RunCommit, 'task' | 'ending'>): Promise<RunStatus> {
    const feed = lines
    const mine = generation
    lines = []
    const written = tail.then(() => {
      if (mine !== generation || stop.signal.aborted) throw new RunOver('the run is over')
      const { runNo, token } = row
      return write({ runNo, token, ...held, workedMs: workedMs(), changes: { ...noChanges(), feed }, ...rest() })
    })
    tail = written.catch(() => undefined)
    return written
  }

  async function write(value: RunCommit): Promise<RunStatus> {
    const [result] = await commitInTheEnd(value)
    if (result!.kind === 'broken') throw result!.fault
    if (result!.kind === 'lost') {
      lost(result!.why)
      throw new RunOver(`the run is ${result!.why}`)
    }
    const { commitNo, eventSeq, kept, status } = result!
    Object.assign(held, { commitNo, eventSeq, kept })
    publish([{ runNo: row.runNo, eventSeq, status }])
    return status
  }

  async function commitInTheEnd(value: RunCommit) {
    for (let tries = 0; ; tries += 1) {
      try {
        return await store.commit([value])
      } catch (fault) {
        if (!(fault instanceof StoreTrouble)) throw fault
        if (tries === 0) report('what a task has done cannot be written; it is tried again', fault)
        await pause(AGAIN_MS, stop.signal)
        if (stop.signal.aborted) throw new RunOver('the run is over', { cause: fault })
      }
    }
  }
}
