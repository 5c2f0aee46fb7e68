// Runs the hostile site, case by case, through the running product: `npm run test:hostile`.
//
//   npm run test:hostile                      all cases; browser cases only with a browser
//   npm run test:hostile -- robots slow-body  cases whose id or group is one of the words
//   --json FILE                               writes the verdicts to FILE
//   --quick FILE                              writes the ids of cases that took less than two seconds, which `npm test` runs
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { findBrowser } from './find-browser.ts'
import { startHostileProduct } from '#tests/support/sites/hostile-product.ts'
import { judgeWebhooks } from '#tests/support/sites/hostile-webhooks.ts'
import type { HostileCase, HostileProduct, Verdict } from '#tests/support/sites/hostile-product.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'string' }, quick: { type: 'string' } } })

/** The memory that may remain in use above the level after a first crawl, and the time within which the rest must be released. */
const MOST_LEFT_MIB = 100
const SETTLE_MS = 60_000
const QUICK_MS = 2000

/** Cases that mostly wait run in parallel, with a product and a site of their own. */
type Lane = { name: string; atOnce: number; browser?: string | null; models?: boolean; takes: (each: HostileCase) => boolean }
const LANES: Lane[] = [
  { name: 'browser', atOnce: 2, browser: findBrowser() ?? null, takes: ({ group }) => group.startsWith('browser') },
  // The model belongs to the team, so its cases run one at a time.
  { name: 'model', atOnce: 1, models: true, takes: ({ group }) => group === 'model' },
  { name: 'waiting', atOnce: 40, takes: ({ group }) => ['slow', 'net', 'tls', 'robots', 'dns', 'status'].includes(group) },
  { name: 'working', atOnce: 4, takes: () => true },
]

const WEBHOOKS = 'ok fail-3 always-500 gone redirect silent endless slow-ack busy reset'.split(' ').map((name) => `hook-${name}`)

const verdicts: Verdict[] = []
const troubles: string[] = []
/** Requests that reached the stand-in for the operator's network, by lane. */
const canaries: string[] = []
const from = performance.now()
await Promise.all([...LANES.map(runLane), runWebhooks()])
report()

async function runLane(lane: Lane) {
  if (lane.browser === null) {
    console.error('There is no browser: the cases that need one are left out')
    return
  }
  const product = await startHostileProduct({ browser: lane.browser ?? null, models: lane.models === true })
  try {
    const waiting = product.cases.filter(
      (each) =>
        LANES.find(({ takes }) => takes(each)) === lane &&
        (positionals.length === 0 || positionals.some((word) => word === each.id || word === each.group)),
    )
    if (waiting.length === 0) return
    await product.run(product.cases.find(({ id }) => id === 'big-but-fine' || id === 'js-print' || id === 'llm-good')!)
    await product.site.reset()
    const before = product.memoryMib()
    const own: Verdict[] = []
    await Promise.all(Array.from({ length: lane.atOnce }, () => work(product, waiting, own)))
    verdicts.push(...(await judgeSlowAlone(product, own)))
    await judgeMemory(lane, product, before)
    const { canary } = await product.site.hits()
    canaries.push(`${lane.name} ${canary.requests} requests and ${canary.udp} datagrams`)
    if (canary.requests + canary.udp > 0) troubles.push(`${lane.name}: the internal service was reached: ${JSON.stringify(canary)}`)
  } finally {
    await product.close()
  }
}

/** All receivers of webhooks get the events of one crawl. */
async function runWebhooks() {
  const takes = (id: string) => positionals.length === 0 || positionals.includes(id) || positionals.includes('webhook')
  if (!WEBHOOKS.some(takes)) return
  for (const verdict of await judgeWebhooks(takes)) {
    verdicts.push(verdict)
    console.error(`       ${verdict.faults.length === 0 ? 'ok  ' : 'FAIL'} ${verdict.id} ${verdict.faults.join('; ')}`)
  }
}

/** Time limits hold for a case that runs alone: a case that was only too slow beside others is run again, alone. */
async function judgeSlowAlone(product: HostileProduct, judged: Verdict[]): Promise<Verdict[]> {
  const isSlow = ({ faults }: Verdict) => faults.length > 0 && faults.every((fault) => /^it took \d+ ms/.test(fault))
  const again: Verdict[] = []
  await work(
    product,
    product.cases.filter(({ id }) => judged.some((verdict) => verdict.id === id && isSlow(verdict))),
    again,
  )
  return [...judged.filter((verdict) => !isSlow(verdict)), ...again]
}

async function work(product: HostileProduct, waiting: HostileCase[], judged: Verdict[]) {
  for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) {
    const verdict = await product.run(each)
    judged.push(verdict)
    const seconds = ((performance.now() - from) / 1000).toFixed(0)
    console.error(`${seconds.padStart(4)} s  ${verdict.faults.length === 0 ? 'ok  ' : 'FAIL'} ${verdict.id} ${verdict.faults.join('; ')}`)
  }
}

async function judgeMemory({ name }: Lane, product: HostileProduct, before: number | null) {
  if (before === null) return
  const late = performance.now() + SETTLE_MS
  for (;;) {
    const left = (product.memoryMib() ?? before) - before
    if (left > MOST_LEFT_MIB && performance.now() < late) await new Promise((resolve) => setTimeout(resolve, 1000))
    else {
      console.error(`${name}: ${before.toFixed(0)} MiB of memory before, ${(before + left).toFixed(0)} MiB after`)
      if (left > MOST_LEFT_MIB) troubles.push(`${name}: ${left.toFixed(0)} MiB of memory were not released`)
      return
    }
  }
}

function report() {
  const sorted = verdicts.toSorted((a, b) => a.group.localeCompare(b.group) || a.id.localeCompare(b.id))
  for (const { bytes, ended, expected, faults, id, requests, tookMs } of sorted) {
    const figures = `${(tookMs / 1000).toFixed(1).padStart(6)} s ${String(requests).padStart(5)} requests ${(bytes / 1024).toFixed(0).padStart(7)} KiB`
    console.log(`${faults.length === 0 ? 'ok  ' : 'FAIL'} ${id.padEnd(28)} ${expected.padEnd(28)} ${figures}  ${ended.slice(0, 120)}`)
    for (const fault of faults) console.log(`     | ${fault}`)
  }
  console.log(`the internal service was reached: ${canaries.join(', ')}`)
  for (const trouble of troubles) console.log(`FAIL ${trouble}`)
  const failed = verdicts.filter(({ faults }) => faults.length > 0).length + troubles.length
  console.log(`in ${((performance.now() - from) / 1000).toFixed(0)} s`)
  console.log(`${verdicts.length - verdicts.filter(({ faults }) => faults.length > 0).length} passed, ${failed} failed`)
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(sorted, null, 1))
  const quick = sorted.filter(({ group, tookMs }) => group !== 'webhook' && tookMs < QUICK_MS).map(({ id }) => id)
  if (values.quick !== undefined) writeFileSync(values.quick, `${JSON.stringify(quick, null, 2)}\n`)
  process.exitCode = failed > 0 || verdicts.length === 0 ? 1 : 0
}
