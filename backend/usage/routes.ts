/** Usage endpoints. */
import type { FastifyPluginAsync } from 'fastify'
import { RUN_KINDS } from '#contract/runs.ts'
import { exportUsage, getUsage, usageHistory } from '#contract/usage.ts'
import type { UsageEntry } from '#contract/usage.ts'
import { hrefOf } from '#backend/http/base-url.ts'
import type { BaseUrl } from '#backend/http/base-url.ts'
import { instant } from '#backend/http/instants.ts'
import { pagedAnswer, pageWindow } from '#backend/http/pagination.ts'
import type { Query } from '#backend/http/pagination.ts'
import { readChoice, readInstantBounds } from '#backend/http/query-filters.ts'
import { route } from '#backend/http/route.ts'
import { csvLine, jsonLine, sendRows } from '#backend/http/rows-text.ts'
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
    route(app, exportUsage, ({ actor, query: { file_format: format }, request, reply }) => {
      const query = request.query as Query
      const filters = { kind: readChoice(query, 'content_type', RUN_KINDS), createdAt: readInstantBounds(query, 'created_at') }
      return sendRows(reply, { format, name: 'usage', rows: ledgerText(usage.entries(actor.teamId, filters), format) })
    })
  }
}

const FIELDS = ['uuid', 'content_type', 'label', 'is_deleted', 'requested_page_credit', 'used_page_credit', 'status', 'created_at'] as const

async function* ledgerText(groups: AsyncIterable<LedgerEntry[]>, format: 'csv' | 'jsonl'): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(FIELDS)
  for await (const group of groups)
    yield group
      .map(presentEntry)
      .map((entry) => (format === 'csv' ? csvLine(FIELDS.map((field) => entry[field])) : jsonLine(entry)))
      .join('')
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
