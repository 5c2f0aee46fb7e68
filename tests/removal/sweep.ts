import { statSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { openSqlite } from '#backend/platform/database/sqlite.ts'
import { pauseAfter } from '#backend/removal/pace.ts'
import { sweepAll } from '#backend/removal/sweep-loop.ts'
import type { FromSweeper } from '#backend/removal/sweep-host.ts'
import { MOST_ROWS, createSqliteSweep } from '#backend/store/sqlite/sweep-runs.ts'
import type { RunSweep, SweepStep } from '#backend/store/run-sweep.ts'
import { writeMigrated } from '#tests/support/migrated.ts'
import { RUN_TABLES, storedRuns } from '#tests/support/engine/stored-runs.ts'
import { atEnd, suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const sweeping = suite('the sweep of deleted runs and teams')

function start({ heldMs = 1 }: { heldMs?: number } = {}) {
  const file = join(temporaryFolder('seine-sweep-'), 'seine.db')
  writeMigrated(file)
  const connection = openSqlite(file, { cacheMiB: 8 })
  atEnd(() => void connection.close())
  const runs = storedRuns(connection)
  const dropped: number[] = []
  const followed = new Set<number>()
  /** Runs whose blobs cannot be removed. */
  const refused = new Set<number>()
  // Each read of the clock advances it by half a step.
  const clock = { at: 0, heldMs }
  return { file, connection, ...runs, dropped, followed, refused, clock, open, deleteTeam }

  function open(random?: () => number): RunSweep {
    return createSqliteSweep({
      connection,
      ...(random && { random }),
      async dropBlobs(runNo) {
        if (refused.has(runNo)) throw new Error('the bucket refuses')
        dropped.push(runNo)
      },
      isFollowed: ({ no }) => followed.has(no),
      now: () => (clock.at += clock.heldMs),
    })
  }

  function deleteTeam(id: string) {
    connection.prepare('UPDATE team SET deleted_at = 1 WHERE id = ?').run(id)
  }
}

async function stepsOf(sweep: RunSweep): Promise<SweepStep[]> {
  const steps: SweepStep[] = []
  for (let step = await sweep.step(); step !== null; step = await sweep.step()) steps.push(step)
  return steps
}

const nothing = Object.fromEntries(RUN_TABLES.map((table) => [table, 0]))

sweeping('all rows of a deleted run are removed, its own row last; the ledger keeps the usage; other runs lose nothing', async () => {
  const store = start()
  const teamId = store.addTeam()
  const holds = { teamId, urls: 30, pages: 12, feed: 4, sitemapUrls: 9 }
  const first = store.add({ ...holds, kind: 'search' })
  const deleted = store.add({ ...holds, kind: 'search', deletedAt: 1 })
  const last = store.add({ ...holds, kind: 'search' })
  store.connection
    .prepare("INSERT INTO job (key, kind, payload, team_id, priority, run_at) VALUES (?, 'crawl', '{}', ?, 1, 1)")
    .run(`run:${deleted}:1`, teamId)
  const before = store.rowsOf(first)
  const steps = await stepsOf(store.open())
  assert.equal(store.rowsOf(deleted), nothing)
  assert.equal(store.rowsOf(first), before)
  assert.equal(store.rowsOf(last), before)
  assert.equal(store.dropped, [deleted])
  const tables = steps.map(({ table }) => table).filter((table) => table !== 'free pages')
  assert.is(tables.at(-1), 'run')
  assert.is(tables.filter((table) => table === 'run').length, 1)
  const entry = store.connection
    .prepare('SELECT used, removed_kind, removed_status, removed_kept FROM credit_entry WHERE run_no = ?')
    .get(deleted)
  assert.equal(entry, { used: 3, removed_kind: 'search', removed_status: 'finished', removed_kept: 12 })
  assert.is(
    (store.connection.prepare('SELECT count(*) AS rows FROM credit_entry WHERE removed_kind IS NULL').get() as { rows: number }).rows,
    2,
  )
})

sweeping('a sweep that was killed after any step is continued by the next', async () => {
  const store = start()
  const teamId = store.addTeam()
  const kept = store.add({ teamId, urls: 50, pages: 5 })
  const deleted = [1, 2, 3].map(() => store.add({ teamId, urls: 700, pages: 300, feed: 250, sitemapUrls: 400, deletedAt: 1 }))
  let steps = 0
  // Each step is done by another sweep, which knows nothing of those before it.
  while ((await store.open().step()) !== null) steps += 1
  for (const no of deleted) assert.equal(store.rowsOf(no), nothing)
  assert.is(store.rowsOf(kept)['run_url'], 50)
  assert.ok(steps > 15, `${steps} steps`)
})

sweeping('after a slow step the next step takes fewer rows; after a quick step it takes more, up to the limit', async () => {
  const store = start({ heldMs: 40 })
  const teamId = store.addTeam()
  store.add({ teamId, urls: 3000, deletedAt: 1 })
  const sweep = store.open()
  const slow: number[] = []
  for (let at = 0; at < 6; at += 1) slow.push((await sweep.step())!.rows)
  // The first is ended early, by the clock; the next ones are smaller from the start.
  assert.equal(slow.slice(0, 4), [25, 10, 10, 10])
  assert.ok(Math.min(...slow) === 10, 'progress goes on, however slow the disk is')
  store.clock.heldMs = 0.1
  store.add({ teamId, urls: 40_000, deletedAt: 1 })
  const quick = (await stepsOf(sweep)).filter(({ table }) => table === 'run_url').map(({ rows }) => rows)
  assert.is(Math.max(...quick), MOST_ROWS)
})

sweeping('large page bodies count by their bytes: one body is removed per step', async () => {
  const store = start({ heldMs: 0.1 })
  const teamId = store.addTeam()
  store.add({ teamId, pages: 12, bodyBytes: 900_000, deletedAt: 1 })
  store.add({ teamId, pages: 2, bodyBytes: 5_000_000, deletedAt: 1 })
  const bodies = (await stepsOf(store.open())).filter(({ table }) => table === 'page_body').map(({ rows }) => rows)
  assert.equal(
    bodies,
    Array.from({ length: 14 }, () => 1),
  )
})

sweeping('a deleted run is not removed before its end', async () => {
  const store = start()
  const teamId = store.addTeam()
  const no = store.add({ teamId, status: 'canceling', urls: 10, endedAt: null, deletedAt: 1 })
  const sweep = store.open()
  await stepsOf(sweep)
  assert.is(store.rowsOf(no)['run_url'], 10)
  assert.ok(sweep.isWaiting())
  assert.not.ok(sweep.waitingForIndex())
  store.connection.prepare("UPDATE run SET status = 'canceled', ended_at = 2 WHERE no = ?").run(no)
  await stepsOf(sweep)
  assert.equal(store.rowsOf(no), nothing)
  assert.not.ok(sweep.isWaiting())
})

sweeping('the row of a run stays while the text index has the run, and delays no other run', async () => {
  const store = start()
  const teamId = store.addTeam()
  const indexed = store.add({ teamId, urls: 10, pages: 10, deletedAt: 1 })
  const other = store.add({ teamId, urls: 10, pages: 10, deletedAt: 1 })
  store.followed.add(indexed)
  const sweep = store.open()
  await stepsOf(sweep)
  assert.equal(store.rowsOf(other), nothing)
  assert.equal(store.rowsOf(indexed), { ...nothing, run: 1, run_options: 1 })
  assert.ok(sweep.isWaiting() && sweep.waitingForIndex())
  store.followed.clear()
  await stepsOf(sweep)
  assert.equal(store.rowsOf(indexed), nothing)
  assert.not.ok(sweep.isWaiting() || sweep.waitingForIndex())
})

sweeping('the blobs of a run that waits for the text index are removed once, not in each round', async () => {
  const store = start()
  const indexed = store.add({ teamId: store.addTeam(), urls: 10, pages: 10, deletedAt: 1 })
  store.followed.add(indexed)
  const sweep = store.open()
  for (let round = 0; round < 3; round += 1) await stepsOf(sweep)
  assert.equal(store.dropped, [indexed])
  store.followed.clear()
  await stepsOf(sweep)
  assert.equal(store.rowsOf(indexed), nothing)
})

sweeping('a run whose blobs cannot be removed keeps its row, delays nothing else, and is removed when they can', async () => {
  const store = start()
  const [teamId, gone] = [store.addTeam(), store.addTeam('Gone')]
  const add = (team: string) => store.add({ teamId: team, urls: 10, pages: 10, deletedAt: 1 })
  const refused = Array.from({ length: 5 }, () => add(teamId))
  const [other, ofTeam] = [add(teamId), add(gone)]
  for (const no of refused.slice(0, 2)) store.refused.add(no)
  store.deleteTeam(gone)
  const sweep = store.open()
  const failure = () => stepsOf(sweep).then(() => 'none', (fault: Error) => fault.message) // prettier-ignore
  assert.is(await failure(), 'the bucket refuses')
  for (const no of refused.slice(0, 2)) assert.equal(store.rowsOf(no), { ...nothing, run: 1, run_options: 1 })
  for (const no of [...refused.slice(2), other, ofTeam]) assert.equal(store.rowsOf(no), nothing)
  assert.is(store.connection.prepare('SELECT count(*) FROM team').pluck().get(), 1)
  store.refused.clear()
  assert.is(await failure(), 'none')
  for (const no of refused) assert.equal(store.rowsOf(no), nothing)
  assert.equal(
    store.dropped.toSorted((one, other) => one - other),
    [...refused, other, ofTeam],
  )
})

sweeping('while the store of blobs fails, each round tries it for a few runs only, and removes all other rows', async () => {
  const store = start()
  const teamId = store.addTeam()
  const deleted = Array.from({ length: 8 }, () => store.add({ teamId, urls: 10, pages: 10, deletedAt: 1 }))
  let tries = 0
  const sweep = createSqliteSweep({
    connection: store.connection,
    dropBlobs: () => Promise.reject(new Error(`refused ${(tries += 1)} times`)),
    isFollowed: () => false,
    random: () => 0.5,
  })
  for (const total of [3, 6])
    await stepsOf(sweep).then(
      () => assert.unreachable(),
      (fault: Error) => assert.is(fault.message, `refused ${total} times`),
    )
  for (const no of deleted) assert.equal(store.rowsOf(no), { ...nothing, run: 1, run_options: 1 })
})

sweeping('runs whose blobs can never be removed do not keep the rows of later ones', async () => {
  const store = start()
  const teamId = store.addTeam()
  const deleted = Array.from({ length: 6 }, () => store.add({ teamId, urls: 10, pages: 10, deletedAt: 1 }))
  for (const no of deleted.slice(0, 4)) store.refused.add(no)
  // With less luck in a later round.
  await stepsOf(store.open(() => 0)).catch(() => undefined)
  assert.equal(store.dropped, deleted.slice(4))
  for (const no of deleted.slice(4)) assert.equal(store.rowsOf(no), nothing)
})

sweeping('a deleted team is removed after its last run, with its ledger; other teams keep theirs', async () => {
  const store = start()
  const gone = store.addTeam('Gone')
  const stays = store.addTeam('Stays')
  const runs = [1, 2, 3].map(() => store.add({ teamId: gone, urls: 5, pages: 5, deletedAt: 1 }))
  const unmarked = store.add({ teamId: gone, urls: 5 })
  const kept = store.add({ teamId: stays, urls: 5 })
  store.deleteTeam(gone)
  const sweep = store.open()
  await stepsOf(sweep)
  for (const no of runs) assert.equal(store.rowsOf(no), nothing)
  const teams = () => store.connection.prepare('SELECT name FROM team ORDER BY name').pluck().all()
  // A run that was made while the team was deleted keeps its row until it is marked too.
  assert.equal(teams(), ['Gone', 'Stays'])
  assert.ok(sweep.isWaiting())
  store.connection.prepare('UPDATE run SET deleted_at = 1 WHERE no = ?').run(unmarked)
  await stepsOf(sweep)
  assert.equal(teams(), ['Stays'])
  assert.equal(store.connection.prepare('SELECT DISTINCT team_id FROM credit_entry').pluck().all(), [stays])
  assert.is(store.rowsOf(kept)['run_url'], 5)
})

sweeping('the space on disk is freed in steps', async () => {
  const store = start()
  const teamId = store.addTeam()
  const kept = store.add({ teamId, pages: 20, bodyBytes: 10_000 })
  store.connection.pragma('wal_checkpoint(TRUNCATE)')
  const empty = statSync(store.file).size
  store.add({ teamId, urls: 2000, pages: 400, bodyBytes: 20_000, deletedAt: 1 })
  store.connection.pragma('wal_checkpoint(TRUNCATE)')
  const full = statSync(store.file).size
  assert.ok(full > empty + 8_000_000, `${full} bytes after ${empty}`)
  const steps = await stepsOf(store.open())
  store.connection.pragma('wal_checkpoint(TRUNCATE)')
  const after = statSync(store.file).size
  assert.ok(after < empty + 200_000, `${after} bytes are left, of ${full}; there were ${empty} before`)
  assert.ok(steps.filter(({ table }) => table === 'free pages').length > 1)
  assert.is(store.connection.pragma('integrity_check', { simple: true }), 'ok')
  assert.is(store.rowsOf(kept)['page_body'], 20)
})

sweeping('a file created without incremental vacuum is swept too, and keeps its free pages', async () => {
  const store = start()
  const teamId = store.addTeam()
  store.connection.pragma('auto_vacuum = NONE')
  store.connection.pragma('journal_mode = DELETE')
  store.connection.exec('VACUUM')
  const no = store.add({ teamId, pages: 100, bodyBytes: 20_000, deletedAt: 1 })
  const steps = await stepsOf(store.open())
  assert.equal(store.rowsOf(no), nothing)
  assert.not.ok(steps.some(({ table }) => table === 'free pages'))
  assert.ok((store.connection.pragma('freelist_count', { simple: true }) as number) > 400)
})

sweeping('the sweep pauses nine times as long as it worked while runs are in progress, and only briefly otherwise', () => {
  assert.is(Math.round(pauseAfter({ spentMs: 10, isBusy: true })), 90)
  assert.is(pauseAfter({ spentMs: 0.2, isBusy: true }), 20)
  assert.is(pauseAfter({ spentMs: 10, isBusy: false }), 5)
})

sweeping('the loop ends when nothing is left, waits for blocked rows, and starts the indexer', async () => {
  const store = start()
  const teamId = store.addTeam()
  const no = store.add({ teamId, pages: 3, deletedAt: 1 })
  store.followed.add(no)
  const said: FromSweeper['type'][] = []
  const waits: number[] = []
  await sweepAll({
    checkpoint: () => undefined,
    say: ({ type }) => void said.push(type),
    sweep: store.open(),
    async pause(ms, canWake) {
      if (canWake) waits.push(ms)
      if (waits.length === 3) store.followed.clear()
      return true
    },
  })
  assert.equal(store.rowsOf(no), nothing)
  assert.equal(said, ['waiting', 'waiting', 'waiting'])
  assert.equal(waits, [250, 500, 1000])
})

sweeping('the loop waits while the disk is full, and reports other errors', async () => {
  const faults = [Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' }), new TypeError('a mistake')]
  const broken = {
    step: async () => Promise.reject(faults.shift()!),
    isWaiting: () => false,
    isBusy: () => false,
    waitingForIndex: () => false,
  }
  const said: FromSweeper[] = []
  const swept = sweepAll({ checkpoint: () => undefined, pause: async () => true, say: (message) => void said.push(message), sweep: broken })
  await swept.then(
    () => assert.unreachable(),
    (fault: Error) => assert.is(fault.message, 'a mistake'),
  )
  assert.equal(said, [{ type: 'fault', code: 'SQLITE_FULL', message: 'disk full', waitMs: 10_000 }])
})

sweeping.run()
