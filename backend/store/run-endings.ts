/**
 * `onRunEnded`: the one place where features listen for the ends of runs (webhooks and removal).
 *
 * An end is a row, written in the transaction that ends the run. Each listener has a mark, the number of the last end that it has handled,
 * which moves in the same transaction as the listener's writes. So even after a crash, a listener's writes for an end happen exactly once;
 * whatever it does outside of that transaction happens at least once.
 */
import { sql } from 'kysely'
import type { Database, Transaction } from '#backend/platform/database/database.ts'
import type { EventBus } from '#backend/platform/events/event-bus.ts'
import { isTerminal } from '#contract/runs.ts'

export type RunEnded = { runNo: number; runId: string; teamId: string; kind: string; status: string; endedAt: number }

/**
 * Handles one end. Writes in the given transaction, which must stay short: no network, no other transaction. A listener that needs another
 * server queues a job here.
 */
type RunEndedHandler = (transaction: Transaction, ended: RunEnded) => Promise<void>

const AT_ONCE = 100
/** Delay, so that watchers of a run see its end first: listeners' writes block the event loop for 3 ms. */
const AFTER_END_MS = 50
/** Interval for finding ends whose hint was lost because its process died after the commit. */
const LOOK_MS = 30_000
/** Pause after a listener has failed; doubles each time. */
const FIRST_REST_MS = 1000
const LONGEST_REST_MS = 60_000

type Listener = {
  name: string
  handle: RunEndedHandler
  /** The pass in progress. */
  telling: Promise<void> | null
  /** There may be ends that the pass in progress has not read. */
  isWanted: boolean
  /** Timer of the pause after a failure. */
  resting: NodeJS.Timeout | null
  failures: number
}

/**
 * @param bus    hints about runs that have just ended
 * @param every  calls a function repeatedly, until the returned function is called
 * @param later  calls a function once, unless the returned function is called before
 * @param warn   called when a listener fails; it gets the same end again
 */
export function createRunEndings({
  bus,
  database,
  every,
  later = afterTimeout,
  warn,
}: {
  bus: Pick<EventBus, 'subscribeAll'>
  database: Database
  every: (ms: number, call: () => void) => () => void
  later?: (ms: number, call: () => void) => () => void
  warn: (facts: object, message: string) => void
}) {
  const listeners: Listener[] = []
  let isOpen = false
  let stopWaiting: (() => void) | null = null
  const stops: (() => void)[] = []
  return { onRunEnded, start, look, close }

  /**
   * Registers a listener; call it before `start`. The listener gets the ends one after the other, in order. After a failure it gets the
   * same end again after a pause, and later ends wait; other listeners are not affected.
   *
   * @param name  of its mark in the database: must not change between versions. A new name only gets runs that end from then on
   */
  function onRunEnded(name: string, handle: RunEndedHandler): void {
    if (isOpen) throw new Error(`The listener ${name} was added after the start.`)
    if (listeners.some((listener) => listener.name === name)) throw new Error(`Two listeners are called ${name}.`)
    listeners.push({ name, handle, telling: null, isWanted: false, resting: null, failures: 0 })
  }

  /** Creates marks for new listeners, removes those of listeners that no longer exist, and delivers ends since the last process. */
  async function start(): Promise<void> {
    isOpen = true
    const names = listeners.map(({ name }) => name)
    await database.transaction().execute(async (transaction) => {
      for (const name of names)
        await transaction
          .insertInto('runEndingListener')
          .values(({ fn, selectFrom, val }) => ({
            name,
            place: selectFrom('runEnding').select(() => fn.coalesce(fn.max<number>(sql.ref('no')), val(0)).as('place')),
          }))
          .onConflict((conflict) => conflict.column('name').doNothing())
          .execute()
      // Ends are kept until all listeners have handled them, so the mark of a removed listener would keep them for ever.
      const others = transaction.deleteFrom('runEndingListener')
      await (names.length === 0 ? others : others.where('name', 'not in', names)).execute()
    })
    if (names.length === 0) return
    stops.push(
      bus.subscribeAll(({ status }) => isTerminal(status) && lookSoon()),
      every(LOOK_MS, () => void look()),
    )
    void look()
  }

  function lookSoon() {
    stopWaiting ??= later(AFTER_END_MS, () => {
      stopWaiting = null
      void look()
    })
  }

  /** Delivers outstanding ends to all listeners that are not pausing. Resolves when each has handled them or failed. */
  async function look(): Promise<void> {
    await Promise.all(listeners.map(lookOf))
  }

  function lookOf(listener: Listener): Promise<void> {
    listener.isWanted = true
    if (!isOpen || listener.resting !== null) return Promise.resolve()
    listener.telling ??= tell(listener)
    return listener.telling
  }

  async function tell(listener: Listener): Promise<void> {
    try {
      while (listener.isWanted && isOpen) {
        listener.isWanted = false
        await tellAll(listener)
      }
      listener.failures = 0
    } catch (fault) {
      if (isOpen) rest(listener, fault)
    } finally {
      // In the same turn as the last check of `isWanted`: a call in between would wait for a pass that is over.
      listener.telling = null
    }
  }

  async function tellAll({ handle, name }: Listener): Promise<void> {
    for (;;) {
      const ends = await database
        .selectFrom('runEnding')
        .where('no', '>', (of) => of.selectFrom('runEndingListener').where('name', '=', name).select('place'))
        .orderBy('no')
        .limit(AT_ONCE)
        .selectAll()
        .execute()
      for (const { no, ...ended } of ends) {
        if (!isOpen) return
        await database.transaction().execute(async (transaction) => {
          await handle(transaction, ended)
          await transaction.updateTable('runEndingListener').set({ place: no }).where('name', '=', name).execute()
        })
      }
      if (ends.length < AT_ONCE) return
    }
  }

  function rest(listener: Listener, fault: unknown) {
    const restMs = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** listener.failures)
    listener.failures += 1
    warn({ err: fault, listener: listener.name, restMs }, 'a listener failed at the end of a run; it is called again')
    listener.resting = setTimeout(() => {
      listener.resting = null
      void lookOf(listener)
    }, restMs).unref()
  }

  /** Closes after the end that is being handled; the next process delivers the others. */
  async function close(): Promise<void> {
    isOpen = false
    for (const stop of stops) stop()
    stopWaiting?.()
    for (const { resting } of listeners) if (resting !== null) clearTimeout(resting)
    await Promise.all(listeners.map(({ telling }) => telling ?? Promise.resolve()))
  }
}

const afterTimeout = (ms: number, call: () => void) => {
  const timer = setTimeout(call, ms).unref()
  return () => clearTimeout(timer)
}
