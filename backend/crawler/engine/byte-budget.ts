/**
 * Limits the memory for bodies that arrive and for those that wait for a parser.
 *
 * A body that grows while there is no room waits until others have been parsed. All shares have equal parts. Two rules prevent a deadlock:
 * small bodies never wait, because there are never more of them than fetches; and one waiting body, of the share that holds least, may
 * always go on, for which the reserve is kept.
 */
import { createUsageByShare } from './usage-by-share.ts'

/** Bodies up to this size are small. */
export const SMALL_BYTES = 64 * 1024

/** The memory of one body. */
export type BodyMemory = {
  /** Whether the body could have so many bytes without waiting. */
  fits(bytes: number): boolean
  /** Sets the bytes that it has now. */
  hold(bytes: number): void
  /** Calls back once when there is room, never before it returns; not at all after `end`. */
  wait(goOn: () => void): void
  /** Call when the parser has the body, or when it was discarded. */
  end(): void
}
type Body = { share: string; bytes: number; goOn: () => void }

/**
 * @param most     bytes for everything
 * @param reserve  the part of it for the one body that may always continue
 * @param shares   returns how many shares have runs
 */
export function createByteBudget({ most, reserve, shares }: { most: number; reserve: number; shares: () => number }) {
  const held = createUsageByShare()
  const waiting = new Set<Body>()
  // May continue however much the others hold.
  let first: Body | null = null
  return {
    open,
    /** Changes a share's bytes that belong to no open body. */
    change(share: string, by: number) {
      held.change(share, by)
      if (by < 0) look()
    },
    /** How full a share's part is; at 1 and more, nothing should be started for it. */
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

  /** Lets waiting bodies continue where there is room; the share that holds least goes first. */
  function look() {
    if (waiting.size === 0) return
    for (const body of [...waiting].sort((one, other) => held.of(one.share) - held.of(other.share))) {
      if (!waiting.has(body)) continue
      if (first === null) first = body
      if (!fits(body, body.bytes + SMALL_BYTES)) continue
      waiting.delete(body)
      // Not at once: memory may be released inside one connection's parser, and the parser cannot be re-entered.
      queueMicrotask(body.goOn)
    }
  }
}
