/** A job is a run of any kind in one form: its name, its path, its number of results. Pure. */
import type { CrawlRequest } from '#contract/crawls.ts'
import { isTerminal } from '#contract/runs.ts'
import type { RunKind, RunStatus } from '#contract/runs.ts'
import type { SearchRequest } from '#contract/searches.ts'
import type { SitemapRequest } from '#contract/sitemaps.ts'
import { bareUrl, crawlName, pageLimitOf } from '#web/runs/crawl/page-texts.ts'
import { pathTo } from '#web/navigation.ts'
import type { PathName } from '#web/navigation.ts'
import { numberText } from '#web/ui/text/time-texts.ts'
import { found as COUNTS } from '#texts/nouns.ts'
import * as t from '#texts/jobs.ts'

export type Job = {
  id: string
  kind: RunKind
  name: string
  href: string
  status: RunStatus
  createdAt: string
  /** Pages, results or URLs so far. */
  found: number
  /** The most results that the run can have; null if unlimited. */
  most: number | null
}

/** What all runs of a kind have in common. */
export const JOB_KINDS: Record<RunKind, { label: string; log: PathName }> = {
  crawl: { label: t.crawl, log: 'crawlLogs' },
  search: { label: t.search, log: 'searchLogs' },
  sitemap: { label: t.sitemap, log: 'sitemapLogs' },
}

export function crawlJob(crawl: CrawlRequest): Job {
  const { name, more } = crawlName(crawl)
  return {
    ...common(crawl),
    kind: 'crawl',
    name: more > 0 ? t.nameAndMore(name, numberText(more)) : name,
    href: pathTo('crawlDetails', { requestId: crawl.uuid }),
    most: pageLimitOf(crawl),
  }
}

export const searchJob = (search: SearchRequest): Job => ({
  ...common(search),
  kind: 'search',
  name: search.query,
  href: pathTo('searchDetails', { id: search.uuid }),
  most: search.result_limit,
})

export const sitemapJob = (sitemap: SitemapRequest): Job => ({
  ...common(sitemap),
  kind: 'sitemap',
  name: bareUrl(sitemap.url),
  href: pathTo('sitemapDetails', { id: sitemap.uuid }),
  most: null,
})

const common = ({
  uuid,
  status,
  created_at,
  number_of_documents,
}: {
  uuid: string
  status: RunStatus
  created_at: string
  number_of_documents: number
}) => ({ id: uuid, status, createdAt: created_at, found: number_of_documents })

/** The newest of several lists, newest first. */
export const newestJobs = (lists: readonly (readonly Job[])[], count: number): Job[] =>
  lists
    .flat()
    .toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
    .slice(0, count)

/** "312 pages so far", "10 results"; for a new job, that it is waiting. */
export function foundText({ found, kind, status }: Pick<Job, 'found' | 'kind' | 'status'>): string {
  if (status === 'new') return t.waitingToBegin
  const count = COUNTS[kind](found)
  return isTerminal(status) ? count : t.soFar(count)
}
