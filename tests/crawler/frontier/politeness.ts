import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  DEAD_AFTER_MS,
  DEAD_AFTER_PROBES,
  DEAD_STRANGER_AFTER_MS,
  MOST_SUSPECT_AFTER,
  SUSPECT_AFTER,
  TOO_BUSY_AFTER,
  afterAnswer,
  afterEnd,
  afterStart,
  blameFor,
  hostOpenAt,
  hostWidth,
  mayAsk,
  newHostState,
  patienceMs,
  pauseOf,
  probeWaitMs,
  retryPolicy,
  retryReasonOf,
  retryWidth,
  signalOf,
} from '#backend/crawler/frontier/politeness.ts'
import type { FetchOutcome } from '#backend/crawler/fetch/fetcher.ts'
import type { HostSignal, HostState, RetryReason } from '#backend/crawler/frontier/politeness.ts'

const polite = suite('politeness')

const LIMITS = { concurrency: 4, delayMs: 0 }
const MIDDLE = 0.5

const RETRIES: [reason: RetryReason, tries: number, retryAfterMs: number | null, expected: number | string, why: string][] = [
  ['connect', 1, null, 2000, 'a refused connection is retried'],
  ['connect', 2, null, 8000, 'the second retry waits longer'],
  ['connect', 3, null, 'connect', 'three tries in all'],
  ['reset', 1, null, 2000, 'a reset connection is retried'],
  ['timeout', 2, null, 8000, 'a timeout is retried'],
  ['timeout', 3, null, 'timeout', 'three tries in all'],
  ['name_server', 1, null, 2000, 'a name server that fails may answer seconds later'],
  ['name_server', 3, null, 'dns', 'three tries in all'],
  ['origin_unresolved', 1, null, 2000, 'the name of a host that was never reached is looked up again'],
  ['origin_unresolved', 2, null, 'dns', 'one retry is enough for a host that was never reached'],
  ['no_socket', 1, null, 2000, 'connections may be free in a moment'],
  ['no_socket', 2, null, 8000, 'the second retry waits longer'],
  ['no_socket', 5, null, 30_000, 'this machine has no room for a connection: the host is not to blame, and the URL waits'],
  ['no_socket', 6, null, 'connect', 'six tries in all'],
  ['status_fault', 1, null, 4000, 'a server error is retried'],
  ['status_fault', 2, null, 16_000, 'the second retry waits longer'],
  ['status_fault', 3, null, 'status', 'three tries in all'],
  ['status_busy', 1, 5000, 5000, 'Retry-After sets the wait'],
  ['status_busy', 1, 120_000, 120_000, 'Retry-After of two minutes is obeyed'],
  ['status_busy', 1, 1, 1, 'a date that comes in a millisecond is obeyed'],
  ['status_busy', 1, 120_001, 'retry_after_too_long', 'a longer Retry-After ends the URL'],
  ['status_busy', 5, 5000, 5000, 'a busy host gets five retries'],
  ['status_busy', 6, 5000, 'status', 'six tries in all'],
  ['silent', 1, null, 2000, 'a URL that hangs while others answer gets a second try'],
  ['silent', 2, null, 'timeout', 'no third try'],
  ['status_busy', 1, null, 2000, 'without Retry-After the default wait applies'],
  ['status_busy', 1, 0, 2000, 'a Retry-After of no time names no wait'],
  ['robots_unreachable', 1, null, 60_000, 'an unreachable robots.txt is retried after a minute'],
  ['robots_unreachable', 1, 45_000, 45_000, 'it is retried when robots.txt is fetched again'],
  ['robots_unreachable', 1, 3_600_000, 60_000, 'it is retried after a minute at most'],
  ['robots_unreachable', 2, null, 'robots_unreachable', 'a second failure ends the URL'],
  ['unparsable', 1, null, 0, 'a page that killed its parser gets a second try'],
  ['unparsable', 2, null, 'unparsable', 'no third try'],
  ...(
    [
      'dns',
      'tls',
      'refused_address',
      'too_large',
      'bad_encoding',
      'protocol',
      'redirect_limit',
      'redirect_loop',
      'bad_redirect',
      'robots',
      'canceled',
      'status',
    ] as const
  ).map((reason): [RetryReason, number, null, string, string] => [reason, 1, null, reason, 'would be the same again']),
]
for (const [reason, tries, retryAfterMs, expected, why] of RETRIES) {
  polite(`after try ${tries}, ${reason}: ${expected} (${why})`, () => {
    assert.equal(
      retryPolicy(reason, tries, retryAfterMs, MIDDLE),
      typeof expected === 'number' ? { retryInMs: expected } : { giveUp: expected },
    )
  })
}

