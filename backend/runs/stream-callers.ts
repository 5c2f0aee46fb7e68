/**
 * Who reads live streams: how many each may have open at once, and whether they may still read. Who may begin to read may be stopped later:
 * removed from the team, signed out, disabled, or by a key that is revoked. So each caller is asked about again every few seconds, once for
 * all of their streams.
 */
import { AppError } from '#backend/errors.ts'
import type { TeamActor } from '#backend/http/actor.ts'

/** A caller with streams, however many, and when its right to read was last checked. */
export type Caller = { key: string; actor: TeamActor; streams: number; askedAt: number }

const FULL_RETRY_SECONDS = 15
/** Rights that were taken away end in half a minute at the most: this, one beat, and an answer of the database. */
const ASK_EVERY_MS = 10_000
const ASK_AGAIN_MS = 2000

/**
 * @param maxStreams  how many streams a user, or the keys of a team, may have open at once
 * @param mayRead     whether a caller who could read when the stream began still can
 * @param expel       ends the streams of a caller who may not read any more
 */
export function createStreamCallers({
  expel,
  maxStreams,
  mayRead,
  now,
  warn,
}: {
  expel: (caller: Caller) => void
  maxStreams: number
  mayRead: (actor: TeamActor) => Promise<boolean>
  now: () => number
  warn: (facts: Record<string, unknown>, message: string) => void
}) {
  const callers = new Map<string, Caller>()
  /** Streams of each user, and of the keys of each team. */
  const open = new Map<string, number>()
  return { enter, uncount, join, leave, askDue, recheck }

  /**
   * Counts a stream that is about to begin, until its reader leaves.
   *
   * Throws `throttled` when its user, or the team of its key, has as many as allowed.
   */
  function enter(actor: TeamActor): void {
    const owner = ownerOf(actor)
    const streams = open.get(owner) ?? 0
    if (streams >= maxStreams)
      throw new AppError('throttled', {
        message: `No more than ${maxStreams} streams may be open at once.`,
        retryAfterSeconds: FULL_RETRY_SECONDS,
      })
    open.set(owner, streams + 1)
  }

  /** Takes back an `enter` whose stream does not begin. */
  function uncount(actor: TeamActor): void {
    const owner = ownerOf(actor)
    const streams = (open.get(owner) ?? 0) - 1
    if (streams > 0) open.set(owner, streams)
    else open.delete(owner)
  }

  /** The caller of a stream that begins. */
  function join(actor: TeamActor): Caller {
    const key = `${actor.teamId} ${actor.apiKeyId ?? actor.sessionId}`
    const caller = callers.get(key) ?? { key, actor, streams: 0, askedAt: now() }
    caller.streams += 1
    callers.set(key, caller)
    return caller
  }

  /** A stream of the caller has ended. */
  function leave(caller: Caller): void {
    uncount(caller.actor)
    caller.streams -= 1
    if (caller.streams === 0) callers.delete(caller.key)
  }

  /** Asks about those whose last answer is some time ago. */
  function askDue(at: number): void {
    for (const caller of callers.values()) if (at - caller.askedAt >= ASK_EVERY_MS) void ask(caller, at)
  }

  /** Asks at once whether those who read for a team may still read: it was deleted. */
  async function recheck(teamId: string): Promise<void> {
    const at = now()
    await Promise.all([...callers.values()].filter(({ actor }) => actor.teamId === teamId).map((caller) => ask(caller, at)))
  }

  async function ask(caller: Caller, at: number): Promise<void> {
    caller.askedAt = at
    try {
      if (await mayRead(caller.actor)) return
    } catch (cause) {
      // No stream is ended because the tables could not be read; it is asked again soon.
      warn({ err: cause }, 'it could not be asked whether a reader may still read')
      caller.askedAt = at - ASK_EVERY_MS + ASK_AGAIN_MS
      return
    }
    expel(caller)
  }
}

const ownerOf = ({ teamId, userId }: TeamActor) => (userId === null ? `team ${teamId}` : `user ${userId}`)
