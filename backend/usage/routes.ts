/** Usage endpoints. */
import type { FastifyPluginAsync } from 'fastify'
import { RUN_KINDS } from '#contract/runs.ts'
import { getUsage, usageHistory } from '#contract/usage.ts'
import type { UsageEntry } from '#contract/usage.ts'
import { hrefOf } from '#backend/http/base-url.ts'
import type { BaseUrl } from '#backend/http/base-url.ts'
import { instant } from '#backend/http/instants.ts'
import { pagedAnswer, pageWindow } from '#backend/http/pagination.ts'
import type { Query } from '#backend/http/pagination.ts'
import { readChoice, readInstantBounds } from '#backend/http/query-filters.ts'
import { route } from '#backend/http/route.ts'
import type { LedgerEntry, UsageReader } from './usage.ts'

export function usageRoutes({ baseUrl, usage }: { baseUrl: BaseUrl; usage: UsageReader }): FastifyPluginAsync {
  return async (app) => {
    route(app, getUsage, ({ actor }) => usage.totals(actor.teamId))
    route(app, usageHistory, async ({ actor, request }) => {
      const query = request.query as Query
      const filters = { kind: readChoice(query, 'content_type', RUN_KINDS), createdAt: readInstantBounds(query, 'created_at') }
      const { window, entries } = await usage.ledger(actor.teamId, filters, (count) => pageWindow(query, count))
      return pagedAnswer(hrefOf(baseUrl, request), window, entries.map(presentEntry))
    })
  }
}

/** A run has one entry, so the run's id names both. */
const presentEntry = ({ runId, kind, label, isDeleted, status, requested, used, createdAt }: LedgerEntry): UsageEntry => ({
  uuid: runId,
  content_type: kind,
  object_id: runId,
  label,
  is_deleted: isDeleted,
  requested_page_credit: requested,
  used_page_credit: used,
  status,
  created_at: instant(createdAt),
})
