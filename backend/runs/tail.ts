/**
 * The newest events of one run, ready to be sent: read once from the tables for all readers.
 *
 * It has every event with a number above `floor`, up to `seq`; readers that need older ones read them from the tables. The state is kept
 * apart from the numbered events: only the newest one is worth sending, and it covers everything up to `seq`.
 */
import { isTerminal } from '#contract/runs.ts'
import type { RunStatus } from '#contract/runs.ts'
import type { Database } from '#backend/platform/database/database.ts'
import { eventFrame } from '#backend/http/event-stream.ts'
import type { StoredFeedMessage } from '#backend/store/feed-steps.ts'
import { PROGRESS } from './run.ts'
import type { Run } from './run.ts'

/** An event with its number; results also have their ordinal, messages 0. */
export type TailEvent = { seq: number; ordinal: number; frame: Buffer }

/** A result for a stream: its object as JSON text, in one or several pieces. */
type StreamResult = { seq: number; ordinal: number; json: string | readonly Uint8Array[] }

/** How a kind of run is shown in a stream. */
export type ProgressSource = {
  /** The run's object as JSON text. */
  state(run: Run): string | Promise<string | Uint8Array>
  /** Results with `after` < ordinal ≤ `upTo`, in order: at most `limit`, fewer when they are large, none only at the end. */
  results(run: Run, after: number, upTo: number, limit: number): Promise<StreamResult[]>
  /** How many results have a number of at most `seq`. */
  ordinalAt(run: Run, seq: number): Promise<number>
}

/** For kinds without results. */
export const NO_RESULTS = { results: async () => [], ordinalAt: async () => 0 } satisfies Partial<ProgressSource>

const MAX_EVENTS = 512
const MAX_BYTES = 4 * 1024 * 1024
const STATE_EVERY_MS = 5000

export function openTail({
  database,
  now,
  run: joined,
  source,
}: {
  database: Database
  now: () => number
  run: Run
  source: ProgressSource
}) {
  const tail = {
    run: joined,
    events: [] as TailEvent[],
    bytes: 0,
    floor: joined.eventSeq,
    seq: joined.eventSeq,
    kept: joined.kept,
    state: { version: 0, frame: eventFrame('{}') as Buffer, at: 0, seq: 0 },
    /** The run was deleted. */
    isGone: false,
  }
  let reading: Promise<void> | null = null
  let next: Promise<void> | null = null
  let isJoined = true
  return { tail, join, refresh }

  /** Reads for a new reader, whose first state must not be older than the events before it. */
  function join(): Promise<void> {
    isJoined = true
    return refresh()
  }

  /** Reads everything that was committed before the call. */
  function refresh(): Promise<void> {
    if (!reading) return (reading = read().finally(() => (reading = null)))
    next ??= reading
      .catch(() => undefined)
      .then(() => {
        next = null
        return refresh()
      })
    return next
  }

  // Changes the tail only after everything was read, so a failed read has no effect.
  async function read(): Promise<void> {
    const progress = await readProgress(database, joined.no)
    if (!progress) {
      tail.isGone = true
      return
    }
    const run = withProgress(tail.run, progress)
    const { events, floor } = run.eventSeq > tail.seq ? await newEvents(run) : { events: [], floor: tail.floor }
    const needsState = tail.state.version === 0 || run.status !== tail.run.status || now() - tail.state.at >= STATE_EVERY_MS
    const isStale = isJoined && run.eventSeq !== tail.state.seq
    isJoined = false
    const frame = needsState || isStale ? await stateFrame(run) : tail.state.frame

    if (needsState) tail.state = { version: tail.state.version + 1, frame, at: now(), seq: run.eventSeq }
    // The other readers have the state of this version, and wait for the next one.
    else if (isStale) tail.state = { ...tail.state, frame, seq: run.eventSeq }
    tail.run = run
    tail.seq = run.eventSeq
    tail.kept = run.kept
    append(events, floor)
  }

  /** The events after the tail's last one, in order. After a long pause the oldest are left to the tables; `floor` says up to where. */
  async function newEvents(run: Run): Promise<{ events: TailEvent[]; floor: number }> {
    let floor = tail.floor
    let results: TailEvent[] = []
    let bytes = 0
    let ordinal = Math.max(tail.kept, run.kept - MAX_EVENTS)
    if (ordinal > tail.kept) {
      ordinal -= 1
      floor = Number.MAX_SAFE_INTEGER
    }
    while (ordinal < run.kept) {
      const group = await source.results(run, ordinal, run.kept, MAX_EVENTS)
      const last = group.at(-1)
      if (!last) break
      ordinal = last.ordinal
      // Read only to learn the number up to which events are skipped.
      if (floor === Number.MAX_SAFE_INTEGER) floor = group.shift()?.seq ?? 0
      for (const result of group) {
        const event = toEvent(result)
        results.push(event)
        bytes += event.frame.length
      }
      while (bytes > MAX_BYTES && results.length > 0) {
        const dropped = results.shift() as TailEvent
        bytes -= dropped.frame.length
        floor = dropped.seq
      }
    }
    if (floor === Number.MAX_SAFE_INTEGER) floor = run.eventSeq
    const feed = await readLastFeed(database, run.no, Math.max(floor, tail.seq), run.eventSeq, MAX_EVENTS)
    // There may be older lines, which are then read from the tables too.
    if (feed.length === MAX_EVENTS) floor = Math.max(floor, (feed[0]?.seq ?? 0) - 1)
    const events = results.concat(feed).filter(({ seq }) => seq > floor)
    return { events: events.toSorted((one, other) => one.seq - other.seq), floor }
  }

  function append(events: TailEvent[], floor: number) {
    if (floor > tail.floor) {
      tail.floor = floor
      tail.events = tail.events.filter(({ seq }) => seq > floor)
      tail.bytes = tail.events.reduce((sum, { frame }) => sum + frame.length, 0)
    }
    for (const event of events) {
      tail.events.push(event)
      tail.bytes += event.frame.length
    }
    while (tail.events.length > MAX_EVENTS || tail.bytes > MAX_BYTES) {
      const dropped = tail.events.shift()
      if (!dropped) break
      tail.bytes -= dropped.frame.length
      tail.floor = dropped.seq
    }
  }

  async function stateFrame(run: Run): Promise<Buffer> {
    const [head, end] = [`data: {"type":"state","status":"${run.status}","data":`, `,"seq":${run.eventSeq}}\n\n`]
    const data = await source.state(run)
    // A list may have many megabytes, so it is not converted to a string again.
    return typeof data === 'string' ? Buffer.from(head + data + end) : Buffer.concat([Buffer.from(head), data, Buffer.from(end)])
  }
}

