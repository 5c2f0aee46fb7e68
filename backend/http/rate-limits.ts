/** Rate limits: the port, and its in-memory adapter, a bounded table of windows for each limit. */
import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { AppError } from '#backend/errors.ts'

export type Limit = { calls: number; seconds: number }

/**
 * The limits of the sign-in endpoints. Login counts failures only: the count of a successful call is taken back. Limits count by address
 * and email against guessing; by email against guessing from many addresses (a wide limit, which does not count for an address that has
 * signed in to the account before, so that strangers cannot lock its owner out); by address against trying many accounts.
 */
export const SIGN_IN_LIMITS = {
  // Every call with a body to a public endpoint, counted before the body is read.
  bodyFromAddress: { calls: 1200, seconds: 60 },
  install: { calls: 100, seconds: 300 },
  loginOfEmailFromAddress: { calls: 10, seconds: 300 },
  loginOfEmail: { calls: 100, seconds: 900 },
  loginFromAddress: { calls: 100, seconds: 300 },
  token: { calls: 600, seconds: 60 },
  passwordChange: { calls: 20, seconds: 300 },
  // Each call costs a hash, and most send an unsolicited mail.
  registrationOfEmailFromNetwork: { calls: 10, seconds: 900 },
  registrationOfEmail: { calls: 100, seconds: 900 },
  registrationOfInvitation: { calls: 10, seconds: 900 },
  registrationFromAddress: { calls: 60, seconds: 900 },
  mailToEmail: { calls: 5, seconds: 900 },
  // For an address that has signed in to the account before, when strangers have used up the limit above.
  mailToEmailFromKnownAddress: { calls: 5, seconds: 900 },
  mailFromAddress: { calls: 60, seconds: 900 },
  // Tokens cannot be guessed; the limit keeps strangers from overloading the hasher and the providers.
  linkFromAddress: { calls: 120, seconds: 300 },
} as const satisfies Record<string, Limit>

/** Most windows per limit, about 4 MB when full. */
const MAX_WINDOWS = 20_000
/** Longer keys are stored as their hash, so that a full table has a known size. */
const MAX_KEY = 100

type Window = { used: number; endsAt: number }
/** The windows of one limit by usage: up to half, more, all. Each map has the least recently used first. */
type Table = readonly [Map<string, Window>, Map<string, Window>, Map<string, Window>]

/** One call under a limit; `parts` identify who is counted. */
export type Try = { name: string; limit: Limit; parts: readonly string[] }

/** Uncounts a call that was not a guess. */
export type GiveBack = () => void

/** Counting over several processes is asynchronous. */
export type RateLimits = {
  /** Counts one call. Throws `throttled` when its window is used up. */
  take(name: string, limit: Limit, ...parts: string[]): void | Promise<void>
  /** Counts one call under all of these limits, or throws `throttled` and counts it under none. */
  takeAll(tries: readonly Try[]): GiveBack | Promise<GiveBack>
}

/**
 * Each limit has a table of its own, so that calls under one cannot evict the callers of another.
 *
 * A refused call counts nowhere and leaves nothing behind. A full table evicts expired windows first, then the least used ones: a caller
 * who has used up a limit is forgotten last. Order the tries of a call by what a stranger cannot choose, the network address first.
 */
