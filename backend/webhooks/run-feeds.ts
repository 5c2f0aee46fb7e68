/**
 * Events of runs for endpoints. When a run is created, each interested endpoint gets a feed, which records how far the endpoint was
 * notified. The rows of the run and its pages are the truth; a feed moves on in the transaction that queues a message. So an event is
 * queued exactly once, and a crawl without interested endpoints costs nothing.
 *
 * Pages stay in their own table: while enough messages of a run wait for an endpoint, no further ones are created.
 */
import type { RunEnded } from '#backend/store/run-endings.ts'
import { afterCommits } from '#backend/platform/database/after-commits.ts'
import type { Database, Transaction } from '#backend/platform/database/database.ts'
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import type { EventBus } from '#backend/platform/events/event-bus.ts'
import { isTerminal } from '#contract/runs.ts'
import { endedBody, pagesBody, startedBody } from './bodies.ts'
import type { RunFacts } from './bodies.ts'
import type { Deliveries } from './deliveries.ts'
import type { Endpoints } from './endpoints.ts'
import { moveFeed, pagesAfter, readRemovedRun, readRun, removeFeed } from './feed-rows.ts'
import type { Feed, PageRow } from './feed-rows.ts'

/** A run that was just created, in a transaction that is still open. */
export type MadeRun = { runNo: number; runId: string; teamId: string }

/** The message bodies for an endpoint of a single run. */
export type RunBodies = {
  /** Null when the endpoint does not want the event. */
  started(run: RunFacts): Promise<Message | null>
  /** Pages per message; null when the endpoint wants none. */
  readonly pagesAtOnce: number | null
  /** @param first  how many pages were sent to it before */
  pages(run: RunFacts, pages: readonly PageRow[], first: number): Promise<Message[]>
  ended(run: RunFacts): Promise<Message | null>
}
/** `id` is set when the body contains it. */
export type Message = { id?: string; type: string; body: string }

type EndpointOfFeed = { id: string; runNo: number | null; events: string; metadata: string | null; isEnabled: number; teamId: string }

const PAGES_AT_ONCE = 100
/** With more waiting messages of one endpoint, pages stay in their own table. */
const MOST_WAITING = 20
/** How long pages are collected. */
const GATHER_MS = 1000
/** Interval for finding events whose hint was lost because its process died after the commit. */
const LOOK_MS = 30_000

