/** Keeps the screen's state in the URL, for links and reloads. The URL follows with a delay, so that typing never waits for it. */
import { useEffect, useRef, useState } from 'react'
import type { Dispatch, SetStateAction } from 'react'
import { navigate, useSearch } from 'wouter/use-browser-location'
import { PATHS } from '#web/navigation.ts'
import { readPlace, writePlace } from './search-place.ts'
import type { SearchPlace } from './search-place.ts'

/** Browsers limit how often the URL may change. */
const URL_MS = 300

export type UsedPlace = {
  place: SearchPlace
  setPlace: Dispatch<SetStateAction<SearchPlace>>
  /** Counts the runs that a link or the browser's history has led to. */
  visit: number
}

/** @param start  gets the state from the URL and returns the initial one, which may come from another screen */
export function useSearchPlace(start: (place: SearchPlace) => SearchPlace): UsedPlace {
  const inUrl = useSearch().replace(/^\?/, '')
  const [place, setPlace] = useState(() => start(readPlace(inUrl)))
  const [visit, setVisit] = useState(0)
  /** The last URL that we wrote or read; a different one comes from a link or from the history. */
  const known = useRef(inUrl)
  const wanted = writePlace(place)

  useEffect(() => {
    if (inUrl === known.current) return
    const led = readPlace(inUrl)
    if (led.run !== readPlace(known.current).run) setVisit((number) => number + 1)
    known.current = inUrl
    setPlace(led)
  }, [inUrl])
  useEffect(() => {
    const before = readPlace(known.current)
    if (writePlace(before) === wanted) return
    // Write a run that was just started at once: it must be in the URL before the user can leave the screen.
    const delayMs = readPlace(wanted).run === before.run ? URL_MS : 0
    const timer = setTimeout(() => {
      if (!window.location.pathname.startsWith(PATHS.search)) return
      known.current = wanted
      navigate(PATHS.search + (wanted === '' ? '' : `?${wanted}`), { replace: true, state: window.history.state as unknown })
    }, delayMs)
    return () => clearTimeout(timer)
  }, [wanted])
  return { place, setPlace, visit }
}
