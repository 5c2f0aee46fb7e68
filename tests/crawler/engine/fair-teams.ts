/** Two teams, one of which tries to take everything: whose fetch and whose run is next. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createFetchSlots } from '#backend/crawler/engine/fetch-slots.ts'
import type { SlotRun } from '#backend/crawler/engine/fetch-slots.ts'
import { nextOf } from '#backend/crawler/engine/take-runs.ts'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import type { EngineHarness } from '#tests/support/engine/engine.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import type { Site } from '#tests/support/sites/site.ts'

const fair = suite('teams side by side')

const engines: EngineHarness[] = []
const sites: Site[] = []
fair.after(async () => {
  await Promise.all(engines.map((engine) => engine.close()))
  await Promise.all(sites.map((site) => site.close()))
})

const many = (count: number, name: (n: number) => string) => Array.from({ length: count }, (_, n) => name(n))

type Fetch = { takesMs: number }
/** A team in the simulation: its number of runs, their fetch times and their start. */
type Team = { runs: number; takesMs: number; from: number }

/** Lets teams fetch as much as they can for ten seconds; returns the number of fetches of each in the last nine. */
function startsOf(teams: Record<string, Team>, slots = 64): Record<string, number> {
  const turns = createFetchSlots<Fetch, SlotRun<Fetch>>({ slots })
  const starts: Record<string, number> = {}
  const ends: { at: number; share: string }[] = []
  for (let at = 0; at < 10_000; at += 1) {
    for (const [share, { from, runs, takesMs }] of Object.entries(teams)) {
      if (from === at) for (let n = 0; n < runs; n += 1) turns.add({ share, team: share, turn: () => ({ takesMs }) })
    }
    for (const ended of ends.filter((one) => one.at === at)) turns.change(ended.share, -1)
    for (let taken = turns.take(at); !('opensAt' in taken); taken = turns.take(at)) {
      const { share } = taken.run
      turns.change(share, 1)
      ends.push({ at: at + taken.found.takesMs, share })
      if (at >= 1000) starts[share] = (starts[share] ?? 0) + 1
    }
    if (at % 100 === 0) ends.splice(0, ends.length, ...ends.filter((one) => one.at > at))
  }
  return starts
}

const ONE: Team = { runs: 1, takesMs: 20, from: 500 }
const NEIGHBOURS: Record<string, Team> = {
  'has fifty crawls': { runs: 50, takesMs: 20, from: 0 },
  'has a crawl whose fetches hang, and started first': { runs: 1, takesMs: 8000, from: 0 },
  'has fifty crawls whose fetches hang, and started first': { runs: 50, takesMs: 8000, from: 0 },
  'has fifty crawls whose fetches hang, and starts later': { runs: 50, takesMs: 8000, from: 800 },
}
for (const [what, neighbour] of Object.entries(NEIGHBOURS)) {
  fair(`beside a team that ${what}, a team starts as many fetches as beside an ordinary team`, () => {
    const usual = startsOf({ team: ONE, other: { ...ONE, from: 0 } })['team']!
    const beside = startsOf({ team: ONE, other: neighbour })['team']!
    assert.ok(beside >= 0.8 * usual, `${beside} fetches, ${usual} beside an ordinary neighbour`)
  })
}

fair('a single team gets all slots, and free slots go to any team that can use them', () => {
  const alone = startsOf({ team: ONE })['team']!
  assert.ok(alone >= (0.7 * 64 * 9000) / 20, `${alone} fetches`)
  const withIdle = startsOf({ team: ONE, idle: { runs: 0, takesMs: 1, from: 0 } })['team']!
  assert.is(withIdle, alone)
})

fair('at most twice the slots are in use, however many teams are owed a part', () => {
  const turns = createFetchSlots<Fetch, SlotRun<Fetch>>({ slots: 8 })
  let inProgress = 0
  for (let team = 0; team < 40; team += 1) {
    turns.add({ share: `team ${team}`, team: `team ${team}`, turn: () => ({ takesMs: 1 }) })
    for (let taken = turns.take(0); !('opensAt' in taken); taken = turns.take(0)) {
      turns.change(taken.run.share, 1)
      inProgress += 1
    }
  }
  assert.is(inProgress, 16)
})

