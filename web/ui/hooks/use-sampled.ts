import { useEffect, useEffectEvent, useState } from 'react'

/** Samples a frequently changing value once per interval. For live regions, because screen readers announce each change. */
export function useSampled<T>(value: T, everyMs: number): T {
  const [taken, setTaken] = useState(value)
  const take = useEffectEvent(() => setTaken(value))
  useEffect(() => {
    const timer = setInterval(() => take(), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return taken
}
