/** Renders pages for a task in the browser, in turn with the pages of crawls, and parses them like fetched ones. */
import { canonicalUrlWithTracking, hostKey } from '#backend/crawler/url/canonical-url.ts'
import { fetchedFrom } from '#backend/crawler/crawl/render-queue.ts'
import type { RenderQueue } from '#backend/crawler/crawl/render-queue.ts'
import type { FetchOutcome } from '#backend/crawler/fetch/fetcher.ts'
import type { Proxy } from '#backend/crawler/fetch/proxy.ts'
import type { Hosts } from '#backend/crawler/frontier/hosts.ts'
import type { PageAnswer, TaskContext } from './task.ts'

const MOST_HOSTS = 5

/**
 * @param headersFor  the task's own headers by host key
 * @param read        parses a rendered page
 * @param signal      aborts with the task
 */
export function createRenderPage(needs: {
  headersFor: (hostKey: string) => Record<string, string>
  hosts: Pick<Hosts, 'get' | 'hop'>
  maxBytes: number
  proxy: Proxy | null
  queue: Pick<RenderQueue, 'request'>
  read: (outcome: FetchOutcome) => Promise<PageAnswer>
  share: string
  signal: AbortSignal
}): NonNullable<TaskContext['renderPage']> {
  const { headersFor, hosts, maxBytes, proxy, queue, read, share } = needs
  return async (start, { locale, signal: given, timeoutMs }) => {
    const signal = given === undefined ? needs.signal : AbortSignal.any([needs.signal, given])
    const hops: string[] = []
    let url = canonicalUrlWithTracking(start)
    // A redirect to another host waits for a turn there.
    for (let asked = 0; url !== null && asked < MOST_HOSTS && !signal.aborted; asked += 1) {
      const key = hostKey(url)
      const host = hosts.get(key)
      const job = {
        url,
        locale,
        headers: headersFor(key),
        proxy,
        timeoutMs,
        waitMs: 0,
        consentSelector: null,
        actions: [],
        viewport: 'desktop' as const,
        // Only the text is read.
        blocks: ['images' as const, 'media' as const, 'fonts' as const],
        maxBytes,
      }
      const outcome = await queue.request(share, host, job, {
        signal,
        beforeHop: async () => ((await hosts.hop(host, signal)) ? 'go' : 'canceled'),
      })
      if (outcome.kind === 'rendered') {
        const fetched = fetchedFrom(outcome)
        return read({ ...fetched, hops: [...hops, ...fetched.hops] })
      }
      if (outcome.kind === 'failure' && outcome.reason !== 'render_failed')
        return { outcome: { ...outcome, reason: outcome.reason }, page: null }
      if (outcome.kind !== 'redirected') return null
      hops.push(...outcome.hops)
      url = canonicalUrlWithTracking(outcome.to)
    }
    return null
  }
}
