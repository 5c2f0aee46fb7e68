import { useEffect, useState } from 'react'

/** A frequently changing value, once it has not changed for a while: typed text when typing pauses. */
export function useSettled<T>(value: T, restMs: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    if (Object.is(settled, value)) return undefined
    const timer = setTimeout(() => setSettled(value), restMs)
    return () => clearTimeout(timer)
  }, [settled, value, restMs])
  return settled
}
