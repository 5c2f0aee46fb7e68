/** The committer over a store whose answers the test chooses. Its timers run only when a test moves the clock. */
import { mock } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createCommitter, reasonOf } from '#backend/crawler/crawl/committer.ts'
import type { OpenRun } from '#backend/crawler/crawl/committer.ts'
import { ROWS_PER_COMMIT } from '#backend/crawler/engine/commit-space.ts'
import { StoreTrouble, noChanges } from '#backend/store/run-store.ts'
import type { AddedUrl, CommitResult, HostChanges, KeptPage, RunCommit } from '#backend/store/run-store.ts'

const committing = suite('the committer')

committing.after.each(() => mock.reset())

const NO_HOSTS: HostChanges = { hosts: [], robots: [] }
const done = ({ runNo, ending, kept, commitNo, eventSeq }: RunCommit): CommitResult => ({
  kind: 'done',
  runNo,
  tookMs: 3,
  status: ending?.status ?? 'running',
  commitNo: commitNo + 1,
  kept: kept + 1,
  eventSeq: eventSeq + 2,
})

/** @param answer  the store's answer to a commit; may throw */
function bench({ isQuiet = false, answer = done }: { isQuiet?: boolean; answer?: (value: RunCommit) => CommitResult } = {}) {
  mock.reset()
  mock.timers.enable({ apis: ['setTimeout'] })
  let passedMs = 0
  mock.method(performance, 'now', () => passedMs)
  const commits: RunCommit[][] = []
  const told: string[] = []
  const state = { isQuiet, answer, hosts: [] as HostChanges[], atWork: [] as number[], hold: null as Promise<void> | null, clock: 50_000 }
  let afterwards: (() => void)[] = []
  const committer = createCommitter({
    store: {
      async commit(values, hosts) {
        commits.push([...values])
        state.hosts.push(hosts ?? NO_HOSTS)
        if (state.hold) await state.hold
        return values.map((value) => state.answer(value))
      },
    },
    hosts: { takeChanges: () => NO_HOSTS, hasChanges: () => told.includes('hosts changed') },
    now: () => state.clock,
    isQuiet: () => state.isQuiet,
    publish: (hints) => told.push(`hints ${hints.map(({ runNo, eventSeq, status }) => `${runNo} ${eventSeq} ${status}`).join(', ')}`),
    atWork: (numbers) => {
      state.atWork = numbers
      return () => void (state.atWork = [])
    },
    after: () => afterwards.splice(0).forEach((tell) => tell()),
    report: (message, fault) => told.push(`${message.split(';')[0]}: ${(fault as Error).name}`),
    onStuck: (isStuck) => told.push(isStuck ? 'stuck' : 'writes again'),
    spent: (share, ms) => told.push(`${share} ${ms} ms`),
  })
  const run = (no: number, share = 'team'): OpenRun & { told: string[] } => {
    const said: string[] = []
    return {
      told: said,
      no,
      share,
      token: 10 + no,
      commitNo: 4,
      kept: 5,
      eventSeq: 6,
      workedMs: () => 77,
      changes: noChanges(),
      ending: null,
      committed: (status) => said.push(status),
      lost: (why, fault) => said.push(fault === undefined ? why : `${why}: ${(fault as Error).message}`),
    }
  }
  return {
    committer,
    commits,
    told,
    state,
    run,
    /** Resolves when a commit has ended. */
    nextCommit: () => new Promise<void>((tell) => void (afterwards = [...afterwards, tell])),
    /** Moves the clock and runs the timers that are due. */
    pass(ms: number) {
      passedMs += ms
      mock.timers.tick(ms)
    },
    /** Whether a commit starts before the timers run. */
    async isHandedOver() {
      const before = commits.length
      await nextTurn()
      await nextTurn()
      return commits.length > before
    },
  }
}
const urls = (count: number) => Array.from({ length: count }, (_, seq) => ({ seq }) as AddedUrl)
const page = (url: string) => ({ url }) as KeptPage