fair('a crawl makes progress while another team’s crawl holds every slot with hanging URLs', async () => {
  const engine = startEngineHarness({ settings: { maxConcurrency: 100 } })
  engines.push(engine)
  // A host that has not answered yet is asked for two URLs at once.
  const hosts = many(33, (n) => `127.0.0.${n + 1}`)
  const never = new Promise(() => undefined)
  const hanging = hosts.slice(1).flatMap((host) => many(2, (n) => `//${host}/hang/${n}`))
  const good = many(100, (n) => `/good/${n}`)
  const at = await startSite(Object.fromEntries(hanging.map((path) => [path, { until: never }])), { hosts })
  sites.push(at)
  at.pages['/worst'] = pageOf(
    'worst',
    hanging.map((path) => `http:${path.replace(/^\/\/[^/]+/, (host) => `${host}:${at.port}`)}`),
  )
  at.pages['/'] = pageOf('start', good)
  for (const path of good) at.pages[path] = pageOf(path)
  const isHanging = ({ path, until }: Site['hits'][number]) => path.startsWith('/hang') && until === Infinity
  const worst = await engine.crawl(at.url('/worst'), {
    spider: { max_depth: 1, page_limit: 1000, allowed_domains: ['*'] },
    page: { timeout: 60_000 },
    teamId: 'other',
  })
  await engine.until(() => at.hits.filter(isHanging).length === 64, 'every slot is held')
  const run = await engine.crawl(at.url('/'), { spider: { max_depth: 1, page_limit: 101 } })
  assert.is((await engine.ended(run)).kept, 101)
  assert.is(at.hits.filter(isHanging).length, 64, 'not one of the slots had to be given back first')
  engine.engine.cancel(worst)
})

fair('H4: a crawl starts while another team’s crawls hold every place, without interrupting them', async () => {
  const engine = startEngineHarness({ settings: { runConcurrency: 2 } })
  engines.push(engine)
  const gate = Promise.withResolvers<void>()
  const held = many(6, (n) => `/held/${n}`)
  const at = await startSite({
    '/': pageOf('start'),
    ...Object.fromEntries(held.map((path) => [path, { body: pageOf(path), until: gate.promise }])),
  })
  sites.push(at)
  const worst: number[] = []
  for (const path of held) worst.push(await engine.crawl(at.url(path), { spider: { max_depth: 0 }, teamId: 'other' }))
  const taken = () =>
    engine.rows<{ no: number; slice_no: number }>("SELECT no, slice_no FROM run WHERE team_id = 'other' AND owner IS NOT NULL ORDER BY no")
  await engine.until(() => taken().length === 2, 'every place is held')
  const before = taken()
  const run = await engine.crawl(at.url('/'), { spider: { max_depth: 0 } })
  assert.is((await engine.ended(run)).kept, 1)
  assert.equal(taken(), before, 'the neighbour has the same places as before')
  gate.resolve()
  for (const one of worst) assert.is((await engine.ended(one)).kept, 1)
})

fair('a crawl of one page does not wait for its team’s running crawls, and starts before waiting ones', async () => {
  const engine = startEngineHarness({ settings: { runConcurrency: 2 }, sliceMs: Infinity })
  engines.push(engine)
  const gate = Promise.withResolvers<void>()
  const held = many(5, (n) => `/held/${n}`)
  const other = '127.0.0.2'
  const at = await startSite(
    {
      ...Object.fromEntries(many(10, (n) => `//${other}/page/${n}`).map((path) => [path, pageOf(path)])),
      ...Object.fromEntries(held.map((path) => [path, { body: pageOf(path), until: gate.promise }])),
    },
    { hosts: ['127.0.0.1', other] },
  )
  sites.push(at)
  const large: number[] = []
  for (const path of held) large.push(await engine.crawl(at.url(path), { spider: { page_limit: 100 } }))
  const taken = () => engine.rows<{ no: number; slice_no: number }>('SELECT no, slice_no FROM run WHERE owner IS NOT NULL ORDER BY no')
  await engine.until(() => taken().length === 2, 'every place is held')
  const before = taken()
  const pages: number[] = []
  for (let n = 0; n < 10; n += 1) pages.push(await engine.crawl(at.url(`/page/${n}`, other), { spider: { page_limit: 1 } }))
  for (const page of pages) assert.is((await engine.ended(page)).kept, 1)
  assert.equal(taken(), before, 'its crawls have the same places as before, and no other was taken')
  for (const one of large) engine.engine.cancel(one)
})

