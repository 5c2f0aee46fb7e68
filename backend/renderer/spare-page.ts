/**
 * Keeps an empty page open in advance, so that the next page need not wait for its context.
 *
 * There is at most one, and only while consecutive pages have the same settings; it is closed after a second without use.
 */
import type { Browser } from 'playwright-core'
import type { OpenPage, PageSettings } from './open-page.ts'

const UNUSED_MS = 1000

type Spare = { browser: Browser; key: string; opening: Promise<OpenPage>; timer: NodeJS.Timeout }

export type SparePage = ReturnType<typeof createSparePage>

/** @param open  opens an empty page */
export function createSparePage(open: (browser: Browser, settings: PageSettings) => Promise<OpenPage>) {
  let spare: Spare | null = null
  let last = { key: '', at: -Infinity }
  return { take, prepare, drop }

  /** The spare page if it fits, else a new one. Rejects when none can be opened. */
  async function take(browser: Browser, settings: PageSettings): Promise<OpenPage> {
    const ready = spare
    if (ready === null || ready.browser !== browser || ready.key !== keyOf(settings)) return open(browser, settings)
    spare = null
    clearTimeout(ready.timer)
    try {
      const page = await ready.opening
      if (!page.page.isClosed()) return page
      void page.close()
    } catch {
      // opening a new one will show the reason
    }
    return open(browser, settings)
  }

  /** Opens a spare page if the previous page had the same settings a moment ago. */
  function prepare(browser: Browser, settings: PageSettings) {
    const key = keyOf(settings)
    const at = performance.now()
    const follows = last.key === key && at - last.at < UNUSED_MS
    last = { key, at }
    if (!follows || (spare?.browser === browser && spare.key === key)) return
    drop()
    const opening = open(browser, settings)
    opening.catch(() => undefined)
    spare = { browser, key, opening, timer: setTimeout(drop, UNUSED_MS).unref() }
  }

  function drop() {
    if (spare === null) return
    clearTimeout(spare.timer)
    void spare.opening.then((page) => page.close()).catch(() => undefined)
    spare = null
  }
}

const keyOf = ({ locale, maxBytes, proxy, viewport }: PageSettings) => JSON.stringify([locale, maxBytes, proxy, viewport])