committing('thirty pages, four MiB, four thousand new URLs or an end are committed at once; less than that waits', async () => {
  const MIB = 1024 * 1024
  const cases: [pages: number, bytes: number, rows: number, isOver: boolean, expected: boolean][] = [
    [29, 0, 0, false, false],
    [30, 0, 0, false, true],
    [1, 4 * MIB - 1, 0, false, false],
    [1, 4 * MIB, 0, false, true],
    [0, 0, ROWS_PER_COMMIT - 1, false, false],
    [0, 0, ROWS_PER_COMMIT, false, true],
    [0, 0, 0, true, true],
  ]
  for (const [pages, bytes, rows, isOver, expected] of cases) {
    const { committer, run, isHandedOver } = bench()
    const one = run(1)
    one.changes.added = urls(rows)
    if (isOver) one.ending = { status: 'finished', reason: 'done', type: 'success', message: () => 'Done' }
    committer.touch(one, pages, bytes)
    assert.is(await isHandedOver(), expected, `${pages} pages, ${bytes} bytes, ${rows} rows, ${isOver}`)
    committer.close()
  }
  const quiet = bench({ isQuiet: true })
  quiet.committer.touch(quiet.run(1))
  assert.ok(await quiet.isHandedOver(), 'nothing could join it')
})

committing('feed lines written before the first request wait for the page and share its commit', async () => {
  const { committer, commits, run, isHandedOver } = bench({ isQuiet: true })
  const one = run(1)
  one.changes.feed.push({ type: 'info', message: 'started', at: 1, metadata: {} })
  committer.touchEarly(one)
  assert.equal([committer.waiting.pages.total, committer.waiting.bytes.total], [0, 0])
  assert.not(await isHandedOver(), 'a page may join it')
  one.changes.pages.push(page('http://a.test/'))
  committer.touch(one, 1, 10)
  assert.ok(await isHandedOver())
  assert.equal(
    commits.map(([value]) => [value!.changes.feed.length, value!.changes.pages.length]),
    [[1, 1]],
  )
  const alone = bench({ isQuiet: true })
  const ended = alone.nextCommit()
  alone.committer.touchEarly(alone.run(2))
  alone.pass(20)
  await ended
  assert.is(alone.commits.length, 1, 'no page comes, and it is written all the same')
})

committing('waiting work is committed soon, together with everything that has arrived by then', async () => {
  const { committer, commits, run, nextCommit, pass } = bench()
  const one = run(1)
  const two = run(2)
  const ended = nextCommit()
  committer.touch(one)
  committer.touch(two)
  committer.touch(one)
  assert.equal([committer.waiting.pages.total, committer.waiting.bytes.total], [0, 0])
  pass(20)
  await ended
  assert.equal(
    commits.map((values) => values.map(({ runNo }) => runNo)),
    [[1, 2]],
  )
  const closed = bench()
  closed.committer.touch(closed.run(1))
  closed.committer.close()
  await closed.committer.flush()
  assert.is(closed.commits.length, 1, 'a flush writes even after the end')
})

committing('a commit has the state of the run and its changes; afterwards the changes are empty', async () => {
  const { committer, commits, told, state, run } = bench()
  const one = run(1)
  one.changes.pages.push(page('a'), page('b'))
  const { changes } = one
  committer.touch(one, 2, 100)
  assert.equal([committer.waiting.pages.total, committer.waiting.bytes.of('team')], [2, 100])
  let release = () => undefined as void
  state.hold = new Promise((open) => (release = open))
  const flushed = committer.flush()
  assert.equal(state.atWork, [1])
  assert.is.not(one.changes, changes, 'what is handed over does not change')
  one.changes.pages.push(page('c'))
  committer.touch(one, 1, 10)
  assert.equal([committer.waiting.pages.total, committer.waiting.bytes.total], [3, 110], 'what is on its way still waits')
  release()
  state.hold = null
  await flushed
  assert.equal(commits[0], [{ runNo: 1, token: 11, commitNo: 4, eventSeq: 6, kept: 5, workedMs: 77, changes, ending: null }])
  assert.equal([committer.waiting.pages.total, committer.waiting.bytes.total], [1, 10])
  assert.equal([one.commitNo, one.kept, one.eventSeq], [5, 6, 8])
  assert.equal(one.told, ['running'])
  assert.equal(told, ['team 3 ms', 'hints 1 8 running'])
  assert.equal(state.atWork, [])
  await committer.flush()
  assert.equal(
    commits[1]!.map(({ changes: { pages } }) => pages),
    [[page('c')]],
  )
  assert.equal([committer.waiting.pages.total, committer.waiting.bytes.total, committer.waiting.rows.total], [0, 0, 0])
})

