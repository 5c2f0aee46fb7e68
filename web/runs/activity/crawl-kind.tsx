/** Crawls in the log and the details. */
import { deleteCrawls, getCrawl, listCrawls } from '#contract/crawls.ts'
import type { CrawlRequest } from '#contract/crawls.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { CrawlDetails } from '#web/runs/crawl/crawl-details.tsx'
import { saveArchive } from '#web/runs/crawl/download-menu.tsx'
import { CrawlRowActions } from '#web/runs/crawl/crawl-row-actions.tsx'
import { crawlName, pageLimitOf } from '#web/runs/crawl/page-texts.ts'
import { Chip } from '#web/ui/feedback/status-badge.tsx'
import { CRAWL } from '#web/runs/crawl/use-crawl.ts'
import { numberText } from '#web/ui/text/time-texts.ts'
import { countColumn, nameColumn } from './columns.tsx'
import { listQuery, liveList, liveRun } from './run-kind.ts'
import type { RunKind } from './run-kind.ts'

export const crawlKind: RunKind<CrawlRequest> = {
  base: CRAWL,
  words: {
    title: 'Activity Logs',
    description: 'Every crawl of this team, newest first. Running rows move by themselves.',
    begin: 'New crawl',
    empty: 'No crawl requests yet',
    emptySays: 'Crawls of this team gather here, with their pages and what became of every address.',
    textFilter: 'URL contains',
    back: 'Back to the crawl logs',
  },
  columns: [
    nameColumn<CrawlRequest>({
      key: 'url',
      head: 'URL',
      cell: (run) => {
        const { name, more } = crawlName(run)
        return (
          <span className="flex min-w-0 items-center gap-2" title={run.url ?? undefined}>
            <span className="min-w-0 truncate font-medium">{name}</span>
            {more > 0 && (
              <span className="flex-none">
                <Chip>+{numberText(more)} more</Chip>
              </span>
            )}
          </span>
        )
      },
    }),
    {
      key: 'type',
      head: 'Type',
      from: 'xl',
      card: 'none',
      cell: ({ crawl_type }) => <span className="text-soft">{crawl_type === 'batch' ? 'Batch' : 'Single'}</span>,
    },
    countColumn<CrawlRequest>(
      'result',
      (run) => run.status === 'running' && <span className="text-faint"> / {numberText(pageLimitOf(run))}</span>,
    ),
  ],
  types: [
    { value: 'single', label: 'Single' },
    { value: 'batch', label: 'Batch' },
  ],
  useList: (query) =>
    useEndpoint(
      listCrawls,
      { query: { ...listQuery(query), url__contains: query.text || undefined, crawl_type: query.type || undefined } },
      liveList(),
    ),
  useRun: (id) => useEndpoint(getCrawl, { params: { id } }, liveRun()),
  nameOf: (run) => crawlName(run).name,
  RowActions: CrawlRowActions,
  deletion: { holds: 'its pages and the list of its URLs, and takes the pages out of your own search', many: deleteCrawls },
  download: (run) => saveArchive(run, 'json'),
  Details: CrawlDetails,
}
