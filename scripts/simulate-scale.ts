// Simulates what more workers gain in a wide crawl: fetches from many hosts with the real rules of politeness and the real order of hosts,
// in virtual time, with hosts divided among workers by name. Prints the table of docs/scaling.md.
//
//   node scripts/simulate-scale.ts [--hosts 100000] [--pages 1000000] [--workers 1,10,100,1000] [--rate 300] [--delay 0] [--width 4]
//
// `rate` is how many pages per second the processor of one worker can handle. An answer takes 100 to 1,000 ms; one host in ten has a
// pause of 1 s, one in a hundred for 10 s; host sizes follow a power law. The results are reproducible.
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createHeap } from '#backend/crawler/frontier/heap.ts'
import { createHostTurns } from '#backend/crawler/frontier/host-turns.ts'
import { afterAnswer, afterEnd, afterStart, hostOpenAt, mayAsk, newHostState } from '#backend/crawler/frontier/politeness.ts'
import type { HostLimits, HostState } from '#backend/crawler/frontier/politeness.ts'

type Scenario = { hosts: number; pages: number; workers: number; rate: number; limits: HostLimits; slots?: number }

/** Fetches at once per worker. */
const SLOTS = 512
/** The largest host's share of all pages. */
const LARGEST = 0.01

type Host = { name: string; state: HostState; left: number; inProgress: number; latencyMs: number; rank: number; seq: number }
type Answer = { at: number; host: Host; tookMs: number }

export type Outcome = {
  /** Virtual seconds until half of all pages were read. */
  half: number
  nine: number
  all: number
  /** Pages per second of all workers together, until half of all pages were read. */
  pagesPerSecond: number
  /** The used share of the workers' processor time, until half of all pages were read. */
  busy: number
  /** Pages of the largest host, and of the worker with the most pages. */
  largestHost: number
  largestWorker: number
  /** Pauses that were violated; must be 0. */
  tooEarly: number
}

/** Host sizes by a power law of their rank; at least one page each. */
export function sizesOf(hosts: number, pages: number): number[] {
  const weights = Array.from({ length: hosts }, (_, at) => 1 / (at + 1) ** 0.9)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => Math.max(1, Math.round(Math.min(LARGEST, weight / sum) * pages)))
}

/** Simulates each worker by itself: a host belongs to one of them, so they never wait for each other. */
export function simulate({ hosts, pages, workers, rate, limits, slots = SLOTS }: Scenario): Outcome {
  const random = randomOf(7)
  const shares: Host[][] = Array.from({ length: workers }, () => [])
  const sizes = sizesOf(hosts, pages)
  for (const [at, size] of sizes.entries()) {
    const name = `https://host-${at}.example:443`
    const state = newHostState(limits)
    const dice = random()
    if (dice < 0.11) state.crawlDelayMs = dice < 0.01 ? 10_000 : 1000
    shares[workerOf(name, workers)]!.push({ name, state, left: size, inProgress: 0, latencyMs: 100 + 900 * random(), rank: 0, seq: at })
  }
  const largestWorker = Math.max(...shares.map((share) => share.reduce((total, { left }) => total + left, 0)))
  const ends: number[] = []
  let tooEarly = 0
  for (const share of shares) tooEarly += work(share, { limits, rate, slots, random, ends })
  ends.sort((a, b) => a - b)
  const half = ends[Math.floor(ends.length / 2)]! / 1000
  return {
    half,
    nine: ends[Math.floor(ends.length * 0.9)]! / 1000,
    all: ends.at(-1)! / 1000,
    pagesPerSecond: ends.length / 2 / half,
    busy: ends.length / 2 / half / (rate * workers),
    largestHost: sizes[0]!,
    largestWorker,
    tooEarly,
  }
}

