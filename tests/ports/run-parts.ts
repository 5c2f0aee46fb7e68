/** Parts of a run in the store: fences, messages, promised pages, and the end by the last part. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { noChanges } from '#backend/store/run-store.ts'
import type { CommitResult, KeptPage, RunCommit, RunStore, TakenRun } from '#backend/store/run-store.ts'
import { partNumber, partOf, partOfUrl, wholeRun } from '#backend/store/run-parts.ts'
import type { SentUrl } from '#backend/store/run-parts.ts'
import { RUN_STORES, rowOf, runsOver } from '#tests/support/engine/run-stores.ts'

const PARTS = 2
const parts = suite('parts of a run')

parts('a part number contains the number of the part and the number of its run', () => {
  const part = { runNo: 2 ** 29 - 1, part: 15, parts: 16 }
  assert.equal(partOf(partNumber(part)), part)
  assert.is(wholeRun(partNumber(part)), part.runNo)
  assert.ok(Number.isSafeInteger(partNumber({ ...part, part: 4095, parts: 4095 })))
  assert.is(partOf(part.runNo), null)
})

parts('all URLs of one host name belong to one part, whatever their scheme, port and path', () => {
  const urls = ['http://a.test/', 'https://a.test/x?y', 'http://a.test:8080/z', 'https://a.test']
  assert.is(new Set(urls.map((url) => partOfUrl(url, 16))).size, 1)
  const counts = Array.from({ length: 16 }, () => 0)
  for (let no = 0; no < 16_000; no += 1) counts[partOfUrl(`http://host${no}.test/`, 16)]! += 1
  assert.ok(Math.min(...counts) > 800 && Math.max(...counts) < 1200, counts.join(' '))
})

/** A host of each part. */
const HOSTS = [0, 1].map((part) =>
  Array.from({ length: 50 }, (_, no) => `http://host${no}.test`).find((url) => partOfUrl(`${url}/`, PARTS) === part)!,
)

const pageOf = (lo: number): KeptPage => ({
  hi: 1,
  lo,
  url: `http://a.test/${lo}`,
  title: null,
  httpStatus: 200,
  contentType: 'text/html',
  language: null,
  contentHash: String(lo),
  encoding: 0,
  rawBytes: 2,
  body: Buffer.from('{}'),
})

/** A run with this page limit that is cut in two, and the stores of two engines. */
async function cutRun(pageLimit: number) {
  const clock = { at: 1_000_000 }
  const now = () => clock.at
  const bench = await RUN_STORES['PostgreSQL']!(now)
  const runs = await runsOver(bench, now)
  const [one, two] = [bench.storeOf('one'), bench.storeOf('two')]
  const runNo = await runs.start([`${HOSTS[0]}/`, `${HOSTS[1]}/`, `${HOSTS[0]}/more`], { pageLimit })
  const whole = (await one.take(runNo))!
  assert.is(await one.parts!.cut({ ...whole, workedMs: 0 }, PARTS), true)
  const numbers = [0, 1].map((part) => partNumber({ runNo, part, parts: PARTS }))
  return { bench, clock, numbers, one, runNo, two, whole }
}

const commitOf = (taken: Pick<TakenRun, 'runNo' | 'token' | 'commitNo' | 'kept'>, more: Partial<RunCommit> = {}): RunCommit => ({
  ...taken,
  eventSeq: 0,
  workedMs: 0,
  changes: noChanges(),
  ending: null,
  ...more,
})

const commit = async (store: RunStore, part: RunCommit): Promise<CommitResult> => (await store.commit([part]))[0]!
const letter = (lo: number): SentUrl => ({
  part: 1,
  hi: 7,
  lo,
  url: `${HOSTS[1]}/${lo}`,
  title: 'a title',
  depth: 3,
  hops: 0,
  isSeed: false,
  outcome: null,
  detail: null,
})

