/** When the committer commits, on a clock that the test moves. */
import { mock } from 'node:test'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createCommitter } from '#backend/crawler/crawl/committer.ts'
import type { Ending } from '#backend/crawler/crawl/committer.ts'
import { StoreTrouble, noChanges } from '#backend/store/run-store.ts'
import type { AddedUrl, CommitResult, RunCommit } from '#backend/store/run-store.ts'
import { openRun } from '#tests/support/engine/open-run.ts'

const times = suite('when runs are committed')

const turn = setImmediate
const START = 1_000_000
const FINISHED: Ending = { status: 'finished', reason: 'done', type: 'success', message: () => 'Done' }
const done = ({ commitNo, ending, eventSeq, kept, runNo }: RunCommit): CommitResult => ({
  kind: 'done',
  runNo,
  tookMs: 0,
  status: ending?.status ?? 'running',
  commitNo: commitNo + 1,
  kept,
  eventSeq,
})

times.after.each(() => mock.reset())

/** A committer, and its commits with their times in milliseconds from the start. A commit takes `state.tookMs`, or fails. */
function bench() {
  let at = START
  mock.timers.enable({ apis: ['setTimeout', 'setImmediate'] })
  mock.method(performance, 'now', () => at)
  const commits: [at: number, ...runNos: number[]][] = []
  const told: string[] = []
  const state = { isFailing: false, isQuiet: false, tookMs: 0 }
  const committer = createCommitter({
    store: {
      async commit(values) {
        commits.push([at - START, ...values.map(({ runNo }) => runNo)])
        if (state.tookMs > 0) await new Promise((resolve) => setTimeout(resolve, state.tookMs))
        if (state.isFailing) throw new StoreTrouble(new Error('full'), { isFull: true })
        return values.map(done)
      },
    },
    hosts: { takeChanges: () => ({ hosts: [], robots: [] }), hasChanges: () => false },
    now: () => at,
    isQuiet: () => state.isQuiet,
    publish: () => undefined,
    after: () => undefined,
    report: (message) => told.push(message.split(';')[0]!),
    onStuck: (isStuck) => told.push(isStuck ? 'stuck' : 'writes again'),
  })
  return { committer, commits, pass, state, told }

  /** Advances the clock, one millisecond at a time. */
  async function pass(ms: number) {
    mock.timers.tick(0)
    await new Promise((resolve) => turn(resolve))
    for (let passed = 0; passed < ms; passed += 1) {
      at += 1
      mock.timers.tick(1)
      await new Promise((resolve) => turn(resolve))
    }
  }
}

/** A run of which this engine has one part. */
const partOf = (no: number) => openRun(no, { rest: () => null })
const urls = (count: number) => Array.from({ length: count }, (_, seq) => ({ seq }) as AddedUrl)

times('new work is committed twenty milliseconds after its first piece', async () => {
  const { committer, commits, pass } = bench()
  committer.touch(openRun(1))
  await pass(10)
  committer.touch(openRun(2))
  await pass(50)
  assert.equal(commits, [[20, 1, 2]])
  committer.touch(openRun(3))
  await pass(50)
  assert.equal(commits[1], [80, 3])
})

times('work that arrives during a commit waits no longer than twenty milliseconds either', async () => {
  const { committer, commits, pass, state } = bench()
  state.tookMs = 15
  committer.touch(openRun(1))
  await pass(20)
  committer.touch(openRun(2))
  await pass(50)
  assert.equal(commits, [
    [20, 1],
    [40, 2],
  ])
})

times('parts of crawls wait for two hundred milliseconds or thirty pages each; a whole run among them is committed earlier', async () => {
  const { committer, commits, pass } = bench()
  const [one, two] = [partOf(1), partOf(2)]
  committer.touch(one)
  await pass(250)
  assert.equal(commits, [[200, 1]])
  committer.touch(one, 15)
  committer.touch(two, 44)
  await pass(10)
  committer.touch(two, 1)
  await pass(0)
  assert.equal(commits[1], [260, 1, 2], 'sixty pages')
  committer.touch(one)
  await pass(5)
  committer.touch(openRun(3))
  await pass(50)
  assert.equal(commits[2], [280, 1, 3])
})

times('urgent work is committed soon even if the run that was urgent is forgotten', async () => {
  const { committer, commits, pass } = bench()
  const whole = openRun(1)
  committer.touch(whole)
  committer.touch(partOf(2))
  committer.forget(whole)
  committer.touch(partOf(3))
  await pass(50)
  assert.equal(commits, [[20, 2, 3]])
})

times('after a commit the committer pauses as long as recent commits took', async () => {
  const { committer, commits, pass, state } = bench()
  state.tookMs = 100
  committer.touch(openRun(1), 30)
  await pass(50)
  committer.touch(openRun(2), 30)
  await pass(150)
  committer.touch(openRun(3), 30)
  await pass(200)
  assert.equal(commits, [
    [0, 1],
    [100 + 20, 2],
    [220 + 36, 3],
  ])
})

