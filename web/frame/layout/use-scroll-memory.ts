/**
 * Where one was on a page, for the way back. A new place begins at its top; back, forward and reload lead to where one had scrolled to.
 *
 * The browser's own memory acts before the screen is drawn, when there is nothing to scroll yet. So each entry of the history gets
 * a name, its place is noted as one scrolls, and it is taken up again as soon as the page has grown long enough.
 */
import { useEffect, useState } from 'react'
import type { RefObject } from 'react'
import { ownName } from '#web/state/runtime-config.ts'
import { notePlace, readPlaces, writePlaces } from './scroll-places.ts'
import type { Places } from './scroll-places.ts'

const STORAGE_KEY = 'scroll_places'
/** A page that has not grown by then has become shorter. */
const GIVE_UP_MS = 5000

/**
 * @param location  path of the page; a change of it is a navigation, a change of the query or hash is not
 * @param content   takes the focus after a navigation, so that a screen reader begins there
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

  /** Scrolls a screen that has just been drawn: an entry of the history that has a place was there before. Gives back how to stop trying. */
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
    // Another entry of the same screen; when the screen changes too, it has not been drawn yet, and what is scrolled belongs to the old one.
    const onSameScreen = (name?: string) => {
      if (window.location.pathname === shown) entry = entryName(name)
    }
    window.history.scrollRestoration = 'manual'
    on('scroll', () => notePlace(places, entry, window.scrollY))
    on('popstate', () => onSameScreen())
    on('pushState', () => onSameScreen())
    // A replaced entry is the same place: it keeps its name.
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

/** The name of the history's entry one is at; without one it gets `name`, or a new one. */
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
    return new Map() // refused: then every page begins at its top
  }
}

function store(places: ReadonlyMap<string, number>): void {
  try {
    window.sessionStorage.setItem(ownName(STORAGE_KEY), writePlaces(places))
  } catch {
    // A full or refused storage costs only the memory of a reload.
  }
}

/** Scrolls there at once or as soon as the page is long enough, unless the reader scrolls. */
function scrollWhenPossible(y: number): () => void {
  const stop = new AbortController()
  const attempt = () => {
    window.scrollTo(0, y)
    // A field that took the focus as the screen was drawn is in sight, also in a window so low that it stands further down.
    if (y === 0 && document.activeElement instanceof HTMLInputElement) document.activeElement.scrollIntoView({ block: 'nearest' })
    if (window.scrollY >= y - 1) stop.abort()
  }
  const growth = new ResizeObserver(attempt)
  const timer = setTimeout(() => stop.abort(), GIVE_UP_MS)
  stop.signal.addEventListener('abort', () => {
    growth.disconnect()
    clearTimeout(timer)
  })
  for (const event of ['wheel', 'touchstart', 'keydown', 'pointerdown'])
    window.addEventListener(event, () => stop.abort(), { passive: true, signal: stop.signal })
  growth.observe(document.body)
  attempt()
  return () => stop.abort()
}
