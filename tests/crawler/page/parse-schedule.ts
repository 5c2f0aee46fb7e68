/** Which thread reads which pages: simulated threads on simulated cores, and two teams whose pages come as their fetches end. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { LONG_MS, OVERDUE_MS, createParseSchedule } from '#backend/crawler/page/parse-schedule.ts'
import type { Lane } from '#backend/crawler/page/parse-schedule.ts'

const scheduling = suite('the schedule of the parser threads')

type Page = { share: string; expectedMs: number; leftMs: number; costsMs: number; runMs: number }
/** A team: its pages in fetch or waiting for a parser; a fetch takes `latencyMs`, page n takes `costs(n)` of processor time. */
type Team = { atOnce: number; latencyMs: number; costs: (n: number) => number; expected?: (n: number) => number }

const STEP_MS = 0.25
const STARTS_IN_MS = 150
/** The charge for 700 ms of a long page. */
const COSTS_MS = 700 * 1.7

/** Simulates 20 seconds of crawling; each thread has a core while there are enough. Returns pages and processor time of each team. */
function simulated(teams: Record<string, Team>, threads: number) {
  let now = 0
  const schedule = createParseSchedule<Page>({ threads, processors: threads, now: () => now })
  const lanes: { lane: Lane<Page>; batches: Page[][] }[] = []
  const fetches: { share: string; endsAt: number }[] = []
  const got = Object.fromEntries(Object.keys(teams).map((share) => [share, { pages: 0, ms: 0 }]))
  const made: Record<string, number> = {}
  const starting: { lane: Lane<Page>; at: number }[] = []
  let mostLanes = 0
  const open = () => {
    const lane = schedule.addLane()
    lanes.push({ lane, batches: [] })
    starting.push({ lane, at: now + STARTS_IN_MS })
    mostLanes = Math.max(mostLanes, lanes.length)
  }
  for (const [share, { atOnce, latencyMs }] of Object.entries(teams))
    for (let n = 0; n < atOnce; n += 1) fetches.push({ share, endsAt: (latencyMs * (n + 1)) / atOnce })
  for (let at = 0; at < 20_000; at += STEP_MS) {
    now = at
    for (const one of starting) if (one.at <= at) one.lane.isReady = true
    for (let i = fetches.length - 1; i >= 0; i -= 1) {
      const { endsAt, share } = fetches[i]!
      if (endsAt > at) continue
      fetches.splice(i, 1)
      const n = (made[share] = (made[share] ?? -1) + 1)
      const costsMs = teams[share]!.costs(n)
      const expectedMs = (teams[share]!.expected ?? teams[share]!.costs)(n)
      schedule.push({ share, expectedMs, costsMs, leftMs: costsMs, runMs: 0 })
    }
    const isContended = Object.keys(teams).length > 1
    for (let dealt = schedule.deal(isContended, open); dealt !== null; dealt = schedule.deal(isContended, open))
      lanes.find(({ lane }) => lane === dealt!.lane)!.batches.push(dealt.batch)
    const running = lanes.filter(({ batches, lane }) => batches.length > 0 && lane.isReady)
    for (const { lane, batches } of running) {
      const batch = batches[0]!
      const page = batch.find((one) => lane.pages.has(one))
      if (page !== undefined) {
        const ms = STEP_MS * Math.min(1, threads / running.length)
        page.leftMs -= ms
        page.runMs += ms
        got[page.share]!.ms += ms
        if (page.runMs >= OVERDUE_MS && page.expectedMs < LONG_MS && lane.overdue === null && isContended)
          for (const back of schedule.overtake(lane, page))
            for (const one of batches) if (one.includes(back)) one.splice(one.indexOf(back), 1)
        if (page.leftMs <= 0) {
          schedule.ended(lane, page, page.costsMs)
          got[page.share]!.pages += 1
          fetches.push({ share: page.share, endsAt: at + teams[page.share]!.latencyMs })
        }
      }
      if (batch.every((one) => !lane.pages.has(one))) {
        batches.shift()
        schedule.answered(lane)
      }
    }
  }
  return { got, mostLanes }
}

