/** A user who owns many teams, and a team of another user: what is shared is divided between the two users. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createFetchSlots } from '#backend/crawler/engine/fetch-slots.ts'
import type { SlotRun } from '#backend/crawler/engine/fetch-slots.ts'
import { nextOf } from '#backend/crawler/engine/take-runs.ts'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'

const fair = suite('owners of teams side by side')

const many = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n))

fair('A22: a team gets its place and its fetches beside fifty teams of another owner, each with a crawl that hangs', async () => {
  const engine = startEngineHarness({ settings: { runConcurrency: 2, maxConcurrency: 4 }, sliceMs: Infinity })
  const hosts = many(51, (n) => `127.0.0.${n + 1}`)
  const never = new Promise(() => undefined)
  const hanging = Object.fromEntries(hosts.slice(1).map((host) => [`//${host}/hang`, { until: never }]))
  const site = await startSite({ ...hanging, '/': pageOf('start', ['/a']), '/a': pageOf('a') }, { hosts })
  try {
    const addTeam = engine.tables.prepare(
      'INSERT INTO team (id, name, is_default, owner_id, created_at, updated_at) VALUES (?, ?, 0, ?, 0, 0)',
    )
    for (const [n, host] of hosts.slice(1).entries()) {
      addTeam.run(`one of many ${n}`, 'Team', 'the owner of many')
      await engine.crawl(site.url('/hang', host), { teamId: `one of many ${n}`, spider: { page_limit: 10 } })
    }
    await engine.until(() => site.paths().filter((path) => path.endsWith('/hang')).length >= 2, 'crawls hang')
    const run = await engine.crawl(site.url('/'), { spider: { page_limit: 10, max_depth: 1 } })
    assert.is((await engine.ended(run, 10_000)).kept, 2)
  } finally {
    await engine.close()
    await site.close()
  }
})

fair('the teams of one owner take turns, however many crawls each has', () => {
  const slots = createFetchSlots<object, SlotRun<object>>({ slots: 100 })
  const run = (team: string) => ({ share: 'owner', team, turn: () => ({}) })
  for (const one of [...many(8, () => run('many crawls')), run('one crawl')]) slots.add(one)
  const starts = many(10, () => slots.take(0)).map((taken) => 'run' in taken && taken.run.team)
  assert.is(starts.filter((team) => team === 'one crawl').length, 5)
})

fair('the next run is of the owner with the fewest runs, and of the team of that owner that has waited longest', () => {
  const waiting = [
    { runNo: 1, kind: 'crawl', teamId: 'a1', share: 'a', isShort: false },
    { runNo: 2, kind: 'crawl', teamId: 'a2', share: 'a', isShort: false },
    { runNo: 3, kind: 'crawl', teamId: 'b1', share: 'b', isShort: false },
  ]
  const served: Record<string, number> = { a: 3, a1: 3, a2: 2, b: 1, b1: 1 }
  const next = (runs: Record<string, number>) =>
    nextOf(waiting, { mayTake: () => true, runsOf: (share) => runs[share] ?? 0, servedAt: (key) => served[key] ?? 0 })?.runNo
  assert.is(next({ a: 2, b: 1 }), 3)
  assert.is(next({ a: 1, b: 1 }), 3, 'served longest ago')
  assert.is(next({ a: 1, b: 2 }), 2, 'of both teams, the one that has waited longer')
})

fair.run()
