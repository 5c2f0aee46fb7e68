/** Processes of the product in their roles, and the invariants of a crawl that they run. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import * as assert from 'uvu/assert'
import { install, login } from '#contract/accounts.ts'
import { createApiKey, currentTeam } from '#contract/teams.ts'

export const OWNER = { email: 'ana@example.org', password: 'Correct-Horse-7!' }
export const CRAWLS = '/api/v1/core/crawl-requests/'
const OUTPUT_MS = 60_000
const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Ends all remaining groups when this process ends. */
const killRunning = new Set<() => void>()
process.once('exit', () => killRunning.forEach((kill) => kill()))

export type Started = Awaited<ReturnType<typeof startProcess>>
export type Headers = Record<string, string>

/** Starts a process group; `kill` ends all of it at once. `args` are of Node; `said` gets its lines. */
export async function startProcess(args: readonly string[], environment: Record<string, string>, said: string[] = []) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  createInterface({ input: child.stderr }).on('line', (line) => void said.push(line))
  const exited = once(child, 'exit')
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(-child.pid!, name)
    } catch {
      // All of its processes have ended.
    }
  }
  const killAll = () => signal('SIGKILL')
  killRunning.add(killAll)
  const url = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`it was not ready in time: ${said.join('\n')}`)), OUTPUT_MS)
    void exited.then(() => reject(new Error(`it ended: ${said.join('\n')}`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      said.push(line)
      const at = / is ready: (\S+)$/.exec(line)?.[1]
      if (at === undefined) return
      clearTimeout(late)
      resolve(at)
    })
  }).catch((fault: unknown) => {
    killAll()
    throw fault
  })
  const end = async (name: NodeJS.Signals) => {
    signal(name)
    const late = setTimeout(killAll, OUTPUT_MS)
    const [code] = (await exited) as [number | null]
    clearTimeout(late)
    killAll()
    killRunning.delete(killAll)
    return code
  }
  return { url, said, signal, kill: () => end('SIGKILL'), close: () => end('SIGTERM') }
}

/**
 * One URL for several servers, like the name of a service in a network of containers: connections go to them in turn, and skip
 * those that refuse.
 */
export async function startName(targets: () => readonly { url: string }[]) {
  const open = new Set<Socket>()
  let next = 0
  const server = createServer((caller) => {
    open.add(caller.on('error', () => undefined).on('close', () => open.delete(caller)))
    const turns = targets()
    next += 1
    dial(caller, [...turns.slice(next % turns.length), ...turns.slice(0, next % turns.length)])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      for (const socket of open) socket.destroy()
      return new Promise((resolve) => server.close(resolve))
    },
  }

  function dial(caller: Socket, turns: readonly { url: string }[]): void {
    const [first, ...rest] = turns
    if (first === undefined) return void caller.destroy()
    const target = connect(Number(new URL(first.url).port), '127.0.0.1')
    const giveWay = () => dial(caller, rest)
    target.once('error', giveWay)
    target.once('connect', () => {
      target.off('error', giveWay)
      target.on('error', () => caller.destroy())
      caller.on('error', () => target.destroy()).on('close', () => target.destroy())
      target.on('close', () => caller.destroy())
      caller.pipe(target).pipe(caller)
    })
  }
}

/** Sends a request, with `body` as JSON, and returns the parsed answer. */
export async function ask(
  base: string,
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Headers } = {},
): Promise<{ status: number; body: Record<string, never> & Record<string, unknown> }> {
  const reply = await fetch(base + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  })
  return { status: reply.status, body: (await reply.json().catch(() => null)) as Record<string, never> & Record<string, unknown> }
}

/** Installs the product and returns the headers of a team's key. */
export async function keyOf(base: string): Promise<Headers> {
  await ask(base, 'POST', install.path, { body: OWNER })
  const { access } = (await ask(base, 'POST', login.path, { body: OWNER })).body
  const authorization = `Bearer ${String(access)}`
  const team = (await ask(base, 'GET', currentTeam.path, { headers: { authorization } })).body
  const headers = { authorization, 'x-team-id': String(team['uuid']) }
  const { key } = (await ask(base, 'POST', createApiKey.path, { headers, body: { name: 'test' } })).body
  return { 'x-api-key': String(key) }
}

/** Returns the id of the crawl. */
export async function crawl(base: string, key: Headers, url: string, options: object = {}): Promise<string> {
  const reply = await ask(base, 'POST', CRAWLS, {
    headers: key,
    body: { url, options: { spider_options: { page_limit: 1000, max_depth: 100 }, page_options: {}, ...options } },
  })
  assert.is(reply.status, 201, JSON.stringify(reply.body))
  return String(reply.body['uuid'])
}

export const statusOf = async (base: string, key: Headers, id: string): Promise<unknown> =>
  (await ask(base, 'GET', `${CRAWLS}${id}/`, { headers: key }).catch(() => null))?.body?.['status']

export const isFinished = (base: string, key: Headers, id: string) => async (): Promise<boolean> =>
  (await statusOf(base, key, id)) === 'finished'

/** Runs one query on a connection of its own. */
export async function rowsOf<Row extends object>(databaseUrl: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** Invariants of a crawl of `pages` pages: each is stored once with its body; counters match the rows; credits match the pages. */
export async function checkRun(databaseUrl: string, id: string, pages: number): Promise<void> {
  const [row] = await rowsOf<Record<string, string>>(
    databaseUrl,
    `SELECT kept, known, settled, (SELECT count(*) FROM page WHERE run_no = run.no) AS pages,
      (SELECT count(DISTINCT url) FROM page WHERE run_no = run.no) AS urls,
      (SELECT count(*) FROM page JOIN page_body ON page_no = page.no WHERE run_no = run.no) AS bodies,
      (SELECT used FROM credit_entry WHERE run_no = run.no) AS used,
      (SELECT count(*) FROM job WHERE key LIKE 'run:' || run.no || ':%') AS jobs
      FROM run WHERE id = $1`,
    [id],
  )
  const { known, settled, ...counts } = row!
  const expected = String(pages)
  assert.equal(counts, { kept: expected, pages: expected, urls: expected, bodies: expected, used: expected, jobs: '0' })
  assert.is(settled, known)
}
