/** When a page has come to rest: nothing that makes its text is being loaded, and has not been for a moment. */
import type { Page, Request } from 'playwright-core'

/** Without a request for so long a page counts as settled. */
const QUIET_MS = 100
const LOOK_MS = 20
const MAKES_TEXT = new Set(['document', 'script', 'xhr', 'fetch', 'stylesheet'])

export function watchQuiet(page: Page) {
  const open = new Set<Request>()
  let lastAt = performance.now()
  page.on('request', (request) => {
    if (!MAKES_TEXT.has(request.resourceType())) return
    open.add(request)
    lastAt = performance.now()
  })
  const ended = (request: Request) => {
    if (open.delete(request)) lastAt = performance.now()
  }
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  return { settled }

  /** Resolves when the page is quiet, or after `mostMs`. */
  async function settled(mostMs: number): Promise<void> {
    const until = performance.now() + mostMs
    while (performance.now() < until && (open.size > 0 || performance.now() - lastAt < QUIET_MS))
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
