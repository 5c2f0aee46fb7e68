/** Tells when a page has settled: no request that contributes to its text is open, and none has been for a moment. */
import type { Page, Request } from 'playwright-core'

/** A page has settled after so many milliseconds without a request, if its scripts are idle as well. */
const QUIET_MS = 60
const MAKES_TEXT = new Set(['document', 'script', 'xhr', 'fetch', 'stylesheet'])

/** Watches the requests of a page from now on. `requests` counts those that contribute to its text. */
export function watchQuiet(page: Pick<Page, 'on'>) {
  const open = new Set<Request>()
  let begun = 0
  let lastAt = performance.now()
  /** Called when a request begins or ends. */
  let changed: () => void = () => undefined
  page.on('request', (request) => {
    if (!MAKES_TEXT.has(request.resourceType())) return
    open.add(request)
    begun += 1
    note()
  })
  const ended = (request: Request) => {
    if (open.delete(request)) note()
  }
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  return { requests: () => begun, settled }

  function note() {
    lastAt = performance.now()
    changed()
  }

  /**
   * Resolves when the page has settled, or after `mostMs`.
   *
   * @param scriptsRest  resolves when the page's scripts are idle; if a request starts meanwhile, the page has not settled
   */
  async function settled(mostMs: number, scriptsRest: () => Promise<unknown> = async () => undefined): Promise<void> {
    const until = performance.now() + mostMs
    for (;;) {
      await noRequest(until)
      const at = lastAt
      if (performance.now() >= until) return
      await scriptsRest()
      if (at === lastAt) return
    }
  }

  /** Resolves when no request has been open for a moment, or at `until`. */
  function noRequest(until: number): Promise<void> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined
      changed = look
      look()

      function look() {
        clearTimeout(timer)
        const now = performance.now()
        const quietAt = open.size > 0 ? Infinity : lastAt + QUIET_MS
        const next = Math.min(quietAt, until)
        if (now < next) {
          timer = setTimeout(look, next - now)
          return
        }
        changed = () => undefined
        resolve()
      }
    })
  }
}
