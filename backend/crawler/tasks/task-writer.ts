/**
 * Commits what one task has done: lines, results and the end, one commit after the other in the order in which they were handed over.
 *
 * The store proves each time that the run is still ours. Trouble of the machine is waited for, and the same value tried again.
 */
import type { RunStatus } from '#contract/runs.ts'
import { StoreTrouble, noChanges } from '#backend/store/run-store.ts'
import type { FeedLine, LostWhy, RunCommit, RunEnding, RunHint, RunStore, TakenRun, TaskCommit } from '#backend/store/run-store.ts'
import { pause } from '#backend/crawler/engine/pause.ts'
import { RunOver } from './task.ts'

const AGAIN_MS = 1000
const MOST_LINES = 400

/** The end, once it is known how many results were committed before it. */
export type TaskEnd = { task: TaskCommit; ending: (kept: number) => RunEnding }

export type TaskWriter = ReturnType<typeof createTaskWriter>

export function createTaskWriter(needs: {
  row: TakenRun
  store: Pick<RunStore, 'commit'>
  workedMs: () => number
  publish: (hints: RunHint[]) => void
  report: (message: string, fault: unknown) => void
  /** The run is no longer ours, or is to be stopped. */
  lost: (why: LostWhy) => void
}) {
  const { row, store, workedMs, publish, report, lost } = needs
  const held = { commitNo: row.commitNo, kept: row.kept, eventSeq: row.eventSeq }
  const stop = new AbortController()
  let lines: FeedLine[] = []
  let tail: Promise<unknown> = Promise.resolve()
  /** Commits of an earlier generation are not handed over any more. */
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
    /** Results that were committed. */
    get kept() {
      return held.kept
    },
  }

  /** Adds a line to the next commit; of too many the oldest are lost. */
  function tell(line: FeedLine) {
    lines.push(line)
    if (lines.length > MOST_LINES) lines.shift()
  }

  /** Commits the lines told so far, and what the task has done. Rejects with `RunOver` when the run is lost. */
  async function commit(task: TaskCommit): Promise<void> {
    await add(() => ({ task, ending: null }))
  }

  /** Ends the run; gives the status that it has then. */
  function end({ ending, task }: TaskEnd): Promise<RunStatus> {
    return add(() => ({ task, ending: ending(held.kept + task.kept) }))
  }

  /** What was handed over and is not on its way is given up. */
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