parts('a run that is divided into parts is no longer leased, and each part has the URLs of its hosts, numbered from 0', async () => {
  const { bench, numbers, one, runNo, two, whole } = await cutRun(10)
  assert.is(await two.take(runNo), null)
  assert.is((await commit(one, commitOf(whole))).kind, 'lost', 'its former owner writes nothing more')
  const urls = await Promise.all(numbers.map(async (no) => (await one.knownUrls(no, -1, 10)).map(({ seq, url }) => [seq, url])))
  assert.equal(urls, [
    [
      [0, `${HOSTS[0]}/`],
      [1, `${HOSTS[0]}/more`],
    ],
    [[0, `${HOSTS[1]}/`]],
  ])
  assert.equal(
    (await one.knownUrls(numbers[0]!, 0, 10)).map(({ seq }) => seq),
    [1],
  )
  assert.equal(
    (await one.pendingByHost(numbers[1]!)).map(({ pending }) => pending),
    [1],
  )
  assert.equal(
    (await one.pendingUrls(numbers[0]!, `${HOSTS[0]}:80`, { rank: 0, seq: 0 }, 5)).map(({ seq }) => seq),
    [1],
  )
  assert.equal((await one.waitingRuns(true)).map((waiting) => waiting.runNo).filter((no) => numbers.includes(no)).length, 1)
  await bench.close()
})

parts(
  'F18 F19 a part has one owner: a second engine gets it after the lease ends, and the first engine writes nothing from then on',
  async () => {
    const { bench, clock, numbers, one, runNo, two } = await cutRun(10)
    const first = (await one.take(numbers[0]!))!
    assert.is(await two.take(numbers[0]!), null)
    clock.at += 16_000
    const second = (await two.take(numbers[0]!))!
    const late = await commit(one, commitOf(first, { changes: { ...noChanges(), pages: [pageOf(1)] } }))
    assert.equal([late.kind, late.kind === 'lost' && late.why], ['lost', 'taken'])
    assert.equal(await one.renew([{ ...first, workedMs: 0 }]), [{ runNo: numbers[0]!, why: 'taken' }])
    assert.is((await commit(two, commitOf(second, { changes: { ...noChanges(), pages: [pageOf(2)] } }))).kind, 'done')
    assert.is((await rowOf(bench.database, runNo)).kept, 1)
    await bench.close()
  },
)

parts('F16 a commit whose answer was lost is not written again', async () => {
  const { bench, numbers, one, runNo } = await cutRun(10)
  const taken = (await one.take(numbers[0]!))!
  const part = commitOf(taken, { changes: { ...noChanges(), pages: [pageOf(1)], mail: { sent: [letter(1)], readTo: 0 } } })
  assert.equal([(await commit(one, part)).kind, (await commit(one, part)).kind], ['done', 'done'])
  assert.is((await rowOf(bench.database, runNo)).kept, 1)
  assert.is((await one.parts!.mail(numbers[1]!, 0, 10)).urls.length, 1)
  await bench.close()
})

parts('a message reaches its part once, and wakes it', async () => {
  const { bench, numbers, one, two } = await cutRun(10)
  const [a, b] = [(await one.take(numbers[0]!))!, (await two.take(numbers[1]!))!]
  const rested = await commit(two, commitOf(b, { rest: 'drained' }))
  assert.is(rested.kind === 'done' && rested.part!.isLast, false)
  await commit(one, commitOf(a, { changes: { ...noChanges(), mail: { sent: [letter(1), letter(2)], readTo: 0 } } }))
  const { isOver, urls } = await two.parts!.mail(numbers[1]!, 0, 10)
  assert.equal([isOver, urls.map(({ lo, title }) => [lo, title])], [false, [[1, 'a title'], [2, 'a title']]]) // prettier-ignore
  const readTo = urls[0]!.no
  const read = await commit(
    two,
    commitOf({ ...b, commitNo: 1 }, { changes: { ...noChanges(), mail: { sent: [], readTo } }, rest: 'drained' }),
  )
  assert.is(read.kind === 'done' && read.part!.hasMail, true, 'one is left, so it does not rest')
  assert.equal(
    (await two.parts!.mail(numbers[1]!, 0, 10)).urls.map(({ lo }) => lo),
    [2],
  )
  await bench.close()
})

