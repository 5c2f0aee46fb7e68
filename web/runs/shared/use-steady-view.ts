/** Keeps the view still when a run ends and its higher form replaces the bar: scrolls by the difference in height. */
import { useLayoutEffect, useRef } from 'react'

/** @returns a ref for the element with the bar or the form */
export function useSteadyView(running: boolean) {
  const head = useRef<HTMLDivElement>(null)
  const height = useRef(0)
  const wasRunning = useRef(running)
  useLayoutEffect(() => {
    const element = head.current
    if (!element) return
    if (wasRunning.current && !running) window.scrollBy({ top: element.offsetHeight - height.current, behavior: 'instant' })
    wasRunning.current = running
  }, [running])
  useLayoutEffect(() => {
    const element = head.current
    if (!element) return
    const size = new ResizeObserver(() => (height.current = element.offsetHeight))
    size.observe(element)
    return () => size.disconnect()
  }, [])
  return head
}
