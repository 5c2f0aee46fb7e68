/**
 * Measures how long the most expensive requests block the API's event loop: every endpoint of both APIs with its worst allowed call,
 * over a database of 100,000 runs and a million URLs. An endpoint without a row in `worst-requests.ts` ends the script.
 *
 * `loop-monitor.js` watches the loop from inside. The result is the duration of a turn without waiting for a busy processor: on a busy
 * machine that wait is not ours. Each request is made several times, and the smallest of its longest turns counts. Limits: 20 ms for a
 * stranger, 50 ms with a key or token.
 */
import { fork, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fillPath } from '#contract/endpoint.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { bodySizeOf } from '#contract/sizes.ts'
import { START } from '../start-command.ts'
import { ADMIN, SIZES, largeDatabase } from './large-database.ts'
import type { LargeDatabase } from './large-database.ts'
import { freePort, percentile } from './processes.ts'
import { MEASURED, WORST, textOf, unmatched } from './worst-requests.ts'
import type { Asked, Context } from './worst-requests.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const ROUNDS = 3
const BOUND_MS = { stranger: 20, known: 50 }
const STRANGERS = 20
const LIVE_P99_MS = 200
const MOST_DISK_MS = 10
const SPARE_MIB = 50

/** Bodies of the right type that are as expensive to parse as their size allows: many values, or one long text. */
function fullBodies(endpoint: EndpointSpec): string[] {
  const { bytes, values } = bodySizeOf(endpoint as Parameters<typeof bodySizeOf>[0])
  const many = `{"z":[${'{},'.repeat(Math.max(1, Math.min(values - 4, Math.floor((bytes - 20) / 3))))}{}]}`
  const long = `{"z":"${'\\u0061'.repeat(Math.floor((bytes - 20) / 6))}"}`
  return [many, long]
}

/** @param only  names of endpoints; empty for all */
export async function requestsBench({ only }: { only: string[] }) {
  const { missing, strange } = unmatched()
  if (missing.length + strange.length > 0)
    throw new Error(`No worst request is known for ${missing.join(', ') || 'none'}; no endpoint is called ${strange.join(', ') || 'none'}.`)

  const seeding = performance.now()
  const { directory, ids } = await largeDatabase(installIn)
  console.log(`  database of ${SIZES.runs} runs and ${SIZES.urls} URLs: ${((performance.now() - seeding) / 1000).toFixed(0)} s`)
  const copy = mkdtempSync(join(tmpdir(), 'seine-bench-requests-run-'))
  cpSync(directory, copy, { recursive: true })
  const product = await start(copy)
  try {
    const context = {
      ...ids,
      ...(await linksOf(product, ids)),
      webhook: await makeWebhook(product),
      nowhere: '01910000-0000-7000-8000-000000000000',
    }
    const rows: Row[] = []
    for (const [name, endpoint] of MEASURED) {
      if (only.length > 0 && !only.includes(name)) continue
      const asked = [
        ...WORST[name]!(context),
        ...(endpoint.body === undefined ? [] : fullBodies(endpoint).map((body): Asked => ({ ...WORST[name]!(context)[0], body }))),
      ]
      for (const request of asked) rows.push(await measure(product, name, endpoint, request))
    }
    print(rows)
    if (only.length === 0 || only.includes('strangers')) await strangers(product, context)
  } finally {
    await product.stop()
    rmSync(copy, { recursive: true, force: true })
  }
}

/** The longest turn of the event loop: wall-clock time, computing time, and time without waiting for a processor. */
type Turn = { heldMs: number; cpuMs: number; ownMs: number }

type Row = {
  name: string
  who: keyof typeof BOUND_MS
  what: string
  status: number
  tookMs: number
  mib: number
} & Turn

async function measure(product: Product, name: string, endpoint: EndpointSpec, asked: Asked): Promise<Row> {
  const who = endpoint.access === 'public' || endpoint.access === 'signed' ? 'stranger' : 'known'
  const row: Row = {
    name,
    who,
    what: describe(asked),
    status: 0,
    heldMs: Infinity,
    cpuMs: Infinity,
    ownMs: Infinity,
    tookMs: Infinity,
    mib: 0,
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    await product.loop()
    const started = performance.now()
    const { status, bytes } = await product.send(endpoint, asked)
    row.tookMs = Math.min(row.tookMs, performance.now() - started)
    await new Promise((resolve) => setTimeout(resolve, 30))
    const turn = await product.loop()
    row.status = status
    row.heldMs = Math.min(row.heldMs, turn.heldMs)
    row.cpuMs = Math.min(row.cpuMs, turn.cpuMs)
    row.ownMs = Math.min(row.ownMs, turn.ownMs)
    row.mib = bytes / 1024 / 1024
    // Slow requests need no precise measurement.
    if (row.tookMs > 5000) break
  }
  return row
}

