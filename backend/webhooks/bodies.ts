/** The bodies of events: `{type, timestamp, data}`, as Standard Webhooks recommends. */
import type { WebhookEvent } from '#contract/webhooks.ts'
import { instant, instantOrNull } from '#backend/http/instants.ts'

/** A run in its events. */
export type RunFacts = {
  id: string
  kind: string
  variant: string
  status: string
  reason: string | null
  label: string
  kept: number
  failed: number
  /** The schedule that started it. */
  scheduleId: string | null
  createdAt: number
  startedAt: number | null
  endedAt: number | null
}

/** A stored page, without its content. */
export type PageFacts = {
  id: string
  url: string
  title: string | null
  httpStatus: number
  contentType: string | null
  language: string | null
  createdAt: number
}

/** API paths of runs by kind. */
const RESOURCES: Readonly<Record<string, string>> = {
  crawl: '/api/v1/core/crawl-requests/',
  search: '/api/v1/core/search/',
  sitemap: '/api/v1/core/sitemaps/',
}

const envelope = (type: WebhookEvent | 'webhook.test', at: number, data: object) =>
  JSON.stringify({ type, timestamp: new Date(at).toISOString(), data })

const runOf = (run: RunFacts) => ({
  uuid: run.id,
  kind: run.kind,
  status: run.status,
  label: run.label,
  path: `${RESOURCES[run.kind]}${run.id}/`,
  schedule: run.scheduleId,
})

export const startedBody = (run: RunFacts): string =>
  envelope('run.started', run.startedAt ?? run.createdAt, {
    run: { ...runOf(run), status: 'running', created_at: instant(run.createdAt), started_at: instantOrNull(run.startedAt) },
  })

/** @param first  how many pages were sent to the endpoint before */
export const pagesBody = (run: RunFacts, pages: readonly PageFacts[], first: number, at: number): string =>
  envelope('run.pages', at, {
    run: runOf(run),
    first: first + 1,
    pages: pages.map((page) => ({
      uuid: page.id,
      url: page.url,
      title: page.title,
      status_code: page.httpStatus,
      content_type: page.contentType,
      language: page.language,
      created_at: instant(page.createdAt),
      path: `${RESOURCES['crawl']}${run.id}/results/${page.id}/`,
    })),
  })

export const endedBody = (run: RunFacts): string =>
  envelope('run.ended', run.endedAt ?? run.createdAt, {
    run: {
      ...runOf(run),
      reason: run.reason,
      results: run.kept,
      failed: run.failed,
      created_at: instant(run.createdAt),
      started_at: instantOrNull(run.startedAt),
      ended_at: instantOrNull(run.endedAt),
    },
  })

/** @param left  remaining credits of the period, out of `total` */
export const creditsLowBody = (at: number, credits: { left: number; total: number; periodEndAt: number | null }): string =>
  envelope('credits.low', at, { left: credits.left, total: credits.total, period_end: instantOrNull(credits.periodEndAt) })

export const testBody = (at: number, endpointId: string): string =>
  envelope('webhook.test', at, { webhook: { uuid: endpointId }, message: 'A test event, sent by hand.' })
