/** The recent usage of a team, and the cost of each of its runs. */
import * as z from 'zod/mini'
import { endpoint, paged } from './endpoint.ts'
import { oneOf } from './fields.ts'
import { status } from './run-fields.ts'
import { RUN_KINDS } from './runs.ts'

const USAGE = '/api/v1/core/usage/'
const TAG = 'Usage'

/** The period of the totals and histories. */
export const USAGE_DAYS = 30

const totals = {
  total_crawls: z.int(),
  finished_crawls: z.int(),
  failed_crawls: z.int(),
  total_documents: z.int(),
  total_searches: z.int(),
  total_sitemaps: z.int(),
  used_credits: z.int(),
}

const day = z.object({ date: z.string(), count: z.int() })
export type UsageDay = z.output<typeof day>

export const usage = z.object({
  total_crawls: z.int(),
  finished_crawls: z.int(),
  failed_crawls: z.int(),
  running_crawls: z.int(),
  total_documents: z.int(),
  total_searches: z.int(),
  total_sitemaps: z.int(),
  used_credits: z.int(),
  crawl_history: z.array(day),
  document_history: z.array(day),
  search_history: z.array(day),
  sitemap_history: z.array(day),
  credit_history: z.array(day),
  /** The same totals of the 30 days before. */
  previous: z.object(totals),
})
export type Usage = z.output<typeof usage>

export const getUsage = endpoint({
  method: 'GET',
  path: USAGE,
  access: 'user+team',
  tag: TAG,
  summary: 'Activity of the team in the last 30 days',
  description: 'Histories are grouped by the day (UTC) on which a job was created, oldest first; days without any are left out.',
  answer: usage,
})

export const usageEntry = z.object({
  uuid: z.string(),
  content_type: z.enum(RUN_KINDS),
  object_id: z.string(),
  /** Empty when the job was deleted. */
  label: z.string(),
  is_deleted: z.boolean(),
  requested_page_credit: z.int(),
  used_page_credit: z.int(),
  status,
  created_at: z.string(),
})
export type UsageEntry = z.output<typeof usageEntry>

export const usageHistory = endpoint({
  method: 'GET',
  path: `${USAGE}history/`,
  access: 'user+team',
  tag: TAG,
  summary: 'Credits that each job reserved and used, newest first',
  description: 'Filters: `content_type`, `created_at__gte`, `created_at__lt`.',
  answer: paged(usageEntry),
})

export const exportUsage = endpoint({
  method: 'GET',
  path: `${USAGE}history/export/`,
  access: 'user+team',
  tag: TAG,
  summary: 'The ledger as CSV or JSON Lines',
  media: 'text/csv',
  query: z.object({ file_format: z._default(oneOf(['csv', 'jsonl']), 'csv') }),
  description: 'Filters: `content_type`, `created_at__gte`, `created_at__lt`.',
})