fair('a run that starts during the query for the next run occupies a place, so that no further run is taken', async () => {
  const gate = Promise.withResolvers<void>()
  const bothKnown = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  let isTaken = false
  const engine = startEngineHarness({
    settings: { runConcurrency: 1 },
    sliceMs: Infinity,
    around: (store) => ({
      ...store,
      take: async (runNo) => {
        isTaken = true
        return store.take(runNo)
      },
      waitingRuns: async (...wanted) => {
        if (isTaken) await bothKnown.promise
        const waiting = await store.waitingRuns(...wanted)
        if (isTaken) answered.resolve()
        return waiting
      },
    }),
  })
  engines.push(engine)
  const at = await startSite({
    '/held': { body: pageOf('held'), until: gate.promise },
    '/next': pageOf('next'),
    '/short': pageOf('short'),
  })
  sites.push(at)
  const held = await engine.crawl(at.url('/held'), { spider: { page_limit: 100 } })
  await engine.until(() => at.paths().includes('/held'), 'the first crawl is at work')
  const next = await engine.crawl(at.url('/next'), { spider: { page_limit: 100 } })
  bothKnown.resolve()
  await answered.promise
  // It is leased after everything that was in progress.
  await engine.ended(await engine.crawl(at.url('/short'), { spider: { page_limit: 1 } }))
  assert.equal(
    engine.rows('SELECT no FROM run WHERE owner IS NOT NULL ORDER BY no').map(({ no }) => no),
    [held],
  )
  assert.not.ok(at.paths().includes('/next'))
  gate.resolve()
  assert.is((await engine.ended(next)).kept, 1, 'it is taken when the place is free')
})

fair('a team runs at most as many short runs at once as there are places, and its crawls go on', async () => {
  const engine = startEngineHarness({ settings: { runConcurrency: 2 } })
  engines.push(engine)
  const gate = Promise.withResolvers<void>()
  const held = many(6, (n) => `/page/${n}`)
  const other = '127.0.0.2'
  const at = await startSite(
    {
      [`//${other}/`]: pageOf('start'),
      ...Object.fromEntries(held.map((path) => [path, { body: pageOf(path), until: gate.promise }])),
    },
    { hosts: ['127.0.0.1', other] },
  )
  sites.push(at)
  const pages: number[] = []
  for (const path of held) pages.push(await engine.crawl(at.url(path), { spider: { page_limit: 1 } }))
  const crawl = await engine.crawl(at.url('/', other), { spider: { page_limit: 100, max_depth: 0 } })
  assert.is((await engine.ended(crawl)).kept, 1, 'it does not wait behind six pages that hang')
  assert.is(at.hits.filter(({ path }) => path.startsWith('/page')).length, 2)
  for (const page of pages) engine.engine.cancel(page)
})

fair('a team’s job is found however many jobs of another team wait before it', async () => {
  const engine = startEngineHarness({ engine: false })
  engines.push(engine)
  const add = engine.tables.prepare('INSERT INTO job (key, kind, payload, team_id, priority, run_at) VALUES (?, ?, ?, ?, ?, 0)')
  for (let no = 1; no <= 300; no += 1) add.run(`run:${no}:1`, no % 3 === 0 ? 'sitemap' : 'crawl', `{"runNo":${no}}`, 'team', 1)
  add.run('run:301:1', 'crawl', '{"runNo":301}', 'other', 1)
  add.run('mail:1', 'mail', '{"runNo":302}', '', 0)
  const { close, store } = engine.openStore({ kinds: ['crawl', 'sitemap'], owner: 'engine', now: () => 0, newId: () => '' })
  const waiting = await store.waitingRuns(true)
  const next = (inProgress: Record<string, number>, mayTake: (run: { kind: string }) => boolean = () => true) =>
    nextOf(waiting, { mayTake, runsOf: (share) => inProgress[share] ?? 0, servedAt: () => 0 })?.runNo
  assert.is(next({}), 1, 'the oldest')
  assert.is(next({ team: 1 }), 301, 'the team with fewer runs in progress')
  assert.is(
    next({ other: 1 }, ({ kind }) => kind === 'sitemap'),
    3,
  )
  assert.is(
    next({}, () => false),
    undefined,
  )
  await close()
})

fair('teams with equally many running runs take turns, even if the runs of one team are short', () => {
  const waiting = [
    { runNo: 1, kind: 'crawl', teamId: 'busy', share: 'busy', isShort: false },
    { runNo: 2, kind: 'crawl', teamId: 'team', share: 'team', isShort: false },
  ]
  const served = new Map<string, number>()
  const order = Array.from({ length: 6 }, (_, turn) => {
    // Each run has ended when the next is taken.
    const next = nextOf(waiting, { mayTake: () => true, runsOf: () => 0, servedAt: (team) => served.get(team) ?? 0 })!
    served.set(next.teamId, turn + 1)
    return next.teamId
  })
  assert.equal(order, ['busy', 'team', 'busy', 'team', 'busy', 'team'])
})

fair.run()