/** @param bodiesOf  returns the message bodies for an endpoint of one run */
export function createRunFeeds({
  bus,
  database,
  deliveries,
  endpoints,
  every,
  now,
  warn,
  bodiesOf,
}: {
  bus: Pick<EventBus, 'subscribeAll'>
  database: Database
  deliveries: Deliveries
  endpoints: Endpoints
  every: (ms: number, call: () => void) => () => void
  now: () => number
  warn: (facts: object, message: string) => void
  bodiesOf: (endpoint: EndpointOfFeed, runId: string) => RunBodies
}) {
  /** Runs with events for some endpoint. */
  const live = new Set<number>()
  const dirty = new Set<number>()
  /** Runs whose pages wait until messages have left the queue. */
  const held = new Set<number>()
  const stops: (() => void)[] = []
  let timer: NodeJS.Timeout | undefined
  let telling: Promise<void> | null = null
  /** A feed was created or ended in a transaction that may not have committed yet. */
  let isUncommitted = false
  let isOpen = false
  return { onMade, addFeed, onEnded, onSettled, start, look, close }

  /** Creates feeds for all endpoints of the team that are interested in the run. */
  async function onMade(transaction: Transaction, { runNo, teamId }: MadeRun): Promise<void> {
    for (const { events, id } of await endpoints.enabledOf(transaction, teamId))
      if (events.some((event) => event.startsWith('run.'))) await addFeed(transaction, runNo, id)
  }

  async function addFeed(transaction: Transaction, runNo: number, endpointId: string): Promise<void> {
    await transaction
      .insertInto('webhookFeed')
      .values({ endpointId, runNo, pageNo: runNo * PAGES_PER_RUN, endedStatus: null, endedAt: null })
      .execute()
    live.add(runNo)
  }

  /** Records the end of a run, to be announced after its last page. */
  async function onEnded(transaction: Transaction, { endedAt, runNo, status }: RunEnded): Promise<void> {
    const { numUpdatedRows } = await transaction
      .updateTable('webhookFeed')
      .set({ endedStatus: status, endedAt })
      .where('runNo', '=', runNo)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    live.add(runNo)
    isUncommitted = true
    mark(runNo, 0)
  }

  /** Call when a message has left the queue: pages may be waiting for that. */
  function onSettled(): void {
    for (const runNo of held) mark(runNo, GATHER_MS)
    held.clear()
  }

  async function start(): Promise<void> {
    isOpen = true
    await readLive()
    stops.push(
      bus.subscribeAll(({ runNo, status }) => live.has(runNo) && mark(runNo, isTerminal(status) ? 0 : GATHER_MS)),
      every(
        LOOK_MS,
        () =>
          void readLive().catch(
            (error: unknown) => isOpen && warn({ err: error }, 'the events of running jobs could not be read for webhooks'),
          ),
      ),
    )
  }

  /** Reads which runs have feeds. */
  async function readLive(): Promise<void> {
    const feeds = await database
      .selectFrom('webhookFeed')
      .leftJoin('run', 'run.no', 'webhookFeed.runNo')
      .select(['webhookFeed.runNo', 'webhookFeed.endedStatus', 'run.startedAt', 'run.id'])
      .execute()
    for (const { endedStatus, id, runNo, startedAt } of feeds) {
      live.add(runNo)
      if (startedAt !== null || endedStatus !== null || id === null) mark(runNo, GATHER_MS)
    }
  }

  async function close(): Promise<void> {
    isOpen = false
    clearTimeout(timer)
    for (const stop of stops) stop()
    await telling
  }

  function mark(runNo: number, waitMs: number): void {
    dirty.add(runNo)
    if (!isOpen) return
    if (waitMs === 0) {
      clearTimeout(timer)
      timer = undefined
    }
    timer ??= setTimeout(() => {
      timer = undefined
      void look()
    }, waitMs).unref()
  }

  /** Queues messages for everything that has happened since the last pass. */
  async function look(): Promise<void> {
    if (telling !== null) return telling.then(() => (dirty.size > 0 && isOpen ? look() : undefined))
    telling = tellAll().finally(() => {
      telling = null
    })
    return telling
  }

  async function tellAll(): Promise<void> {
    const runs = [...dirty]
    dirty.clear()
    if (isUncommitted) {
      isUncommitted = false
      // Without the database each run fails below, and is found again later.
      await afterCommits(database).catch(() => undefined)
    }
    for (const runNo of runs) {
      if (!isOpen) return
      try {
        await tellOf(runNo)
      } catch (error) {
        if (!isOpen) return
        // The pass every half minute finds it again.
        warn({ err: error, runNo }, 'the webhooks of a run could not be queued; it is tried again')
      }
    }
  }

  async function tellOf(runNo: number): Promise<void> {
    const feeds = await database.selectFrom('webhookFeed').selectAll().where('runNo', '=', runNo).execute()
    if (feeds.length === 0) {
      live.delete(runNo)
      return
    }
    for (const feed of feeds) while (isOpen && (await step(feed)));
  }

  /** Queues one message of a feed; false when there is nothing to announce now, or nothing left. */
  async function step(feed: Feed): Promise<boolean> {
    const endpoint = await endpoints.byId(feed.endpointId)
    const row = await readRun(database, feed.runNo)
    const run = row ?? (await readRemovedRun(database, feed))
    if (endpoint === undefined || endpoint.isEnabled === 0 || run === null) {
      await removeFeed(database, feed)
      return false
    }
    const bodies = endpoint.runNo === null ? teamBodies(endpoint, now) : bodiesOf(endpoint, run.id)
    if (feed.isStarted === 0) return tellStart(feed, run, bodies)
    const hasPages = bodies.pagesAtOnce !== null && row !== null && row.deletedAt === null && run.kind === 'crawl'
    const pages = hasPages ? await pagesAfter(database, feed, bodies.pagesAtOnce) : []
    return pages.length > 0 ? tellPages(feed, run, bodies, pages) : tellEnd(feed, run, bodies)
  }

  async function tellStart(feed: Feed, run: RunFacts, bodies: RunBodies): Promise<boolean> {
    // A run that was canceled before it began has no start to announce.
    if (run.startedAt === null && feed.endedStatus === null) return false
    const message = run.startedAt === null ? null : await bodies.started(run)
    return tell(feed, run, message === null ? [] : [message], { isStarted: 1 })
  }

  async function tellPages(feed: Feed, run: RunFacts, bodies: RunBodies, pages: readonly PageRow[]): Promise<boolean> {
    if ((await deliveries.countWaiting(feed.endpointId, MOST_WAITING)) >= MOST_WAITING) {
      held.add(feed.runNo)
      return false
    }
    const messages = await bodies.pages(run, pages, feed.pageNo - feed.runNo * PAGES_PER_RUN)
    return tell(feed, run, messages, { pageNo: pages.at(-1)!.no }, feed.runNo)
  }

  async function tellEnd(feed: Feed, run: RunFacts, bodies: RunBodies): Promise<false> {
    if (feed.endedStatus === null) return false
    const message = await bodies.ended({ ...run, status: feed.endedStatus, endedAt: feed.endedAt })
    await database.transaction().execute(async (transaction) => {
      const isOurs = await removeFeed(transaction, feed)
      if (isOurs && message !== null) await deliveries.add(transaction, { ...message, endpointId: feed.endpointId, runId: run.id })
    })
    return false
  }

  /** Queues messages and moves the feed on; false when another process did, perhaps less far: then the feed is read again later. */
  async function tell(
    feed: Feed,
    run: RunFacts,
    messages: readonly Message[],
    changes: { isStarted?: number; pageNo?: number },
    runNo: number | null = null,
  ): Promise<boolean> {
    const isOurs = await database.transaction().execute(async (transaction) => {
      if (!(await moveFeed(transaction, feed, changes))) return false
      for (const message of messages) await deliveries.add(transaction, { ...message, endpointId: feed.endpointId, runId: run.id, runNo })
      return true
    })
    if (isOurs) Object.assign(feed, changes)
    else mark(feed.runNo, GATHER_MS)
    return isOurs
  }
}

/** The message bodies for an endpoint of a team, which chose its events. */
function teamBodies({ events: list }: EndpointOfFeed, now: () => number): RunBodies {
  const events = JSON.parse(list) as string[]
  const wants = (event: string) => events.includes(event)
  return {
    started: async (run) => (wants('run.started') ? { type: 'run.started', body: startedBody(run) } : null),
    pagesAtOnce: wants('run.pages') ? PAGES_AT_ONCE : null,
    pages: async (run, pages, first) => [{ type: 'run.pages', body: pagesBody(run, pages, first, now()) }],
    ended: async (run) => (wants('run.ended') ? { type: 'run.ended', body: endedBody(run) } : null),
  }
}

export type RunFeeds = ReturnType<typeof createRunFeeds>
