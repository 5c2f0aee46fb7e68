/**
 * The callers of live streams: how many streams each may have open, and whether they still have the right to read. That right can end: a
 * member is removed, signed out or disabled, or a key is revoked. So each caller is checked every few seconds, once for all of their
 * streams.
 */
import { AppError } from '#backend/errors.ts'
import type { TeamActor } from '#backend/http/actor.ts'

/** A caller with open streams, and when its right to read was last checked. */
export type Caller = { key: string; actor: TeamActor; streams: number; askedAt: number }

const FULL_RETRY_SECONDS = 15
/** A revoked right takes effect within half a minute: this, one beat, and an answer of the database. */
const ASK_EVERY_MS = 10_000
const ASK_AGAIN_MS = 2000

/**
 * @param maxStreams  how many streams a user, or the keys of the teams of one owner, may have open at once
 * @param mayRead     whether a caller still has the right to read
 * @param expel       ends the streams of a caller who has lost the right to read
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
  /** Streams per user, and per share for keys. */
  const open = new Map<string, number>()
  return { enter, uncount, join, leave, askDue, recheck }

  /**
   * Counts a stream that is about to begin, until it ends.
   *
   * Throws `throttled` when its user, or the share of its key, has as many as allowed.
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

  /** Undoes an `enter` whose stream does not begin. */
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

  /** Checks callers whose last check is some time ago. */
  function askDue(at: number): void {
    for (const caller of callers.values()) if (at - caller.askedAt >= ASK_EVERY_MS) void ask(caller, at)
  }

  /** Checks at once the callers of a team, because it was deleted. */
  async function recheck(teamId: string): Promise<void> {
    const at = now()
    await Promise.all([...callers.values()].filter(({ actor }) => actor.teamId === teamId).map((caller) => ask(caller, at)))
  }

  async function ask(caller: Caller, at: number): Promise<void> {
    caller.askedAt = at
    try {
      if (await mayRead(caller.actor)) return
    } catch (cause) {
      // Do not end streams because the database cannot be read; the next check is soon.
      warn({ err: cause }, 'the access of a stream reader could not be checked')
      caller.askedAt = at - ASK_EVERY_MS + ASK_AGAIN_MS
      return
    }
    expel(caller)
  }
}

const ownerOf = ({ share, userId }: TeamActor) => (userId === null ? `share ${share}` : `user ${userId}`)
