/**
 * Scrolls at once, and again whenever the page has grown, until the reader scrolls or presses a key.
 *
 * @param scroll  scrolls; `stop` ends the repetition
 * @param forMs   how long it is repeated at most
 * @returns       ends the repetition
 */
export function repeatUntilScrolled(scroll: (stop: () => void) => void, forMs: number): () => void {
  const stopping = new AbortController()
  const { signal } = stopping
  const stop = () => stopping.abort()
  const growth = new ResizeObserver(() => scroll(stop))
  const timer = setTimeout(stop, forMs)
  signal.addEventListener('abort', () => {
    growth.disconnect()
    clearTimeout(timer)
  })
  for (const event of ['wheel', 'touchstart', 'keydown', 'pointerdown']) window.addEventListener(event, stop, { passive: true, signal })
  growth.observe(document.body)
  scroll(stop)
  return stop
}
