/** How often a thing may be tried, kept in memory: windows by key, the oldest forgotten first. */
import { isIPv6 } from 'node:net'
import { AppError } from '#backend/errors.ts'

export type Limit = { calls: number; seconds: number }

/**
 * The limits of the sign-in endpoints. Login counts failures only: what succeeds is given back.
 * By address and e-mail against guessing, by e-mail against guessing from many addresses (wide, so that a stranger cannot easily
 * shut somebody out), by address against trying many accounts.
 */
export const SIGN_IN_LIMITS = {
  // Every call with a body where anybody may call, counted before the body is read.
  bodyFromAddress: { calls: 1200, seconds: 60 },
  install: { calls: 100, seconds: 300 },
  loginOfEmailFromAddress: { calls: 10, seconds: 300 },
  loginOfEmail: { calls: 100, seconds: 900 },
  loginFromAddress: { calls: 100, seconds: 300 },
  token: { calls: 600, seconds: 60 },
  passwordChange: { calls: 20, seconds: 300 },
  // Each of these costs a hash, and most a mail to somebody who may not have asked for it.
  registrationOfEmail: { calls: 10, seconds: 900 },
  registrationFromAddress: { calls: 60, seconds: 900 },
  mailToEmail: { calls: 5, seconds: 900 },
  mailFromAddress: { calls: 60, seconds: 900 },
  // Tokens cannot be guessed; the limit keeps the hasher and the providers from being worked by strangers.
  linkFromAddress: { calls: 120, seconds: 300 },
} as const satisfies Record<string, Limit>

/** More keys than this are not remembered: a crowd of addresses must not fill the memory. */
const MAX_WINDOWS = 50_000

type Window = { used: number; endsAt: number }

export function createRateLimits({ now, maxWindows = MAX_WINDOWS }: { now: () => number; maxWindows?: number }) {
  const windows = new Map<string, Window>()
  return { take, giveBack }

  /** Counts one try under a key. Throws `throttled` when its window is used up; the refused try does not count. */
  function take(name: string, { calls, seconds }: Limit, ...parts: string[]): void {
    const key = keyOf(name, parts)
    const at = now()
    const window = windows.get(key)
    if (!window || window.endsAt <= at) {
      windows.delete(key)
      windows.set(key, { used: 1, endsAt: at + seconds * 1000 })
      forget(at)
      return
    }
    if (window.used >= calls) throw throttled(Math.ceil((window.endsAt - at) / 1000))
    window.used += 1
  }

  /** Takes a try back that turned out to be no guess. */
  function giveBack(name: string, ...parts: string[]): void {
    const window = windows.get(keyOf(name, parts))
    if (window && window.used > 0) window.used -= 1
  }

  function forget(at: number) {
    if (windows.size <= maxWindows) return
    for (const [key, { endsAt }] of windows) if (endsAt <= at) windows.delete(key)
    for (const key of windows.keys()) {
      if (windows.size <= maxWindows) return
      windows.delete(key)
    }
  }
}

export type RateLimits = ReturnType<typeof createRateLimits>

/** The part of an address that one caller has: of IPv6 the first 64 bits, since whoever has one of them has them all. */
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

const keyOf = (name: string, parts: readonly string[]) => JSON.stringify([name, ...parts])

const throttled = (seconds: number) =>
  new AppError('throttled', {
    message: `Request was throttled. Expected available in ${seconds} second${seconds === 1 ? '' : 's'}.`,
    retryAfterSeconds: seconds,
  })
