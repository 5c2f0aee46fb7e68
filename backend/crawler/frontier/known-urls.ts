/** What the frontier remembers of each known URL: its key in a hot set; state, depth and title length in flat arrays by `seq`. */
import { createHotSet } from './hot-set.ts'

/** States of a URL. */
export const PENDING = 0
export const IN_PROGRESS = 1
export const ENDED = 2
export const KEPT = 3
export const TOO_DEEP = 4
export const WAITING = 5
/** Known but never to be fetched: out of scope, or a trap. */
export const LISTED = 6
/** Due for a retry. */
export const AGAIN = 7

/** Instead of a `seq`: the final URL of a kept page, which has no row of its own. */
export const ALIAS = -2
/** Instead of a `seq`: the key is unknown. */
export const UNKNOWN = -1

/** Instead of a `seq`; this or a smaller number means that the URL belongs to another part of the run (`other-parts.ts`). */
export const FOREIGN = -3

const FIRST_SIZE = 1024
const DEEPEST = 65_535
const LONGEST = 255

export type KnownUrls = ReturnType<typeof createKnownUrls>

export function createKnownUrls() {
  const keys = createHotSet()
  let states = new Uint8Array(FIRST_SIZE)
  let depths = new Uint16Array(FIRST_SIZE)
  let titleLengths = new Uint8Array(FIRST_SIZE)
  let count = 0
  return {
    /** The `seq` of a key, `ALIAS` or `UNKNOWN`. */
    find: keys.find,
    add,
    noteForeign: keys.set,
    addAlias: (hi: number, lo: number) => keys.add(hi, lo, ALIAS),
    stateOf: (seq: number) => states[seq]!,
    setState(seq: number, state: number) {
      states[seq] = state
    },
    depthOf: (seq: number) => depths[seq]!,
    setDepth(seq: number, depth: number) {
      depths[seq] = depth
    },
    titleLengthOf: (seq: number) => titleLengths[seq]!,
    setTitleLength(seq: number, length: number) {
      titleLengths[seq] = length
    },
    /** The number of known URLs, which is also the next `seq`. */
    get count() {
      return count
    },
    get bytes() {
      return keys.bytes + states.length * 4
    },
  }

  /** Adds a URL, pending until another state is set. */
  function add(seq: number, { depth, hi, lo, titleLength }: { hi: number; lo: number; depth: number; titleLength: number }) {
    if (seq >= states.length) {
      states = enlarged(states, new Uint8Array(states.length * 2))
      depths = enlarged(depths, new Uint16Array(depths.length * 2))
      titleLengths = enlarged(titleLengths, new Uint8Array(titleLengths.length * 2))
    }
    keys.add(hi, lo, seq)
    depths[seq] = Math.min(depth, DEEPEST)
    titleLengths[seq] = Math.min(titleLength, LONGEST)
    count = Math.max(count, seq + 1)
  }
}

function enlarged<T extends Uint8Array | Uint16Array>(from: T, to: T): T {
  to.set(from)
  return to
}
