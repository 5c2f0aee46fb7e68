/** When a page has come to rest: nothing that makes its text is being loaded, and has not been for a moment. */
import type { Page, Request } from 'playwright-core'

/** A page counts as settled after so many milliseconds without a request, when its scripts are idle as well. */
const QUIET_MS = 60
const MAKES_TEXT = new Set(['document', 'script', 'xhr', 'fetch', 'stylesheet'])

/** Watches the requests of a page from now on. `requests` counts those that make its text. */
export function watchQuiet(page: Pick<Page, 'on'>) {
  const open = new Set<Request>()
  let begun = 0
  let lastAt = performance.now()
  /** Told when a request begins or ends. */
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
   * Resolves when the page is quiet, or after `mostMs`.
   *
   * @param scriptsRest  resolves when the page's scripts have nothing to do at this moment; a page that begins a request meanwhile is not quiet
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

  /** Resolves when no request is open and none has been for a moment, or at `until`. */
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
