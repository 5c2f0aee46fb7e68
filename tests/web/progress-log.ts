import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ProgressEvent } from '#contract/runs.ts'
import { emptyLog, reconnectDelayMs, withEvents } from '#web/runs/shared/progress-log.ts'
import { latestOf } from '#web/runs/shared/feed.ts'
import { FAILURES } from '#backend/crawler/outcomes.ts'
import { outcomeWords, summarise } from '#web/runs/crawl/outcomes.ts'

type Page = { uuid: string; text: string }
type Job = { uuid: string; n: number }
type Event = ProgressEvent<Job, Page>
const result = (seq: number): Event => ({ type: 'result', seq, data: { uuid: `p${seq}`, text: 'long' } })
const feed = (id: string, type: 'info' | 'error' = 'info'): Event => ({
  type: 'feed',
  data: { id, type, message: id, timestamp: '', metadata: {} },
})
const state = (status: 'running' | 'finished', n: number, seq?: number): Event => ({
  type: 'state',
  status,
  data: { uuid: 'j', n },
  ...(seq !== undefined && { seq }),
})

const start = () => {
  const seen = new Set<string>()
  const add = (log: ReturnType<typeof emptyLog<Job, Page>>, events: Event[]) =>
    withEvents(log, events, { seen, light: (page) => ({ ...page, text: '' }), maxHeavy: 2 })
  return { add, log: emptyLog<Job, Page>() }
}

const log = suite('following a run')

log('S-WRK-09 the log collects results in order, the newest state, and the number to resume after', () => {
  const { add, log } = start()
  const after = add(add(log, [result(1), state('running', 1, 2)]), [result(3), state('running', 2)])
  assert.equal(
    after.results.map(({ uuid }) => uuid),
    ['p1', 'p3'],
  )
  assert.is(after.job?.n, 2)
  assert.is(after.seq, 3)
  assert.not(after.ended)
})

log('S-WRK-09 events repeated after a reconnect are not shown twice', () => {
  const { add, log } = start()
  const once = add(log, [result(1), feed('a'), result(2)])
  const twice = add(once, [result(1), feed('a'), result(2), feed('b')])
  assert.is(twice.results, once.results)
  assert.equal(
    twice.feed.map(({ id }) => id),
    ['a', 'b'],
  )
})

log('S-WRK-09 the log ends with the state that ends the run', () => {
  const { add, log } = start()
  assert.ok(add(log, [state('finished', 3)]).ended)
})

log('documents of old results are dropped, batch by batch', () => {
  const { add, log } = start()
  let now = log
  for (const seq of [1, 2, 3, 4, 5]) now = add(now, [result(seq)])
  assert.equal(
    now.results.map(({ text }) => text),
    ['', '', '', 'long', 'long'],
  )
  const other = start()
  assert.equal(
    other.add(other.log, [1, 2, 3, 4].map(result)).results.map(({ text }) => text),
    ['', '', 'long', 'long'],
  )
})

log('the newest four hundred lines of the feed are kept', () => {
  const { add, log } = start()
  const after = add(
    log,
    Array.from({ length: 500 }, (_, at) => feed(`f${at}`)),
  )
  assert.is(after.feed.length, 400)
  assert.is(after.feed.at(-1)?.id, 'f499')
})

log('the wait grows each time the stream breaks, up to fifteen seconds', () => {
  assert.equal([0, 1, 2, 5, 99].map(reconnectDelayMs), [500, 1000, 2000, 15_000, 15_000])
})

log('“latest” shows every error and the newest line', () => {
  const lines = [feed('a', 'error'), feed('b'), feed('c', 'error'), feed('d')].map((event) => event.data)
  assert.equal(
    latestOf(lines as never).map(({ id }: { id: string }) => id),
    ['a', 'c', 'd'],
  )
})

const outcomes = suite('outcomes of URLs')

outcomes('outcomes are summed by group, reasons of failure most frequent first', () => {
  const summary = summarise([
    { outcome: 'kept', count: 5 },
    { outcome: 'timeout', count: 1 },
    { outcome: 'status', count: 3 },
    { outcome: 'robots', count: 2 },
    { outcome: 'trap:repeat', count: 1 },
    { outcome: null, count: 4 },
  ])
  assert.equal([summary.stored, summary.failed, summary.skipped, summary.waiting], [5, 4, 3, 4])
  assert.equal(
    summary.reasons.map(({ outcome }) => outcome),
    ['status', 'timeout'],
  )
})

outcomes('a page whose stored copy is still current has not failed', () => {
  assert.equal(outcomeWords('not_modified'), { group: 'skipped', label: 'Unchanged since the stored copy' })
  assert.equal(
    [...FAILURES].filter((outcome) => outcomeWords(outcome).group !== 'failed' || outcomeWords(outcome).label === outcome),
    [],
  )
})

outcomes('an outcome without a text is shown by its name', () => {
  assert.equal(outcomeWords('moon_phase'), { group: 'failed', label: 'moon phase' })
})

log.run()
outcomes.run()
