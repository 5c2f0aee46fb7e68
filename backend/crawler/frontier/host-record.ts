/**
 * What one run has learned about whether a host answers. A host that stops answering becomes suspect, is probed, and is given up in the
 * end.
 */
import {
  DEAD_AFTER_MS,
  DEAD_AFTER_PROBES,
  DEAD_STRANGER_AFTER_MS,
  MOST_SUSPECT_AFTER,
  SUSPECT_AFTER,
  TOO_BUSY_AFTER,
  probeWaitMs,
} from './politeness.ts'

/** Kept when the run's URLs are dropped from memory. */
export type HostRecord = {
  hasAnswered: boolean
  /** Different URLs without an answer, in a row. */
  unanswered: number
  /** At this number of `unanswered` the host becomes suspect. */
  suspectAfter: number
  /** Set while the host gets no requests except probes. */
  suspect: null | { since: number; probes: number; nextAt: number; isProbing: boolean }
  /** Answers 429 and 503 in a row. */
  busyInRow: number
  /** Why the host's remaining URLs are not fetched. */
  closed: null | { outcome: 'host_dead' | 'host_busy'; detail: string }
}

export const newHostRecord = (): HostRecord => ({
  hasAnswered: false,
  unanswered: 0,
  suspectAfter: SUSPECT_AFTER,
  suspect: null,
  busyInRow: 0,
  closed: null,
})

/** Notes an answer, whatever it said. True when the host stops being suspect. */
export function noteAnswer(record: HostRecord): boolean {
  record.hasAnswered = true
  record.unanswered = 0
  record.busyInRow = 0
  record.suspectAfter = SUSPECT_AFTER
  const wasSuspect = record.suspect !== null
  record.suspect = null
  return wasSuspect
}

/** Notes a URL whose first try got no answer. True when that makes the host suspect. */
export function noteSilence(record: HostRecord, now: number): boolean {
  if (record.closed !== null || record.suspect !== null) return false
  record.unanswered += 1
  if (record.unanswered < record.suspectAfter) return false
  record.suspect = { since: now, probes: 0, nextAt: now, isProbing: false }
  return true
}

/** Notes a 429 or 503. True after too many in a row: the rest of the host's URLs is given up. */
export function noteBusy(record: HostRecord, detail: string): boolean {
  const busyInRow = record.busyInRow + 1
  noteAnswer(record)
  record.busyInRow = busyInRow
  if (busyInRow < TOO_BUSY_AFTER || record.closed !== null) return false
  record.closed = { outcome: 'host_busy', detail: `${detail} to ${busyInRow} requests in a row` }
  return true
}

/** Notes the end of a probe. Any answer proves that the host is alive. */
export function noteProbe(record: HostRecord, isAlive: boolean, now: number) {
  if (record.suspect === null) return
  if (isAlive) {
    record.hasAnswered = true
    record.suspect = null
    record.unanswered = 0
    record.suspectAfter = Math.min(record.suspectAfter * 2, MOST_SUSPECT_AFTER)
  } else {
    const probes = record.suspect.probes + 1
    record.suspect = { since: record.suspect.since, probes, nextAt: now + probeWaitMs(probes), isProbing: false }
  }
}

/** Whether a host has been suspect for long enough to be given up. */
export function isDead({ hasAnswered, suspect }: HostRecord, now: number): boolean {
  return (
    suspect !== null &&
    !suspect.isProbing &&
    suspect.probes >= DEAD_AFTER_PROBES &&
    now - suspect.since >= (hasAnswered ? DEAD_AFTER_MS : DEAD_STRANGER_AFTER_MS)
  )
}

export function closeDead(record: HostRecord, now: number) {
  const { probes, since } = record.suspect!
  record.closed = { outcome: 'host_dead', detail: `no answer to ${probes} probes in ${Math.round((now - since) / 1000)} s` }
  record.suspect = null
}
