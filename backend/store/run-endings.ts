/**
 * `onRunEnded`: the one place where features listen to the ends of runs (mails, webhooks, schedules, removal).
 *
 * An end is a row that is written in the transaction that ends the run. Each listener has a mark, the number of the last end that it was told
 * of, and the mark moves in the same transaction as what the listener writes. So after a crash at any point a listener has written what
 * follows from an end exactly once; whatever it does outside of that transaction happens at least once.
 */
import { sql } from 'kysely'
import type { Database, Transaction } from '#backend/platform/database/database.ts'
import type { EventBus } from '#backend/platform/events/event-bus.ts'
import { isTerminal } from '#contract/runs.ts'

export type RunEnded = { runNo: number; runId: string; teamId: string; kind: string; status: string; endedAt: number }

/**
 * Acts on one end. It writes with the transaction that it is given, which must stay short: no network, no other transaction. A listener that
 * talks to other servers queues a job here.
 */
export type RunEndedHandler = (transaction: Transaction, ended: RunEnded) => Promise<void>

const AT_ONCE = 100
/** Those who watch a run see its end first: what listeners write would hold the event loop up for 3 ms. */
const AFTER_END_MS = 50
/** Should a hint be lost, since its process died after the commit. */
const LOOK_MS = 30_000
/** After a listener has failed: doubled each time. */
const FIRST_REST_MS = 1000
const LONGEST_REST_MS = 60_000

type Listener = {
  name: string
  handle: RunEndedHandler
  /** The look in progress. */
  telling: Promise<void> | null
  /** There may be ends that the look in progress has not seen. */
  isWanted: boolean
  /** Set during its pause after a failure. */
  resting: NodeJS.Timeout | null
  failures: number
}

export type RunEndings = ReturnType<typeof createRunEndings>

/**
 * @param bus    hints of runs that have just ended
 * @param every  calls again and again, until the returned function is called
 * @param later  calls once, unless the returned function is called before
 * @param warn   called when a listener fails on an end; the listener gets the same end again
 */
export function createRunEndings({
  bus,
  database,
  every = everyInterval,
  later = afterTimeout,
  warn,
}: {
  bus: Pick<EventBus, 'subscribeAll'>
  database: Database
  every?: (ms: number, call: () => void) => () => void
  later?: (ms: number, call: () => void) => () => void
  warn: (facts: object, message: string) => void
}) {
  const listeners: Listener[] = []
  let isOpen = false
  let stopWaiting: (() => void) | null = null
  const stops: (() => void)[] = []
  return { onRunEnded, start, look, close }

  /**
   * Registers a listener, before `start`. It is told of the ends one after the other, in their order. An end on which it fails is told again
   * after a pause, and the later ones wait for it; other listeners do not.
   *
   * @param name  of its mark in the database: it stays the same over versions. A new name hears only of runs that end from then on
   */
  function onRunEnded(name: string, handle: RunEndedHandler): void {
    if (isOpen) throw new Error(`The listener ${name} came after the start.`)
    if (listeners.some((listener) => listener.name === name)) throw new Error(`Two listeners are called ${name}.`)
    listeners.push({ name, handle, telling: null, isWanted: false, resting: null, failures: 0 })
  }

  /** Gives new listeners a mark, drops the marks of those that are no more, and tells of what ended since the last process. */
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
      // Ends are kept until all have heard of them: a listener of an older version would keep them for ever.
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

  /** Tells the listeners of what they have not heard, except those that rest. Resolves when all were told or have failed. */
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
      // In the same turn as the last look at `isWanted`: a call in between would wait for a look that is over.
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
    warn({ err: fault, listener: listener.name, restMs }, 'a listener failed on the end of a run; it is told again')
    listener.resting = setTimeout(() => {
      listener.resting = null
      void lookOf(listener)
    }, restMs).unref()
  }

  /** Ends after the end that is being told; the next process tells the others. */
  async function close(): Promise<void> {
    isOpen = false
    for (const stop of stops) stop()
    stopWaiting?.()
    for (const { resting } of listeners) if (resting !== null) clearTimeout(resting)
    await Promise.all(listeners.map(({ telling }) => telling ?? Promise.resolve()))
  }
}

const everyInterval = (ms: number, call: () => void) => {
  const timer = setInterval(call, ms).unref()
  return () => clearInterval(timer)
}

const afterTimeout = (ms: number, call: () => void) => {
  const timer = setTimeout(call, ms).unref()
  return () => clearTimeout(timer)
}