/** Simulates one worker until it has nothing left; adds the instant of each page to `ends`. Returns how many requests came too early. */
function work(
  hosts: Host[],
  { ends, limits, random, rate, slots }: { limits: HostLimits; rate: number; slots: number; random: () => number; ends: number[] },
): number {
  const turns = createHostTurns<Host>()
  const answers = createHeap<Answer>((one, other) => one.at < other.at)
  let now = 0
  let inProgress = 0
  /** When the processor is free again. */
  let freeAt = 0
  let tooEarly = 0
  for (const host of hosts) turns.setReady(host, keyOf(host))
  for (;;) {
    for (const host of turns.due(now)) turns.setReady(host, keyOf(host))
    while (inProgress < slots) {
      const host = turns.next()
      if (host === null) break
      if (mayAsk(host.state, limits, host.inProgress, now)) start(host)
      if (host.left > 0) place(host)
    }
    const answer = answers.peek()
    const next = Math.min(answer?.at ?? Infinity, inProgress < slots ? turns.opensAt() : Infinity)
    if (next === Infinity) return tooEarly
    now = Math.max(now, next)
    for (let ended = answers.peek(); ended !== undefined && ended.at <= now; ended = answers.peek()) {
      answers.pop()
      end(ended)
    }
  }

  function start(host: Host) {
    if (now < hostOpenAt(host.state)) tooEarly += 1
    host.state = afterStart(host.state, limits, now, random())
    host.inProgress += 1
    host.left -= 1
    host.rank += 1
    inProgress += 1
    const tookMs = host.latencyMs * (0.5 + random())
    answers.push({ at: now + tookMs, host, tookMs })
  }

  function end({ host, tookMs }: Answer) {
    host.inProgress -= 1
    inProgress -= 1
    host.state = afterEnd(afterAnswer(host.state, limits, { kind: 'good', firstByteMs: tookMs }, now), limits, now)
    freeAt = Math.max(freeAt, now) + 1000 / rate
    ends.push(freeAt)
    // Pages that wait for the processor occupy fetch slots, as in the engine.
    if (freeAt - now > 2000) now = freeAt - 2000
    if (host.left > 0) place(host)
  }

  function place(host: Host) {
    const openAt = hostOpenAt(host.state)
    if (openAt > now) turns.setLater(host, openAt)
    else if (mayAsk(host.state, limits, host.inProgress, now)) turns.setReady(host, keyOf(host))
    else turns.block(host)
  }
}

/** Breadth first: hosts with the fewest requests come first. */
const keyOf = ({ rank, seq }: Host) => ({ isRetry: false, rank, seq })

/** The worker of a host, by the hash of its key, so that every worker can compute it. */
export const workerOf = (hostKey: string, workers: number) => createHash('sha256').update(hostKey).digest().readUInt32BE(0) % workers

/** Reproducible random numbers (xorshift). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

if (import.meta.main && process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      hosts: { type: 'string', default: '100000' },
      pages: { type: 'string', default: '1000000' },
      workers: { type: 'string', default: '1,10,100,1000' },
      rate: { type: 'string', default: '300' },
      delay: { type: 'string', default: '0' },
      width: { type: 'string', default: '4' },
    },
  })
  const limits = { concurrency: Number(values.width), delayMs: Number(values.delay) }
  console.log('| workers | pages/s | processor used | half read | nine tenths | all | pages of the fullest worker |')
  console.log('| --- | --- | --- | --- | --- | --- | --- |')
  for (const workers of values.workers.split(',').map(Number)) {
    const outcome = simulate({ hosts: Number(values.hosts), pages: Number(values.pages), workers, rate: Number(values.rate), limits })
    if (outcome.tooEarly > 0) throw new Error(`${outcome.tooEarly} requests came too early`)
    const cells = [
      workers,
      Math.round(outcome.pagesPerSecond),
      `${Math.round(outcome.busy * 100)} %`,
      ...[outcome.half, outcome.nine, outcome.all].map((seconds) => `${Math.round(seconds)} s`),
      outcome.largestWorker,
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}