export type Tail = ReturnType<typeof openTail>['tail']

/** Whether the tail has the last state. */
export const hasEnded = (tail: Tail) => isTerminal(tail.run.status) && tail.state.version > 0

export const toEvent = ({ seq, ordinal, json }: StreamResult): TailEvent => ({
  seq,
  ordinal,
  frame:
    typeof json === 'string'
      ? eventFrame(`{"type":"result","data":${json},"seq":${seq}}`)
      : Buffer.concat([Buffer.from('data: {"type":"result","data":'), ...json, Buffer.from(`,"seq":${seq}}\n\n`)]),
})

/** What a commit may have changed; undefined when the run has been deleted. */
const readProgress = (database: Database, runNo: number) =>
  database.selectFrom('run').where('run.no', '=', runNo).where('run.deletedAt', 'is', null).select(PROGRESS).executeTakeFirst()

/** The run with newer progress. */
const withProgress = (run: Run, progress: NonNullable<Awaited<ReturnType<typeof readProgress>>>): Run => ({
  ...run,
  ...progress,
  status: progress.status as RunStatus,
})

/** The last feed messages with `after` < number ≤ `upTo`, at most `limit`, in order. */
export async function readLastFeed(database: Database, runNo: number, after: number, upTo: number, limit: number): Promise<TailEvent[]> {
  const rows = await feedRows(database, runNo, after, upTo)
    .orderBy('firstSeq', 'desc')
    // A row has at least one message.
    .limit(limit)
    .execute()
  return feedEvents(rows.reverse(), after, upTo).slice(-limit)
}

/** The first feed messages with `after` < number ≤ `upTo`, in order, from `rows` commits; none only at the end. */
export async function readNextFeed(database: Database, runNo: number, after: number, upTo: number, rows: number): Promise<TailEvent[]> {
  return feedEvents(await feedRows(database, runNo, after, upTo).orderBy('firstSeq').limit(rows).execute(), after, upTo)
}

function feedRows(database: Database, runNo: number, after: number, upTo: number) {
  return (
    database
      .selectFrom('runFeed')
      .where('runNo', '=', runNo)
      // Rows are ranges that do not overlap: start at the one that contains `after`.
      .where('firstSeq', '>=', (of) =>
        of
          .selectFrom('runFeed')
          .where('runNo', '=', runNo)
          .where('firstSeq', '<=', after + 1)
          .select(({ fn }) => fn.coalesce(fn.max('firstSeq'), of.lit(0)).as('first')),
      )
      .where('lastSeq', '>', after)
      .where('firstSeq', '<=', upTo)
      .select('messages')
  )
}

const feedEvents = (rows: { messages: string }[], after: number, upTo: number): TailEvent[] =>
  rows
    .flatMap(({ messages }) => JSON.parse(messages) as StoredFeedMessage[])
    .filter(({ seq }) => seq > after && seq <= upTo)
    .map(({ seq, ...message }) => ({
      seq,
      ordinal: 0,
      frame: eventFrame(`{"type":"feed","data":${JSON.stringify(message)},"seq":${seq}}`),
    }))
