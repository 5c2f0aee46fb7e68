/**
 * Many expensive requests at once: whether the server answers `/health/live` meanwhile, and whether it releases the memory afterwards. For
 * `npm run bench -- requests`.
 */
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { percentile } from './processes.ts'
import type { Product } from './watched-product.ts'
import { MEASURED, WORST, fullBodies } from './worst-requests.ts'
import type { Asked, Context } from './worst-requests.ts'

const AT_ONCE = 20
const EXPORTS = 300
const LASTS_MS = 10_000
const LIVE_P99_MS = 200
const SPARE_MIB = 50

/** By name: each lasts ten seconds. */
export const CROWDS: Record<string, (product: Product, context: Context) => () => Promise<unknown>> = {
  strangers: (product, context) => () =>
    sendAll(
      product,
      requestsOf(context, ({ access }) => access === 'public'),
    ),
  keys: (product, context) => () =>
    sendAll(
      product,
      requestsOf(context, ({ access }) => access !== 'public' && access !== 'signed'),
    ),
  exports:
    (product, { bigCrawl: id }) =>
    () =>
      readSlowly(product, { params: { id }, query: { content: 'urls', file_format: 'csv' } }),
}

type Request = { endpoint: EndpointSpec; asked: Asked }

function requestsOf(context: Context, isWanted: (endpoint: EndpointSpec) => boolean): Request[] {
  return [...MEASURED].flatMap(([name, endpoint]) => {
    if (!isWanted(endpoint)) return []
    const plain = WORST[name]!(context)
    const full = endpoint.body === undefined ? [] : fullBodies(endpoint).map((body): Asked => ({ ...plain[0], body }))
    return [...plain, ...full].map((asked) => ({ endpoint, asked }))
  })
}

async function sendAll(product: Product, requests: Request[]) {
  const until = performance.now() + LASTS_MS
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, at) => {
      for (let n = at; performance.now() < until; n += AT_ONCE + 1) {
        const { asked, endpoint } = requests[n % requests.length]!
        await product.send(endpoint, asked)
      }
    }),
  )
}

/** Readers of one large export who take the first piece, and then nothing. */
async function readSlowly(product: Product, asked: Asked) {
  const readers = await Promise.all(
    Array.from({ length: EXPORTS }, () => product.open(MEASURED.get('exportCrawl')!, asked).catch(() => null)),
  )
  const bodies = readers.flatMap((reply) => (reply?.status === 200 && reply.body ? [reply.body.getReader()] : []))
  console.log(`  ${bodies.length} of ${EXPORTS} exports began`)
  await Promise.all(bodies.map((body) => body.read()))
  await new Promise((resolve) => setTimeout(resolve, LASTS_MS))
  await Promise.all(bodies.map((body) => body.cancel()))
}

/** Does the work, and reports what it costs. */
export async function underLoad(product: Product, name: string, work: () => Promise<unknown>) {
  await new Promise((resolve) => setTimeout(resolve, 25_000))
  const idle = (await product.loop()).rss
  // The machine's own delays, without load.
  const quiet = await watchLive(product, () => new Promise((resolve) => setTimeout(resolve, 5000)))
  await product.loop()
  const busyTimes = await watchLive(product, work)
  const turn = await product.loop()
  const said = ({ wall, own }: LiveTimes) =>
    `p50 ${percentile(own, 0.5).toFixed(0)} ms, p99 ${percentile(own, 0.99).toFixed(0)} ms (by the clock ${percentile(wall, 0.5).toFixed(0)} and ${percentile(wall, 0.99).toFixed(0)} ms)`
  console.log(
    `  ${percentile(busyTimes.own, 0.99) > LIVE_P99_MS ? '!' : ' '} ${name} at once: /health/live ${said(busyTimes)}, ${LIVE_P99_MS} allowed; without them ${said(quiet)}; longest turn ${turn.ownMs.toFixed(1)} ms of its own, ${turn.cpuMs.toFixed(1)} computing`,
  )
  await new Promise((resolve) => setTimeout(resolve, 60_000))
  const after = (await product.loop()).rss
  const [idleMiB, busyMiB, afterMiB] = [idle, turn.rss, after].map((bytes) => Math.round(bytes / 1024 / 1024)) as [number, number, number]
  console.log(
    `  ${afterMiB - idleMiB > SPARE_MIB ? '!' : ' '} memory: ${idleMiB} MiB before, ${busyMiB} MiB at their end, ${afterMiB} MiB a minute later`,
  )
}

type LiveTimes = { wall: number[]; own: number[] }

/** Requests `/health/live` from a separate process while the work lasts. */
async function watchLive(product: Product, work: () => Promise<unknown>): Promise<LiveTimes> {
  const watcher = fork(join(fileURLToPath(new URL('.', import.meta.url)), 'live-watch.js'), [
    `${product.base}/health/live`,
    String(product.pid),
  ])
  await work()
  return new Promise((resolve, reject) => {
    watcher.once('message', (times) => resolve(times as LiveTimes))
    watcher.once('exit', (code) => reject(new Error(`the watcher ended with ${code}`)))
    watcher.send('stop')
  })
}
