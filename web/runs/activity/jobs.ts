/** A run of any kind as one line: what it is called, where it is read, what it has brought. Pure. */
import type { CrawlRequest } from '#contract/crawls.ts'
import { isTerminal } from '#contract/runs.ts'
import type { RunKind, RunStatus } from '#contract/runs.ts'
import type { SearchRequest } from '#contract/searches.ts'
import type { SitemapRequest } from '#contract/sitemaps.ts'
import { bareUrl, crawlName, pageLimitOf } from '#web/runs/crawl/page-texts.ts'
import { pathTo } from '#web/navigation.ts'
import type { PathName } from '#web/navigation.ts'
import { countText, numberText } from '#web/ui/text/time-texts.ts'

export type Job = {
  id: string
  kind: RunKind
  name: string
  href: string
  status: RunStatus
  createdAt: string
  /** Pages, results or addresses so far. */
  brought: number
  /** The most that it can bring; null where nothing bounds it from the start. */
  most: number | null
}

/** What is the same for all runs of a kind. */
export const JOB_KINDS: Record<RunKind, { label: string; nouns: string; log: PathName; brings: readonly [one: string, several: string] }> =
  {
    crawl: { label: 'Crawl', nouns: 'crawls', log: 'crawlLogs', brings: ['page', 'pages'] },
    search: { label: 'Search', nouns: 'searches', log: 'searchLogs', brings: ['result', 'results'] },
    sitemap: { label: 'Sitemap', nouns: 'sitemaps', log: 'sitemapLogs', brings: ['address', 'addresses'] },
  }

export function crawlJob(crawl: CrawlRequest): Job {
  const { name, more } = crawlName(crawl)
  return {
    ...common(crawl),
    kind: 'crawl',
    name: more > 0 ? `${name} +${numberText(more)} more` : name,
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
}) => ({ id: uuid, status, createdAt: created_at, brought: number_of_documents })

/** The newest of several lists, newest first. */
export const newestJobs = (lists: readonly (readonly Job[])[], count: number): Job[] =>
  lists
    .flat()
    .toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
    .slice(0, count)

/** "312 pages so far", "10 results"; a job that waits for its turn says so. */
export function broughtText({ brought, kind, status }: Pick<Job, 'brought' | 'kind' | 'status'>): string {
  if (status === 'new') return 'Waiting to begin'
  const [one, several] = JOB_KINDS[kind].brings
  return countText(brought, one, several) + (isTerminal(status) ? '' : ' so far')
}
