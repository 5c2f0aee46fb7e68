/**
 * Memory for bodies: those that arrive, and those that wait for a parser.
 *
 * A body that grows is told when there is no room for more, waits, and goes on when others have been read. Every share has an equal part.
 * Two rules keep this from standing still: a small body is never held up, since there are never more of them than fetches, and one of those
 * that wait goes on at any time, which the reserve is for. That one is of the share that holds least.
 */
import { createUsageByShare } from './usage-by-share.ts'

/** Up to here a body is small. */
export const SMALL_BYTES = 64 * 1024

/** The memory of one body. */
export type BodyMemory = {
  /** Whether it could have so many bytes without waiting. */
  fits(bytes: number): boolean
  /** It has so many bytes now. */
  hold(bytes: number): void
  /** Calls back once when there is room, never before it returns; not at all, when `end` comes before. */
  wait(goOn: () => void): void
  /** It has been handed on, or thrown away. */
  end(): void
}
export type ByteBudget = ReturnType<typeof createByteBudget>

type Body = { share: string; bytes: number; goOn: () => void }

/**
 * @param most     bytes for everything
 * @param reserve  how many of them are kept for the one body that may always continue
 * @param shares   how many shares have runs
 */
export function createByteBudget({ most, reserve, shares }: { most: number; reserve: number; shares: () => number }) {
  const held = createUsageByShare()
  const waiting = new Set<Body>()
  // The one body that may continue however much the others hold.
  let first: Body | null = null
  return {
    open,
    /** Bytes of a share that no body in `open` counts came, or (negative) went. */
    change(share: string, by: number) {
      held.change(share, by)
      if (by < 0) look()
    },
    /** How full a share's part is; 1 and more: nothing should be started for it. */
    usedBy: (share: string) => held.of(share) / part(),
    look,
    get total() {
      return held.total
    },
  }

  function part(): number {
    return (most - reserve) / Math.max(1, shares())
  }

  function open(share: string): BodyMemory {
    const body: Body = { share, bytes: 0, goOn: () => undefined }
    return {
      fits: (bytes) => fits(body, bytes),
      hold(bytes) {
        held.change(share, bytes - body.bytes)
        body.bytes = bytes
      },
      wait(goOn) {
        body.goOn = goOn
        waiting.add(body)
        if (first === null) look()
      },
      end() {
        held.change(share, -body.bytes)
        body.bytes = 0
        waiting.delete(body)
        if (first === body) first = null
        look()
      },
    }
  }

  function fits(body: Body, bytes: number): boolean {
    if (bytes <= SMALL_BYTES || body === first) return true
    const more = Math.max(0, bytes - body.bytes)
    return held.total + more <= most - reserve && held.of(body.share) + more <= part()
  }

  /** Lets go on what may: the share that holds least before others. */
  function look() {
    if (waiting.size === 0) return
    for (const body of [...waiting].sort((one, other) => held.of(one.share) - held.of(other.share))) {
      if (!waiting.has(body)) continue
      if (first === null) first = body
      if (!fits(body, body.bytes + SMALL_BYTES)) continue
      waiting.delete(body)
      // Not at once: memory is given back inside the parser of another connection, which takes no second one.
      queueMicrotask(body.goOn)
    }
  }
}
