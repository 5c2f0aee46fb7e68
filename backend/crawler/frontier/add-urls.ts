/** Adds URLs to a run: the links of its pages, and redirect targets. New URLs become rows with the next commit. */
import type { RunChanges } from '#backend/store/run-store.ts'
import { hostKey } from '#backend/crawler/url/canonical-url.ts'
import type { HostOrder } from './host-order.ts'
import type { PendingUrls } from './pending-urls.ts'
import type { Hosts } from './hosts.ts'
import { ALIAS, ENDED, FOREIGN, KEPT, LISTED, PENDING, TOO_DEEP, UNKNOWN } from './known-urls.ts'
import type { KnownUrls } from './known-urls.ts'
import { LATE } from './rank.ts'
import { FAILURES } from '#backend/crawler/outcomes.ts'
import { LINK_STRIDE, NOFOLLOW } from '#backend/crawler/page/page-rules.ts'
import type { LinkBlock } from '#backend/crawler/page/page-rules.ts'
import type { OtherParts } from './other-parts.ts'
import type { MailedUrl } from '#backend/store/run-parts.ts'
import type { RunTraps } from './run-traps.ts'
import { isSideView } from '#backend/crawler/url/side-views.ts'

const MOST_TITLE = 100

/** The URL that a redirect names. */
type RedirectTarget = {
  hi: number
  lo: number
  url: string
  depth: number
  hops: number
  isSeed: boolean
  /** It has redirected before, and is requested once more. */
  isAgain?: boolean
}

type NewUrl = RedirectTarget & {
  title: string
  note: { outcome: string; detail: string } | null
  /** Fetched after all others: its link is `nofollow`. */
  isLast: boolean
  /** Goes before all other URLs of its host. */
  isFirst: boolean
}

