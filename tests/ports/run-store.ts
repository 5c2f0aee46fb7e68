/** What every adapter of the RunStore guarantees: leases, order, exactly once, one end. A second adapter only has to pass this suite. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { LEASE_MS, StoreTrouble, noChanges } from '#backend/store/run-store.ts'
import type { AddedUrl, CommitResult, KeptPage, RunChanges, RunCommit, RunStore, TakenRun } from '#backend/store/run-store.ts'
import { RUN_STORES, rowOf, runsOver } from '#tests/support/engine/run-stores.ts'

const SITE = 'http://a.test/'

for (const [name, open] of Object.entries(RUN_STORES)) {
  const store = suite(`the store of runs, ${name}`)

  async function bench() {
    const clock = { at: 1_000_000_000 }
    const now = () => clock.at
    const opened = await open(now)
    const { database } = opened
    return {
      ...opened,
      ...(await runsOver(opened, now)),
      clock,
      row: (runNo: number) => rowOf(database, runNo),
      feed,
      outcomes,
      credit,
      faults,
    }

    async function feed(runNo: number): Promise<string[]> {
      const rows = await database.selectFrom('runFeed').where('runNo', '=', runNo).orderBy('firstSeq').select('messages').execute()
      return rows.flatMap(({ messages }) =>
        (JSON.parse(messages) as { type: string; message: string }[]).map((one) => `${one.type}: ${one.message}`),
      )
    }

    async function outcomes(runNo: number): Promise<(string | null)[]> {
      const rows = await database.selectFrom('runUrl').where('runNo', '=', runNo).orderBy('seq').select('outcome').execute()
      return rows.map(({ outcome }) => outcome)
    }

    function credit(runNo: number) {
      return database.selectFrom('creditEntry').where('runNo', '=', runNo).select(['state', 'used']).executeTakeFirstOrThrow()
    }

    /** Invariants of a run: counters match its rows, and its events are numbered 1, 2, 3 … */
    async function faults(runNo: number): Promise<string[]> {
      const run = await rowOf(database, runNo)
      const urls = await database.selectFrom('runUrl').where('runNo', '=', runNo).select(['state', 'outcome']).execute()
      const pages = await database.selectFrom('page').where('runNo', '=', runNo).select(['eventSeq', 'no']).orderBy('no').execute()
      const lines = await database.selectFrom('runFeed').where('runNo', '=', runNo).select(['firstSeq', 'lastSeq']).execute()
      const numbers = [
        ...pages.map(({ eventSeq }) => eventSeq),
        ...lines.flatMap(({ firstSeq, lastSeq }) => Array.from({ length: lastSeq - firstSeq + 1 }, (_, at) => firstSeq + at)),
        ...(run.endedAt === null ? [] : [run.eventSeq]),
      ].toSorted((one, other) => one - other)
      const jobs = await database.selectFrom('job').where('key', 'like', `run:${runNo}:%`).select('key').execute()
      const found: string[] = []
      const expect = (holds: boolean, what: string) => void (holds || found.push(what))
      expect(
        numbers.every((seq, at) => seq === at + 1) && numbers.length === run.eventSeq,
        `events ${numbers.join(' ')} of ${run.eventSeq}`,
      )
      expect(run.kind !== 'crawl' || run.kept === pages.length, `kept ${run.kept} of ${pages.length} pages`)
      expect(run.known === urls.length, `known ${run.known} of ${urls.length} URLs`)
      expect(run.settled === urls.filter(({ state }) => state >= 2).length, `settled ${run.settled}`)
      expect(
        urls.every(({ outcome, state }) => state >= 2 === (outcome !== null)),
        'an outcome is missing or early',
      )
      if (run.endedAt === null) return found
      expect(run.owner === null && run.leaseUntil === null && jobs.length === 0, 'an ended run has an owner or a job')
      expect(
        urls.every(({ state }) => state >= 2),
        'an ended run has open URLs',
      )
      expect((await credit(runNo)).state === 'settled', 'credits are held')
      return found
    }
  }

  const changed = (some: Partial<RunChanges>): RunChanges => ({ ...noChanges(), ...some })
  const page = (lo: number): KeptPage => ({
    hi: 7,
    lo,
    url: `${SITE}${lo}`,
    title: null,
    httpStatus: 200,
    contentType: 'text/html',
    language: null,
    contentHash: String(lo),
    encoding: 0,
    rawBytes: 2,
    body: Buffer.from('{}'),
  })
  const added = (seq: number, some: Partial<AddedUrl> = {}): AddedUrl => ({
    seq,
    hi: 7,
    lo: seq,
    hostKey: 'http://a.test:80',
    rank: 1,
    outcome: null,
    detail: null,
    hops: 0,
    isSeed: false,
    url: `${SITE}${seq}`,
    title: '',
    ...some,
  })
  const settled = (seq: number, outcome = 'kept') => ({ seq, outcome, detail: null, httpStatus: 200, bytes: 2, tookMs: 1, tries: 1 })
  const line = (message: string) => ({ type: 'info' as const, message, at: 0, metadata: {} })
  const finished = (reason = 'drained') => ({ status: 'finished' as const, reason, type: 'success' as const, message: 'The end' })
  /** A commit of a run as its owner knows it: as taken, or after its last commit. */
  const commitOf = (
    { commitNo, eventSeq, kept, runNo, token }: Pick<TakenRun, 'runNo' | 'token' | 'commitNo' | 'eventSeq' | 'kept'>,
    changes: Partial<RunChanges> = {},
    more: Partial<RunCommit> = {},
  ): RunCommit => ({ runNo, token, commitNo, eventSeq, kept, workedMs: 5, changes: changed(changes), ending: null, ...more })
  const after = (run: TakenRun, result: CommitResult | undefined): TakenRun => {
    if (result?.kind !== 'done') throw new Error(JSON.stringify(result))
    return { ...run, commitNo: result.commitNo, eventSeq: result.eventSeq, kept: result.kept }
  }
  const one = async (to: RunStore, commit: RunCommit) => (await to.commit([commit]))[0]
  const keepFirst = { pages: [page(0)], settled: [settled(0)], added: [added(1)], feed: [line('Fetched')] }

  store('a crawl of one page is short, and goes before the other crawls of its team', async () => {
    const { storeOf, start, close } = await bench()
    const long = await start([SITE])
    const short = await start([SITE], { pageLimit: 1 })
    const waiting = await storeOf('first').waitingRuns(true)
    assert.equal(waiting, [
      { runNo: short, kind: 'crawl', teamId: 'team', share: 'team', isShort: true },
      { runNo: long, kind: 'crawl', teamId: 'team', share: 'team', isShort: false },
    ])
    await close()
  })

  store('one engine leases a run, and another gets it after the lease ends, under a new token', async () => {
    const { storeOf, start, clock, close, row } = await bench()
    const [first, second] = [storeOf('first'), storeOf('second')]
    const runNo = await start([SITE])
    assert.equal(await second.waitingRuns(true), [{ runNo, kind: 'crawl', teamId: 'team', share: 'team', isShort: false }])
    const taken = (await first.take(runNo))!
    assert.equal([taken.runNo, taken.isResumed, taken.commitNo, taken.pageLimit], [runNo, false, 0, 10])
    assert.is(await second.take(runNo), null)
    assert.equal((await second.reconcile([], true)).jobsMade, 0, 'its owner lives')
    clock.at += LEASE_MS - 1
    assert.equal(await first.renew([{ ...taken, workedMs: 9 }]), [])
    clock.at += LEASE_MS - 1
    assert.is(await second.take(runNo), null, 'the lease was renewed')
    clock.at += 1
    assert.equal((await second.reconcile([], false)).jobsMade, 1, 'its owner is silent')
    const again = (await second.take(runNo))!
    assert.equal([again.isResumed, again.workedMs], [true, 9])
    assert.ok(again.token > taken.token)
    assert.equal(await first.renew([{ ...taken, workedMs: 10 }]), [{ runNo, why: 'taken' }])
    await first.release({ ...taken, workedMs: 10 })
    assert.equal([(await row(runNo)).owner, (await row(runNo)).workedMs], ['second', 9])
    await close()
  })

  store(
    'F18: of two engines that lease the same run at the same instant, a hundred times, one gets it and the other writes nothing',
    async () => {
      const { storeOf, start, close, faults } = await bench()
      const engines = [storeOf('first'), storeOf('second')]
      for (let no = 0; no < 100; no += 1) await start([SITE])
      const waiting = await engines[0]!.waitingRuns(true)
      assert.is(waiting.length, 1, 'one of a line at a time')
      const runs = Array.from({ length: 100 }, (_, no) => waiting[0]!.runNo + no)
      const taken = await Promise.all(runs.map((runNo) => Promise.all(engines.map((engine) => engine.take(runNo)))))
      for (const [first, second] of taken) {
        assert.is(Number(first !== null) + Number(second !== null), 1)
        const [owner, other] = first === null ? [1, 0] : [0, 1]
        const run = (first ?? second)!
        assert.is((await engines[other]!.commit([commitOf({ ...run, token: run.token - 1 }, keepFirst)]))[0]?.kind, 'lost')
        assert.is((await engines[owner]!.commit([commitOf(run, keepFirst)]))[0]?.kind, 'done')
        assert.equal(await faults(run.runNo), [])
      }
      await close()
    },
  )

  store('a lease that a clock in the future has written counts as ended', async () => {
    const { storeOf, start, clock, close } = await bench()
    const runNo = await start([SITE])
    await storeOf('first').take(runNo)
    clock.at -= 3_600_000
    assert.is((await storeOf('second').take(runNo))?.isResumed, true)
    await close()
  })

  store('an engine with a slightly slow clock takes neither runs nor hosts from another engine', async () => {
    const { storeOf, start, clock, close } = await bench()
    const [first, second] = [storeOf('first'), storeOf('second')]
    const runNo = await start([SITE])
    const taken = (await first.take(runNo))!
    const key = 'http://late.test:80'
    assert.is((await first.holdHosts([key])).length, 1)
    clock.at -= 5
    assert.is((await second.reconcile([], false)).jobsMade, 0)
    assert.is(await second.take(runNo), null)
    assert.equal(await second.holdHosts([key]), [])
    assert.equal(await first.renew([{ ...taken, workedMs: 1 }]), [])
    await close()
  })

  store('a run stays with an engine that leases it while it looks for orphaned runs', async () => {
    const { storeOf, start, clock, close } = await bench()
    const store = storeOf('first')
    const runNo = await start([SITE])
    clock.at += 1
    await store.take(runNo)
    // As for a read that began earlier, whose list of held runs does not have this one yet.
    clock.at -= 1
    assert.is((await store.reconcile([], true)).jobsMade, 0)
    clock.at += 5
    assert.is((await store.reconcile([runNo], true)).jobsMade, 0, 'it is held')
    assert.is((await store.reconcile([], true)).jobsMade, 1, 'it was given up')
    await close()
  })

  store('a single engine takes over the runs of the previous one at once', async () => {
    const { storeOf, start, close } = await bench()
    const runNo = await start([SITE])
    await storeOf('first').take(runNo)
    const second = storeOf('second')
    await second.voidLeases()
    assert.equal((await second.reconcile([], true)).jobsMade, 1)
    assert.ok(await second.take(runNo))
    await close()
  })

  store('an owner that has lost its run changes nothing', async () => {
    const { storeOf, start, clock, close, row, faults } = await bench()
    const [first, second] = [storeOf('first'), storeOf('second')]
    const runNo = await start([SITE])
    const old = (await first.take(runNo))!
    clock.at += LEASE_MS
    const taken = (await second.take(runNo))!
    const before = await row(runNo)
    assert.equal((await one(first, commitOf(old, keepFirst)))?.kind, 'lost')
    assert.equal(await row(runNo), before)
    assert.is((await one(second, commitOf(taken, keepFirst)))?.kind, 'done')
    const stale = await one(first, commitOf(old, {}, { ending: finished() }))
    assert.equal(stale?.kind === 'lost' && stale.why, 'taken')
    assert.equal([(await row(runNo)).status, (await row(runNo)).kept], ['running', 1])
    assert.equal(await faults(runNo), [])
    await close()
  })

  store('a commit whose answer was lost counts once, whatever it contains', async () => {
    const { storeOf, start, close, row, feed, faults, credit } = await bench()
    const first = storeOf('first')
    const runNo = await start([SITE])
    const taken = (await first.take(runNo))!
    const value = commitOf(taken, keepFirst)
    const result = await one(first, value)
    const again = await one(first, value)
    assert.equal(again, { ...result, tookMs: again?.tookMs })
    // One that has no event.
    let run = after(taken, result)
    const silent = commitOf(run, { added: [added(2), added(3)], settled: [settled(1, 'redirected')] })
    run = after(run, await one(first, silent))
    assert.equal(after(run, await one(first, silent)), run)
    assert.equal([(await row(runNo)).kept, (await row(runNo)).known, await credit(runNo)], [1, 4, { state: 'held', used: 1 }])
    const last = commitOf(run, { settled: [settled(2), settled(3)] }, { ending: finished() })
    const ended = await one(first, last)
    const endedAgain = await one(first, last)
    assert.equal(endedAgain, { ...ended, tookMs: endedAgain?.tookMs })
    assert.equal(await feed(runNo), ['info: Fetched', 'success: The end'])
    assert.equal(await faults(runNo), [])
    await close()
  })

  store('commits of a run are accepted only in order', async () => {
    const { storeOf, start, close, faults, row } = await bench()
    const first = storeOf('first')
    const taken = (await first.take(await start([SITE])))!
    const next = after(taken, await one(first, commitOf(taken, keepFirst)))
    const later = commitOf({ ...next, commitNo: next.commitNo + 1 }, { added: [added(2)] })
    assert.is((await one(first, later))?.kind, 'lost')
    assert.is((await row(taken.runNo)).known, 2)
    assert.is((await one(first, commitOf(next, { added: [added(2)] })))?.kind, 'done')
    assert.equal(await faults(taken.runNo), [])
    await close()
  })

  store('pages beyond the limit are not stored', async () => {
    const { storeOf, start, close, row } = await bench()
    const first = storeOf('first')
    const taken = (await first.take(await start([SITE], { pageLimit: 2 })))!
    assert.is((await one(first, commitOf(taken, { pages: [page(0), page(1), page(2)] })))?.kind, 'lost')
    assert.is((await row(taken.runNo)).kept, 0)
    await close()
  })

  store('a commit of several runs still writes hosts and the other runs if one run cannot be written', async () => {
    const { storeOf, start, close, row, faults, breakPages } = await bench()
    const first = storeOf('first')
    const [sick, well] = [(await first.take(await start([SITE])))!, (await first.take(await start(['http://b.test/'])))!]
    await breakPages(sick.runNo)
    const host = { hostKey: 'http://b.test:80', nextAt: 5, penaltyMs: 250, crawlDelayMs: 30, closedUntil: 7, width: 1 }
    const results = await first.commit([commitOf(sick, keepFirst), commitOf(well, keepFirst)], { hosts: [host], robots: [] })
    assert.equal(
      results.map(({ kind, runNo }) => [runNo, kind]),
      [
        [sick.runNo, 'broken'],
        [well.runNo, 'done'],
      ],
    )
    assert.equal([(await row(sick.runNo)).kept, (await row(sick.runNo)).known, (await row(well.runNo)).kept], [0, 1, 1])
    assert.equal(await first.hosts([host.hostKey]), [host])
    assert.equal([await faults(sick.runNo), await faults(well.runNo)], [[], []])
    await close()
  })

  store('on a full disk nothing of the commit is written, and the same commit succeeds later', async () => {
    const { storeOf, start, close, row, fill, faults } = await bench()
    const first = storeOf('first')
    const taken = (await first.take(await start([SITE])))!
    const before = await row(taken.runNo)
    const empty = await fill()
    const many = Array.from({ length: 3000 }, (_, at) => added(at + 1, { url: `${SITE}${'x'.repeat(100)}${at}` }))
    const value = commitOf(taken, { ...keepFirst, added: many })
    const fault = await first.commit([value]).catch((error: unknown) => error)
    assert.instance(fault, StoreTrouble)
    assert.ok((fault as StoreTrouble).isFull)
    assert.equal(await row(taken.runNo), before)
    await empty()
    assert.is((await one(first, value))?.kind, 'done')
    assert.is((await row(taken.runNo)).known, 3001)
    assert.equal(await faults(taken.runNo), [])
    await close()
  })

  // ---- the end

  store('a run that its owner has ended is not lost to it', async () => {
    const { storeOf, start, close, row } = await bench()
    const first = storeOf('first')
    const run = (await first.take(await start([SITE])))!
    await one(first, commitOf(run, keepFirst, { ending: finished() }))
    assert.equal(await first.renew([{ ...run, workedMs: 6 }]), [])
    assert.equal([(await row(run.runNo)).leaseUntil, (await row(run.runNo)).workedMs], [null, 5])
    await close()
  })

  store('every kind of end writes the same: status, outcomes, feed, credits, no job', async () => {
    const { storeOf, start, stop, clock, close, row, faults, feed, outcomes, credit } = await bench()
    const first = storeOf('first')
    const take = async () => (await first.take(await start([SITE])))!
    const committed = await take()
    const open = after(committed, await one(first, commitOf(committed, keepFirst)))
    await one(first, commitOf(open, {}, { ending: finished('page_limit') }))
    const waiting = await start([SITE])
    await stop(waiting)
    const canceled = await take()
    await stop(canceled.runNo)
    const refused = await one(first, commitOf(canceled, keepFirst))
    assert.equal(refused?.kind === 'lost' && refused.why, 'canceling')
    assert.equal(await first.canceling(), [canceled.runNo])
    assert.equal(await first.renew([{ ...canceled, workedMs: 6 }]), [{ runNo: canceled.runNo, why: 'canceling' }])
    await one(first, commitOf(canceled, {}, { ending: { status: 'canceled', reason: 'canceled', type: 'warning', message: 'Stopped' } }))
    const orphan = await take()
    await stop(orphan.runNo)
    clock.at += LEASE_MS
    const { ended } = await storeOf('second').reconcile([], false)
    assert.equal(ended, [{ runNo: orphan.runNo, eventSeq: 2, status: 'canceled' }])
    const broken = await take()
    const early = await first.endEarly(broken.runNo, { reason: 'internal', message: 'No more' })
    assert.equal(early, { runNo: broken.runNo, eventSeq: 2, status: 'failed' })
    const table: [runNo: number, status: string, reason: string, outcomes: string[], lastLine: string, used: number][] = [
      [committed.runNo, 'finished', 'page_limit', ['kept', 'limit'], 'success: The end', 1],
      [waiting, 'canceled', 'canceled', ['canceled'], 'warning: Canceled before it started.', 0],
      [canceled.runNo, 'canceled', 'canceled', ['canceled'], 'warning: Stopped', 0],
      [orphan.runNo, 'canceled', 'canceled', ['canceled'], 'warning: Canceled', 0],
      [broken.runNo, 'failed', 'internal', ['limit'], 'error: No more', 0],
    ]
    for (const [runNo, status, reason, ends, lastLine, used] of table) {
      const run = await row(runNo)
      assert.equal([run.status, run.reason, run.endedAt !== null], [status, reason, true])
      assert.equal(await outcomes(runNo), ends)
      assert.is((await feed(runNo)).at(-1), lastLine)
      assert.equal(await credit(runNo), { state: 'settled', used })
      assert.equal(await faults(runNo), [], lastLine)
      assert.is(await first.endEarly(runNo, { reason: 'internal', message: 'Again' }), null, 'a run ends once')
    }
    // Owners that have lost the run write nothing more.
    for (const run of [orphan, broken]) assert.is((await one(first, commitOf(run, keepFirst)))?.kind, 'lost')
    await close()
  })

  store('a crawl that fetched none of its start URLs has failed, and costs nothing', async () => {
    const { storeOf, start, close, row, credit, faults, feed } = await bench()
    const first = storeOf('first')
    const failed = { status: 'failed' as const, reason: 'no_start_url', type: 'error' as const, message: 'Nothing was fetched' }
    for (const [outcome, status] of [
      ['dns', 'failed'],
      ['unparsable', 'finished'],
    ] as const) {
      const taken = (await first.take(await start([SITE])))!
      await one(first, commitOf(taken, { settled: [settled(0, outcome)] }, { ending: { ...finished(), ifNothingFetched: failed } }))
      assert.is((await row(taken.runNo)).status, status)
      assert.equal(await feed(taken.runNo), [status === 'failed' ? 'error: Nothing was fetched' : 'success: The end'])
      assert.equal(await credit(taken.runNo), { state: 'settled', used: 0 })
      assert.equal(await faults(taken.runNo), [])
    }
    await close()
  })

  store('URLs that are too many for the commit of the end get their outcome soon after', async () => {
    const { storeOf, start, close, row, faults } = await bench()
    const first = storeOf('first')
    const taken = (await first.take(await start([SITE])))!
    const many = Array.from({ length: 26_000 }, (_, at) => added(at + 1))
    const run = after(taken, await one(first, commitOf(taken, { added: many })))
    await one(first, commitOf(run, {}, { ending: finished('page_limit') }))
    const { known, settled: ended } = await row(taken.runNo)
    assert.ok(ended < known, 'the end itself is quick')
    while (await first.sweep());
    assert.equal(await faults(taken.runNo), [])
    await close()
  })

  // ---- giving back, and crashes

  store('a released run has a job at its time, and resumes where it stopped', async () => {
    const { storeOf, start, clock, close, database } = await bench()
    const first = storeOf('first')
    const taken = (await first.take(await start([SITE])))!
    const run = after(taken, await one(first, commitOf(taken, keepFirst)))
    await first.release({ ...run, workedMs: 70 }, clock.at + 5000)
    const jobs = await database.selectFrom('job').select(['key', 'runAt']).execute()
    assert.equal(jobs, [{ key: `run:${run.runNo}:2`, runAt: clock.at + 5000 }])
    const again = (await storeOf('second').take(run.runNo))!
    assert.equal([again.kept, again.eventSeq, again.commitNo, again.workedMs], [1, 2, 1, 70])
    assert.equal(await database.selectFrom('job').select('key').execute(), [])
    await close()
  })

  store('crashes count against leased suspects, until one of them makes progress', async () => {
    const { storeOf, start, close, row } = await bench()
    const first = storeOf('first')
    const [guilty, innocent] = [(await first.take(await start([SITE])))!, (await first.take(await start([SITE])))!]
    const waits = await start([SITE])
    const counts = async () => Promise.all([guilty.runNo, innocent.runNo, waits].map(async (runNo) => (await row(runNo)).crashes))
    await first.countCrashes([guilty.runNo, waits])
    assert.equal(await counts(), [1, 0, 0])
    await first.countCrashes(null)
    assert.equal(await counts(), [2, 1, 0])
    await one(first, commitOf(guilty, { feed: [line('Resumed')] }))
    assert.equal(await counts(), [2, 1, 0], 'a line is no progress')
    await one(first, commitOf({ ...guilty, commitNo: 1, eventSeq: 1 }, { settled: [settled(0)] }))
    assert.equal(await counts(), [0, 1, 0])
    assert.is(await first.countCrash(innocent.runNo), 2)
    await close()
  })

  // ---- reading back

  store('committed data is read back: URLs by order, by host and by time, titles, depths, pages', async () => {
    const { storeOf, start, close } = await bench()
    const first = storeOf('first')
    const taken = (await first.take(await start([SITE])))!
    const run = after(
      taken,
      await one(
        first,
        commitOf(taken, {
          pages: [page(500)],
          settled: [settled(0)],
          added: [
            added(1, { rank: 2 }),
            added(2, { title: 'two' }),
            added(3, { hostKey: 'http://b.test:80' }),
            added(4, { hostKey: null, outcome: 'depth', detail: 'too deep', rank: 9 }),
            added(5),
          ],
        }),
      ),
    )
    await one(
      first,
      commitOf(run, {
        retries: [{ seq: 5, tries: 1, dueAt: 77 }],
        retitled: new Map([[2, 'to']]),
        closer: new Map([[4, { depth: 1, hostKey: 'http://b.test:80', hops: 0, isSeed: false }]]),
        reopened: 1,
      }),
    )
    const known = await first.knownUrls(run.runNo, 0, 3)
    assert.equal(
      known.map(({ seq, state, rank, outcome, titleLength }) => [seq, state, rank, outcome, titleLength]),
      [
        [1, 'pending', 2, null, 0],
        [2, 'pending', 1, null, 2],
        [3, 'pending', 1, null, 0],
      ],
    )
    const places = async (host: string, place: { rank: number; seq: number } | null, limit = 10) =>
      (await first.pendingUrls(run.runNo, host, place, limit)).map(({ rank, seq }) => [rank, seq])
    assert.equal(await places('http://a.test:80', null), [
      [1, 2],
      [2, 1],
    ])
    assert.equal(await places('http://a.test:80', { rank: 1, seq: 2 }), [[2, 1]])
    assert.equal(await places('http://b.test:80', null, 1), [[1, 3]])
    assert.equal(await places('http://unknown.test:80', null), [])
    assert.equal(
      (await first.pendingByHost(run.runNo)).toSorted((a, b) => a.hostKey.localeCompare(b.hostKey)),
      [
        { hostKey: 'http://a.test:80', pending: 2, first: { rank: 1, seq: 2 } },
        { hostKey: 'http://b.test:80', pending: 2, first: { rank: 1, seq: 3 } },
      ],
    )
    assert.equal(await first.waitingUrls(run.runNo), [
      { seq: 5, url: `${SITE}5`, rank: 1, tries: 1, hops: 0, isSeed: false, dueAt: 77, hostKey: 'http://a.test:80' },
    ])
    assert.equal(await first.pageKeys(run.runNo), [{ hi: 7, lo: 500 }])
    const { seeds, seedUrls, sealedSecrets } = await first.describe(run.runNo)
    assert.equal([seeds, seedUrls, sealedSecrets], [[SITE], [{ url: SITE, hops: 0 }], null])
    await close()
  })

  store('the state of a task is committed with its counts, and removed at its end', async () => {
    const { storeOf, start, close, credit, row, faults } = await bench()
    const first = storeOf('first')
    const taken = (await first.take(await start([], { kind: 'search', pageLimit: 4 })))!
    assert.is(await first.taskDocument(taken.runNo), null)
    const urls = [0, 1, 2].map((seq) => ({ seq, url: `${SITE}${seq}`, lastmod: null }))
    const run = after(taken, await one(first, commitOf(taken, {}, { task: { kept: 3, used: 2, results: { document: ['hit'], urls } } })))
    assert.equal([await first.taskDocument(run.runNo), await first.taskUrls(run.runNo, 1, 9)], [['hit'], urls.slice(1)])
    assert.equal([run.kept, await credit(run.runNo)], [3, { state: 'held', used: 2 }])
    const results = { document: ['better'], urls: urls.slice(0, 1), replacesUrls: true }
    await one(first, commitOf(run, {}, { task: { kept: 0, used: 9, results }, ending: finished('done') }))
    assert.equal([await first.taskDocument(run.runNo), await first.taskUrls(run.runNo, 0, 9)], [['better'], urls.slice(0, 1)])
    assert.equal(
      [(await row(run.runNo)).status, await credit(run.runNo)],
      ['finished', { state: 'settled', used: 4 }],
      'no more than was held',
    )
    assert.equal(await faults(run.runNo), [])
    await close()
  })

  store('records of hosts and their robots rules are stored', async () => {
    const { storeOf, close } = await bench()
    const first = storeOf('first')
    const host = { hostKey: 'http://a.test:80', nextAt: 5, penaltyMs: 250, crawlDelayMs: null, closedUntil: 0, width: 3 }
    assert.equal([await first.hosts([host.hostKey]), await first.robots(host.hostKey)], [[], null])
    await first.commit([], { hosts: [host], robots: [{ hostKey: 'http://b.test:80', until: 9, rules: { rules: [] } }] })
    assert.equal(await first.hosts([host.hostKey, 'http://unknown.test:80']), [host])
    assert.equal(await storeOf('second').robots('http://b.test:80'), { rules: [] })
    await close()
  })

  store('a host is leased to one engine, which is told when another engine wants it', async () => {
    const { storeOf, clock, close } = await bench()
    const [first, second] = [storeOf('first'), storeOf('second')]
    const key = 'http://a.test:80'
    const held = async (by: RunStore) => (await by.holdHosts([key])).map(({ isWished }) => isWished)
    assert.equal(await held(first), [false])
    assert.equal(await held(second), [], 'it is held')
    assert.equal(await held(first), [true], 'and wished for')
    clock.at += 3000
    assert.equal(await held(first), [false], 'a wish is repeated, or over')
    clock.at += 5000
    assert.equal(await held(second), [false], 'a lease that was not extended is over')
    await first.giveHosts([{ hostKey: key, nextAt: 1, penaltyMs: 0, crawlDelayMs: null, closedUntil: 0, width: 2 }])
    assert.equal(await held(first), [], 'what is another’s cannot be given back')
    assert.is((await first.hosts([key]))[0]?.nextAt, 0)
    await second.giveHosts([{ hostKey: key, nextAt: 9, penaltyMs: 0, crawlDelayMs: null, closedUntil: 0, width: 2 }])
    assert.equal(
      (await first.holdHosts([key])).map(({ nextAt }) => nextAt),
      [9],
    )
    await close()
  })

  store.run()
}