times('a full group or an end is committed right after that pause, even if other work arrived before it', async () => {
  for (const isEnd of [false, true]) {
    const { committer, commits, pass, state } = bench()
    state.tookMs = 10
    committer.touch(openRun(1), 30)
    await pass(10)
    committer.touch(openRun(2))
    await pass(1)
    if (isEnd) committer.touch(openRun(3, { ending: FINISHED }))
    else committer.touch(openRun(3), 30)
    await pass(50)
    assert.equal(commits, [
      [0, 1],
      [12, 2, 3],
    ])
    mock.reset()
  }
})

times('a commit that is early or flushed cancels the timer of the next commit', async () => {
  const brought = bench()
  const one = openRun(1)
  brought.committer.touch(one)
  await brought.pass(5)
  brought.committer.touch(one, 30)
  await brought.pass(5)
  brought.committer.touch(openRun(2))
  await brought.pass(50)
  assert.equal(brought.commits, [
    [5, 1],
    [30, 2],
  ])
  mock.reset()

  const moved = bench()
  moved.state.tookMs = 10
  moved.committer.touch(openRun(1), 30)
  await moved.pass(10)
  const two = openRun(2)
  moved.committer.touch(two)
  await moved.pass(1)
  moved.committer.touch(two, 30)
  await moved.pass(14)
  moved.committer.touch(openRun(3))
  await moved.pass(50)
  assert.equal(moved.commits, [
    [0, 1],
    [12, 2],
    [45, 3],
  ])
  mock.reset()

  const flushed = bench()
  flushed.committer.touch(openRun(1))
  await flushed.pass(5)
  await flushed.committer.flush()
  flushed.committer.touch(openRun(2))
  await flushed.pass(50)
  flushed.committer.touch(openRun(3), 30)
  await flushed.committer.flush()
  flushed.committer.touch(openRun(4))
  await flushed.pass(50)
  assert.equal(flushed.commits, [
    [5, 1],
    [25, 2],
    [55, 3],
    [75, 4],
  ])
})

times('a commit starts at once, even right after another, if no further work could join it', async () => {
  const { committer, commits, pass, state } = bench()
  state.isQuiet = true
  committer.touch(openRun(1))
  await pass(0)
  committer.touch(openRun(2))
  await pass(0)
  assert.equal(commits, [
    [0, 1],
    [0, 2],
  ])
})

times('URLs that do not fit into a commit, and the end of one of many runs, follow in a commit right after it', async () => {
  const many = bench()
  many.committer.touch(openRun(1, { changes: { ...noChanges(), added: urls(9000) } }))
  await many.pass(0)
  await many.pass(0)
  await many.pass(0)
  assert.equal(many.commits, [
    [0, 1],
    [0, 1],
    [0, 1],
  ])
  mock.reset()

  const { committer, commits, pass, state } = bench()
  state.tookMs = 5
  committer.touch(openRun(1), 30)
  await pass(4)
  committer.touch(openRun(2))
  committer.touch(openRun(3, { ending: FINISHED }))
  await pass(5)
  assert.equal(commits, [
    [0, 1],
    [6, 2, 3],
  ])
})

times('a run that is forgotten before its commit delays no other', async () => {
  const { committer, commits, pass } = bench()
  const one = openRun(1)
  committer.touch(one, 30)
  committer.forget(one)
  await pass(0)
  committer.touch(openRun(2))
  await pass(50)
  assert.equal(commits, [[20, 2]])
})

times('writes to a failing database are retried after one second, two, four, and then every five', async () => {
  const { committer, commits, pass, state, told } = bench()
  state.isFailing = true
  committer.touch(openRun(1), 30)
  await pass(500)
  assert.equal(told, ['stuck', 'the database cannot be written'], 'said at once')
  committer.touch(openRun(2), 30)
  await pass(17_000)
  assert.equal(commits, [
    [0, 1],
    [1000, 1],
    [3000, 1],
    [7000, 1],
    [12_000, 1],
    [17_000, 1],
  ])
  state.isFailing = false
  await committer.flush()
  assert.equal(told.slice(2), ['writes again'], 'and said once')
  await pass(10_000)
  assert.equal(commits.slice(6), [
    [17_500, 1],
    [17_500, 2, 1],
  ])
  assert.not.ok(committer.isStuck)
})

times('a commit that succeeds ends the stuck state, and the wait counts from the first failure', async () => {
  const { committer, commits, pass, state, told } = bench()
  state.isFailing = true
  committer.touch(openRun(1), 30)
  await pass(10)
  state.isFailing = false
  await pass(1000)
  assert.not.ok(committer.isStuck)
  assert.equal(told, ['stuck', 'the database cannot be written', 'writes again'])
  await pass(5000)
  assert.equal(commits, [
    [0, 1],
    [1000, 1],
    [1020, 1],
  ])
})

times('nothing is committed after the committer is closed', async () => {
  const { committer, commits, pass } = bench()
  committer.touch(openRun(1))
  committer.close()
  await pass(50)
  assert.equal(commits, [])
})

times.run()
