/** Keeps the URL's fragment in step with the section of a long page that the user reads, and scrolls to that section on arrival. */
import { useEffect, useState } from 'react'
import { repeatUntilScrolled } from '#web/ui/hooks/repeat-until-scrolled.ts'

/** The area below the sticky header; the first section in it is the current one. */
const BAND = '-140px 0px -55% 0px'
/** How long the target of a jump counts as current, even if it is too near the end of the page to reach that area. */
const AFTER_JUMP_MS = 600
/** How long a jump keeps its target in view; everything near it has been rendered by then. */
const HOLD_MS = 3000
/** Browsers limit how often the URL may change. */
const REST_MS = 250

/**
 * @param ids  element ids of the sections, from top to bottom
 * @returns    the id of the section that the user reads
 */
export function usePlace(ids: readonly string[]): string {
  const [place, setPlace] = useState(() => placeInHash(ids) ?? ids[0] ?? '')
  const all = ids.join(' ')

  useEffect(() => {
    const wanted = placeInHash(all.split(' '))
    // Wait until the layout has restored its scroll position.
    let release: (() => void) | undefined
    const frame = requestAnimationFrame(() => (release = wanted === undefined ? undefined : keepInView(wanted)))
    return () => {
      cancelAnimationFrame(frame)
      release?.()
    }
    // Only on arrival: `ids` also changes when the user searches.
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
      const wanted = placeInHash(order)
      if (wanted === undefined) return
      release?.()
      release = keepInView(wanted)
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

/** Scrolls to a section, and again while content above it changes its height, until the user scrolls. */
const keepInView = (id: string): (() => void) =>
  repeatUntilScrolled(() => document.getElementById(id)?.scrollIntoView({ behavior: 'instant' }), HOLD_MS)

function placeInHash(ids: readonly string[]): string | undefined {
  const wanted = window.location.hash.slice(1)
  return ids.find((id) => id === wanted)
}
