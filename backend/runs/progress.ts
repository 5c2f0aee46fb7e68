/**
 * Streams runs live: first the stored events, then new ones, without gaps or duplicates.
 *
 * All readers of a run in the same form share one tail (see `tail.ts`). A reader is a socket and a cursor: the number of the last event
 * that it was sent. It first joins the tail, so that it cannot miss anything from then on; the tail reads where the run stands; the reader
 * gets everything up to there from the tables, in the order of the numbers; then everything that the tail has above its cursor. A reader
 * that falls behind the tail is served from the tables again, so a slow reader costs a cursor and a limited buffer, never growing memory.
 *
 * Hints from the bus only say when to read. A lost hint costs two seconds, because the tails of watched runs also read by themselves.
 */
import { setImmediate } from 'node:timers/promises'
import { FEED_REPLAY } from '#contract/runs.ts'
import type { Database } from '#backend/platform/database/database.ts'
import type { TeamActor } from '#backend/http/actor.ts'
import { isTrouble } from '#backend/platform/database/trouble.ts'
import type { EventBus } from '#backend/platform/events/event-bus.ts'
import { PING, idLine } from '#backend/http/event-stream.ts'
import type { EventSink } from '#backend/http/event-stream.ts'
import { createUsageByShare } from '#backend/crawler/engine/usage-by-share.ts'
import { createRoundRobinLimit } from '#backend/http/round-robin-limit.ts'
import { replay } from './replay.ts'
import type { Run } from './run.ts'
import { createStreamCallers } from './stream-callers.ts'
import type { Caller } from './stream-callers.ts'
import { hasEnded, openTail } from './tail.ts'
import type { ProgressSource, Tail, TailEvent } from './tail.ts'

export type Follow = {
  /** The caller. */
  actor: TeamActor
  run: Run
  source: ProgressSource
  /** Names the form in which `source` presents the run, so that readers of one form share the work. */
  form: string
  /** Number of the last event that the reader already has; null for a reader without numbers, which gets only the last feed lines. */
  after: number | null
  /** Sends a line with its number before each event. */
  withIds: boolean
  sink: EventSink
}

type Warn = (facts: Record<string, unknown>, message: string) => void
type Every = (ms: number, call: () => void) => () => void

type Reader = {
  caller: Caller
  sink: EventSink
  withIds: boolean
  cursor: number
  ordinal: number
  stateVersion: number
  /** It is being served from the tables. */
  isCatchingUp: boolean
  hasLeft: boolean
  wroteAt: number
  stuck: { since: number; unsent: number } | null
  roomMade: (() => void) | null
}

type Watched = {
  key: string
  tail: Tail
  join: () => Promise<void>
  refresh: () => Promise<void>
  source: ProgressSource
  readers: Set<Reader>
  unsubscribe: () => void
  lookedAt: number
  /** How many rounds may follow at once, and when that was last computed. */
  rounds: { left: number; at: number }
  timer: NodeJS.Timeout | undefined
}

const BEAT_MS = 500
const LOOK_EVERY_MS = 2000
const STATE_EVERY_MS = 5000
const PING_AFTER_MS = 15_000
/**
 * A reader with more unsent bytes gets nothing; if none of them leave for too long, it is disconnected. Less for each reader where one share
 * has hundreds, so that readers who take nothing cannot fill the memory.
 */
const MAX_UNSENT_BYTES = 256 * 1024
const LEAST_UNSENT_BYTES = 16 * 1024
const UNSENT_BYTES_OF_SHARE = 64 * 1024 * 1024
/** Most readers of one share that are sent missed events at a time: each has a group of them in memory until it has taken it. */
const SENDINGS_OF_SHARE = 32
const STUCK_MS = 60_000
/** Average pause between two rounds over the readers of a tail; three may follow at once, so that a first result is not delayed. */
const ROUND_MS = 50
const ROUND_MS_PER_READER = 0.1
const ROUNDS_AT_ONCE = 3
const CATCH_UPS_AT_ONCE = 4

/**
 * @param every    calls a function repeatedly, until the returned function is called; tests pass their own
 * @param maxStreams  how many streams a user, or the keys of the teams of one owner, may have open at once
 * @param mayRead  whether a caller still has the right to read
 */