const ordinary: Team = { atOnce: 32, latencyMs: 10, costs: () => 1.5 }
const WORST: Record<string, Team> = {
  'with pages of 200,000 links': { atOnce: 16, latencyMs: 30, costs: () => 700 },
  'whose pages take 100 times longer than expected': { atOnce: 32, latencyMs: 10, costs: () => 150, expected: () => 1.5 },
  'with a page of five seconds among twenty': {
    atOnce: 32,
    latencyMs: 10,
    costs: (n) => (n % 20 === 0 ? 5000 : 1.5),
    expected: () => 1.5,
  },
  'whose pages stay just below the limit of a long page': { atOnce: 32, latencyMs: 10, costs: () => LONG_MS - 1 },
}
const TEAMS: Record<string, Team> = {
  'a fast site': ordinary,
  'a slow site': { atOnce: 8, latencyMs: 200, costs: () => 1.5 },
  'one page at a time': { atOnce: 1, latencyMs: 100, costs: () => 1.5 },
}
for (const [what, team] of Object.entries(TEAMS)) {
  for (const threads of [1, 2, 4]) {
    const usual = simulated({ team, neighbour: ordinary }, threads).got['team']!.pages
    for (const [who, neighbour] of Object.entries(WORST))
      scheduling(`H4: ${threads} threads, ${what}: a team keeps at least 0.8 of its usual speed beside a team ${who}`, () => {
        const { got, mostLanes } = simulated({ team, neighbour }, threads)
        assert.ok(got['team']!.pages >= 0.8 * usual, `${got['team']!.pages} pages, ${usual} beside an ordinary team`)
        assert.ok(got['neighbour']!.ms >= 0.3 * 20_000, `the neighbour had ${got['neighbour']!.ms.toFixed(0)} ms`)
        assert.ok(mostLanes <= threads + Math.ceil(threads / 2), `${mostLanes} threads`)
      })
  }
}

scheduling('a single team gets every thread, however long its pages take, and no further thread', () => {
  for (const threads of [1, 2, 4])
    for (const [who, team] of Object.entries({ ...WORST, ordinary })) {
      const { got, mostLanes } = simulated({ team }, threads)
      assert.is(mostLanes, threads, who)
      assert.ok(
        got['team']!.ms >= 0.85 * 20_000 * threads - 5000 * threads,
        `${who}: ${got['team']!.ms.toFixed(0)} ms of ${threads} threads`,
      )
    }
})

scheduling('pages behind a page that takes too long return to the front of their queues, in order', () => {
  const schedule = createParseSchedule<Page & { name: string }>({ threads: 1, processors: 2, now: () => 0 })
  const open = () => void (schedule.addLane().isReady = true)
  const page = (share: string, name: string) => ({ share, name, expectedMs: 0.5, costsMs: 1, leftMs: 1, runMs: 0 })
  for (const name of ['a1', 'a2', 'a3']) schedule.push(page('a', name))
  schedule.push(page('b', 'b1'))
  const first = schedule.deal(true, open)!
  assert.equal(first.batch.map(({ name }) => name).toSorted(), ['a1', 'a2', 'a3', 'b1'])
  const running = first.batch.find(({ name }) => name === 'a1')!
  assert.equal(schedule.overtake(first.lane, running).length, 3)
  assert.is(schedule.queued, 3)
  const next = schedule.deal(true, open)!
  assert.equal(
    next.batch.map(({ name }) => name),
    ['b1'],
    'pages of the share with the overdue one wait for its end',
  )
  assert.is(schedule.deal(true, open), null)
  schedule.ended(first.lane, running, 500)
  schedule.answered(first.lane)
  const rest = schedule.deal(true, open)!
  assert.is(rest.lane, first.lane)
  assert.equal(
    rest.batch.map(({ name }) => name),
    ['a2'],
    'for a while one at a time',
  )
})

