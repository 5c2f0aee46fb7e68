/** Crawls in the log and the details. */
import { deleteCrawls, getCrawl, listCrawls } from '#contract/crawls.ts'
import type { CrawlRequest } from '#contract/crawls.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { saveArchive } from '#web/runs/crawl/download-menu.tsx'
import { CrawlRowActions } from '#web/runs/crawl/crawl-row-actions.tsx'
import { crawlName, pageLimitOf } from '#web/runs/crawl/page-texts.ts'
import { Chip } from '#web/ui/feedback/status-badge.tsx'
import { CRAWL } from '#web/runs/crawl/use-crawl.ts'
import { numberText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/kinds.ts'
import { countColumn, nameColumn } from './columns.tsx'
import { listQuery, liveList, liveRun } from './run-kind.ts'
import type { RunKind } from './run-kind.ts'

export const crawlKind: RunKind<CrawlRequest> = {
  base: CRAWL,
  words: {
    title: t.activityLogs,
    description: t.everyCrawlOfThisTeamNewest,
    begin: t.newCrawl,
    empty: t.noCrawlRequestsYet,
    emptySays: t.crawlsOfThisTeamGatherHere,
    textFilter: t.urlContains,
    back: t.backToTheCrawlLogs,
  },
  columns: [
    nameColumn<CrawlRequest>({
      key: 'url',
      head: t.url,
      cell: (run) => {
        const { name, more } = crawlName(run)
        return (
          <span className="flex min-w-0 items-center gap-2" title={run.url ?? undefined}>
            <span className="min-w-0 truncate font-medium">{name}</span>
            {more > 0 && (
              <span className="flex-none">
                <Chip>+{t.more(numberText(more))}</Chip>
              </span>
            )}
          </span>
        )
      },
    }),
    {
      key: 'type',
      head: t.type,
      from: 'xl',
      card: 'none',
      cell: ({ crawl_type }) => <span className="text-soft">{crawl_type === 'batch' ? t.batch : t.single}</span>,
    },
    countColumn<CrawlRequest>(
      t.resultsWord,
      (run) => run.status === 'running' && <span className="text-faint"> / {numberText(pageLimitOf(run))}</span>,
    ),
  ],
  types: [
    { value: 'single', label: t.single },
    { value: 'batch', label: t.batch },
  ],
  useList: (query) =>
    useEndpoint(
      listCrawls,
      {
        query: {
          ...listQuery(query),
          url__contains: query.text || undefined,
          crawl_type: query.type || undefined,
          schedule: query.schedule || undefined,
        },
      },
      liveList(),
    ),
  useRun: (id) => useEndpoint(getCrawl, { params: { id } }, liveRun()),
  nameOf: (run) => crawlName(run).name,
  RowActions: CrawlRowActions,
  hasSchedules: true,
  deletion: { holds: t.itsPagesAndTheListOf, many: deleteCrawls },
  download: (run) => saveArchive(run, 'json'),
}