export function createProgress({
  bus,
  database,
  every,
  maxStreams = Infinity,
  mayRead,
  now,
  warn,
}: {
  bus: EventBus
  database: Database
  every: Every
  maxStreams?: number
  mayRead: (actor: TeamActor) => Promise<boolean>
  now: () => number
  warn: Warn
}) {
  const tails = new Map<string, Watched>()
  const callers = createStreamCallers({ expel, maxStreams, mayRead, now, warn })
  const catchUps = createRoundRobinLimit({ atOnce: CATCH_UPS_AT_ONCE, maxWaiting: Infinity })
  const sendings = createRoundRobinLimit({ atOnce: Infinity, ofCaller: SENDINGS_OF_SHARE, maxWaiting: Infinity })
  const readersOf = createUsageByShare()
  let stopBeat: (() => void) | null = null
  /** The last progress could not be read because of the database. */
  let isInTrouble = false
  const { enter, recheck, uncount } = callers
  return { enter, leave: uncount, follow, recheck, close, readerCount }

  /** Sends a run's events into the sink until the run has ended, or the reader has disconnected or lost the right to read. */
  function follow({ actor, run, source, form, after, withIds, sink }: Follow): void {
    const key = `${run.no} ${form}`
    const watched = tails.get(key) ?? watch(key, run, source)
    const reader: Reader = {
      caller: callers.join(actor),
      sink,
      withIds,
      cursor: after ?? 0,
      ordinal: 0,
      stateVersion: 0,
      isCatchingUp: true,
      hasLeft: false,
      wroteAt: now(),
      stuck: null,
      roomMade: null,
    }
    watched.readers.add(reader)
    readersOf.change(actor.share, 1)
    sink.onClose(() => leave(watched, reader))
    sink.onDrain(() => {
      reader.roomMade?.()
      deliver(watched, reader)
    })
    void guarded(watched, reader, () => begin(watched, reader, after === null ? FEED_REPLAY : null))
  }

  function watch(key: string, run: Run, source: ProgressSource): Watched {
    const { tail, join, refresh } = openTail({ database, now, run, source })
    const unsubscribe = bus.subscribe(run.no, ({ eventSeq, status }) => {
      if (eventSeq > tail.seq || status !== tail.run.status) wake(watched)
    })
    const rounds = { left: ROUNDS_AT_ONCE, at: now() }
    const watched: Watched = {
      key,
      tail,
      join,
      refresh,
      source,
      readers: new Set(),
      unsubscribe,
      lookedAt: now(),
      rounds,
      timer: undefined,
    }
    tails.set(key, watched)
    stopBeat ??= every(BEAT_MS, beat)
    return watched
  }

  function leave(watched: Watched, reader: Reader): void {
    reader.hasLeft = true
    reader.roomMade?.()
    if (!watched.readers.delete(reader)) return
    readersOf.change(reader.caller.actor.share, -1)
    callers.leave(reader.caller)
    if (watched.readers.size > 0 || tails.get(watched.key) !== watched) return
    tails.delete(watched.key)
    watched.unsubscribe()
    clearTimeout(watched.timer)
    if (tails.size > 0) return
    stopBeat?.()
    stopBeat = null
  }

  async function begin(watched: Watched, reader: Reader, feedLines: number | null): Promise<void> {
    await watched.join()
    const { tail, source } = watched
    reader.cursor = Math.min(reader.cursor, tail.seq)
    if (reader.cursor > 0) reader.ordinal = await source.ordinalAt(tail.run, reader.cursor)
    if (reader.cursor < tail.seq) await catchUp(watched, reader, feedLines)
  }

  /** Sends everything from the tables between the reader's cursor and the tail's position. */
  async function catchUp({ tail, source }: Watched, reader: Reader, feedLines: number | null): Promise<void> {
    const { seq, kept, run } = tail
    const turn = <T>(work: () => Promise<T>) => catchUps(reader.caller.actor.share, work)
    const missed = { after: { seq: reader.cursor, ordinal: reader.ordinal }, upTo: { seq, kept }, feedLines }
    const groups = replay({ database, missed, run, source, turn })
    const sendNext = async () => {
      const { done, value } = reader.hasLeft ? await groups.return(undefined) : await groups.next()
      if (done === true || reader.hasLeft) return false
      writeEvents(reader, value)
      await room(reader)
      return true
    }
    while (await sendings(reader.caller.actor.share, sendNext)) {
      // A fast reader must not keep the others from their turn.
      await setImmediate()
    }
    reader.cursor = seq
  }

  /** Serves a reader from the tables; new events wait in the tail. A reader that cannot be served is disconnected, and may reconnect. */
  async function guarded(watched: Watched, reader: Reader, work: () => Promise<void>): Promise<void> {
    reader.isCatchingUp = true
    try {
      await work()
    } catch (cause) {
      warn({ err: cause, runNo: watched.tail.run.no }, 'a reader of a run could not be served')
      reader.sink.destroy()
      leave(watched, reader)
    }
    reader.isCatchingUp = false
    deliver(watched, reader)
  }

  /** Sends the tail's events above the reader's cursor, then the newest state; after the last state the stream ends. */
  function deliver(watched: Watched, reader: Reader): void {
    const { tail } = watched
    if (reader.isCatchingUp || reader.hasLeft || isFull(reader)) return
    if (tail.isGone) return finish(watched, reader)
    if (reader.cursor < tail.floor) return void guarded(watched, reader, () => catchUp(watched, reader, null))

    const events: TailEvent[] = []
    let bytes = reader.sink.unsentBytes()
    let at = tail.events.length
    while (at > 0 && (tail.events[at - 1]?.seq ?? 0) > reader.cursor) at -= 1
    for (; at < tail.events.length && bytes <= mostUnsent(reader); at += 1) {
      const event = tail.events[at] as TailEvent
      events.push(event)
      bytes += event.frame.length
    }
    const hasAll = at === tail.events.length
    writeEvents(reader, events)
    if (hasAll) {
      reader.cursor = tail.seq
      if (reader.stateVersion !== tail.state.version) writeState(reader, tail)
      reader.stateVersion = tail.state.version
    }
    // Not everything was sent, but there is room: the socket has drained meanwhile.
    if (!hasAll) deliver(watched, reader)
    else if (hasEnded(tail)) finish(watched, reader)
  }

  function writeEvents(reader: Reader, events: TailEvent[]): void {
    const frames: Buffer[] = []
    for (const { seq, ordinal, frame } of events) {
      if (reader.withIds) frames.push(idLine(seq))
      frames.push(frame)
      reader.cursor = seq
      if (ordinal > 0) reader.ordinal = ordinal
    }
    write(reader, frames)
  }

  /** Sends the newest state, with the tail's number, to a reader that has everything up to there. */
  function writeState(reader: Reader, { seq, state }: Tail): void {
    write(reader, reader.withIds ? [idLine(seq), state.frame] : [state.frame])
  }

  function write(reader: Reader, frames: Buffer[]): void {
    if (frames.length === 0) return
    reader.wroteAt = now()
    reader.sink.write(frames)
  }

  function finish(watched: Watched, reader: Reader): void {
    reader.sink.end()
    leave(watched, reader)
  }

  function isFull(reader: Reader): boolean {
    return reader.sink.unsentBytes() > mostUnsent(reader)
  }

  function mostUnsent({ caller }: Reader): number {
    const part = UNSENT_BYTES_OF_SHARE / readersOf.of(caller.actor.share)
    return Math.max(LEAST_UNSENT_BYTES, Math.min(MAX_UNSENT_BYTES, part))
  }

  async function room(reader: Reader): Promise<void> {
    while (isFull(reader) && !reader.hasLeft) {
      const { promise, resolve } = Promise.withResolvers<void>()
      reader.roomMade = resolve
      await promise
      reader.roomMade = null
    }
  }

  /** Reads and sends, now or as soon as the pause after the last rounds allows. */
  function wake(watched: Watched): void {
    if (watched.timer !== undefined) return
    const pause = Math.max(ROUND_MS, watched.readers.size * ROUND_MS_PER_READER)
    const left = Math.min(ROUNDS_AT_ONCE, watched.rounds.left + (now() - watched.rounds.at) / pause)
    watched.rounds = { left, at: now() }
    if (left >= 1) return void round(watched)
    watched.timer = setTimeout(
      () => {
        watched.timer = undefined
        watched.rounds = { left: 1, at: now() }
        void round(watched)
      },
      (1 - left) * pause,
    ).unref()
  }

  async function round(watched: Watched): Promise<void> {
    watched.rounds.left -= 1
    watched.lookedAt = now()
    try {
      await watched.refresh()
      isInTrouble = false
    } catch (cause) {
      // The next attempt follows, and the readers keep their position. An outage concerns all runs, so it is logged once.
      if (!isInTrouble || !isTrouble(cause)) warn({ err: cause, runNo: watched.tail.run.no }, 'the progress of a run could not be read')
      isInTrouble ||= isTrouble(cause)
    }
    for (const reader of watched.readers) deliver(watched, reader)
  }

  function beat(): void {
    const at = now()
    for (const watched of tails.values()) {
      if (at - watched.lookedAt >= LOOK_EVERY_MS || at - watched.tail.state.at >= STATE_EVERY_MS) wake(watched)
      for (const reader of watched.readers) attend(watched, reader, at)
    }
    callers.askDue(at)
  }

  /** Ends the streams of a caller who has lost the right to read. */
  function expel(caller: Caller): void {
    for (const watched of tails.values()) for (const reader of watched.readers) if (reader.caller === caller) cutOff(watched, reader)
  }

  function cutOff(watched: Watched, reader: Reader): void {
    // With unread data, end() might never finish.
    if (reader.sink.unsentBytes() > 0) reader.sink.destroy()
    else reader.sink.end()
    leave(watched, reader)
  }

  function attend(watched: Watched, reader: Reader, at: number): void {
    const unsent = reader.sink.unsentBytes()
    if (unsent <= mostUnsent(reader)) {
      reader.stuck = null
      deliver(watched, reader)
      if (!reader.hasLeft && at - reader.wroteAt >= PING_AFTER_MS) write(reader, [PING])
    } else if (!reader.stuck || unsent < reader.stuck.unsent) reader.stuck = { since: at, unsent }
    else if (at - reader.stuck.since >= STUCK_MS) {
      reader.sink.destroy()
      leave(watched, reader)
    }
  }

  /** Ends every stream with the state it has: the service is shutting down, the runs continue. */
  function close(): void {
    for (const watched of tails.values())
      for (const reader of watched.readers) {
        const { tail } = watched
        // The number of a state covers all events before it, so a reader that lacks some of them gets none.
        if (!reader.isCatchingUp && tail.state.version > 0 && reader.cursor === tail.seq) writeState(reader, tail)
        finish(watched, reader)
      }
  }

  function readerCount(): number {
    let count = 0
    for (const { readers } of tails.values()) count += readers.size
    return count
  }
}

export type Progress = ReturnType<typeof createProgress>