committing(
  'the end of a run counts the pages of its commit and of its other parts, and only a finished run can turn into a failed one',
  async () => {
    const { committer, commits, run } = bench()
    const finished = run(1)
    const canceled = { ...run(2), keptByOthers: 30 }
    finished.changes.pages.push(page('a'), page('b'))
    finished.ending = { status: 'finished', reason: 'done', type: 'success', message: (kept) => `${kept} pages` }
    canceled.ending = { status: 'canceled', reason: 'canceled', type: 'warning', message: (kept) => `${kept} pages` }
    committer.touch(finished)
    committer.touch(canceled)
    await committer.flush()
    const [first, second] = commits[0]!.map(({ ending }) => ending)
    assert.equal([first?.message, first?.ifNothingFetched?.status], ['7 pages', 'failed'])
    assert.equal(second, { status: 'canceled', reason: 'canceled', type: 'warning', message: '35 pages' })
    assert.equal([finished.told, canceled.told], [['finished'], ['canceled']])
  },
)

committing('a lost or broken run writes nothing more except its own end', async () => {
  const fault = new Error('no such column')
  const answers: Record<number, CommitResult> = {
    1: { kind: 'lost', why: 'taken', runNo: 1, tookMs: 1 },
    2: { kind: 'lost', why: 'canceling', runNo: 2, tookMs: 1 },
    3: { kind: 'lost', why: 'canceling', runNo: 3, tookMs: 1 },
    4: { kind: 'broken', fault, runNo: 4, tookMs: 1 },
    6: { kind: 'lost', why: 'taken', runNo: 6, tookMs: 1 },
  }
  const { committer, commits, state, told, run } = bench({ answer: (value) => answers[value.runNo] ?? done(value) })
  const runs = [1, 2, 3, 4, 5, 6].map((no) => run(no))
  for (const each of runs) committer.touch(each, 1)
  let release = () => undefined as void
  state.hold = new Promise((open) => (release = open))
  const flushed = committer.flush()
  for (const each of runs) committer.touch(each, 1)
  for (const each of [runs[2]!, runs[5]!])
    each.ending = { status: 'canceled', reason: 'canceled', type: 'warning', message: () => 'Canceled' }
  state.hold = null
  release()
  await flushed
  assert.equal(
    runs.map((each) => each.told.join()),
    ['taken', 'canceling', 'canceling', 'broken: no such column', 'running', 'taken'],
  )
  assert.is(runs[0]!.commitNo, 4, 'numbers of a commit that did not happen do not count')
  assert.is(told.at(-1), 'hints 5 8 running')
  assert.is(committer.waiting.pages.total, 2)
  await committer.flush()
  assert.equal(
    commits.at(-1)!.map(({ runNo }) => runNo),
    [3, 5],
  )
})

committing('an error other than machine trouble breaks the runs of the commit, and no others', async () => {
  const { committer, run, state, commits, told } = bench()
  const one = run(1)
  committer.touch(one)
  state.answer = () => {
    throw new Error('syntax error')
  }
  await committer.flush()
  assert.equal(one.told, ['broken: syntax error'])
  assert.equal(told, ['team 0 ms', 'hints '])
  assert.not.ok(committer.isStuck)
  state.answer = done
  const two = run(2)
  committer.touch(two)
  await committer.flush()
  assert.equal([two.told, commits.length], [['running'], 2])
})

committing('while the database cannot be written the same commit is retried, and then the feeds report the delay', async () => {
  for (const isFull of [true, false]) {
    const { committer, commits, run, state, told, isHandedOver } = bench()
    const one = run(1)
    one.changes.pages.push(page('a'))
    committer.touch(one, 1)
    state.answer = () => {
      throw new StoreTrouble(new Error('full'), { isFull })
    }
    await committer.flush()
    assert.ok(committer.isStuck)
    state.clock += 4400
    await committer.flush()
    assert.equal(told, ['stuck', 'the database cannot be written: Error'], 'said once')
    assert.equal(one.told, [])
    assert.is(committer.waiting.pages.total, 1, 'nothing is lost')
    committer.touch(one, 30)
    assert.not.ok(await isHandedOver(), 'and nothing else is handed over')
    state.answer = done
    await committer.flush()
    assert.is(commits.length, 4)
    assert.is(commits[2]![0], commits[0]![0])
    assert.not.ok(committer.isStuck)
    assert.equal(told.slice(2), ['writes again', 'team 3 ms', 'hints 1 8 running', 'team 3 ms', 'hints 1 10 running'])
    assert.equal(one.told, ['running', 'running'])
    const why = isFull ? 'The disk of the server was full' : 'The database could not be written'
    assert.equal(commits[3]![0]!.changes.feed, [
      { type: 'warning', message: `${why}: the crawl waited 4 s and goes on`, at: 54_400, metadata: {} },
    ])
    committer.close()
  }
})

