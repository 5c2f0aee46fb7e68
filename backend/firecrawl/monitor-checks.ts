/** The checks of monitors: crawls of their schedules, with what became of each page since the check before. */
import type { MonitorCheck } from '#contract/firecrawl/monitors.ts'
import { isTerminal } from '#contract/runs.ts'
import type { CrawlPages } from '#backend/crawls/crawl-pages.ts'
import type { ComparedPage, CrawlComparison, PageStatus } from '#backend/crawls/crawl-comparison.ts'
import type { Runs } from '#backend/runs/runs.ts'
import { hasResult } from '#backend/schedules/scheduled-crawls.ts'
import type { ScheduledCrawl, ScheduledCrawls } from '#backend/schedules/scheduled-crawls.ts'
import { badRequest, Refused } from './errors.ts'
import { askedOf, isId } from './jobs.ts'
import type { MostOf } from './jobs.ts'
import type { ModelFields } from './model-question.ts'
import type { PageChanges } from './page-changes.ts'
import { BYTES_AT_ONCE, isoOrNull } from './status.ts'

export type CheckNeeds = {
  comparison: CrawlComparison
  crawls: ScheduledCrawls
  changes: Pick<PageChanges, 'pageChange'>
  mostOf: MostOf
  pages: Pick<CrawlPages, 'document'>
  runs: Pick<Runs, 'read'>
}

type Summary = MonitorCheck['summary']
type Window = { limit: number; skip: number; status: PageStatus | null }

export type MonitorChecks = ReturnType<typeof createMonitorChecks>

export function createMonitorChecks({ changes, comparison, crawls, mostOf, pages, runs }: CheckNeeds) {
  return { list, read, present, newest: crawls.newest, lastSummary }

  /** The newest first. */
  async function list(teamId: string, monitorId: string, window: { limit: number; offset: number }): Promise<MonitorCheck[]> {
    const { creditsLeft } = await mostOf(teamId)
    const checks: MonitorCheck[] = []
    for (const crawl of await crawls.list(monitorId, window)) checks.push(await presentCheck(crawl, creditsLeft !== null))
    return checks
  }

  /** The summary of the newest check that has ended; null without one. */
  async function lastSummary(monitorId: string): Promise<Summary | null> {
    const ended = await crawls.newestEnded(monitorId)
    return ended === null ? null : summaryOf(ended, await crawls.resultsBefore(ended))
  }

  /**
   * A check, some of its pages as JSON texts, and how many of them the next page of the list skips; null at the end. Throws 404 for an unknown
   * one.
   */
  async function read(
    teamId: string,
    monitorId: string,
    checkId: string,
    { limit, skip, status }: Window,
  ): Promise<{ check: MonitorCheck; pages: string[]; nextSkip: number | null }> {
    if (!isId(checkId)) throw badRequest('Invalid check ID.')
    const crawl = await crawls.one(monitorId, checkId)
    if (crawl === null) throw new Refused(404, 'Check not found.')
    const check = await present(teamId, crawl)
    const rows = await comparison.list(crawl, await crawls.resultsBefore(crawl), status, { offset: skip, limit })
    const found = await presentPages(teamId, crawl, rows)
    const end = skip + found.length
    const total = status === null ? check.summary.totalPages : check.summary[status]
    return { check, pages: found, nextSkip: found.length > 0 && end < total ? end : null }
  }

  async function present(teamId: string, crawl: ScheduledCrawl): Promise<MonitorCheck> {
    const { creditsLeft } = await mostOf(teamId)
    return presentCheck(crawl, creditsLeft !== null)
  }

  async function presentCheck(crawl: ScheduledCrawl, usesCredits: boolean): Promise<MonitorCheck> {
    const { id, kept, scheduleId, variant } = crawl
    const hasEnded = isTerminal(crawl.status)
    return {
      id,
      monitorId: scheduleId,
      ...outcomeOf(crawl),
      trigger: crawl.scheduledFor === null ? 'manual' : 'scheduled',
      scheduledFor: isoOrNull(crawl.scheduledFor),
      startedAt: isoOrNull(crawl.startedAt),
      finishedAt: isoOrNull(crawl.endedAt),
      estimatedCredits: null,
      reservedCredits: null,
      actualCredits: hasEnded ? kept : null,
      billingStatus: !usesCredits ? 'not_applicable' : hasEnded ? 'confirmed' : 'reserved',
      summary: await summaryOf(crawl, await crawls.resultsBefore(crawl)),
      targetResults: [
        variant === 'batch'
          ? { targetId: scheduleId, type: 'scrape', expectedJobs: [id] }
          : { targetId: scheduleId, type: 'crawl', crawlId: id },
      ],
      createdAt: new Date(crawl.createdAt).toISOString(),
      updatedAt: new Date(crawl.updatedAt).toISOString(),
    }
  }

  async function summaryOf(crawl: ScheduledCrawl, before: readonly ScheduledCrawl[]): Promise<Summary> {
    const counts = await comparison.count(crawl, before)
    return { totalPages: Object.values(counts).reduce((sum, one) => sum + one, 0), ...counts }
  }

  /** As many of the pages as `BYTES_AT_ONCE` allows, one at least. */
  async function presentPages(teamId: string, crawl: ScheduledCrawl, rows: readonly ComparedPage[]): Promise<string[]> {
    const { model } = askedOf(await runs.read(teamId, 'crawl', crawl.id))
    const found: string[] = []
    let bytes = 0
    for (const row of rows) {
      const { before, now, status } = row
      const reads = now !== null && (status === 'changed' || model !== undefined)
      const change = reads ? await changeOf(teamId, status === 'changed' ? before : null, now, model) : NO_CHANGE
      const text = `${JSON.stringify(presentPage(crawl, row)).slice(0, -1)},${change.slice(1)}`
      found.push(text)
      if (!reads) continue
      bytes += Buffer.byteLength(text)
      if (bytes > BYTES_AT_ONCE) break
    }
    return found
  }

  async function changeOf(teamId: string, before: ComparedPage['before'], now: { no: number }, model: ModelFields | undefined) {
    const earlier = before === null ? null : await pages.document(before.no)
    return changes.pageChange(teamId, earlier, await pages.document(now.no), model)
  }
}

/** A page without what differs in it. */
function presentPage(crawl: ScheduledCrawl, { at, before, failure, httpStatus, now, status, url }: ComparedPage) {
  return {
    id: now?.id ?? before?.id ?? `${crawl.id}:${failure?.seq ?? 0}`,
    targetId: crawl.scheduleId,
    url,
    status,
    previousScrapeId: before?.id ?? null,
    currentScrapeId: now?.id ?? null,
    statusCode: httpStatus,
    error: failure?.text ?? null,
    judgment: null,
    createdAt: new Date(at ?? crawl.endedAt ?? crawl.updatedAt).toISOString(),
  }
}

const NO_CHANGE = JSON.stringify({ diff: null, snapshot: null })

function outcomeOf(crawl: ScheduledCrawl): Pick<MonitorCheck, 'status' | 'error'> {
  const { reason, status } = crawl
  if (status === 'new') return { status: 'queued', error: null }
  if (status === 'running' || status === 'canceling') return { status: 'running', error: null }
  if (status === 'canceled') return { status: 'failed', error: 'The check was canceled.' }
  if (hasResult(crawl)) return { status: 'completed', error: null }
  return { status: 'failed', error: `The check failed: ${reason ?? 'unknown reason'}` }
}