export function createRateLimits({ now, maxWindows = MAX_WINDOWS }: { now: () => number; maxWindows?: number }) {
  const tables = new Map<string, Table>()
  return { take, takeAll } satisfies RateLimits

  function take(name: string, limit: Limit, ...parts: string[]): void {
    takeAll([{ name, limit, parts }])
  }

  function takeAll(tries: readonly Try[]): GiveBack {
    const at = now()
    for (const { name, limit, parts } of tries) check(tableOf(name), limit, keyOf(parts), at)
    for (const { name, limit, parts } of tries) count(tableOf(name), limit, keyOf(parts), at)
    return () => tries.forEach(({ name, limit, parts }) => giveBack(name, limit, ...parts))
  }

  function giveBack(name: string, limit: Limit, ...parts: string[]): void {
    const [table, key] = [tableOf(name), keyOf(parts)]
    const window = remove(table, key)
    if (window && window.used > 1) place(table, limit, key, { ...window, used: window.used - 1 })
  }

  function tableOf(name: string): Table {
    const known = tables.get(name)
    if (known) return known
    const table: Table = [new Map(), new Map(), new Map()]
    tables.set(name, table)
    return table
  }

  function check(table: Table, { calls }: Limit, key: string, at: number): void {
    const window = find(table, key)
    if (window && window.endsAt > at && window.used >= calls) throw throttled(Math.ceil((window.endsAt - at) / 1000))
  }

  function count(table: Table, limit: Limit, key: string, at: number): void {
    const window = remove(table, key)
    if (window && window.endsAt > at) return place(table, limit, key, { ...window, used: window.used + 1 })
    if (table[0].size + table[1].size + table[2].size >= maxWindows) evict(table, at)
    place(table, limit, key, { used: 1, endsAt: at + limit.seconds * 1000 })
  }

  /** Checks only the least recently used window of each map, so that a full table is as fast as an empty one. */
  function evict(table: Table, at: number): void {
    const oldest = table.map((windows) => windows.entries().next().value)
    const expired = oldest.findIndex((entry) => entry !== undefined && entry[1].endsAt <= at)
    const rank = expired >= 0 ? expired : oldest.findIndex(Boolean)
    const key = oldest[rank]?.[0]
    if (key !== undefined) table[rank]?.delete(key)
  }
}

const find = (table: Table, key: string): Window | undefined => table[0].get(key) ?? table[1].get(key) ?? table[2].get(key)

function remove(table: Table, key: string): Window | undefined {
  const window = find(table, key)
  if (window) for (const windows of table) windows.delete(key)
  return window
}

const rankOf = (used: number, { calls }: Limit): 0 | 1 | 2 => (used >= calls ? 2 : used * 2 > calls ? 1 : 0)

function place(table: Table, limit: Limit, key: string, window: Window): void {
  table[rankOf(window.used, limit)].set(key, window)
}

/** How many addresses of one IPv6 network may each use their full limit. */
const NETWORK_SHARE = 16

/**
 * Tries for the caller's network address, and for IPv6 also for the /48 network, which is commonly given to one customer: it contains
 * 65,536 callers' addresses.
 */
export function addressTries(name: string, limit: Limit, ip: string): Try[] {
  const address = callerAddress(ip)
  const network = callerNetwork(ip)
  const tries: Try[] = [{ name, limit, parts: [address] }]
  if (network !== address) tries.push({ name: `${name}/48`, limit: { ...limit, calls: limit.calls * NETWORK_SHARE }, parts: [network] })
  return tries
}

/** The network of one customer: for IPv6 the first 48 bits, for IPv4 the address. */
export function callerNetwork(ip: string): string {
  const address = callerAddress(ip)
  return address.includes(':') ? address.split(':').slice(0, 3).join(':') : address
}

/** The address of one caller: for IPv6 the first 64 bits, because a network has all addresses below them. */
export function callerAddress(ip: string): string {
  if (!isIPv6(ip)) return ip
  const mapped = /^::ffff:([0-9.]+)$/i.exec(ip)?.[1]
  if (mapped) return mapped
  const [head = '', tail] = (ip.split('%')[0] ?? '').split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail === undefined ? [] : tail.split(':').filter(Boolean)
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** The caller on the network level: their address, and their customer's network. */
export type Caller = { address: string; network: string }

export const callerOf = (ip: string): Caller => ({ address: callerAddress(ip), network: callerNetwork(ip) })

/** The key of a window, in few bytes. */
export function keyOf(parts: readonly string[]): string {
  const key = parts.length === 1 ? (parts[0] ?? '') : JSON.stringify(parts)
  return key.length <= MAX_KEY ? key : createHash('sha256').update(key).digest('base64url')
}

export const throttled = (seconds: number) =>
  new AppError('throttled', {
    message: `Request was throttled. Expected available in ${seconds} second${seconds === 1 ? '' : 's'}.`,
    retryAfterSeconds: seconds,
  })