polite('waits are spread randomly by 30 % either way', () => {
  assert.equal(retryPolicy('connect', 1, null, 0), { retryInMs: 1400 })
  assert.equal(retryPolicy('connect', 1, null, 1), { retryInMs: 2600 })
})

polite('statuses are sorted into kinds of failures', () => {
  const kinds: [number, string | null][] = [
    [200, null],
    [204, null],
    [304, null],
    [302, null],
    [400, 'status'],
    [404, 'status'],
    [408, 'status_fault'],
    [429, 'status_busy'],
    [500, 'status_fault'],
    [501, 'status'],
    [502, 'status_fault'],
    [503, 'status_busy'],
    [504, 'status_fault'],
    [505, 'status'],
    [522, 'status_fault'],
    [999, 'status'],
  ]
  for (const [code, kind] of kinds) assert.is(retryReasonOf(code), kind, String(code))
  assert.is(blameFor('timeout'), 'host')
  assert.is(blameFor('status_fault'), 'url')
  assert.is(blameFor('canceled'), 'nobody')
})

const good: HostSignal = { kind: 'good', firstByteMs: 20 }
const after = (state: HostState, signals: HostSignal[], now = 1000): HostState =>
  signals.reduce((each, signal) => afterAnswer(each, LIMITS, signal, now), state)
const times = (n: number, signal: HostSignal): HostSignal[] => Array<HostSignal>(n).fill(signal)

polite('a healthy host gets the full width soon, and no pause', () => {
  let state = newHostState(LIMITS)
  assert.is(hostWidth(state, LIMITS), 2)
  state = after(state, times(2, good))
  assert.is(hostWidth(state, LIMITS), 3)
  state = after(state, times(3, good))
  assert.is(hostWidth(state, LIMITS), 4)
  state = after(state, times(50, good))
  assert.is(hostWidth(state, LIMITS), 4)
  assert.is(pauseOf(state, LIMITS), 0)
  assert.is(afterStart(state, LIMITS, 1000, MIDDLE), state)
  assert.ok(mayAsk(state, LIMITS, 3, 0))
  assert.not.ok(mayAsk(state, LIMITS, 4, 0))
})

polite('the random spread never shortens the pause that a site or the operator sets', () => {
  const asked = { ...newHostState(LIMITS), crawlDelayMs: 2000 }
  assert.is(afterStart(asked, LIMITS, 1000, 0).nextAt, 3000)
  assert.is(afterStart(asked, LIMITS, 1000, 1).nextAt, 3400)
  assert.is(afterStart(newHostState(LIMITS), { ...LIMITS, delayMs: 500 }, 1000, 0).nextAt, 1500)
})

polite('the pause is also kept from the end of a request, since the request may have reached the host late', () => {
  const asked = { ...newHostState(LIMITS), crawlDelayMs: 2000 }
  const late = afterEnd(afterStart(asked, LIMITS, 1000, 1), LIMITS, 2500)
  assert.is(late.nextAt, 4500)
  assert.not.ok(mayAsk(late, LIMITS, 0, 4499))
  assert.is(afterEnd({ ...asked, nextAt: 9000 }, LIMITS, 2500).nextAt, 9000, 'a longer pause is not cut short')
  const free = newHostState(LIMITS)
  assert.is(afterEnd(free, LIMITS, 2500), free, 'a host without a pause may be asked at once')
})

