/** A lock between the tabs of one browser, so that only one of them does a piece of work, such as refreshing the token. */
import { browserStorage } from './browser-storage.ts'
import type { KeyStorage } from './browser-storage.ts'
import { ownName } from './runtime-config.ts'

export type TabLock = <T>(work: () => Promise<T>) => Promise<T>

/** Lease timeout, so that a closed tab cannot block the others. */
const LEASE_MS = 10_000
/** How long a claim must stay in the storage before it counts: another tab may have written its own at the same moment. */
const SETTLE_MS = 40

type Needs = {
  /** Web Locks; browsers only have them on https and localhost. */
  locks: Pick<LockManager, 'request'> | undefined
  storage: KeyStorage
  now: () => number
  newId: () => string
  wait: (ms: number) => Promise<void>
}

/**
 * A lock under a name, respected by all tabs of the browser.
 *
 * Without Web Locks, or where the browser refuses them, it uses a lease in the storage: a tab writes its lease, reads the storage again after `SETTLE_MS`, and holds the lock
 * if its lease is still there. Two tabs can still hold the lock at once, so the protected code must be safe to run twice.
 */
export function createTabLock(name: string, { locks, storage, now, newId, wait }: Needs): TabLock {
  return async (work) => {
    if (!locks) return underLease(work)
    let isHolder = false
    try {
      const done = await locks.request(name, async () => {
        isHolder = true
        return { result: await work() }
      })
      return done.result
    } catch (cause) {
      if (isHolder) throw cause
      // Firefox refuses locks where it refuses storage.
      return underLease(work)
    }
  }

  async function underLease<T>(work: () => Promise<T>): Promise<T> {
    const holder = newId()
    do {
      while (isHeld()) await wait(SETTLE_MS)
      storage.setItem(name, `${holder} ${now() + LEASE_MS}`)
      await wait(SETTLE_MS)
    } while (holderOf() !== holder)
    try {
      return await work()
    } finally {
      if (holderOf() === holder) storage.removeItem(name)
    }
  }

  function isHeld(): boolean {
    const until = Number(storage.getItem(name)?.split(' ')[1] ?? Number.NaN)
    // A lease further in the future was written before the clock was set back: ignore it, or it would block all tabs.
    return until > now() && until <= now() + LEASE_MS
  }

  function holderOf(): string | undefined {
    return storage.getItem(name)?.split(' ')[0]
  }
}

/** The page's own lock of this name. */
export const tabLock = (name: string): TabLock =>
  createTabLock(ownName(name), {
    locks: typeof navigator === 'undefined' ? undefined : navigator.locks,
    storage: browserStorage(),
    now: () => Date.now(),
    newId: () => Math.random().toString(36).slice(2),
    wait: (ms) => new Promise((done) => setTimeout(done, ms)),
  })
