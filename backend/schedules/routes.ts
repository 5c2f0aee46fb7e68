/** The schedules of a team. */
import type { FastifyPluginAsync } from 'fastify'
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  previewSchedule,
  runSchedule,
} from '#contract/schedules.ts'
import type { CrawlSchedule, ScheduleProblem } from '#contract/schedules.ts'
import type { CrawlRequest } from '#contract/crawls.ts'
import { hrefOf } from '#backend/http/base-url.ts'
import type { BaseUrl } from '#backend/http/base-url.ts'
import { idempotencyKey } from '#backend/http/idempotency-key.ts'
import { instant, instantOrNull } from '#backend/http/instants.ts'
import { pagedAnswer, pageWindow } from '#backend/http/pagination.ts'
import type { Query } from '#backend/http/pagination.ts'
import { route } from '#backend/http/route.ts'
import type { Run } from '#backend/runs/run.ts'
import type { ScheduledCrawl } from './scheduled-crawls.ts'
import type { ScheduleRow, Schedules } from './schedules.ts'
import { checkTimes, nextTimes } from './times.ts'

const PREVIEWED_TIMES = 5

type Needs = {
  baseUrl: BaseUrl
  now: () => number
  /** The newest crawl of each schedule. */
  newestOf: (scheduleIds: readonly string[]) => Promise<Map<string, ScheduledCrawl>>
  presentCrawl: (run: Run, baseUrl: string) => CrawlRequest
  schedules: Schedules
  /** Starts the crawl of a schedule by hand. */
  start: (row: ScheduleRow, idempotencyKey?: string) => Promise<Run>
}

export function scheduleRoutes({ baseUrl, newestOf, now, presentCrawl, schedules, start }: Needs): FastifyPluginAsync {
  return async (app) => {
    route(app, listSchedules, async ({ actor, request }) => {
      const window = pageWindow(request.query as Query, await schedules.count(actor.teamId))
      const rows = await schedules.list(actor.teamId, { limit: window.pageSize, offset: window.offset })
      const newest = await newestOf(rows.map(({ id }) => id))
      return pagedAnswer(
        hrefOf(baseUrl, request),
        window,
        rows.map((row) => present(row, newest.get(row.id))),
      )
    })
    route(app, createSchedule, async ({ actor, body: { crawl, ...body } }) => {
      const repeated = await schedules.copyOfCrawl(actor.teamId, crawl)
      return present(await schedules.create(actor.teamId, actor.userId, { ...body, repeated }), undefined)
    })
    route(app, previewSchedule, async ({ body }) => {
      checkTimes(body, now())
      return { next: nextTimes(body, now(), PREVIEWED_TIMES).map(instant) }
    })
    route(app, getSchedule, async ({ actor, params }) => withNewest(await schedules.read(actor.teamId, params.id)))
    route(app, changeSchedule, async ({ actor, body: { crawl, ...body }, params: { id } }) => {
      if (crawl === undefined) return withNewest(await schedules.change(actor.teamId, id, body))
      // Another team's schedule is unknown, also with an unknown crawl.
      await schedules.read(actor.teamId, id)
      const repeated = await schedules.copyOfCrawl(actor.teamId, crawl)
      return withNewest(await schedules.change(actor.teamId, id, { ...body, repeated }))
    })
    route(app, deleteSchedule, async ({ actor, params }) => schedules.remove(actor.teamId, params.id))
    route(app, runSchedule, async ({ actor, params, request }) => {
      const run = await start(await schedules.read(actor.teamId, params.id), idempotencyKey(request))
      return presentCrawl(run, baseUrl(request))
    })
  }

  async function withNewest(row: ScheduleRow): Promise<CrawlSchedule> {
    return present(row, (await newestOf([row.id])).get(row.id))
  }
}

function present(row: ScheduleRow, newest: ScheduledCrawl | undefined): CrawlSchedule {
  return {
    uuid: row.id,
    name: row.name,
    crawl_type: row.variant === 'batch' ? 'batch' : 'single',
    url: row.url,
    number_of_urls: row.urls,
    cron: row.cron,
    timezone: row.timezone,
    is_active: row.isActive === 1,
    mail_changes: row.mailChanges === 1,
    next_crawl_at: instantOrNull(row.nextAt),
    last_crawl:
      newest === undefined
        ? null
        : { uuid: newest.id, status: newest.status, created_at: instant(newest.createdAt), number_of_documents: newest.kept },
    last_problem:
      row.problem === null
        ? null
        : { at: instant(row.problemAt ?? row.updatedAt), problem: row.problem as ScheduleProblem, message: row.problemText ?? '' },
    created_at: instant(row.createdAt),
    updated_at: instant(row.updatedAt),
  }
}
