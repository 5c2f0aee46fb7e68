/** Starts the product with `loop-monitor.js`, and sends requests to it: for `npm run bench -- requests`. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fillPath } from '#contract/endpoint.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { START } from '../start-command.ts'
import { ADMIN } from './large-database.ts'
import { freePort } from './processes.ts'
import { textOf } from './worst-requests.ts'
import type { Asked } from './worst-requests.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The longest turn of the event loop: wall-clock time, computing time, and time without waiting for a processor. */
export type Turn = { heldMs: number; cpuMs: number; ownMs: number }

export type Product = Awaited<ReturnType<typeof startWatched>>

/** A request without an answer until then has failed. */
const ANSWER_MS = 60_000

/**
 * @param directory  its data folder
 * @param databaseUrl  of PostgreSQL; absent: the database in the folder
 * @param readMs  longer answers are not read to their end
 */
export async function startWatched(
  directory: string,
  { databaseUrl, readMs = Infinity }: { databaseUrl?: string | undefined; readMs?: number } = {},
) {
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
        ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
      },
    },
  )
  const base = `http://127.0.0.1:${port}`
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  for (let tries = 0; ; tries += 1) {
    try {
      if ((await fetch(`${base}/health/ready`)).ok) break
    } catch {
      // It is not listening yet.
    }
    if (tries > 600 || child.exitCode !== null) {
      child.kill('SIGKILL')
      throw new Error('the product did not start')
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  let from = 0
  let token = ''
  let tokenAt = -Infinity
  return { base, loop, open, pid: child.pid!, send, stop }

  function loop(): Promise<Turn & { rss: number }> {
    return new Promise((resolve) => {
      child.once('message', ({ loop: worst, rss }: { loop: Turn; rss: number }) => resolve({ ...worst, rss }))
      child.send('loop')
    })
  }

  /** Sends a request, and returns when the answer begins. */
  async function open(endpoint: EndpointSpec, { params = {}, query = {}, body, headers = {}, path }: Asked) {
    const isKnown = endpoint.access !== 'public' && endpoint.access !== 'signed'
    const target = path ?? `${fillPath(endpoint.path, params)}?${textOf(query)}`
    const bearer = isKnown ? await access() : null
    from += 1
    // The body may take longer.
    const answered = new AbortController()
    const late = setTimeout(() => answered.abort(), ANSWER_MS)
    return fetch(base + target, {
      signal: answered.signal,
      method: endpoint.method,
      headers: {
        // Each from an address of its own, because rate limits are not measured here.
        'x-forwarded-for': `2001:db8:${(from >> 8).toString(16)}:${(from & 255).toString(16)}::1`,
        ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      // Each stranger tries another account, so that no limit of an account keeps requests from the hasher.
      ...(body !== undefined && {
        body: (typeof body === 'string' ? body : JSON.stringify(body)).replace('stranger@', `stranger${from}@`),
      }),
    }).finally(() => clearTimeout(late))
  }

  /** Sends a request, and reads the answer; its status is 0 if there is none within a minute. */
  async function send(endpoint: EndpointSpec, asked: Asked) {
    const reply = await open(endpoint, asked).catch(() => null)
    if (reply === null) return { status: 0, bytes: 0, isCut: false, start: '' }
    let bytes = 0
    let start = ''
    let isCut = false
    const began = performance.now()
    if (reply.body)
      for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) {
        if (start === '') start = Buffer.from(chunk).toString()
        bytes += chunk.length
        isCut = performance.now() - began > readMs
        if (isCut) break
      }
    return { status: reply.status, bytes, isCut, start }
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
    await exited
    clearTimeout(force)
  }
}
