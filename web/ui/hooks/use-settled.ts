import { useEffect, useState } from 'react'

/** A value that changes often, once it has rested: what one types, when one pauses. */
export function useSettled<T>(value: T, restMs: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    if (Object.is(settled, value)) return undefined
    const timer = setTimeout(() => setSettled(value), restMs)
    return () => clearTimeout(timer)
  }, [settled, value, restMs])
  return settled
}