committing('a run that was delayed briefly reports one second, and a run that ended meanwhile reports nothing', async () => {
  const { committer, commits, run, state } = bench()
  const [one, ended] = [run(1), run(2)]
  ended.ending = { status: 'finished', reason: 'done', type: 'success', message: () => 'Done' }
  committer.touch(one)
  committer.touch(ended)
  state.answer = () => {
    throw new StoreTrouble(new Error('busy'), { isFull: false })
  }
  await committer.flush()
  state.answer = done
  await committer.flush()
  assert.match(commits.at(-1)![0]!.changes.feed[0]!.message, 'waited 1 s')
  assert.equal(
    commits.at(-1)!.map(({ runNo }) => runNo),
    [1],
  )
  assert.equal(ended.changes.feed, [])
  committer.close()
})

committing(
  'if new URLs exceed the space of a commit, each share writes a part of them, and pages are written after their URLs',
  async () => {
    const { committer, commits, run, nextCommit } = bench()
    const [one, two] = [run(1, 'a'), run(2, 'b')]
    for (const each of [one, two]) {
      each.changes.added = urls(3000)
      each.changes.pages.push(page('x'))
    }
    const first = nextCommit()
    committer.touch(one, 1)
    committer.touch(two, 1)
    assert.is(committer.waiting.rows.total, 6000)
    await first
    const sizes = () => commits.map((values) => values.map(({ changes: { added, pages } }) => [added.length, pages.length]))
    assert.equal(sizes(), [
      [
        [2000, 0],
        [2000, 0],
      ],
    ])
    assert.equal([committer.waiting.rows.of('a'), committer.waiting.rows.total, committer.waiting.pages.total], [1000, 2000, 2])
    await nextCommit()
    assert.equal(sizes()[1], [
      [1000, 1],
      [1000, 1],
    ])
    assert.equal(
      commits.flat().map(({ changes: { added } }) => added[0]?.seq),
      [0, 0, 2000, 2000],
    )
    assert.equal([committer.waiting.rows.total, committer.waiting.pages.total, committer.waiting.bytes.total], [0, 0, 0])
  },
)

committing('a run with no space for a new URL is left out of the commit, and a run with space for a single URL is in it', async () => {
  for (const [before, expected] of [
    [4000, [[1, 4000]]],
    [
      3999,
      [
        [1, 3999],
        [2, 1],
      ],
    ],
  ] as const) {
    const { committer, commits, run, nextCommit } = bench()
    const [one, two] = [run(1), run(2)]
    one.changes.added = urls(before)
    two.changes.added = urls(1000)
    const first = nextCommit()
    committer.touch(one)
    committer.touch(two)
    await first
    assert.equal(
      commits[0]!.map(({ changes, runNo }) => [runNo, changes.added.length]),
      expected,
    )
    await committer.flush()
  }
})

committing('a flush writes everything, whatever its size, and an end is written after the URLs before it', async () => {
  const all = bench()
  const many = all.run(1)
  many.changes.added = urls(9000)
  all.committer.touch(many)
  await all.committer.flush()
  assert.equal(
    all.commits.map((values) => values[0]!.changes.added.length),
    [9000],
  )

  const { committer, commits, run, nextCommit } = bench()
  const one = run(1)
  one.changes.added = urls(5000)
  one.ending = { status: 'finished', reason: 'done', type: 'success', message: () => 'Done' }
  committer.touch(one)
  await nextCommit()
  await nextCommit()
  assert.equal(
    commits.map((values) => [values[0]!.changes.added.length, values[0]!.ending?.status]),
    [
      [4000, undefined],
      [1000, 'finished'],
    ],
  )
})

committing('a forgotten run writes nothing, and records of hosts are written even without a run', async () => {
  const { committer, commits, run, told } = bench()
  const one = run(1)
  one.changes.added = urls(2)
  committer.touch(one, 3, 4)
  committer.forget(one)
  committer.forget(run(2))
  assert.equal([committer.waiting.pages.total, committer.waiting.bytes.total, committer.waiting.rows.total], [0, 0, 0])
  await committer.flush()
  assert.is(commits.length, 0, 'nothing waits, nothing is written')
  told.push('hosts changed')
  await committer.flush()
  assert.equal(commits, [[]])
})

committing('the reason of an end is that of the run, unless it was to finish and failed because it had fetched nothing', () => {
  const finished = { status: 'finished', reason: 'page_limit', type: 'success', message: () => '' } as const
  assert.equal(
    [reasonOf(finished, 'finished'), reasonOf(finished, 'failed'), reasonOf(null, 'canceled'), reasonOf(null, 'failed')],
    ['page_limit', 'no_start_url', undefined, undefined],
  )
})

committing.run()
