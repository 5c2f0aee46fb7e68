/** The screen's place, kept in its address: a link or a reload leads to it again, and typing never waits for the address. */
import { useEffect, useRef, useState } from 'react'
import type { Dispatch, SetStateAction } from 'react'
import { navigate, useSearch } from 'wouter/use-browser-location'
import { PATHS } from '#web/navigation.ts'
import { readPlace, writePlace } from './search-place.ts'
import type { SearchPlace } from './search-place.ts'

/** Browsers allow only so many changes of the address in a while. */
const ADDRESS_MS = 300

export type UsedPlace = {
  place: SearchPlace
  setPlace: Dispatch<SetStateAction<SearchPlace>>
  /** Another number for each run that a link or the browser led to. */
  visit: number
}

/** `start` stands for the address when something was handed over. */
export function useSearchPlace(start: (place: SearchPlace) => SearchPlace): UsedPlace {
  const address = useSearch().replace(/^\?/, '')
  const [place, setPlace] = useState(() => start(readPlace(address)))
  const [visit, setVisit] = useState(0)
  /** The address as we know it; another one was written by a link or by the way back. */
  const known = useRef(address)
  const wanted = writePlace(place)

  useEffect(() => {
    if (address === known.current) return
    const led = readPlace(address)
    if (led.run !== readPlace(known.current).run) setVisit((number) => number + 1)
    known.current = address
    setPlace(led)
  }, [address])
  useEffect(() => {
    const before = readPlace(known.current)
    if (writePlace(before) === wanted) return
    // A run that was just started must be in the address before anything leads away from it.
    const delayMs = readPlace(wanted).run === before.run ? ADDRESS_MS : 0
    const timer = setTimeout(() => {
      if (!window.location.pathname.startsWith(PATHS.search)) return
      known.current = wanted
      navigate(PATHS.search + (wanted === '' ? '' : `?${wanted}`), { replace: true, state: window.history.state as unknown })
    }, delayMs)
    return () => clearTimeout(timer)
  }, [wanted])
  return { place, setPlace, visit }
}
