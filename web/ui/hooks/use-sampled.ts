import { useEffect, useRef, useState } from 'react'

/** Samples a frequently changing value once per interval. For live regions, because screen readers announce each change. */
export function useSampled<T>(value: T, everyMs: number): T {
  const [taken, setTaken] = useState(value)
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  useEffect(() => {
    const timer = setInterval(() => setTaken(latest.current), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return taken
}