function describe({ query = {}, params = {}, body, path }: Asked): string {
  const parts = [path?.split('?')[0]?.split('/').slice(-2).join('/'), textOf(query)]
  const text =
    body === undefined
      ? ''
      : typeof body === 'string'
        ? `body of ${body.length}: ${body.slice(0, 12)}`
        : `body of ${JSON.stringify(body).length}`
  return [...parts, text, Object.values(params)[0]?.slice(0, 8)].filter(Boolean).join(' ').slice(0, 90)
}

/**
 * The duration of a turn that counts: includes waiting for the disk, up to `MOST_DISK_MS`. A longer wait could be for a GC thread of V8
 * without a processor, which takes a hundred milliseconds on a busy machine.
 */
const judged = ({ cpuMs, ownMs }: Pick<Turn, 'cpuMs' | 'ownMs'>) => Math.min(ownMs, cpuMs + MOST_DISK_MS)

function print(rows: Row[]) {
  for (const { name, who, what, status, heldMs, cpuMs, ownMs, tookMs, mib } of rows.toSorted((one, other) => other.ownMs - one.ownMs))
    console.log(
      `  ${judged({ cpuMs, ownMs }) > BOUND_MS[who] ? '!' : ' '} ${ownMs.toFixed(1).padStart(6)} ms of its own (${cpuMs.toFixed(1)} computing, ${heldMs.toFixed(0)} by the clock) ${tookMs.toFixed(0).padStart(6)} ms ${mib.toFixed(1).padStart(7)} MiB  ${status} ${name} ${what}`,
    )
  for (const who of ['stranger', 'known'] as const)
    console.log(
      `  ${who}: a turn of at most ${Math.max(0, ...rows.filter((row) => row.who === who).map(judged)).toFixed(1)} ms, ${BOUND_MS[who]} allowed`,
    )
}

/** Twenty concurrent strangers send the most expensive requests. Reports whether the server answers meanwhile, and whether it releases the memory. */
async function strangers(product: Product, context: Context) {
  await new Promise((resolve) => setTimeout(resolve, 25_000))
  const idle = (await product.loop()).rss
  const open = [...ENDPOINTS].filter(([, { access }]) => access === 'public')
  const requests = open.flatMap(([name, endpoint]) => {
    const plain = WORST[name]!(context)
    const full = endpoint.body === undefined ? [] : fullBodies(endpoint).map((body): Asked => ({ ...plain[0], body }))
    return [...plain, ...full].map((asked) => ({ endpoint, asked }))
  })
  // The machine's own delays, without load.
  const quiet = await watchLive(product, () => new Promise((resolve) => setTimeout(resolve, 5000)))
  await product.loop()
  const busyTimes = await watchLive(product, async () => {
    const until = performance.now() + 10_000
    await Promise.all(
      Array.from({ length: STRANGERS }, async (_, at) => {
        for (let n = at; performance.now() < until; n += STRANGERS + 1)
          await product.send(requests[n % requests.length]!.endpoint, requests[n % requests.length]!.asked)
      }),
    )
  })
  const turn = await product.loop()
  const said = ({ wall, own }: LiveTimes) =>
    `p50 ${percentile(own, 0.5).toFixed(0)} ms, p99 ${percentile(own, 0.99).toFixed(0)} ms (by the clock ${percentile(wall, 0.5).toFixed(0)} and ${percentile(wall, 0.99).toFixed(0)} ms)`
  console.log(
    `  ${percentile(busyTimes.own, 0.99) > LIVE_P99_MS ? '!' : ' '} ${STRANGERS} strangers at once: /health/live ${said(busyTimes)}, ${LIVE_P99_MS} allowed; without them ${said(quiet)}; longest turn ${turn.ownMs.toFixed(1)} ms of its own, ${turn.cpuMs.toFixed(1)} computing`,
  )
  const busy = (await product.loop()).rss
  await new Promise((resolve) => setTimeout(resolve, 60_000))
  const after = (await product.loop()).rss
  const [idleMiB, busyMiB, afterMiB] = [idle, busy, after].map((bytes) => Math.round(bytes / 1024 / 1024)) as [number, number, number]
  console.log(
    `  ${afterMiB - idleMiB > SPARE_MIB ? '!' : ' '} memory: ${idleMiB} MiB before, ${busyMiB} MiB at their end, ${afterMiB} MiB a minute later`,
  )
}

type LiveTimes = { wall: number[]; own: number[] }

/** Requests `/health/live` from a separate process while the work lasts. */
async function watchLive(product: Product, work: () => Promise<unknown>): Promise<LiveTimes> {
  const watcher = fork(join(ROOT, 'scripts/bench/live-watch.js'), [`${product.base}/health/live`, String(product.pid)])
  await work()
  return new Promise((resolve, reject) => {
    watcher.once('message', (times) => resolve(times as LiveTimes))
    watcher.once('exit', (code) => reject(new Error(`the watcher ended with ${code}`)))
    watcher.send('stop')
  })
}

