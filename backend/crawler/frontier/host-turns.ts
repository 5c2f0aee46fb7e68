/**
 * The order in which the hosts of a run are examined: hosts that may be open by their next URL, hosts that keep a pause by its end; hosts
 * that wait for an event not at all. So a lease does not walk all hosts.
 *
 * A host's place is a guess that is checked when its turn comes; code that learns of a change updates it here.
 */
import { createHeap } from './heap.ts'

/** Sort key of a host's next URL: first tries before retries, then by rank and seq. */
export type TurnKey = { isRetry: boolean; rank: number; seq: number }

type Place<Host> = { host: Host; in: 'ready' | 'later' | 'blocked'; key: TurnKey | null; at: number }

export function createHostTurns<Host extends object>() {
  const places = new Map<Host, Place<Host>>()
  // Outdated places stay in the heaps and are skipped when they come up.
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

  /** The host may be open; `key` is its next URL's. */
  function setReady(host: Host, key: TurnKey) {
    const known = places.get(host)
    if (known?.in === 'ready' && isSame(known.key!, key)) return
    ready.push(put(host, { host, in: 'ready', key, at: 0 }))
  }

  /** The host opens at an instant; Infinity: on an event. */
  function setLater(host: Host, at: number) {
    if (at === Infinity) block(host)
    else later.push(put(host, { host, in: 'later', key: null, at }))
  }

  /** The host waits for an event. */
  function block(host: Host) {
    put(host, { host, in: 'blocked', key: null, at: Infinity })
    blocked.add(host)
  }

  /** The host has no URLs. */
  function leave(host: Host) {
    blocked.delete(host)
    places.delete(host)
  }

  function put(host: Host, place: Place<Host>): Place<Host> {
    blocked.delete(host)
    places.set(host, place)
    return place
  }

  /** Removes the hosts whose pause is over. */
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

  /** Removes the first of the hosts that may be open. */
  function next(): Host | null {
    for (let first = ready.pop(); first !== undefined; first = ready.pop()) {
      if (!isValid(first)) continue
      places.delete(first.host)
      return first.host
    }
    return null
  }

  /** Whether a key comes before those of all hosts that may be open. */
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
