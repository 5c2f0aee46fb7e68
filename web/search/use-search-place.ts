/** The screen's place, kept in its address: a link or a reload leads to it again, and typing never waits for the address. */
import { useEffect, useRef, useState } from 'react'
import { navigate, useSearch } from 'wouter/use-browser-location'
import { PATHS } from '#web/navigation.ts'
import { readPlace, writePlace } from './search-place.ts'
import type { SearchPlace } from './search-place.ts'

/** Browsers allow only so many changes of the address in a while. */
const ADDRESS_MS = 300

/** `start` stands for the address when something was handed over. */
export function useSearchPlace(start: (place: SearchPlace) => SearchPlace): [SearchPlace, (place: SearchPlace) => void] {
  const address = useSearch().replace(/^\?/, '')
  const [place, setPlace] = useState(() => start(readPlace(address)))
  /** The address as we know it; another one was written by a link or by the way back. */
  const known = useRef(address)
  const wanted = writePlace(place)

  useEffect(() => {
    if (address === known.current) return
    known.current = address
    setPlace(readPlace(address))
  }, [address])
  useEffect(() => {
    if (writePlace(readPlace(known.current)) === wanted) return
    const timer = setTimeout(() => {
      if (!window.location.pathname.startsWith(PATHS.search)) return
      known.current = wanted
      navigate(PATHS.search + (wanted === '' ? '' : `?${wanted}`), { replace: true, state: window.history.state as unknown })
    }, ADDRESS_MS)
    return () => clearTimeout(timer)
  }, [wanted])
  return [place, setPlace]
}
