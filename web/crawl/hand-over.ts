/** "Try in playground": a crawl's own form, carried to the crawl screen by the navigation itself, and taken once. */
import { navigate } from 'wouter/use-browser-location'
import { pathTo } from '#web/navigation.ts'
import { formOf } from './crawl-form.ts'
import type { CrawlForm } from './crawl-form.ts'

export function handOver(crawl: Parameters<typeof formOf>[0]): void {
  navigate(pathTo('crawl'), { state: { crawlForm: formOf(crawl) } })
}

/** The form that was handed over, if any. A reload or a later visit no longer finds it. */
export function takeHandOver(): CrawlForm | null {
  const state: unknown = window.history.state
  if (typeof state !== 'object' || state === null || !('crawlForm' in state)) return null
  const { crawlForm, ...rest } = state as { crawlForm: CrawlForm }
  window.history.replaceState(rest, '')
  return crawlForm
}
