/** Helpers of the benchmarks: starts child processes on a core of their own, and measures their CPU time and memory. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { START } from '../start-command.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Clock ticks per second in /proc, the same on every Linux that Node supports. */
const TICKS = 100

export type Running = { child: ChildProcess; stop(): Promise<void> }

/** Starts a Node program; on Linux with two cores or more, on the given core. */
export function startNode(
  file: string,
  args: string[],
  { core, env = {}, flags = [] }: { core: number | null; env?: Record<string, string>; flags?: string[] },
): Running {
  const command = [process.execPath, ...flags, join(ROOT, file), ...args]
  const pinned = core !== null && existsSync('/usr/bin/taskset') && availableParallelism() > 1
  const [program, ...rest] = pinned ? ['/usr/bin/taskset', '-c', String(core), ...command] : command
  const child = spawn(program!, rest, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env }, detached: true })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    child,
    async stop() {
      child.kill('SIGTERM')
      const force = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), 15_000)
      await gone
      clearTimeout(force)
    },
  }
}

/** Resolves with the first line of output that `wanted` accepts. */
export function firstLine({ child }: Running, wanted: (line: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout!.setEncoding('utf8')
    child.stdout!.on('data', (chunk: string) => {
      text += chunk
      const found = text.split('\n').find(wanted)
      if (found !== undefined) resolve(found)
      text = text.slice(text.lastIndexOf('\n') + 1)
    })
    child.once('exit', (code) => reject(new Error(`ended with ${code} before it was ready`)))
  })
}

/** CPU seconds and memory (proportional set size, MiB) of a child's whole process group. */
export function costOf(child: ChildProcess): { cpuSeconds: number; mebibytes: number } {
  let ticks = 0
  let mebibytes = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (Number(fields[2]) !== child.pid) continue
      ticks += Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14])
      mebibytes += memoryOf(pid)
    } catch {
      // It ended during the measurement.
    }
  }
  return { cpuSeconds: ticks / TICKS, mebibytes }
}

/** CPU seconds of a process and all its descendants, including those that have ended. */
export function cpuSecondsOfTree(pid: number): number {
  const ticks = treeOf(pid).map((each) =>
    statOf(each)
      .slice(11, 15)
      .reduce((sum, field) => sum + Number(field), 0),
  )
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS
}

/** Proportional set size of a process and all its descendants, in MiB. */
export function memoryOfTree(pid: number): number {
  let mebibytes = 0
  for (const each of treeOf(pid)) {
    try {
      mebibytes += memoryOf(each)
    } catch {
      // It ended during the measurement.
    }
  }
  return mebibytes
}

/** A process and its descendants. */
function treeOf(pid: number): number[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
  const parents = new Map(all.map((each) => [each, Number(statOf(each)[1])]))
  return all.filter((each) => {
    let at: number | undefined = each
    while (at !== undefined && at !== pid && at > 1) at = parents.get(at)
    return at === pid
  })
}

/** The fields of `/proc/PID/stat` after the name; empty for a process that has just ended. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

/** Proportional set size of one process in MiB. */
export function memoryOf(pid: number | string): number {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024
}

export async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

export type Site = Running & {
  url: string
  port: number
  manifest(): Promise<string[]>
  stats(): Promise<Record<string, number>>
  reset(): Promise<void>
}

/** The synthetic site; the head of its file lists its options. */
export async function startSite(options: Record<string, string | number>, core: number | null): Promise<Site> {
  const port = await freePort()
  const running = startNode(
    'tests/support/sites/synthetic-site.mjs',
    Object.entries({ ...options, port }).flatMap(([name, value]) => [`--${name}`, String(value)]),
    { core },
  )
  await firstLine(running, (line) => line.includes('"ready"'))
  const base = `http://127.0.0.1:${port}`
  return {
    ...running,
    url: `${base}/`,
    port,
    manifest: async () => (await (await fetch(`${base}/manifest.txt`)).text()).trim().split('\n'),
    stats: async () => (await (await fetch(`${base}/stats.json`)).json()) as Record<string, number>,
    reset: async () => void (await fetch(`${base}/reset`)),
  }
}

type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>
export type Product = Process & {
  call: Call
  /** The same team's API at another process on the same database. */
  callAt(base: string): Call
  key: string
  /** Creates a second team; returns the API for its member. */
  otherTeam(name: string): Promise<{ call: Call }>
}

export type Process = Running & { base: string }

/** The product as `npm start` runs it, in a folder of its own; it may crawl the site's address. */
export async function startProcess(sitePort: number, core: number | null, env: Record<string, string> = {}): Promise<Process> {
  const directory = mkdtempSync(join(tmpdir(), 'seine-bench-'))
  const port = await freePort()
  const running = startNode(START.file, [], {
    core,
    flags: START.flags,
    env: {
      DATA_DIR: directory,
      PORT: String(port),
      EGRESS_ALLOW: `127.0.0.0/8:${sitePort}`,
      CRAWL_HOST_CONCURRENCY: '32',
      CRAWL_CONCURRENCY: '32',
      LOG_LEVEL: 'warn',
      ...env,
    },
  })
  await firstLine(running, (line) => line.includes('ready'))
  return {
    ...running,
    base: `http://127.0.0.1:${port}`,
    async stop() {
      await running.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** A process of the product, installed. */
export async function startProduct(sitePort: number, core: number | null, env: Record<string, string> = {}): Promise<Product> {
  const running = await startProcess(sitePort, core, env)
  const { base } = running
  const admin = { email: 'bench@example.org', password: 'Correct-Horse-7!' }
  const callAt = async <T>(at: string, method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> => {
    const answer = await fetch(at + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 300)}`)
    return (text === '' ? null : JSON.parse(text)) as T
  }
  const call = <T>(method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    callAt<T>(base, method, path, body, headers)
  await call('POST', '/api/v1/user/install/', admin)
  const { access } = await call<{ access: string }>('POST', '/api/v1/user/auth/login/', admin)
  const keys = await call<{ results: { key: string }[] }>('GET', '/api/v1/user/api-keys/', undefined, { authorization: `Bearer ${access}` })
  const key = keys.results[0]!.key
  return {
    ...running,
    key,
    call: (method, path, body) => call(method, path, body, { 'x-api-key': key }),
    callAt: (at) => (method, path, body) => callAt(at, method, path, body, { 'x-api-key': key }),
    async otherTeam(name) {
      const authorization = `Bearer ${access}`
      const { uuid } = await call<{ uuid: string }>('POST', '/api/v1/user/teams/', { name }, { authorization })
      return { call: (method, path, body) => call(method, path, body, { authorization, 'x-team-id': uuid }) }
    },
  }
}

export const median = (values: number[]) => percentile(values, 0.5)

export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