polite('a 429 or 503 without Retry-After: one request at a time, pauses doubling from a second to a minute', () => {
  let state = after(newHostState(LIMITS), times(20, good))
  const pauses: number[] = []
  for (let i = 0; i < 8; i += 1) {
    state = after(state, [{ kind: 'busy', retryAfterMs: null }])
    pauses.push(pauseOf(state, LIMITS))
  }
  assert.equal(pauses, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
  assert.is(hostWidth(state, LIMITS), 1)
  assert.is(afterStart(state, LIMITS, 1000, 0).nextAt, 1000 + 54_000)
  assert.is(afterStart(state, LIMITS, 1000, 1).nextAt, 1000 + 72_000)
  assert.not.ok(mayAsk(afterStart(state, LIMITS, 1000, 0), LIMITS, 0, 54_999))
  assert.ok(mayAsk(afterStart(state, LIMITS, 1000, 0), LIMITS, 0, 55_000))
})

polite('a Retry-After of no time, or of a date that has passed, counts as none', () => {
  assert.is(pauseOf(after(newHostState(LIMITS), [{ kind: 'busy', retryAfterMs: 0 }]), LIMITS), 1000)
})

polite('a 429 or 503 with Retry-After closes the host until then, two minutes at most', () => {
  const state = after(newHostState(LIMITS), [{ kind: 'busy', retryAfterMs: 5000 }])
  assert.is(hostOpenAt(state), 6000)
  assert.is(state.width, 1)
  assert.is(hostOpenAt(after(state, [{ kind: 'busy', retryAfterMs: 1e12 }])), 121_000)
  assert.is(hostOpenAt(after(state, [{ kind: 'busy', retryAfterMs: 0 }])), 6000, 'a shorter word does not open it')
})

polite('refused connections, and timeouts of a host that never answered, cause short pauses, which good answers reduce', () => {
  let state = after({ ...newHostState(LIMITS), width: 4 }, [{ kind: 'timeout' }])
  assert.is(state.width, 2)
  assert.is(pauseOf(state, LIMITS), 250)
  state = after(state, [{ kind: 'connect' }])
  assert.is(pauseOf(state, LIMITS), 375)
  assert.is(state.faultsInRow, 2)
  assert.is(pauseOf(after(state, times(30, { kind: 'connect' })), LIMITS), 30_000)
  const recovered = after(state, times(6, good))
  assert.is(pauseOf(recovered, LIMITS), 0)
  assert.is(recovered.faultsInRow, 0)
})

polite('H1: URLs that hang do not slow a host that answers others; after ten in a row the host is treated as new', () => {
  let state = after(newHostState(LIMITS), times(20, good))
  for (let round = 0; round < 5; round += 1) state = after(state, [...times(9, { kind: 'timeout' }), good])
  assert.is(hostWidth(state, LIMITS), 4)
  assert.is(pauseOf(state, LIMITS), 0)
  assert.is(hostWidth(after(state, times(9, { kind: 'timeout' })), LIMITS), 4)
  const silent = after(state, times(30, { kind: 'timeout' }))
  assert.is(hostWidth(silent, LIMITS), 2)
  assert.is(pauseOf(silent, LIMITS), 0)
})

polite('H1: a URL that is silent for eight times the usual latency gives up its place, but not within two seconds', () => {
  assert.is(patienceMs(newHostState(LIMITS), LIMITS), 5000, 'nothing is known of the host')
  const swift = after(newHostState(LIMITS), times(20, good))
  assert.is(patienceMs(swift, LIMITS), 2000)
  const slow = after(newHostState(LIMITS), times(20, { kind: 'good', firstByteMs: 3000 }))
  assert.is(patienceMs(slow, LIMITS), 24_000)
  assert.is(patienceMs({ ...swift, crawlDelayMs: 10_000 }, LIMITS), 10_000, 'nobody else could start earlier')
  assert.is(retryWidth(swift, LIMITS), 3)
  assert.is(retryWidth({ ...swift, crawlDelayMs: 10_000 }, LIMITS), 1)
})

polite('a 429 or 503 without Retry-After delays the next request, too', () => {
  assert.is(hostOpenAt(after(newHostState(LIMITS), [{ kind: 'busy', retryAfterMs: null }], 5000)), 6000)
})

polite('a broken connection halves the width, without a pause', () => {
  const state = after(after(newHostState(LIMITS), times(20, good)), [{ kind: 'reset' }])
  assert.is(hostWidth(state, LIMITS), 2)
})

polite('a host that slows down gets fewer requests before it fails', () => {
  const swift = after(newHostState(LIMITS), times(20, good))
  const slow = after(swift, times(3, { kind: 'good', firstByteMs: 3000 }))
  assert.ok(slow.width < swift.width)
  const once = after(swift, [{ kind: 'good', firstByteMs: 6000 }, good])
  assert.is(once.width, 3, 'one slow page counts once')
  assert.is(after(swift, times(50, { kind: 'good', firstByteMs: 400 })).width, 4, 'half a second is never slow')
})

polite('the usual latency of a host is relearned within ten minutes', () => {
  let state = after(newHostState(LIMITS), times(20, good))
  const slow: HostSignal = { kind: 'good', firstByteMs: 3000 }
  for (let minute = 0; minute <= 16; minute += 1) state = after(state, times(20, slow), 1000 + minute * 60_000)
  assert.is(state.width, 4)
})

polite('a crawl delay means one request at a time and pauses of thirty seconds at most', () => {
  const state = { ...newHostState(LIMITS), crawlDelayMs: 2000 }
  assert.is(pauseOf(state, LIMITS), 2000)
  assert.is(hostWidth(state, LIMITS), 1)
  assert.is(pauseOf({ ...state, crawlDelayMs: 864_000_000 }, LIMITS), 30_000)
  assert.is(pauseOf(state, { concurrency: 4, delayMs: 5000 }), 5000, 'a longer pause of the operator wins')
})

polite('hosts that never answered are requested twice, and busy hosts wait eight seconds from the second time on', () => {
  for (const reason of ['origin_refuses', 'origin_silent'] as const) {
    assert.equal(retryPolicy(reason, 1, null, MIDDLE), { retryInMs: 2000 })
    assert.equal(retryPolicy(reason, 2, null, MIDDLE), { giveUp: reason === 'origin_refuses' ? 'connect' : 'timeout' })
  }
  for (const tries of [2, 3, 5]) assert.equal(retryPolicy('status_busy', tries, null, MIDDLE), { retryInMs: 8000 })
  for (const [status, kind] of [
    [199, 'status'],
    [519, 'status'],
    [520, 'status_fault'],
    [530, 'status_fault'],
    [531, 'status'],
  ] as const)
    assert.is(retryReasonOf(status), kind, String(status))
})

polite('a suspect host is probed after 5, 10, 20, 40 and then each 60 seconds', () => {
  assert.equal([0, 1, 2, 3, 4, 5, 6, 50].map(probeWaitMs), [0, 5000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000])
  assert.equal(
    [SUSPECT_AFTER, MOST_SUSPECT_AFTER, DEAD_AFTER_PROBES, DEAD_AFTER_MS, DEAD_STRANGER_AFTER_MS, TOO_BUSY_AFTER],
    [5, 80, 3, 60_000, 10_000, 20],
  )
})

polite('every answer except 429 and 503 proves that the host is well; some failures say nothing about the host', () => {
  const headers = { retryAfterMs: 7 }
  const fetched = (status: number) => signalOf({ kind: 'fetched', status, headers, firstByteMs: 5 } as FetchOutcome)
  for (const status of [200, 404, 428, 430, 500, 502, 504]) assert.equal(fetched(status), { kind: 'good', firstByteMs: 5 })
  for (const status of [429, 503]) assert.equal(fetched(status), { kind: 'busy', retryAfterMs: 7 })
  assert.equal(signalOf({ kind: 'redirected', tookMs: 9 } as FetchOutcome), { kind: 'good', firstByteMs: 9 })
  for (const reason of ['timeout', 'connect', 'reset'] as const)
    assert.equal(signalOf({ kind: 'failure', reason } as FetchOutcome), { kind: reason })
  for (const reason of ['dns', 'tls', 'too_large', 'canceled'] as const)
    assert.is(signalOf({ kind: 'failure', reason } as FetchOutcome), null)
})

const NEW: HostState = {
  width: 2,
  goodInRow: 0,
  faultsInRow: 0,
  silentInRow: 0,
  penaltyMs: 0,
  crawlDelayMs: null,
  latencyMs: null,
  leastMs: null,
  leastBeforeMs: null,
  leastSince: 0,
  nextAt: 0,
  closedUntil: 0,
}
const WIDE = { concurrency: 9, delayMs: 0 }
const one = (state: Partial<HostState>, signal: HostSignal, now = 1000) => afterAnswer({ ...NEW, ...state }, WIDE, signal, now)
const answered = (state: Partial<HostState>, firstByteMs: number, now = 1000) => one(state, { kind: 'good', firstByteMs }, now)

polite('a new host starts with two requests at once and no record', () => {
  assert.equal(newHostState(WIDE), NEW)
  assert.is(newHostState({ concurrency: 1, delayMs: 0 }).width, 1)
  assert.is(hostWidth(NEW, { concurrency: 4, delayMs: 1 }), 1, 'the shortest pause means one at a time')
})

polite('each kind of failure changes only the figures that it concerns', () => {
  const before = { width: 5, goodInRow: 3, silentInRow: 4, faultsInRow: 1, latencyMs: 20, penaltyMs: 100 }
  const worse = { ...NEW, ...before, goodInRow: 0, silentInRow: 0, faultsInRow: 2 }
  assert.equal(one(before, { kind: 'connect' }), { ...worse, penaltyMs: 250 })
  assert.equal(one(before, { kind: 'reset' }), { ...worse, width: 2 })
  assert.equal(one(before, { kind: 'busy', retryAfterMs: null }), { ...worse, width: 2, penaltyMs: 1000, nextAt: 2000 })
  assert.equal(one(before, { kind: 'busy', retryAfterMs: 50 }), { ...worse, width: 2, closedUntil: 1050 })
  assert.equal(one(before, { kind: 'timeout' }), { ...NEW, ...before, silentInRow: 5 })
  const silent = (silentInRow: number) => one({ ...before, silentInRow }, { kind: 'timeout' }).width
  assert.equal([silent(8), silent(9)], [5, 2])
  const stranger = (penaltyMs: number) => one({ penaltyMs, width: 4 }, { kind: 'timeout' }).penaltyMs
  assert.equal([stranger(0), stranger(300), stranger(19_000), stranger(20_001)], [250, 450, 28_500, 30_000])
  assert.is(one({}, { kind: 'timeout' }).silentInRow, 1)
})

polite('the latency of a host is an average, and its least latency is that of the current and the previous five minutes', () => {
  const known = { latencyMs: 100, leastMs: 80, leastSince: 1000 }
  assert.is(answered({}, 40).latencyMs, 40)
  assert.is(answered(known, 200).latencyMs, 120)
  const least = (state: HostState) => [state.leastMs, state.leastBeforeMs, state.leastSince]
  assert.equal(least(answered(known, 50)), [80, null, 1000])
  assert.equal(least(answered({ ...known, leastMs: 200 }, 50)), [90, null, 1000])
  assert.equal(least(answered({ ...known, leastBeforeMs: 70 }, 50, 300_999)), [80, 70, 1000])
  assert.equal(least(answered(known, 50, 301_000)), [90, 80, 301_000], 'a new span keeps the least of the last')
  assert.equal(least(answered(known, 50, 600_999)), [90, 80, 600_999])
  assert.equal(least(answered(known, 50, 601_000)), [90, null, 601_000], 'and not that of an older one')
})

polite('an answer is slow beyond three times the least latency, and half a second', () => {
  const width = (latencyMs: number, leastMs: number, more: Partial<HostState> = {}) =>
    answered({ width: 4, goodInRow: 1, latencyMs, leastMs, leastSince: 1000, ...more }, latencyMs).width
  assert.equal([width(600, 200), width(601, 200), width(700, 200)], [4, 3, 3])
  assert.equal([width(500, 100), width(501, 100), width(600, 100)], [4, 3, 3])
  assert.is(width(700, 300, { leastBeforeMs: 200 }), 3, 'the lesser of both spans counts')
  assert.is(width(700, 200, { leastBeforeMs: 300 }), 3)
  assert.is(width(700, 300), 4)
  const slow = answered({ width: 1, goodInRow: 1, latencyMs: 900, leastMs: 100, leastSince: 1000 }, 900)
  assert.equal([slow.width, slow.goodInRow], [1, 0])
  assert.is(answered({ width: 2, goodInRow: 1, latencyMs: 900, leastMs: 100, leastSince: 1000 }, 900).width, 1)
})

polite('as many good answers in a row as requests at once allow one request more, up to the limit', () => {
  const steps: [width: number, goodInRow: number][] = []
  let state = { ...NEW, width: 3 }
  for (let count = 0; count < 4; count += 1) {
    state = answered(state, 20)
    steps.push([state.width, state.goodInRow])
  }
  assert.equal(steps, [
    [3, 1],
    [3, 2],
    [4, 0],
    [4, 1],
  ])
  const full = answered({ width: 9, goodInRow: 9 }, 20)
  assert.equal([full.width, full.goodInRow], [9, 9])
  assert.is(answered({ width: 9, goodInRow: 3 }, 20).goodInRow, 4)
})

polite('good answers reduce a penalty by three tenths, and end it below 50 ms', () => {
  assert.is(answered({ penaltyMs: 1000 }, 20).penaltyMs, 700)
  assert.is(Math.round(answered({ penaltyMs: 80 }, 20).penaltyMs), 56)
  assert.is(answered({ penaltyMs: 70 }, 20).penaltyMs, 0)
  assert.is(answered({ penaltyMs: 50 / 0.7 }, 20).penaltyMs, 50)
})

polite.run()
