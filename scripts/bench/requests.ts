/**
 * Measures how long the most expensive requests block the API's event loop: every endpoint of both APIs with its worst allowed call,
 * over a database of 100,000 runs and a million URLs. An endpoint without a row in `worst-requests.ts` ends the script.
 *
 * `loop-monitor.js` watches the loop from inside. The result is the duration of a turn without waiting for a busy processor: on a busy
 * machine that wait is not ours. A request whose turns are not far below the limit is repeated, and the smallest of its longest turns
 * counts. Limits: 20 ms for a stranger, 50 ms with a key or token. A long answer is read for ten seconds, unless `--whole` is given: the
 * turns of an export of a million rows are alike, and all of it takes minutes on a busy machine.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { CROWDS, underLoad } from './crowds.ts'
import { ADMIN, SIZES, largeDatabase } from './large-database.ts'
import type { LargeDatabase } from './large-database.ts'
import { copyToPostgres } from './requests-postgres.ts'
import { startWatched } from './watched-product.ts'
import type { Product, Turn } from './watched-product.ts'
import { MEASURED, WORST, WORST_AT_THE_END, fullBodies, textOf, unmatched } from './worst-requests.ts'
import type { Asked, Context } from './worst-requests.ts'

const ROUNDS = 3
const BOUND_MS = { stranger: 20, known: 50 }
const MOST_DISK_MS = 10
const READ_MS = 10_000
/** A request that took longer is repeated only if its turn was over the limit. */
const SLOW_MS = 3000

/**
 * @param only      names of endpoints or crowds, or `deletions`; empty for all
 * @param postgres  over PostgreSQL instead of SQLite
 * @param whole     reads all answers to their end
 */
export async function requestsBench({ only, postgres, whole }: { only: string[]; postgres: boolean; whole: boolean }) {
  const { missing, strange } = unmatched()
  if (missing.length + strange.length > 0)
    throw new Error(`No worst request is known for ${missing.join(', ') || 'none'}; no endpoint is called ${strange.join(', ') || 'none'}.`)

  const seeding = performance.now()
  const { directory, ids } = await largeDatabase(installIn)
  console.log(`  database of ${SIZES.runs} runs and ${SIZES.urls} URLs: ${((performance.now() - seeding) / 1000).toFixed(0)} s`)
  const copy = mkdtempSync(join(tmpdir(), 'seine-bench-requests-run-'))
  cpSync(directory, copy, { recursive: true })
  const moved = postgres ? await copyToPostgres(copy) : null
  const product = await startWatched(copy, { databaseUrl: moved?.url, readMs: whole ? Infinity : READ_MS })
  const began = performance.now()
  try {
    const context = {
      ...ids,
      ...(await linksOf(product, ids)),
      webhook: await makeWebhook(product),
      team: await teamOf(product),
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
    console.log(`  ${rows.length} requests in ${((performance.now() - began) / 1000).toFixed(0)} s`)
    print(rows)
    for (const [name, crowd] of Object.entries(CROWDS))
      if (only.length === 0 || only.includes(name)) await underLoad(product, name, crowd(product, context))
    if (only.length === 0 || only.includes('deletions')) await deletions(product, context)
  } finally {
    await product.stop()
    await moved?.stop()
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Deletes the largest crawls and the team, and reports the longest turns until a while afterwards. */
async function deletions(product: Product, context: Context) {
  console.log('  deletions:')
  const rows: Row[] = []
  for (const [name, asked] of WORST_AT_THE_END)
    rows.push(await measure(product, name, MEASURED.get(name)!, asked(context), { rounds: 1, afterMs: 2000 }))
  print(rows)
}

type Row = {
  name: string
  who: keyof typeof BOUND_MS
  what: string
  status: number
  tookMs: number
  mib: number
  /** Not read to its end. */
  isCut: boolean
} & Turn

async function measure(
  product: Product,
  name: string,
  endpoint: EndpointSpec,
  asked: Asked,
  { afterMs = 30, rounds = ROUNDS } = {},
): Promise<Row> {
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
    isCut: false,
  }
  for (let round = 0; round < rounds; round += 1) {
    await product.loop()
    const started = performance.now()
    const { bytes, isCut, status } = await product.send(endpoint, asked)
    row.tookMs = Math.min(row.tookMs, performance.now() - started)
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    const turn = await product.loop()
    row.status = status
    row.heldMs = Math.min(row.heldMs, turn.heldMs)
    row.cpuMs = Math.min(row.cpuMs, turn.cpuMs)
    row.ownMs = Math.min(row.ownMs, turn.ownMs)
    row.mib = bytes / 1024 / 1024
    row.isCut = isCut
    if (judged(row) < BOUND_MS[who] / (row.tookMs > SLOW_MS ? 1 : 2)) break
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
  for (const { name, who, what, status, heldMs, cpuMs, isCut, ownMs, tookMs, mib } of rows.toSorted(
    (one, other) => other.ownMs - one.ownMs,
  ))
    console.log(
      `  ${judged({ cpuMs, ownMs }) > BOUND_MS[who] ? '!' : ' '} ${ownMs.toFixed(1).padStart(6)} ms of its own (${cpuMs.toFixed(1)} computing, ${heldMs.toFixed(0)} by the clock) ${tookMs.toFixed(0).padStart(6)} ms ${mib.toFixed(1).padStart(7)} MiB${isCut ? '…' : ' '} ${status} ${name} ${what}`,
    )
  const unanswered = rows.filter(({ status }) => status === 0)
  if (unanswered.length > 0) console.log(`  without an answer within a minute: ${unanswered.map(({ name }) => name).join(', ')}`)
  for (const who of ['stranger', 'known'] as const)
    console.log(
      `  ${who}: a turn of at most ${Math.max(0, ...rows.filter((row) => row.who === who).map(judged)).toFixed(1)} ms, ${BOUND_MS[who]} allowed`,
    )
}

async function installIn(directory: string): Promise<void> {
  const product = await startWatched(directory)
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
  return (JSON.parse(start) as { uuid: string }).uuid
}

async function teamOf(product: Product): Promise<string> {
  const { start } = await product.send(ENDPOINTS.get('currentTeam')!, {})
  return (JSON.parse(start) as { name: string }).name
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
