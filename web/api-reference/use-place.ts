/** Which part of a long page one is reading, told by the address: it follows as one scrolls, and leads there when one comes with it. */
import { useEffect, useState } from 'react'

/** The band below what sticks to the top, in which the part lies that one reads. */
const BAND = '-140px 0px -55% 0px'
/** After a jump the page is where it was asked to be, also where the part is too near the end to reach the band. */
const AFTER_JUMP_MS = 600
/** What is near the place has come by then. */
const HOLD_MS = 3000
/** Browsers limit how often an address may change. */
const REST_MS = 250

/**
 * @param ids  of the parts, from top to bottom; each is the id of an element
 * @returns    the one that is being read
 */
export function usePlace(ids: readonly string[]): string {
  const [place, setPlace] = useState(() => placeInAddress(ids) ?? ids[0] ?? '')
  const all = ids.join(' ')

  useEffect(() => {
    const wanted = placeInAddress(all.split(' '))
    // The page's own memory of where one was takes its turn first.
    let release: (() => void) | undefined
    const frame = requestAnimationFrame(() => (release = wanted === undefined ? undefined : holdInSight(wanted)))
    return () => {
      cancelAnimationFrame(frame)
      release?.()
    }
    // Once, as one arrives: later on it is the search that changes the parts.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  useEffect(() => {
    const order = all.split(' ')
    const inBand = new Set<string>()
    let quietUntil = performance.now() + AFTER_JUMP_MS
    const watch = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) inBand[isIntersecting ? 'add' : 'delete'](target.id)
        const first = order.find((id) => inBand.has(id))
        if (first !== undefined && performance.now() > quietUntil) setPlace(first)
      },
      { rootMargin: BAND },
    )
    for (const id of order) {
      const element = document.getElementById(id)
      if (element) watch.observe(element)
    }
    let release: (() => void) | undefined
    const jump = () => {
      const wanted = placeInAddress(order)
      if (wanted === undefined) return
      release?.()
      release = holdInSight(wanted)
      quietUntil = performance.now() + AFTER_JUMP_MS
      setPlace(wanted)
    }
    window.addEventListener('hashchange', jump)
    return () => {
      watch.disconnect()
      window.removeEventListener('hashchange', jump)
      release?.()
    }
  }, [all])

  useEffect(() => {
    const timer = setTimeout(() => {
      const hash = place === all.split(' ')[0] ? '' : `#${place}`
      if (window.location.hash !== hash)
        window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search + hash)
    }, REST_MS)
    return () => clearTimeout(timer)
  }, [place, all])

  return place
}

/** Scrolls there, and again as what is above comes to its height, until the reader scrolls. */
function holdInSight(id: string): () => void {
  const stop = new AbortController()
  const scroll = () => document.getElementById(id)?.scrollIntoView({ behavior: 'instant' })
  const growth = new ResizeObserver(scroll)
  const timer = setTimeout(() => stop.abort(), HOLD_MS)
  stop.signal.addEventListener('abort', () => {
    growth.disconnect()
    clearTimeout(timer)
  })
  for (const event of ['wheel', 'touchstart', 'keydown', 'pointerdown'])
    window.addEventListener(event, () => stop.abort(), { passive: true, signal: stop.signal })
  growth.observe(document.body)
  scroll()
  return () => stop.abort()
}

function placeInAddress(ids: readonly string[]): string | undefined {
  const wanted = window.location.hash.slice(1)
  return ids.find((id) => id === wanted)
}
