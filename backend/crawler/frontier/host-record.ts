/** Whether a host answers, as one run has learned it. Hosts that stop answering are suspect, then probed, then given up. */
import {
  DEAD_AFTER_MS,
  DEAD_AFTER_PROBES,
  DEAD_STRANGER_AFTER_MS,
  MOST_SUSPECT_AFTER,
  SUSPECT_AFTER,
  TOO_BUSY_AFTER,
  probeWaitMs,
} from './politeness.ts'

/** It outlives the memory of the run's URLs. */
export type HostRecord = {
  /** The host has answered something. */
  hasAnswered: boolean
  /** Different URLs in a row without an answer. */
  unanswered: number
  /** So many of them make the host suspect. */
  suspectAfter: number
  /** Set while the host is left alone but for probes. */
  suspect: null | { since: number; probes: number; nextAt: number; isProbing: boolean }
  /** "Too much" in a row, without another answer between. */
  busyInRow: number
  /** Why the rest of the host's URLs is not asked. */
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

/** The host has answered, whatever it said. True: it was suspect, and is no longer. */
export function noteAnswer(record: HostRecord): boolean {
  record.hasAnswered = true
  record.unanswered = 0
  record.busyInRow = 0
  record.suspectAfter = SUSPECT_AFTER
  const wasSuspect = record.suspect !== null
  record.suspect = null
  return wasSuspect
}

/** A URL has not answered its first request. True when that makes the host suspect. */
export function noteSilence(record: HostRecord, now: number): boolean {
  if (record.closed !== null || record.suspect !== null) return false
  record.unanswered += 1
  if (record.unanswered < record.suspectAfter) return false
  record.suspect = { since: now, probes: 0, nextAt: now, isProbing: false }
  return true
}

/** The host has said "too much". True when it has done so too often in a row: the rest of its URLs is given up. */
export function noteBusy(record: HostRecord, detail: string): boolean {
  const busyInRow = record.busyInRow + 1
  noteAnswer(record)
  record.busyInRow = busyInRow
  if (busyInRow < TOO_BUSY_AFTER || record.closed !== null) return false
  record.closed = { outcome: 'host_busy', detail: `${detail} to ${busyInRow} requests in a row` }
  return true
}

/** A probe of a suspect host has ended. Any answer proves that it lives. */
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

/** Gives a suspect host up. */
export function closeDead(record: HostRecord, now: number) {
  const { probes, since } = record.suspect!
  record.closed = { outcome: 'host_dead', detail: `no answer to ${probes} probes in ${Math.round((now - since) / 1000)} s` }
  record.suspect = null
}
