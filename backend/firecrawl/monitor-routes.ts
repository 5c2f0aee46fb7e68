/** The endpoints of monitors, which only version 2 of the Firecrawl API has. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MONITOR_ENDPOINTS, MONITOR_PAGE_STATUSES } from '#contract/firecrawl/monitors.ts'
import type { BaseUrl } from '#backend/http/base-url.ts'
import { queryText } from '#backend/http/pagination.ts'
import type { Query } from '#backend/http/pagination.ts'
import { rawJson } from '#backend/http/reply.ts'
import { route } from '#backend/http/route.ts'
import type { ScheduledCrawl } from '#backend/schedules/scheduled-crawls.ts'
import type { ScheduleRow } from '#backend/schedules/schedules.ts'
import { badRequest } from './errors.ts'
import type { MonitorChecks } from './monitor-checks.ts'
import type { Monitors } from './monitors.ts'
import { numberOf } from './query.ts'

const MOST_LISTED = 100
const USUALLY_LISTED = 20

export type MonitorRouteNeeds = {
  checks: MonitorChecks
  monitors: Monitors
  /** Starts a check now. */
  start: (row: ScheduleRow) => Promise<ScheduledCrawl>
}

export function bindMonitors(app: FastifyInstance, { baseUrl, checks, monitors, start }: MonitorRouteNeeds & { baseUrl: BaseUrl }): void {
  const { changeMonitor, createMonitor, deleteMonitor, getCheck, getMonitor, listChecks, listMonitors, runMonitor } = MONITOR_ENDPOINTS

  route(app, createMonitor, async ({ actor, body }) => answer(await monitors.create(actor.teamId, actor.userId, body)))
  route(app, listMonitors, async ({ actor, request }) => ({
    success: true as const,
    data: await monitors.list(actor.teamId, listWindow(request)),
  }))
  route(app, getMonitor, async ({ actor, params }) => answer(await monitors.read(actor.teamId, params.monitor)))
  route(app, changeMonitor, async ({ actor, body, params }) => answer(await monitors.change(actor.teamId, params.monitor, body)))
  route(app, deleteMonitor, async ({ actor, params }) => {
    await monitors.remove(actor.teamId, params.monitor)
    return { success: true as const }
  })
  route(app, runMonitor, async ({ actor, params }) => {
    const crawl = await start(await monitors.rowOf(actor.teamId, params.monitor))
    return answer({ data: await checks.present(actor.teamId, crawl), warnings: [] })
  })
  route(app, listChecks, async ({ actor, params, request }) => {
    const { id } = await monitors.rowOf(actor.teamId, params.monitor)
    return { success: true as const, data: await checks.list(actor.teamId, id, listWindow(request)) }
  })
  route(app, getCheck, async ({ actor, params, request }) => {
    const { id } = await monitors.rowOf(actor.teamId, params.monitor)
    const window = pagesWindow(request)
    const { check, nextSkip, pages } = await checks.read(actor.teamId, id, params.check, window)
    const query = new URLSearchParams({
      skip: String(nextSkip),
      limit: String(window.limit),
      ...(window.status && { status: window.status }),
    })
    const next = nextSkip === null ? null : `${baseUrl(request)}/v2/monitor/${id}/checks/${check.id}?${query}`
    const head = JSON.stringify({ success: true, data: { ...check, next } })
    return rawJson(`${head.slice(0, -2)},"pages":[${pages.join(',')}]}}`)
  })
}

const answer = <T>({ data, warnings }: { data: T; warnings: string[] }) => ({
  success: true as const,
  data,
  ...(warnings.length > 0 && { warning: warnings.join(' ') }),
})

function listWindow({ query }: FastifyRequest) {
  const limit = Math.min(numberOf(query as Query, 'limit', 1) ?? USUALLY_LISTED, MOST_LISTED)
  return { limit, offset: numberOf(query as Query, 'offset', 0) ?? 0 }
}

function pagesWindow({ query }: FastifyRequest) {
  const limit = Math.min(numberOf(query as Query, 'limit', 1) ?? MOST_LISTED, MOST_LISTED)
  const text = queryText(query as Query, 'status')
  const status = MONITOR_PAGE_STATUSES.find((one) => one === text) ?? null
  if (text !== undefined && status === null) throw badRequest(`status may be ${MONITOR_PAGE_STATUSES.join(', ')}.`)
  return { limit, skip: numberOf(query as Query, 'skip', 0) ?? 0, status }
}