export function createUrlAdding({
  hosts,
  known,
  maxDepth,
  order,
  others,
  pageLimit,
  queues,
  traps,
}: {
  hosts: Hosts
  known: KnownUrls
  maxDepth: number
  order: HostOrder
  /** The other parts of the run; null when the run is not divided. */
  others: OtherParts | null
  pageLimit: number
  queues: PendingUrls
  traps: RunTraps
}) {
  let outside = 0
  let dropped = 0
  const knownLimit = Math.min(Math.max(50 * pageLimit, 20_000), 5_000_000)
  const outsideLimit = Math.min(Math.max(5 * pageLimit, 5_000), 200_000)
  return {
    addLinks,
    addTarget,
    receive,
    /** Counts a stored URL that is out of scope. */
    recallOutside: () => void (outside += 1),
    /** Links that were dropped because the run knows too many URLs. */
    get dropped() {
      return dropped
    },
  }

  /**
   * Adds the links of a page: unknown URLs become rows; of known ones, a shorter title or a smaller depth is noted.
   * @param depth  of the page with these links
   */
  function addLinks({ notes, numbers, text }: LinkBlock, depth: number, changes: RunChanges) {
    let from = 0
    for (let at = 0; at < numbers.length; at += LINK_STRIDE) {
      const urlEnd = numbers[at + 2]!
      const titleEnd = numbers[at + 3]!
      const start = from
      from = titleEnd
      const hi = numbers[at]!
      const lo = numbers[at + 1]!
      const seq = known.find(hi, lo)
      if (seq >= 0) {
        const length = Math.min(titleEnd - urlEnd, MOST_TITLE)
        if (isShorter(seq, length)) retitle(seq, text.slice(urlEnd, urlEnd + length), changes)
        if (depth + 1 < known.depthOf(seq)) comeCloser(seq, depth + 1, text.slice(start, urlEnd), changes)
      } else if (seq === UNKNOWN || (seq <= FOREIGN && others!.isNews(seq, depth + 1, titleEnd > urlEnd))) {
        const note = numbers[at + 4]!
        const link = {
          hi,
          lo,
          url: text.slice(start, urlEnd),
          title: text.slice(urlEnd, Math.min(titleEnd, urlEnd + MOST_TITLE)),
          depth: depth + 1,
          note: note > 0 ? notes[note - 1]! : null,
          hops: 0,
          isSeed: false,
          isLast: note === NOFOLLOW,
          isFirst: false,
        }
        if (others === null || others.owns(link.url)) append(link, changes)
        else sendAway(link, changes)
      }
    }
  }

  function isShorter(seq: number, length: number): boolean {
    const before = known.titleLengthOf(seq)
    return length > 0 && (before === 0 || length < before)
  }

  function retitle(seq: number, title: string, changes: RunChanges) {
    known.setTitleLength(seq, title.length)
    changes.retitled.set(seq, title)
  }

  function sendAway({ depth, hi, hops, isSeed, lo, note, title, url }: NewUrl, changes: RunChanges) {
    const { detail = null, outcome = null } = note ?? {}
    others!.tell({ hi, lo, url, title, depth, hops, isSeed, outcome, detail }, changes)
  }

  /** Adds a URL that another part of the run has found. */
  function receive({ depth, detail, hi, hops, isSeed, lo, outcome, title, url }: Omit<MailedUrl, 'no'>, changes: RunChanges) {
    const found = { hi, lo, url, depth, hops, isSeed }
    if (hops > 0) return void addTarget(found, changes)
    const seq = known.find(hi, lo)
    if (seq === UNKNOWN)
      append({ ...found, title, note: outcome === null ? null : { outcome, detail: detail ?? '' }, isLast: false, isFirst: false }, changes)
    if (seq < 0) return
    if (isShorter(seq, title.length)) retitle(seq, title, changes)
    if (depth < known.depthOf(seq)) comeCloser(seq, depth, url, changes)
  }

  /**
   * Adds the target of a redirect to another host, at the depth and in the place of the URL that redirected. A row that was only listed
   * becomes pending: one that was too deep, and any that a submitted URL redirects to; so does one that is requested again. False when the URL
   * is known and has had its turn, or will.
   */
  function addTarget(target: RedirectTarget, changes: RunChanges): boolean {
    const seq = known.find(target.hi, target.lo)
    if (others !== null && seq !== ALIAS && !others.owns(target.url)) {
      sendAway({ ...target, title: '', note: null, isLast: false, isFirst: true }, changes)
      return true
    }
    if (seq === UNKNOWN) {
      append({ ...target, title: '', note: null, isLast: false, isFirst: true }, changes)
      return true
    }
    const state = seq === ALIAS ? KEPT : known.stateOf(seq)
    const isAgain = state === ENDED && target.isAgain === true
    const isListed = state === TOO_DEEP || (state === LISTED && target.isSeed)
    if (!(isAgain || isListed) || target.depth > maxDepth) return false
    if (isAgain) forgetOutcome(seq, changes)
    reopen(seq, target, changes)
    return true
  }

  function append(link: NewUrl, changes: RunChanges) {
    const isOutside = link.note?.outcome === 'out_of_scope'
    if (!link.isSeed && (isOutside ? outside >= outsideLimit : known.count - outside >= knownLimit)) {
      dropped += 1
      return
    }
    if (isOutside) outside += 1
    let { note } = link
    let rank = link.depth
    let key = ''
    if (note === null) {
      key = hostKey(link.url)
      // A submitted URL is never filtered, and neither is its redirect target.
      const excess = link.isSeed || queues.find(key) !== undefined ? null : traps.excessOf(key)
      if (link.isSeed) traps.count(link.url)
      else if (excess !== null) note = { outcome: 'trap:host', detail: excess }
      else if (link.depth > maxDepth) note = { outcome: 'depth', detail: `deeper than ${maxDepth}` }
      // Most large sites have few patterns, so URLs beyond a pattern's share are not dropped; they go behind all others.
      else if (traps.count(link.url) || link.isLast || isSideView(link.url)) rank += LATE
    }
    const seq = known.count
    known.add(seq, { hi: link.hi, lo: link.lo, depth: link.depth, titleLength: link.title.length })
    if (note !== null) known.setState(seq, note.outcome === 'depth' ? TOO_DEEP : LISTED)
    const queue = note === null ? queues.of(hosts.get(key)) : null
    changes.added.push({
      seq,
      hi: link.hi,
      lo: link.lo,
      hostKey: queue?.host.key ?? null,
      rank,
      outcome: note?.outcome ?? null,
      detail: note?.detail ?? null,
      hops: link.hops,
      isSeed: link.isSeed,
      url: link.url,
      title: link.title,
    })
    if (queue === null) return
    const url = { seq, url: link.url, rank, tries: 0, hops: link.hops, isSeed: link.isSeed }
    order.added(queue, queues.add(queue, url, link.isFirst))
  }

  /** A page that was slow to arrive can show that a URL is less deep than it seemed. */
  function comeCloser(seq: number, depth: number, url: string, changes: RunChanges) {
    const state = known.stateOf(seq)
    if (state === KEPT || state === ENDED || state === LISTED || (state === TOO_DEEP && depth > maxDepth)) return
    if (state === TOO_DEEP) return reopen(seq, { depth, hops: 0, isSeed: false, url }, changes)
    known.setDepth(seq, depth)
    // If it becomes pending with this commit, it stays so.
    changes.closer.set(seq, { hostKey: null, hops: 0, isSeed: false, ...changes.closer.get(seq), depth })
  }

  /** Drops an outcome that is not committed yet. */
  function forgetOutcome(seq: number, changes: RunChanges) {
    const before = changes.settled.find((settled) => settled.seq === seq)
    if (before === undefined) return
    changes.settled.splice(changes.settled.indexOf(before), 1)
    if (FAILURES.has(before.outcome)) changes.failed -= 1
    // `reopen` counts a URL whose outcome is committed.
    changes.reopened -= 1
  }

  /** Makes a listed URL pending. */
  function reopen(seq: number, { depth, hops, isSeed, url }: Omit<RedirectTarget, 'hi' | 'lo'>, changes: RunChanges) {
    known.setDepth(seq, depth)
    known.setState(seq, PENDING)
    changes.reopened += 1
    const queue = queues.of(hosts.get(hostKey(url)))
    changes.closer.set(seq, { depth, hostKey: queue.host.key, hops, isSeed })
    order.added(queue, queues.add(queue, { seq, url, rank: depth, tries: 0, hops, isSeed }, false))
  }
}
