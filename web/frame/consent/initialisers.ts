/** The services that each category of cookies starts once the user has allowed it. */
import { basePath } from '#web/state/runtime-config.ts'
import type { CategoryId } from './consent.ts'

const ANALYTICS_SCRIPT = 'https://www.googletagmanager.com/gtag/js'

/** What the analytics service needs from the page. */
export type AnalyticsPage = {
  /** The queue that the script reads; created when missing. */
  queue: { dataLayer?: unknown[] }
  isHttps: boolean
  /** The path of its cookies, when it is not the whole host. */
  cookiePath?: string
  /** Loads a script from another host, after the page's own. */
  load: (url: string) => void
  now: () => Date
}

/**
 * Starts the services of the allowed categories, each once per page load. Analytics without an id starts nothing.
 *
 * The script's host shortens IP addresses, and its cookies are sent to no other site.
 */
export function createInitialisers(page: AnalyticsPage) {
  const started = new Set<CategoryId>()
  return function start(categories: readonly CategoryId[], analyticsId: string): void {
    for (const id of categories) {
      if (started.has(id) || (id === 'analytics' && analyticsId === '')) continue
      started.add(id)
      INITIALISERS[id]?.(page, analyticsId)
    }
  }
}

const INITIALISERS: Partial<Record<CategoryId, (page: AnalyticsPage, analyticsId: string) => void>> = {
  analytics(page, analyticsId) {
    const queue = (page.queue.dataLayer ??= [])
    // The script expects the arguments object of a call, not an array.
    function gtag(..._words: unknown[]): void {
      // oxlint-disable-next-line prefer-rest-params
      queue.push(arguments)
    }
    gtag('js', page.now())
    gtag('config', analyticsId, {
      anonymize_ip: true,
      cookie_flags: page.isHttps ? 'SameSite=Strict;Secure' : 'SameSite=Strict',
      ...(page.cookiePath && { cookie_path: page.cookiePath }),
    })
    page.load(`${ANALYTICS_SCRIPT}?id=${encodeURIComponent(analyticsId)}`)
  },
  // No marketing tool is in use: users are asked about the category, but it starts nothing yet.
  marketing: () => undefined,
}

/** Starts the services on this page. */
export const startCategories = createInitialisers({
  queue: globalThis as { dataLayer?: unknown[] },
  cookiePath: basePath,
  isHttps: globalThis.location?.protocol === 'https:',
  now: () => new Date(),
  load(url) {
    const script = document.createElement('script')
    script.async = true
    script.src = url
    document.head.append(script)
  },
})