type Product = Awaited<ReturnType<typeof start>>

async function start(directory: string) {
  const port = await freePort()
  const child: ChildProcess = spawn(
    process.execPath,
    [...START.flags, '--import', join(ROOT, 'scripts/bench/loop-monitor.js'), START.file],
    {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {
        ...process.env,
        DATA_DIR: directory,
        PORT: String(port),
        LOG_LEVEL: 'fatal',
        ENTERPRISE_MODE: 'true',
        TRUST_PROXY: '1',
        EGRESS_ALLOW: '127.0.0.0/8',
        STRIPE_WEBHOOK_SECRET: 'whsec_bench',
      },
    },
  )
  const base = `http://127.0.0.1:${port}`
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  for (let tries = 0; ; tries += 1) {
    try {
      if ((await fetch(`${base}/health/ready`)).ok) break
    } catch {
      // It is not listening yet.
    }
    if (tries > 600 || child.exitCode !== null) throw new Error('the product did not start')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  let from = 0
  let token = ''
  let tokenAt = -Infinity
  return { base, loop, pid: child.pid!, send, stop }

  function loop(): Promise<Turn & { rss: number }> {
    return new Promise((resolve) => {
      child.once('message', ({ loop: worst, rss }: { loop: Turn; rss: number }) => resolve({ ...worst, rss }))
      child.send('loop')
    })
  }

  async function send(endpoint: EndpointSpec, { params = {}, query = {}, body, headers = {}, path }: Asked) {
    const isKnown = endpoint.access !== 'public' && endpoint.access !== 'signed'
    const target = path ?? `${fillPath(endpoint.path, params)}?${textOf(query)}`
    from += 1
    const reply = await fetch(base + target, {
      method: endpoint.method,
      headers: {
        // Each from an address of its own, because rate limits are not measured here.
        'x-forwarded-for': `2001:db8:${(from >> 8).toString(16)}:${(from & 255).toString(16)}::1`,
        ...(isKnown && { authorization: `Bearer ${await access()}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      // Each stranger tries another account, so that no limit of an account keeps requests from the hasher.
      ...(body !== undefined && {
        body: (typeof body === 'string' ? body : JSON.stringify(body)).replace('stranger@', `stranger${from}@`),
      }),
    })
    let bytes = 0
    let start = ''
    if (reply.body)
      for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) {
        if (start === '') start = Buffer.from(chunk).toString()
        bytes += chunk.length
      }
    return { status: reply.status, bytes, start }
  }

  async function access(): Promise<string> {
    if (performance.now() - tokenAt < 200_000) return token
    const reply = await fetch(`${base}/api/v1/user/auth/login/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ADMIN),
    })
    token = ((await reply.json()) as { access: string }).access
    tokenAt = performance.now()
    return token
  }

  async function stop() {
    child.kill('SIGTERM')
    const force = setTimeout(() => child.kill('SIGKILL'), 15_000)
    await gone
    clearTimeout(force)
  }
}

async function installIn(directory: string): Promise<void> {
  const product = await start(directory)
  const reply = await fetch(`${product.base}/api/v1/user/install/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  })
  if (!reply.ok) throw new Error(`not installed: ${reply.status}`)
  // The first call creates the team.
  await product.send(ENDPOINTS.get('currentTeam')!, {})
  await product.stop()
}

/** @returns  the id of a webhook that gets no events */
async function makeWebhook(product: Product): Promise<string> {
  const body = { name: 'bench', url: 'http://127.0.0.1:9/hook', events: ['credits.low'] }
  const { status, start } = await product.send(ENDPOINTS.get('createWebhook')!, { body })
  if (status >= 300) throw new Error(`no webhook: ${status} ${start}`)
  return (JSON.parse(start) as { id: string }).id
}

/** Signed links, as the API gives them. */
async function linksOf(product: Product, ids: LargeDatabase['ids']): Promise<Pick<Context, 'links'>> {
  const read = async (path: string) => {
    const login = await fetch(`${product.base}/api/v1/user/auth/login/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ADMIN),
    })
    const { access } = (await login.json()) as { access: string }
    const reply = await fetch(product.base + path, { headers: { authorization: `Bearer ${access}` } })
    return (await reply.json()) as { sitemap: string; result: string }
  }
  const local = (link: string) => link.slice(link.indexOf('/api/'))
  const crawls = '/api/v1/core/crawl-requests/'
  return {
    links: {
      crawl: local((await read(`${crawls}${ids.bigCrawl}/`)).sitemap),
      result: local((await read(`${crawls}${ids.bigCrawl}/results/${ids.page}/`)).result),
      sitemap: local((await read(`/api/v1/core/sitemaps/${ids.bigSitemap}/`)).result),
      search: local((await read(`/api/v1/core/search/${ids.search}/`)).result),
    },
  }
}
