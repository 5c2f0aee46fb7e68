/**
 * Remembers scroll positions. A new place begins at its top; back, forward and reload restore the position.
 *
 * The browser restores it before the screen is rendered, when there is nothing to scroll yet. So each history entry gets a name, its
 * position is stored on scrolling, and it is restored as soon as the page is long enough.
 */
import { useEffect, useState } from 'react'
import type { RefObject } from 'react'
import { ownName } from '#web/state/runtime-config.ts'
import { repeatUntilScrolled } from '#web/ui/hooks/repeat-until-scrolled.ts'
import { notePlace, readPlaces, writePlaces } from './scroll-places.ts'
import type { Places } from './scroll-places.ts'

const STORAGE_KEY = 'scroll_places'
/** How long to wait until the page is long enough for the stored position; it may have become shorter. */
const GIVE_UP_MS = 5000

/**
 * @param location  path of the page; a changed path is a navigation, a changed query or hash is not
 * @param content   gets the focus after a navigation, so that a screen reader begins there
 */
export function useScrollMemory(location: string, content: RefObject<HTMLElement | null>): void {
  const [memory] = useState(createScrollMemory)
  useEffect(() => memory.watch(), [memory])
  useEffect(() => memory.arrive(location, () => content.current?.focus({ preventScroll: true })), [memory, location, content])
}

function createScrollMemory() {
  const places = storedPlaces()
  let entry = entryName()
  /** The path whose screen is shown; null before the first. */
  let shown: string | null = null
  return { arrive, watch }

  /** Scrolls a screen that was just rendered: an entry with a stored position was visited before. Returns a function that stops trying. */
  function arrive(location: string, focus: () => void): (() => void) | undefined {
    if (location === shown) return undefined
    if (shown !== null) focus()
    shown = location
    entry = entryName()
    return scrollWhenPossible(places.get(entry) ?? 0)
  }

  function watch(): () => void {
    const stop = new AbortController()
    const { signal } = stop
    const on = (event: string, listener: () => void) => window.addEventListener(event, listener, { passive: true, signal })
    // Changes the entry if the screen stays the same. If it changes, `arrive` does so: until then the old screen is shown and scrolled.
    const onSameScreen = (name?: string) => {
      if (window.location.pathname === shown) entry = entryName(name)
    }
    window.history.scrollRestoration = 'manual'
    on('scroll', () => notePlace(places, entry, window.scrollY))
    on('popstate', () => onSameScreen())
    on('pushState', () => onSameScreen())
    // Replacing an entry's state drops its name: give it the same one again.
    on('replaceState', () => onSameScreen(entry))
    on('pagehide', () => store(places))
    return () => {
      stop.abort()
      store(places)
      shown = null
      window.history.scrollRestoration = 'auto'
    }
  }
}

/** The name of the current history entry; an unnamed one gets `name`, or a new name. */
function entryName(name = crypto.getRandomValues(new Uint32Array(2)).join('-')): string {
  const state = window.history.state as { entry?: string } | null
  if (state?.entry !== undefined) return state.entry
  window.history.replaceState({ ...state, entry: name }, '')
  return name
}

function storedPlaces(): Places {
  try {
    return readPlaces(window.sessionStorage.getItem(ownName(STORAGE_KEY)))
  } catch {
    return new Map() // the browser refuses storage: every page then begins at its top
  }
}

function store(places: ReadonlyMap<string, number>): void {
  try {
    window.sessionStorage.setItem(ownName(STORAGE_KEY), writePlaces(places))
  } catch {
    // Without storage, positions are lost only on a reload.
  }
}

/** Scrolls at once or as soon as the page is long enough, unless the reader scrolls. */
const scrollWhenPossible = (y: number): (() => void) =>
  repeatUntilScrolled((stop) => {
    window.scrollTo(0, y)
    // A field that took the focus on mount may be out of view in a low window.
    if (y === 0 && document.activeElement instanceof HTMLInputElement) document.activeElement.scrollIntoView({ block: 'nearest' })
    if (window.scrollY >= y - 1) stop()
  }, GIVE_UP_MS)
