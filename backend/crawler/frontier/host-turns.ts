/**
 * In which order the hosts of a run are looked at: those that may be open by what they would hand out first, those that keep a pause by its
 * end, and those that wait for something to happen not at all. So a lease does not walk all hosts.
 *
 * Where a host stands is a guess that is checked when its turn comes; the code that learns of a change calls here.
 */
import { createHeap } from './heap.ts'

/** What a host would hand out: retries last, then by rank and seq. */
export type TurnKey = { isRetry: boolean; rank: number; seq: number }

type Place<Host> = { host: Host; in: 'ready' | 'later' | 'blocked'; key: TurnKey | null; at: number }

export function createHostTurns<Host extends object>() {
  const places = new Map<Host, Place<Host>>()
  // A place that was left is passed over when it comes up.
  const ready = createHeap<Place<Host>>((one, other) => comesFirst(one.key!, other.key!))
  const later = createHeap<Place<Host>>((one, other) => one.at < other.at)
  const blocked = new Set<Host>()
  return {
    setReady,
    setLater,
    block,
    leave,
    due,
    next,
    isFirst,
    opensAt,
    blocked: blocked as ReadonlySet<Host>,
    placeOf: (host: Host) => places.get(host)?.in ?? null,
  }

  /** The host may be open, and would hand this out. */
  function setReady(host: Host, key: TurnKey) {
    const known = places.get(host)
    if (known?.in === 'ready' && isSame(known.key!, key)) return
    ready.push(put(host, { host, in: 'ready', key, at: 0 }))
  }

  /** The host opens at an instant; Infinity: when something happens. */
  function setLater(host: Host, at: number) {
    if (at === Infinity) block(host)
    else later.push(put(host, { host, in: 'later', key: null, at }))
  }

  /** The host has to wait for something. */
  function block(host: Host) {
    put(host, { host, in: 'blocked', key: null, at: Infinity })
    blocked.add(host)
  }

  /** The host has nothing to hand out. */
  function leave(host: Host) {
    blocked.delete(host)
    places.delete(host)
  }

  function put(host: Host, place: Place<Host>): Place<Host> {
    blocked.delete(host)
    places.set(host, place)
    return place
  }

  /** Hosts whose pause is over; they stand nowhere until they are put somewhere. */
  function due(now: number): Host[] {
    const open: Host[] = []
    for (let first = later.peek(); first !== undefined && (first.at <= now || !isValid(first)); first = later.peek()) {
      later.pop()
      if (!isValid(first)) continue
      places.delete(first.host)
      open.push(first.host)
    }
    return open
  }

  /** Takes the host out that comes first of those that may be open. */
  function next(): Host | null {
    for (let first = ready.pop(); first !== undefined; first = ready.pop()) {
      if (!isValid(first)) continue
      places.delete(first.host)
      return first.host
    }
    return null
  }

  /** Whether what a host hands out comes before what all that may be open are thought to. */
  function isFirst(key: TurnKey): boolean {
    for (let first = ready.peek(); first !== undefined; first = ready.peek()) {
      if (isValid(first)) return !comesFirst(first.key!, key)
      ready.pop()
    }
    return true
  }

  /** When the next pause is over. */
  function opensAt(): number {
    for (let first = later.peek(); first !== undefined; first = later.peek()) {
      if (isValid(first)) return first.at
      later.pop()
    }
    return Infinity
  }

  function isValid(place: Place<Host>): boolean {
    return places.get(place.host) === place
  }
}

const isSame = (one: TurnKey, other: TurnKey) => one.isRetry === other.isRetry && one.rank === other.rank && one.seq === other.seq

function comesFirst(one: TurnKey, other: TurnKey): boolean {
  if (one.isRetry !== other.isRetry) return other.isRetry
  return one.rank < other.rank || (one.rank === other.rank && one.seq < other.seq)
}