scheduling('on one processor a share that is ahead waits before its next long page until another has caught up, and no longer', () => {
  const clock = { at: 0 }
  const schedule = createParseSchedule<Page>({ threads: 1, processors: 1, now: () => clock.at })
  const open = () => void (schedule.addLane().isReady = true)
  const page = (share: string, costsMs: number): Page => ({ share, expectedMs: costsMs, costsMs, leftMs: costsMs, runMs: 0 })
  const read = ({ lane, batch }: { lane: Lane<Page>; batch: Page[] }) => {
    for (const one of batch) schedule.ended(lane, one, one.costsMs)
    schedule.answered(lane)
  }
  const next = () => schedule.deal(true, open)
  schedule.push(page('short', 1))
  read(next()!)
  schedule.push(page('long', 700))
  read(next()!)
  schedule.push(page('long', 700))
  assert.is(next(), null)
  // The other has a page now and then: it is waited for, but not for ever.
  for (; clock.at < 1000; clock.at += 50) {
    schedule.push(page('short', 1))
    const dealt = next()!
    assert.is(dealt.batch[0]!.share, 'short')
    read(dealt)
    assert.is(next(), null)
    assert.ok(schedule.restMs() > 0 && schedule.restMs() <= COSTS_MS - clock.at)
  }
  clock.at += schedule.restMs() - 1
  schedule.push(page('short', 1))
  read(next()!)
  assert.is(next(), null)
  clock.at += 1
  assert.is(next()!.batch[0]!.share, 'long')
  assert.is(schedule.restMs(), Infinity)
})

scheduling('a share that is ahead does not wait for one that has been idle', () => {
  const clock = { at: 0 }
  const schedule = createParseSchedule<Page>({ threads: 1, processors: 1, now: () => clock.at })
  const open = () => void (schedule.addLane().isReady = true)
  const page = (share: string, costsMs: number): Page => ({ share, expectedMs: costsMs, costsMs, leftMs: costsMs, runMs: 0 })
  for (const one of [page('short', 1), page('long', 700)]) {
    schedule.push(one)
    const { lane } = schedule.deal(true, open)!
    schedule.ended(lane, one, one.costsMs)
    schedule.answered(lane)
  }
  schedule.push(page('long', 700))
  assert.is(schedule.deal(true, open), null)
  clock.at = 100
  assert.is(schedule.deal(true, open)!.batch[0]!.share, 'long')
})

scheduling(
  'while a long page is read the next thread is started before another share has a page, but not if there is only one share',
  () => {
    const schedule = createParseSchedule<Page>({ threads: 1, processors: 1, now: () => 0 })
    let opened = 0
    const open = () => {
      opened += 1
      schedule.addLane().isReady = true
    }
    schedule.push({ share: 'a', expectedMs: 700, costsMs: 700, leftMs: 700, runMs: 0 })
    assert.ok(schedule.deal(false, open))
    assert.is(schedule.deal(false, open), null)
    assert.is(opened, 1)
    assert.is(schedule.deal(true, open), null)
    assert.is(schedule.deal(true, open), null)
    assert.is(opened, 2)
  },
)

scheduling('pages of a crashed thread are read by another thread, except pages that are given up', () => {
  const schedule = createParseSchedule<Page & { name: string }>({ threads: 1, processors: 1, now: () => 0 })
  const open = () => void (schedule.addLane().isReady = true)
  const page = (name: string) => ({ share: 'a', name, expectedMs: 0.5, costsMs: 1, leftMs: 1, runMs: 0 })
  for (const name of ['1', '2', '3']) schedule.push(page(name))
  const { lane } = schedule.deal(false, open)!
  schedule.removeLane(lane, ({ name }) => name === '1')
  const again = schedule.deal(false, open)!
  assert.equal(
    again.batch.map(({ name }) => name),
    ['2', '3'],
  )
  assert.is.not(again.lane, lane)
})

scheduling.run()