parts('a page of the limit is promised to one part only: pages that one part does not need can be used by another', async () => {
  const { bench, numbers, one, two } = await cutRun(10)
  const [a, b] = [(await one.take(numbers[0]!))!, (await two.take(numbers[1]!))!]
  assert.ok(a.allowed! > 0 && b.allowed! > 0 && a.allowed! + b.allowed! <= 10, `${a.allowed} and ${b.allowed}`)
  const rested = await commit(one, commitOf(a, { rest: 'drained' }))
  assert.is(rested.kind === 'done' && rested.part!.allowed, 0)
  let [last, commitNo, kept] = [b.allowed!, 0, 0]
  for (let lo = 0; commitNo < 10; lo += 100) {
    const pages = Array.from({ length: last - kept }, (_, no) => pageOf(lo + no))
    const result = await commit(two, commitOf({ ...b, commitNo, kept }, { changes: { ...noChanges(), pages }, rest: 'limit' }))
    assert.is(result.kind, 'done')
    if (result.kind !== 'done') break
    ;[commitNo, kept, last] = [result.commitNo, result.kept, result.part!.allowed]
    if (result.part!.isLast) break
  }
  assert.is(kept, 10, 'it kept the pages of both, and no more')
  await bench.close()
})

parts('the last part to finish is told so, and ends the run; no rows of the parts are left', async () => {
  const { bench, numbers, one, runNo, two } = await cutRun(10)
  const [a, b] = [(await one.take(numbers[0]!))!, (await two.take(numbers[1]!))!]
  await commit(one, commitOf(a, { rest: 'drained' }))
  const last = await commit(two, commitOf(b, { rest: 'drained' }))
  assert.is(last.kind === 'done' && last.part!.isLast, true)
  assert.is((await one.parts!.mail(numbers[0]!, 0, 10)).isOver, true, 'the other would find out if the last one died now')
  const ending = { status: 'finished' as const, reason: 'drained', type: 'success' as const, message: 'done' }
  const ended = await commit(two, commitOf({ ...b, commitNo: 1 }, { ending }))
  assert.is(ended.kind === 'done' && ended.status, 'finished')
  assert.is((await commit(one, commitOf({ ...a, commitNo: 1 }))).kind, 'lost')
  assert.is(await one.take(numbers[0]!), null)
  assert.is((await rowOf(bench.database, runNo)).status, 'finished')
  assert.equal((await bench.database.selectFrom('job').select('key').execute()).length, 0)
  await bench.close()
})

parts('parts whose owner crashed get jobs, and an engine is offered its fair share of them', async () => {
  const { bench, clock, numbers, one, two } = await cutRun(10)
  // They have met.
  for (const store of [one, two, one]) await store.reconcile([], false, true)
  await one.take(numbers[0]!)
  assert.equal(await one.waitingRuns(true, [numbers[0]!]), [], 'it has its half')
  assert.equal(
    (await two.waitingRuns(true, [])).map(({ runNo }) => runNo),
    [numbers[1]!],
  )
  clock.at += 4000
  assert.equal(
    (await one.waitingRuns(true, [numbers[0]!])).map(({ runNo }) => runNo),
    [numbers[1]!],
    'the other has no place for it',
  )
  await one.take(numbers[1]!)
  assert.equal((await one.reconcile(numbers, false, true)).surplus, [numbers[1]!])
  clock.at += 16_000
  assert.is((await two.reconcile([], false, true)).jobsMade, 2)
  await bench.close()
})

parts('a crash counts against the part in progress, and progress of another part does not clear it', async () => {
  const { bench, clock, numbers, one, two } = await cutRun(10)
  await one.take(numbers[0]!)
  const b = (await two.take(numbers[1]!))!
  await one.countCrashes([numbers[0]!])
  await commit(two, commitOf(b, { changes: { ...noChanges(), pages: [pageOf(1)] } }))
  clock.at += 16_000
  const again = (await two.take(numbers[0]!))!
  assert.is(again.crashes, 1)
  await commit(two, commitOf(again, { changes: { ...noChanges(), pages: [pageOf(2)] } }))
  clock.at += 16_000
  assert.equal([(await one.take(numbers[0]!))!.crashes, (await one.take(numbers[1]!))!.crashes], [0, 0])
  await bench.close()
})

parts.run()
