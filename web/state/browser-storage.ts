import { basePath, ownName } from './runtime-config.ts'

/** The part of local storage that we use. */
export type KeyStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Local storage, and memory for what the browser refuses to store: everything in some private windows, new values in a full storage. */
export function browserStorage(): KeyStorage {
  try {
    if (typeof window !== 'undefined') {
      window.localStorage.getItem('')
      const storage = withMemory(window.localStorage)
      return basePath === '' ? storage : ownPart(storage)
    }
  } catch {
    // Access is refused with an exception; the page works without storage.
  }
  return memory()
}

function memory(): KeyStorage {
  const kept = new Map<string, string>()
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
}

/** A value that could not be stored is this page's own, until another tab stores one. */
function withMemory(storage: Storage): KeyStorage {
  const unstored = memory()
  window.addEventListener('storage', ({ key, storageArea }) => {
    if (storageArea === storage && key !== null) unstored.removeItem(key)
  })
  return {
    getItem: (key) => unstored.getItem(key) ?? storage.getItem(key),
    setItem(key, value) {
      try {
        storage.setItem(key, value)
        unstored.removeItem(key)
      } catch (cause) {
        console.warn(`could not store ${key}`, cause)
        unstored.setItem(key, value)
      }
    },
    removeItem(key) {
      unstored.removeItem(key)
      storage.removeItem(key)
    },
  }
}

/** This installation's keys, in a storage that it shares with others on the same host. */
const ownPart = (storage: KeyStorage): KeyStorage => ({
  getItem: (key) => storage.getItem(ownName(key)),
  setItem: (key, value) => storage.setItem(ownName(key), value),
  removeItem: (key) => storage.removeItem(ownName(key)),
})

/** Writes a value, or removes it when it is null. A refusal is logged, not thrown. */
export function keep(storage: KeyStorage, key: string, value: string | null): void {
  try {
    if (value === null) storage.removeItem(key)
    else storage.setItem(key, value)
  } catch (cause) {
    console.warn(`could not store ${key}`, cause)
  }
}

/** Calls back when another tab changes the value of a key. */
export function onStoredElsewhere(key: string, changed: (value: string | null) => void): void {
  if (typeof window === 'undefined') return
  window.addEventListener('storage', (event) => {
    if (event.storageArea === window.localStorage && (event.key === ownName(key) || event.key === null))
      changed(event.key === null ? null : event.newValue)
  })
}

/**
 * Calls back when the page is restored from the back/forward cache: it has missed the storage events of other tabs.
 *
 * @returns stops that
 */
export function onRestored(act: () => void): () => void {
  if (typeof window === 'undefined') return () => undefined
  const shown = ({ persisted }: PageTransitionEvent) => {
    if (persisted) act()
  }
  window.addEventListener('pageshow', shown)
  return () => window.removeEventListener('pageshow', shown)
}
